/// The rows of the integrator table: each takes the state from SLOT_POSITION, SLOT_VELOCITY to SLOT_NEXT_POSITION,
/// SLOT_NEXT_VELOCITY; the pinned nodes there are set by integrator_step. Solver's counts are added to the report.
#ifndef INTEGRATOR_ROWS_H
#define INTEGRATOR_ROWS_H

#include "integrator/step.h"

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

#endif
