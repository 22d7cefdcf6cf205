/// First half of building a model: every body's mesh, placed in the world, with all its copies.
#ifndef MODEL_BODIES_H
#define MODEL_BODIES_H

#include "mesh/mesh.h"
#include "scene/scene.h"

/// A body's mesh and how many copies of it there are.
typedef struct BodyMesh {
    TetMesh mesh; ///< nodes scaled, rotated and translated: copy 0 in the world
    int32_t triangle_count;
    int32_t *triangles, *triangle_tets; ///< surface of one copy, indices within it
    int32_t copy_count;
    int32_t piece_count; ///< pieces of one copy that share no node
} BodyMesh;

/// Reads or makes the mesh of a body and places copy 0.
VelaResult body_mesh_load(VelaContext *context, const BodyDef *body, Arena *arena, BodyMesh *loaded);
/// Offset of copy `copy` (x fastest) from copy 0, m.
void body_copy_offset(const BodyDef *body, int32_t copy, double offset[3]);

#endif
