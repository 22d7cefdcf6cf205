/// Pressure inside a closed shell: elements of the kind ELEMENT_PRESSURE, a tetrahedron from the shell's first node to every triangle
/// that does not have it. Their signed volumes add up to the volume that is enclosed, wherever the node is: six V = sum of
/// det(x_a - x_0, x_b - x_0, x_c - x_0), so that forces are exact and act on the surface alone.
#ifndef MODEL_SHELL_PRESSURE_H
#define MODEL_SHELL_PRESSURE_H

#include "model/bodies.h"
#include "model/model.h"

/// How many elements that is, and the volume. VELA_ERROR_INVALID_INPUT where the surface is not closed, or its triangles do not face
/// the same way.
VelaResult shell_pressure_load(VelaContext *context, const BodyDef *def, BodyMesh *loaded);
/// The elements of all copies, without materials.
void model_add_shell_pressure(const BodyMesh *loaded, const ModelBody *body, Model *model);

#endif
