/// Cables: bodies of segments that resist stretching and, if asked for, bending (theory.md section 3, "Shells, springs").
#ifndef MODEL_CABLES_H
#define MODEL_CABLES_H

#include "model/bodies.h"
#include "model/model.h"

/// The points of a cable as the nodes of a mesh without elements; its counts. VELA_ERROR_INVALID_INPUT for a segment without
/// length.
VelaResult cable_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded);
/// Fills in nodes, masses and elements of the copies, as model_add_solid does. `stretching`, `bending`: materials with Young's
/// modulus and the bending modulus, Pa, as kappa.
void model_add_cable(const BodyDef *def, const BodyMesh *loaded, int32_t stretching, int32_t bending,
                     const ModelBody *body, Model *model);

#endif
