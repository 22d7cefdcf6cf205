/// Affine bodies: stiff shapes that move by one affine map, the unknowns of which are four control nodes (theory.md section 9).
#ifndef MODEL_AFFINE_H
#define MODEL_AFFINE_H

#include "model/bodies.h"
#include "model/model.h"

/// Control nodes and mass of one copy of an affine body. The nodes are the centre and one point on each principal axis, all
/// at the longest half axis of the ellipsoid with the same inertia: a vertex's weights are of order 1.
typedef struct AffineShape {
    double volume;         ///< m^3
    double nodes[4][3];    ///< m, in the world as copy 0 is placed
    double shape[9];       ///< G_1, G_2, G_3: the gradients of the nodes' weights, 1/m
    double masses[16];     ///< int w_a w_b over the volume, m^3
    double inverses[16];   ///< of masses
    BodyVertices vertices; ///< of mesh.nodes
} AffineShape;

/// The vertices of a body's mesh or closed surface as mesh.nodes, its triangles, and its shape. VELA_ERROR_INVALID_INPUT for a
/// surface that is open, inside out or flat.
VelaResult affine_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded);
/// Weights of the control nodes of a point of the rest shape, or beside it. Pure.
void affine_weights(const AffineShape *shape, const double point[3], double weights[4]);
/// Fills in nodes, masses, elements and triangles of the copies, as model_add_solid does. `material`: with the body's stiffness,
/// Pa, as kappa.
void model_add_affine(const BodyDef *def, const BodyMesh *loaded, int32_t material, const ModelBody *body,
                      Model *model);

#endif
