#include "integrator/integrator.h"

#include "integrator/rows.h"

enum { SUBSTEPS_MOST = 64 };

// One row a method; whether the end state may be bad although every stage was good (design.md, contact rules).
typedef struct Row {
    IntegratorType type;
    IntegratorRow step;
    bool ends_outside_its_stage;
} Row;

static const Row rows[] = {
    {INTEGRATOR_VARIATIONAL, variational_step, true},
    {INTEGRATOR_RK4, rk4_step, true},
};

static const Row *find_row(IntegratorType type)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (rows[i].type == type)
            return &rows[i];
    return &rows[0];
}

VelaResult integrator_pin_positions(Integrator *integrator, Slot slot, double time)
{
    model_pin_positions(integrator->device->model, time, integrator->pins);
    return device_prescribe(integrator->device, slot, integrator->pins);
}

VelaResult integrator_pin_velocities(Integrator *integrator, Slot slot, double time, double step)
{
    const Model *model = integrator->device->model;
    const size_t n = 3 * (size_t)model->pin_count;
    double *end = integrator->pins, *start = integrator->pins + n;
    model_pin_positions(model, time, start);
    model_pin_positions(model, time + step, end);
    for (size_t i = 0; i < n; ++i)
        end[i] = (end[i] - start[i]) / step;
    return device_prescribe(integrator->device, slot, end);
}

static VelaResult accept(Device *device)
{
    const double one = 1;
    TRY(device_combine(device, SLOT_POSITION, 1, &one, (Slot[]){SLOT_NEXT_POSITION}));
    return device_combine(device, SLOT_VELOCITY, 1, &one, (Slot[]){SLOT_NEXT_VELOCITY});
}

// Substep `first` of `parts` equal ones, in halves where its end is not admissible.
static VelaResult substep(Integrator *integrator, double time, double step, int32_t parts, StepReport *report)
{
    Device *device = integrator->device;
    const Row *row = find_row(integrator->scene->integrator);
    SolverReport solver;
    TRY(row->step(integrator, time, step, &solver));
    report->solver.iterations += solver.iterations;
    report->solver.linear_iterations += solver.linear_iterations;
    report->solver.primal = solver.primal;
    report->solver.dual = solver.dual;
    if (report->solver.stop != STOP_MAX_ITERATIONS)
        report->solver.stop = solver.stop;
    TRY(device_diagnose(device, SLOT_NEXT_POSITION, SLOT_NEXT_VELOCITY, time + step, &report->end));
    FAIL_IF(device->context, report->end.bad_node >= 0, VELA_ERROR_NOT_CONVERGED,
            "the motion has become infinite at node %d (time %g s); a smaller time.step may help",
            report->end.bad_node, time + step);
    if (report->end.inverted_tet < 0 || !row->ends_outside_its_stage) {
        ++report->substeps;
        return accept(device);
    }
    FAIL_IF(device->context, 2 * parts > SUBSTEPS_MOST, VELA_ERROR_NOT_CONVERGED,
            "tetrahedron %d is inverted (det F %g) at the end of the step even with %d substeps (time %g s); "
            "a smaller "
            "time.step may help",
            report->end.inverted_tet, report->end.min_det_f, parts, time + step);
    TRY(substep(integrator, time, step / 2, 2 * parts, report));
    return substep(integrator, time + step / 2, step / 2, 2 * parts, report);
}

VelaResult integrator_step(Integrator *integrator, double time, double step, StepReport *report)
{
    *report = (StepReport){0};
    return substep(integrator, time, step, 1, report);
}
