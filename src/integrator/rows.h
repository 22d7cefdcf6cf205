/// The rows of the integrator table: each takes the state from SLOT_POSITION, SLOT_VELOCITY to SLOT_NEXT_POSITION,
/// SLOT_NEXT_VELOCITY; the pinned nodes there are set by integrator_step. Solver's counts are added to the report.
#ifndef INTEGRATOR_ROWS_H
#define INTEGRATOR_ROWS_H

#include "integrator/integrator.h"

typedef VelaResult (*IntegratorRow)(Integrator *integrator, double time, double step, StepReport *report);

VelaResult stages_step(Integrator *integrator, double time, double step, StepReport *report);
VelaResult variational_step(Integrator *integrator, double time, double step, StepReport *report);
VelaResult a1_step(Integrator *integrator, double time, double step, StepReport *report);
VelaResult a_search_step(Integrator *integrator, double time, double step, StepReport *report);
VelaResult blending_step(Integrator *integrator, double time, double step, StepReport *report);
VelaResult rk4_step(Integrator *integrator, double time, double step, StepReport *report);

// First targets, see integrator_start_target.
VelaResult a_search_start_target(Integrator *integrator, double time, double *target);
VelaResult blending_start_target(Integrator *integrator, double time, double *target);

/// Adds what the friction of the last stage took while the nodes moved from one slot's places to the other's, `duration` s.
VelaResult integrator_add_loss(Integrator *integrator, Slot from, Slot to, double duration,
                               StepReport *report);
/// Sets the pinned nodes of `slot` to their places at `time`.
VelaResult integrator_pin_positions(Integrator *integrator, Slot slot, double time);
/// Sets the pinned nodes of `slot` to their mean velocities between `time` and `time` + `step`.
VelaResult integrator_pin_velocities(Integrator *integrator, Slot slot, double time, double step);

#endif
