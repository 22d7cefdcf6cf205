/// ADMM for one stage (theory.md section 5), on any device.
#ifndef SOLVER_ADMM_H
#define SOLVER_ADMM_H

#include "solver/report.h"

/// See solver_solve.
VelaResult admm_solve(Device *device, const SolverDef *def, int32_t *batch, SolverReport *report);

#endif
