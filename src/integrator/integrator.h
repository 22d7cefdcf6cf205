/// Time integrators: stages and update rules (theory.md section 2), on any device and with any solver.
#ifndef INTEGRATOR_INTEGRATOR_H
#define INTEGRATOR_INTEGRATOR_H

#include "integrator/step.h"

/// "root", "nearest", "none", "clipped", or NULL where there is no alpha.
const char *alpha_case_name(AlphaCase alpha_case);

/// From SLOT_POSITION and SLOT_VELOCITY at `time` to the same slots at `time` + `step`. For integrators that end outside
/// their stage's solution the end state is checked: where it inverts a tet that must not, the step is done again in two
/// halves, up to 64 (docs/architecture.md, "The end of a step"). VELA_ERROR_NOT_CONVERGED names node or tet when that does not help or
/// the state is not finite; the slots then hold the last admissible state.
VelaResult integrator_step(Integrator *integrator, double time, double step, StepReport *report);

/// The first target of a_search and blending from the state on the device at `time`, J; NaN for the others.
VelaResult integrator_start_target(Integrator *integrator, double time, double *target);

/// The node vectors an integrator carries from step to step beside position and velocity; up to 3. Returns their number.
int integrator_history(IntegratorType type, Slot slots[3]);
/// The scalars as doubles, INTEGRATOR_STATE_SIZE of them.
void integrator_state_pack(const IntegratorState *state, double *values);
void integrator_state_unpack(IntegratorState *state, const double *values);

#endif
