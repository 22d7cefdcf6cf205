/// Projected Newton with a filtered line search for one stage (theory.md section 11), on any device.
#ifndef SOLVER_NEWTON_H
#define SOLVER_NEWTON_H

#include "solver/report.h"

/// See solver_solve. Starts from SLOT_STAGE, which must be admissible: where barrier-like elements are not inverted.
VelaResult newton_solve(Device *device, const SolverDef *def, double step, SolverReport *report);

#endif
