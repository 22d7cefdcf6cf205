/// A solver minimises one stage on any device; which one, the scene says.
#ifndef SOLVER_SOLVER_H
#define SOLVER_SOLVER_H

#include "solver/report.h"

/// Solves the stage that was set on the device, within a time step `step` (s). With `strict` in the solver's definition a
/// stage that did not converge is VELA_ERROR_NOT_CONVERGED; otherwise it is only reported. SLOT_STAGE then holds the last
/// admissible iterate. `batch`: iterations of ADMM between two looks at the device; callers keep it from step to step
/// (start with 0).
VelaResult solver_solve(Device *device, const SolverDef *def, double step, int32_t *batch,
                        SolverReport *report);

/// destination = M^-1 times the forces at the stage's solution, dissipation included, as the solver balanced them: ADMM's own differ from those at
/// SLOT_STAGE by its residual. `stage`: the one that was solved.
VelaResult solver_stage_acceleration(Device *device, const SolverDef *def, const Stage *stage,
                                     Slot destination);

#endif
