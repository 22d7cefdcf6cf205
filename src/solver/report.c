#include "solver/report.h"

void solver_report_add(SolverReport *sum, const SolverReport *stage)
{
    sum->iterations += stage->iterations;
    sum->linear_iterations += stage->linear_iterations;
    sum->patch_iterations += stage->patch_iterations;
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
