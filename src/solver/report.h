/// What became of a stage.
#ifndef SOLVER_REPORT_H
#define SOLVER_REPORT_H

#include "device/device.h"

/// Why a solver stopped.
typedef enum Stop {
    STOP_NONE,
    STOP_CONVERGED,
    STOP_ROUNDING,      ///< converged as far as the device's precision goes
    STOP_LINE_SEARCH,   ///< no step along the direction lowers the objective; the last iterate is kept
    STOP_MAX_ITERATIONS ///< not converged
} Stop;

/// Whether the solver gave up before its tolerance.
static inline bool stop_is_short(Stop stop)
{
    return stop >= STOP_LINE_SEARCH;
}

typedef struct SolverReport {
    int32_t iterations, linear_iterations;
    int32_t patch_iterations; ///< besides, those of newton that moved a few nodes alone
    double primal, dual;  ///< residuals of the last iteration (admm); |dx|_inf/h in m/s and nothing (newton)
    double shortest_step; ///< smallest step length that newton took; 1 with other solvers
    Stop stop;
} SolverReport;

/// Adds what another stage of the same step did: counts are summed, residuals are the later ones, the worst stop stays.
void solver_report_add(SolverReport *sum, const SolverReport *stage);

/// "residual", "rounding", "line_search", "max_iterations", or "" where nothing was solved.
const char *stop_name(Stop stop);

#endif
