/// Surfaces of obstacles, as the scene places them before any motion.
#ifndef MODEL_OBSTACLES_H
#define MODEL_OBSTACLES_H

#include "scene/scene.h"

/// A triangulated surface: of a mesh obstacle what bodies collide with, of a sphere what is drawn. Empty for planes.
typedef struct ObstacleSurface {
    int32_t vertex_count;
    double *vertices; ///< vertex_count x 3, m; motion_apply takes them to where they are at a time
    int32_t triangle_count;
    int32_t *triangles; ///< triangle_count x 3; outward where the surface is closed
} ObstacleSurface;

/// Reads the mesh of an obstacle and places it (scale, rotate, translate); vertices without a triangle are left out. Or
/// makes that of a sphere: OBSTACLE_SPHERE_TRIANGLES, inscribed, at most 4.3e-4 of the radius inside. Owned by `arena`.
/// Warnings and errors are those of mesh_read_triangles; VELA_ERROR_INVALID_INPUT also for a place beyond 1e30.
VelaResult obstacle_surface_load(VelaContext *context, const ObstacleDef *obstacle, Arena *arena,
                                 ObstacleSurface *surface);

enum {
    OBSTACLE_SPHERE_RINGS = 48, ///< from a pole to the equator
    OBSTACLE_SPHERE_TRIANGLES = 8 * OBSTACLE_SPHERE_RINGS * OBSTACLE_SPHERE_RINGS,
};

#endif
