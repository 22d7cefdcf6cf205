#include "solver/admm.h"
#include "solver/newton.h"

VelaResult solver_solve(Device *device, const SolverDef *def, double step, int32_t *batch,
                        SolverReport *report)
{
    *report = (SolverReport){.shortest_step = 1};
    switch (def->type) {
    case SOLVER_NEWTON:
        return newton_solve(device, def, step, report);
    case SOLVER_ADMM:
        return admm_solve(device, def, batch, report);
    }
    return VELA_OK;
}

VelaResult solver_stage_acceleration(Device *device, const SolverDef *def, const Stage *stage,
                                     Slot destination)
{
    if (def->type == SOLVER_ADMM)
        return device_stage_acceleration(device, destination);
    return device_acceleration(device, destination, SLOT_STAGE, stage->time);
}

void solver_report_add(SolverReport *sum, const SolverReport *stage)
{
    sum->iterations += stage->iterations;
    sum->linear_iterations += stage->linear_iterations;
    sum->primal = stage->primal;
    sum->dual = stage->dual;
    if (sum->stop == STOP_NONE || stage->shortest_step < sum->shortest_step)
        sum->shortest_step = stage->shortest_step;
    if (stage->stop > sum->stop)
        sum->stop = stage->stop;
}

const char *stop_name(Stop stop)
{
    switch (stop) {
    case STOP_CONVERGED:
        return "residual";
    case STOP_ROUNDING:
        return "rounding";
    case STOP_LINE_SEARCH:
        return "line_search";
    case STOP_MAX_ITERATIONS:
        return "max_iterations";
    case STOP_NONE:
        break;
    }
    return "";
}
