#ifndef MODEL_OBSTACLES_H
#define MODEL_OBSTACLES_H
#include "scene/scene.h"
typedef struct ObstacleSurface {
    int32_t vertex_count, triangle_count;
    double *vertices;
    int32_t *triangles;
} ObstacleSurface;
VelaResult obstacle_surface_load(VelaContext *context, const ObstacleDef *obstacle, Arena *arena,
                                 ObstacleSurface *surface);
#endif
