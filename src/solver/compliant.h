/// Constraints with compliance: one linear system of stage and constraints, on any device (theory.md section 10).
#ifndef SOLVER_COMPLIANT_H
#define SOLVER_COMPLIANT_H

#include "solver/report.h"

/// See solver_solve. One system, from SLOT_STAGE; whoever wants the nonlinear step converged calls it again (SolverDef.iterations).
VelaResult compliant_solve(Device *device, const SolverDef *def, double step, SolverReport *report);

#endif
