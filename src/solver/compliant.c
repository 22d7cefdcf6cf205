#include "solver/compliant.h"

#include "model/describe.h"

VelaResult compliant_solve(Device *device, const SolverDef *def, double step, SolverReport *report)
{
    const CompliantSettings settings = {.stiffness = def->geometric_stiffness,
                                        .solve = def->linear_solve,
                                        .tolerance = def->linear_tolerance,
                                        .max_iterations = def->linear_max_iterations};
    CompliantReport solved;
    TRY(device_compliant_direction(device, &settings, &solved));
    char place[160] = "";
    if (solved.bad_node >= 0)
        model_describe_node(device->model, solved.bad_node, place, sizeof place);
    FAIL_IF(device->context, solved.bad_node >= 0, VELA_ERROR_NOT_CONVERGED,
            "the motion has become infinite at %s; a smaller time.step may help", place);
    *report = (SolverReport){.iterations = 1,
                             .linear_iterations = solved.linear_iterations,
                             .primal = solved.largest / step,
                             .shortest_step = 1,
                             .stop = solved.met ? STOP_CONVERGED : STOP_MAX_ITERATIONS};
    FAIL_IF(device->context, def->strict && !solved.met, VELA_ERROR_NOT_CONVERGED,
            "MINRES stopped after %d iterations at a relative residual of %.3g, expected at most %.3g",
            solved.linear_iterations, solved.linear_residual, def->linear_tolerance);
    TRY(context_note(device->context, &(SolverNote){report->iterations, report->primal, -1}));
    return device_newton_accept(device, 1);
}
