/// ADMM for one stage (theory.md section 5), on any device.
#ifndef SOLVER_ADMM_H
#define SOLVER_ADMM_H

#include "device/device.h"

/// Why a solver stopped.
typedef enum Stop { STOP_NONE, STOP_CONVERGED, STOP_ROUNDING, STOP_MAX_ITERATIONS } Stop;

typedef struct SolverReport {
    int32_t iterations, linear_iterations;
    double primal, dual; ///< residuals of the last iteration
    Stop stop;
} SolverReport;

/// Solves the stage that was set on the device. With `strict` in the solver's definition, reaching max_iterations is
/// VELA_ERROR_NOT_CONVERGED; otherwise it is only reported. `batch`: iterations between two looks at the device;
/// callers keep it from step to step (start with 0).
VelaResult admm_solve(Device *device, const SolverDef *def, int32_t *batch, SolverReport *report);

/// "residual", "rounding", "max_iterations", or "" where nothing was solved.
const char *stop_name(Stop stop);

#endif
