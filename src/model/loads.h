/// Loads of bodies: forces spread over nodes, and pressures. Their potential is -sum f.(x - x_0) - sum p (V - V_0), x_0 and V_0 being
/// those of the initial state. A pressure acts through elements of the kind ELEMENT_PRESSURE, one on every tetrahedron of a solid,
/// one on an affine body, and those of model/shell_pressure.h on a closed shell, whose material's kappa is the pressure.
#ifndef MODEL_LOADS_H
#define MODEL_LOADS_H

#include "model/bodies.h"
#include "model/model.h"

/// Whether a body has a pressure, so that its mesh has elements of that kind.
bool body_has_pressure(const BodyDef *def);
/// Elements of pressures (without their materials) of all copies; the body's other elements are there already.
void model_add_pressure_elements(const BodyMesh *loaded, const ModelBody *body, Model *model);
/// The forces of a body, of each of its copies the whole; `places`: of the vertices of copy 0. VELA_ERROR_INVALID_INPUT where the
/// selection has no mass.
VelaResult model_add_forces(VelaContext *context, const BodyDef *def, const ModelBody *body,
                            const BodyMesh *loaded, const double *places, Arena *arena, Model *model);
/// Materials of the pressures; after all others.
void model_add_pressures(Model *model);

/// Forces of the loads at `time`, N, node_count x 3, without pressures.
void model_load_forces(const Model *model, double time, double *forces);
/// Sum of a body's pressures at `time`, Pa.
double model_pressure(const ModelPressure *pressure, double time);
/// Potential of all loads as they are at `time`, with the nodes at x (node_count x 3), J; 0 at the start.
double model_load_energy(const Model *model, double time, const double *x);

#endif
