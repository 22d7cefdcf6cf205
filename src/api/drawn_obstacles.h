/// What images show of a scene's obstacles: planes, and the surfaces of spheres and meshes, moved to a frame's time.
#ifndef API_DRAWN_OBSTACLES_H
#define API_DRAWN_OBSTACLES_H

#include "model/obstacles.h"
#include "render/render.h"

typedef struct DrawnObstacles {
    const SceneDef *scene;
    int32_t plane_count;
    RenderPlane *planes;    ///< as the first frame shows them
    int32_t *plane_sources; ///< plane_count: the obstacle
    FrameTopology
        surfaces; ///< no tets; its bodies are the obstacles, its rest positions those before any motion
    int32_t *surface_sources; ///< surfaces.body_count: the obstacle
    double *positions;        ///< of the surfaces' nodes at the time at hand
    double (*boxes)[2][3];    ///< surfaces.body_count: roughly what each covers while it moves, m
} DrawnObstacles;

/// `loaded`: the surfaces of mesh obstacles, one for each obstacle of the scene; NULL: they are read here, and a mesh that
/// cannot be read (any more) is left out with a warning. Owned by `arena`. VELA_ERROR_OUT_OF_MEMORY.
VelaResult drawn_obstacles_make(VelaContext *context, const SceneDef *scene, const ObstacleSurface *loaded,
                                Arena *arena, DrawnObstacles *drawn);
/// Puts them into the def of a renderer, as they are at time 0. `drawn` must outlive the renderer.
void drawn_obstacles_show(const DrawnObstacles *drawn, RenderDef *def);
/// Moves what moves to its place at `time`, from the next frame on.
VelaResult drawn_obstacles_move(DrawnObstacles *drawn, double time, Renderer *renderer);
/// Widens the bounds of the bodies (m) by the obstacles about them: whole ones that reach no further beyond than the
/// bounds are large, and of larger ones what is near. Far ones do not count.
void drawn_obstacles_widen(const DrawnObstacles *drawn, double min[3], double max[3]);

#endif
