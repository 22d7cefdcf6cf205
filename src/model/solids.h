/// Solids: bodies of tetrahedra.
#ifndef MODEL_SOLIDS_H
#define MODEL_SOLIDS_H

#include "model/bodies.h"
#include "model/model.h"

/// The mesh of a solid, placed, its surface, and its counts.
VelaResult solid_load(VelaContext *context, const BodyDef *body, Arena *arena, BodyMesh *loaded);
/// Fills in nodes, masses, elements and triangles of a body's copies, behind what the model has; the caller counts them.
/// VELA_ERROR_INVALID_INPUT for a tetrahedron without volume and a region without tetrahedra.
VelaResult model_add_solid(VelaContext *context, const BodyDef *def, const BodyMesh *loaded, Arena *arena,
                           const ModelBody *body, Model *model);

#endif
