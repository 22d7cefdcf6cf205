/// The rows of the integrator table: each takes the state from SLOT_POSITION, SLOT_VELOCITY to SLOT_NEXT_POSITION,
/// SLOT_NEXT_VELOCITY, the pinned nodes included.
#ifndef INTEGRATOR_ROWS_H
#define INTEGRATOR_ROWS_H

#include "integrator/integrator.h"

typedef VelaResult (*IntegratorRow)(Integrator *integrator, double time, double step, SolverReport *report);

VelaResult variational_step(Integrator *integrator, double time, double step, SolverReport *report);
VelaResult rk4_step(Integrator *integrator, double time, double step, SolverReport *report);

/// Sets the pinned nodes of `slot` to their places at `time`.
VelaResult integrator_pin_positions(Integrator *integrator, Slot slot, double time);
/// Sets the pinned nodes of `slot` to their mean velocities between `time` and `time` + `step`.
VelaResult integrator_pin_velocities(Integrator *integrator, Slot slot, double time, double step);

#endif
