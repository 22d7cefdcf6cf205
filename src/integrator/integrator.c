#include "integrator/integrator.h"

#include "integrator/rows.h"
#include "integrator/stages.h"
#include "model/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SUBSTEPS_MOST = 64, LONGEST_PLACE = 160, LONGEST_WHY = 240 };

// One row a method; whether the end state may be bad although every stage was good (docs/architecture.md, "The end of a step").
typedef struct Row {
    IntegratorRow step;
    bool ends_outside_its_stage;
} Row;

static const Row rows[] = {
    [INTEGRATOR_IMPLICIT_EULER] = {stages_step, false},
    [INTEGRATOR_BDF2] = {stages_step, false},
    [INTEGRATOR_TRAPEZOIDAL] = {stages_step, false},
    [INTEGRATOR_IMPLICIT_MIDPOINT] = {stages_step, true},
    [INTEGRATOR_TR_BDF2] = {stages_step, false},
    [INTEGRATOR_SDIRK2] = {stages_step, false},
    [INTEGRATOR_VARIATIONAL] = {variational_step, true},
    [INTEGRATOR_A1] = {a1_step, false},
    [INTEGRATOR_A_SEARCH] = {a_search_step, false},
    [INTEGRATOR_BLENDING] = {blending_step, true},
    [INTEGRATOR_RK4] = {rk4_step, true},
};

const char *alpha_case_name(AlphaCase alpha_case)
{
    static const char *const names[] = {NULL, "root", "nearest", "none", "clipped"};
    return names[alpha_case];
}

VelaResult integrator_start_target(Integrator *integrator, double time, double *target)
{
    switch (integrator->scene->integrator) {
    case INTEGRATOR_A_SEARCH:
        return a_search_start_target(integrator, time, target);
    case INTEGRATOR_BLENDING:
        return blending_start_target(integrator, time, target);
    default:
        *target = NAN;
        return VELA_OK;
    }
}

int integrator_history(IntegratorType type, Slot slots[3])
{
    const StagesRow *row = stages_row(type);
    int count = 0;
    if (row && row->needs_history) {
        slots[count++] = SLOT_HISTORY_POSITION;
        slots[count++] = SLOT_HISTORY_VELOCITY;
    }
    if (row && row->carries_acceleration)
        slots[count++] = SLOT_HISTORY_ACCELERATION;
    return count;
}

void integrator_state_pack(const IntegratorState *state, double *values)
{
    values[0] = state->started;
    values[1] = state->target;
    values[2] = state->kept_energy;
    values[3] = state->side;
    values[4] = state->side_count;
    values[5] = state->dissipated;
    values[6] = state->work;
    memcpy(values + 7, state->damped, sizeof state->damped);
}

void integrator_state_unpack(IntegratorState *state, const double *values)
{
    *state = (IntegratorState){values[0] != 0,     values[1], values[2], (int32_t)values[3],
                               (int32_t)values[4], values[5], values[6], {0}};
    memcpy(state->damped, values + 7, sizeof state->damped);
}

static VelaResult copy(Device *device, Slot destination, Slot source)
{
    const double one = 1;
    return device_combine(device, destination, 1, &one, &source);
}

static VelaResult accept(Integrator *integrator)
{
    Device *device = integrator->device;
    const StagesRow *row = stages_row(integrator->scene->integrator);
    if (row && row->needs_history) {
        TRY(copy(device, SLOT_HISTORY_POSITION, SLOT_POSITION));
        TRY(copy(device, SLOT_HISTORY_VELOCITY, SLOT_VELOCITY));
    }
    integrator->state.started = true;
    TRY(copy(device, SLOT_POSITION, SLOT_NEXT_POSITION));
    return copy(device, SLOT_VELOCITY, SLOT_NEXT_VELOCITY);
}

// Whether the end of a step, SLOT_NEXT_*, may be taken; `why` says why not.
static VelaResult look_at_end(Integrator *integrator, double time, StepReport *report, char why[LONGEST_WHY])
{
    Device *device = integrator->device;
    why[0] = '\0';
    TRY(device_diagnose(device, SLOT_NEXT_POSITION, SLOT_NEXT_VELOCITY, time, &report->end));
    const bool may_be_halved = rows[integrator->scene->integrator].ends_outside_its_stage;
    char place[LONGEST_PLACE] = "";
    if (report->end.bad_node >= 0)
        model_describe_node(device->model, report->end.bad_node, place, sizeof place);
    FAIL_IF(device->context, report->end.bad_node >= 0 && !may_be_halved, VELA_ERROR_NOT_CONVERGED,
            "the motion has become infinite at %s (time %g s); a smaller time.step may help", place, time);
    if (!may_be_halved)
        return VELA_OK;
    if (report->end.bad_node >= 0) {
        snprintf(why, LONGEST_WHY, "the motion is infinite at %s", place);
        return VELA_OK;
    }
    if (report->end.inverted_element >= 0) {
        model_describe_element(device->model, report->end.inverted_element, place, sizeof place);
        snprintf(why, LONGEST_WHY, "%s is inverted (det F %g)", place, report->end.min_det_f);
        return VELA_OK;
    }
    double safe;
    TRY(device_admissible_step(device, SLOT_POSITION, SLOT_NEXT_POSITION, &safe));
    if (safe < 1)
        snprintf(why, LONGEST_WHY, "surfaces come through each other");
    return VELA_OK;
}

// One of `parts` equal substeps, in halves where its end is not admissible.
static VelaResult substep(Integrator *integrator, double time, double step, int32_t parts, StepReport *report)
{
    Device *device = integrator->device;
    const DissipationLoss loss = report->loss;
    char why[LONGEST_WHY];
    TRY(rows[integrator->scene->integrator].step(integrator, time, step, report));
    TRY(integrator_pin_positions(integrator, SLOT_NEXT_POSITION, time + step));
    TRY(integrator_pin_velocities(integrator, SLOT_NEXT_VELOCITY, time, step));
    TRY(look_at_end(integrator, time + step, report, why));
    if (why[0] == '\0') {
        ++report->substeps;
        double work;
        TRY(integrator_load_work(integrator, SLOT_POSITION, SLOT_NEXT_POSITION, time, step, &work));
        report->work += work;
        integrator->state.work += work + (report->loss.driven - loss.driven);
        integrator->state.dissipated += report->loss.all - loss.all;
        for (int k = 0; k < DAMPING_TYPES; ++k)
            integrator->state.damped[k] += report->loss.by_damping[k] - loss.by_damping[k];
        integrator->state.kept_energy -= report->loss.free - loss.free;
        return accept(integrator);
    }
    FAIL_IF(
        device->context, 2 * parts > SUBSTEPS_MOST, VELA_ERROR_NOT_CONVERGED,
        "%s at the end of the step even with %d substeps (time %g s): %s", why, parts, time + step,
        report->end.inverted_element >= 0
            ? "the body is too soft for what acts on it, or the step too large; a stiffer material, an integrator "
              "that damps, or a smaller time.step may help"
            : "a smaller time.step may help");
    report->loss = loss;
    TRY(substep(integrator, time, step / 2, 2 * parts, report));
    return substep(integrator, time + step / 2, step / 2, 2 * parts, report);
}

VelaResult integrator_step(Integrator *integrator, double time, double step, StepReport *report)
{
    *report = (StepReport){.alpha = NAN, .target = NAN};
    return substep(integrator, time, step, 1, report);
}
