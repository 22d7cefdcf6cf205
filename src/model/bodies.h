/// First half of building a model: every body's mesh, placed in the world, with all its copies.
#ifndef MODEL_BODIES_H
#define MODEL_BODIES_H

#include "abi/element_kind.h"
#include "mesh/mesh.h"
#include "model/plates.h"
#include "scene/scene.h"

/// A body's mesh, and what each of its copies will have of everything.
typedef struct BodyMesh {
    TetMesh mesh; ///< its nodes are the body's vertices, scaled, rotated and translated: copy 0 in the world
    int32_t node_count, vertex_count;
    int32_t element_counts[ELEMENT_KIND_COUNT];
    int32_t triangle_count;
    int32_t *triangles, *triangle_tets; ///< surface, indices within the copy
    double
        *rest_nodes; ///< of a shell: node_count x 3, m, the shape without stress, as the mesh lies by itself
    int32_t (*hinges)[4]; ///< of a shell: nodes of inner edges that bend and the corners opposite to them
    PlateShape *plates;   ///< of a shell that bends as a plate: one a triangle
    double
        enclosed; ///< of a shell with a pressure: the volume within, m^3, negative where its triangles face inwards
    const struct AffineShape *affine; ///< of an affine body (model/affine.h)
    const struct BodySkin *skin;      ///< NULL: none (model/skins.h)
    int32_t copy_count;
    int32_t piece_count; ///< pieces of one copy that share no node
} BodyMesh;

/// Reads or makes a mesh of tetrahedra, and merges nodes if asked to.
VelaResult body_tets_load(VelaContext *context, const GeometryDef *geometry, Arena *arena, TetMesh *mesh);
/// Scales, rotates and translates nodes as the body asks.
void body_move(const BodyDef *body, int32_t node_count, double *nodes);
/// The same for the body's own nodes. VELA_ERROR_INVALID_INPUT where coordinates, as given or of any copy in
/// the world, are so large that doubles there are more than 1e-9 of the body's size apart.
VelaResult body_place(VelaContext *context, const BodyDef *body, int32_t node_count, double *nodes);
/// Offset of copy `copy` (x fastest) from copy 0, m.
void body_copy_offset(const BodyDef *body, int32_t copy, double offset[3]);

#endif
