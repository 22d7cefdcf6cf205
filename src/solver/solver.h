/// A solver minimises one stage on any device; which one, the scene says.
#ifndef SOLVER_SOLVER_H
#define SOLVER_SOLVER_H

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
    double primal, dual;  ///< residuals of the last iteration (admm); |dx|_inf/h in m/s and nothing (newton)
    double shortest_step; ///< smallest step length that newton took; 1 with other solvers
    Stop stop;
} SolverReport;

/// Solves the stage that was set on the device, within a time step `step` (s). With `strict` in the solver's definition a
/// stage that did not converge is VELA_ERROR_NOT_CONVERGED; otherwise it is only reported. SLOT_STAGE then holds the last
/// admissible iterate. `batch`: iterations of ADMM between two looks at the device; callers keep it from step to step
/// (start with 0).
VelaResult solver_solve(Device *device, const SolverDef *def, double step, int32_t *batch,
                        SolverReport *report);

/// destination = -M^-1 grad Phi at the stage's solution, as the solver balanced it: ADMM's own forces differ from those at
/// SLOT_STAGE by its residual. `stage`: the one that was solved.
VelaResult solver_stage_acceleration(Device *device, const SolverDef *def, const Stage *stage,
                                     Slot destination);

/// Adds what another stage of the same step did: counts are summed, residuals are the later ones, the worst stop stays.
void solver_report_add(SolverReport *sum, const SolverReport *stage);

/// "residual", "rounding", "line_search", "max_iterations", or "" where nothing was solved.
const char *stop_name(Stop stop);

#endif
