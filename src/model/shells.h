/// Shells: bodies of triangles that resist stretching and bending (theory.md section 3, "Shells, springs").
#ifndef MODEL_SHELLS_H
#define MODEL_SHELLS_H

#include "model/bodies.h"
#include "model/model.h"

/// Reads or makes the triangles of a shell, its rest shape and its hinges, the edges between two triangles. VELA_ERROR_INVALID_INPUT
/// for a triangle without area, an edge that bends and has more than two triangles, or quadratic bending of a shape that
/// is not flat.
VelaResult shell_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded);
/// Fills in nodes, masses, triangles and elements of the copies, as model_add_solid does. `bending`: a material with
/// E/(1 - nu^2) of bending, Pa, as kappa.
void model_add_shell(const BodyDef *def, const BodyMesh *loaded, int32_t bending, const ModelBody *body,
                     Model *model);

#endif
