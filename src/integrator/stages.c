#include "integrator/stages.h"

#include "integrator/rows.h"

#include <math.h>

// Sums of terms: factor, slot, power of h.
#define SUM(...)                                                                                             \
    {                                                                                                        \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define T(factor, name)                                                                                      \
    {                                                                                                        \
        factor, SLOT_##name, 0                                                                               \
    }
#define TH(factor, name)                                                                                     \
    {                                                                                                        \
        factor, SLOT_##name, 1                                                                               \
    }
#define T_H(factor, name)                                                                                    \
    {                                                                                                        \
        factor, SLOT_##name, -1                                                                              \
    }

#define SQRT2 1.41421356237309504880
#define SDIRK_C (1 - 1 / SQRT2)
#define TR_G (2 - SQRT2)
#define TR_FIRST (1 / (TR_G * (2 - TR_G)))                         // of x_{n+g} in the second stage's base
#define TR_SECOND (-(1 - TR_G) * (1 - TR_G) / (TR_G * (2 - TR_G))) // of x_n
#define TR_A ((1 - TR_G) / (2 - TR_G))

static const StagesRow implicit_euler = {
    .stages = {{SUM(T(1, POSITION)), SUM(T(1, VELOCITY)), 1, 1, 1}},
    .stage_count = 1,
    .position = SUM(T(1, STAGE)),
    .velocity = SUM(T(1, STAGE_VELOCITY)),
};

static const StagesRow bdf2 = {
    .stages = {{SUM(T(4.0 / 3, POSITION), T(-1.0 / 3, HISTORY_POSITION)),
                SUM(T(4.0 / 3, VELOCITY), T(-1.0 / 3, HISTORY_VELOCITY)), 2.0 / 3, 1, 1}},
    .stage_count = 1,
    .start = INTEGRATOR_IMPLICIT_EULER,
    .needs_history = true,
    .position = SUM(T(1, STAGE)),
    .velocity = SUM(T(1, STAGE_VELOCITY)),
};

static const StagesRow trapezoidal = {
    .stages = {{SUM(T(1, POSITION), TH(0.5, VELOCITY)), SUM(T(1, VELOCITY), TH(0.5, HISTORY_ACCELERATION)),
                0.5, 1, 0.5}},
    .stage_count = 1,
    .start_weight = 0.5,
    .carries_acceleration = true,
    .position = SUM(T(1, STAGE)),
    .velocity = SUM(T(1, STAGE_VELOCITY)),
    .history_acceleration = SUM(T_H(2, STAGE_VELOCITY), T_H(-2, BASE_VELOCITY)),
};

static const StagesRow implicit_midpoint = {
    .stages = {{SUM(T(1, POSITION)), SUM(T(1, VELOCITY)), 0.5, 0.5, 1}},
    .stage_count = 1,
    .position = SUM(T(2, STAGE), T(-1, POSITION)),
    .velocity = SUM(T(2, STAGE_VELOCITY), T(-1, VELOCITY)),
};

// A1 = (v1* - v_n)/(c h)
static const StagesRow sdirk2 = {
    .stages = {{SUM(T(1, POSITION)), SUM(T(1, VELOCITY)), SDIRK_C, SDIRK_C, 1 - SDIRK_C},
               {SUM(T(1, POSITION), TH(1 - SDIRK_C, FIRST_VELOCITY)),
                SUM(T(1 - (1 - SDIRK_C) / SDIRK_C, VELOCITY), T((1 - SDIRK_C) / SDIRK_C, FIRST_VELOCITY)),
                SDIRK_C, 1, SDIRK_C}},
    .stage_count = 2,
    .position = SUM(T(1, STAGE)),
    .velocity = SUM(T(1, STAGE_VELOCITY)),
};

static const StagesRow tr_bdf2 = {
    .stages = {{SUM(T(1, POSITION), TH(TR_G / 2, VELOCITY)),
                SUM(T(1, VELOCITY), TH(TR_G / 2, HISTORY_ACCELERATION)), TR_G / 2, TR_G, SQRT2 / 4},
               {SUM(T(TR_FIRST, FIRST_POSITION), T(TR_SECOND, POSITION)),
                SUM(T(TR_FIRST, FIRST_VELOCITY), T(TR_SECOND, VELOCITY)), TR_A, 1, 1 - 1 / SQRT2}},
    .stage_count = 2,
    .start_weight = SQRT2 / 4,
    .carries_acceleration = true,
    .position = SUM(T(1, STAGE)),
    .velocity = SUM(T(1, STAGE_VELOCITY)),
    .history_acceleration = SUM(T_H(1 / TR_A, STAGE_VELOCITY), T_H(-1 / TR_A, BASE_VELOCITY)),
};

const StagesRow *stages_row(IntegratorType type)
{
    switch (type) {
    case INTEGRATOR_IMPLICIT_EULER:
        return &implicit_euler;
    case INTEGRATOR_BDF2:
        return &bdf2;
    case INTEGRATOR_TRAPEZOIDAL:
        return &trapezoidal;
    case INTEGRATOR_IMPLICIT_MIDPOINT:
        return &implicit_midpoint;
    case INTEGRATOR_SDIRK2:
        return &sdirk2;
    case INTEGRATOR_TR_BDF2:
        return &tr_bdf2;
    default:
        return NULL;
    }
}

static VelaResult combine(Device *device, Slot destination, const Combination *sum, double h)
{
    double coefficients[TERMS_MOST];
    Slot slots[TERMS_MOST];
    int count = 0;
    for (; count < TERMS_MOST && sum->terms[count].factor != 0; ++count) {
        coefficients[count] = sum->terms[count].factor * pow(h, sum->terms[count].power);
        slots[count] = sum->terms[count].slot;
    }
    return count == 0 ? VELA_OK : device_combine(device, destination, count, coefficients, slots);
}

VelaResult stage_solve(Integrator *integrator, const Stage *stage, double step, bool first,
                       SolverReport *report)
{
    Device *device = integrator->device;
    const SolverDef *def = &integrator->scene->solver;
    const double one = 1, inverse = 1 / stage->a;
    // What dissipates is lagged again: friction as often as the scene says, damping until it stands where the stage ends, that is the
    // first direction is short enough to end it.
    // ADMM finds friction with the rest. Systems of constraints are all solved once with what is lagged, as often as the scene says.
    const int32_t rubbing = def->type == SOLVER_COMPLIANT ? def->iterations
                            : device->model->contact.has_friction && def->type == SOLVER_NEWTON
                                ? integrator->scene->contact.friction_iterations
                                : 1,
                  damped =
                      device->model->is_damped && def->type != SOLVER_COMPLIANT ? def->lag_iterations : 1,
                  rounds = rubbing > damped ? rubbing : damped;
    TRY(device_combine(device, SLOT_TARGET, 2, (double[]){1, stage->a},
                       (Slot[]){SLOT_BASE_POSITION, SLOT_BASE_VELOCITY}));
    TRY(integrator_pin_positions(integrator, SLOT_TARGET, stage->time));
    if (first)
        TRY(device_combine(device, SLOT_STAGE, 1, &one, (Slot[]){SLOT_POSITION}));
    for (int32_t round = 0; round < rounds; ++round) {
        SolverReport solved;
        Stage again = *stage;
        again.ahead = round == 0 ? stage->ahead : 0; // then SLOT_STAGE is this stage's
        context_note_stage(device->context);
        TRY(device_stage_set(device, &again));
        TRY(solver_solve(device, def, step, &integrator->batch, &solved));
        solver_report_add(report, &solved);
        if (round + 1 >= rubbing && solved.iterations <= 1)
            break;
    }
    return device_combine(device, SLOT_STAGE_VELOCITY, 2, (double[]){inverse, -inverse},
                          (Slot[]){SLOT_STAGE, SLOT_BASE_POSITION});
}

// SLOT_HISTORY_ACCELERATION of a first step: with dissipation, that of a stage of h which ends where the step begins.
static VelaResult start_acceleration(Integrator *integrator, double time, double h)
{
    Device *device = integrator->device;
    const double one = 1;
    TRY(device_acceleration(device, SLOT_HISTORY_ACCELERATION, SLOT_POSITION, time));
    if (!device->dissipates)
        return VELA_OK;
    TRY(device_combine(device, SLOT_BASE_POSITION, 2, (double[]){1, -h},
                       (Slot[]){SLOT_POSITION, SLOT_VELOCITY}));
    TRY(device_combine(device, SLOT_STAGE, 1, &one, (Slot[]){SLOT_POSITION}));
    TRY(device_stage_set(device, &(Stage){.a = h, .time = time}));
    return device_dissipation_acceleration(device, SLOT_HISTORY_ACCELERATION);
}

VelaResult stages_step(Integrator *integrator, double time, double h, StepReport *report)
{
    Device *device = integrator->device;
    const StagesRow *row = stages_row(integrator->scene->integrator);
    const double one = 1;
    if (row->needs_history && !integrator->state.started)
        row = stages_row(row->start);
    if (row->carries_acceleration && !integrator->state.started)
        TRY(start_acceleration(integrator, time, h));
    if (row->start_weight > 0)
        TRY(integrator_add_damping(integrator, SLOT_POSITION, SLOT_VELOCITY, row->start_weight * h, report));
    for (int s = 0; s < row->stage_count; ++s) {
        const StageRow *at = &row->stages[s];
        const double part = at->time_factor - (s == 0 ? 0 : at[-1].time_factor);
        const Stage stage = {.a = at->a_factor * h, .time = time + at->time_factor * h, .ahead = part * h};
        if (s > 0) {
            TRY(device_combine(device, SLOT_FIRST_POSITION, 1, &one, (Slot[]){SLOT_STAGE}));
            TRY(device_combine(device, SLOT_FIRST_VELOCITY, 1, &one, (Slot[]){SLOT_STAGE_VELOCITY}));
        }
        TRY(combine(device, SLOT_BASE_POSITION, &at->base_position, h));
        TRY(combine(device, SLOT_BASE_VELOCITY, &at->base_velocity, h));
        TRY(stage_solve(integrator, &stage, h, s == 0, &report->solver));
        TRY(integrator_add_damping(integrator, SLOT_STAGE, SLOT_STAGE_VELOCITY, at->weight * h, report));
        if (row->stage_count > 1)
            TRY(integrator_add_loss(integrator, s == 0 ? SLOT_POSITION : SLOT_FIRST_POSITION, SLOT_STAGE,
                                    part * h, report));
    }
    TRY(combine(device, SLOT_NEXT_POSITION, &row->position, h));
    if (row->stage_count == 1)
        TRY(integrator_add_loss(integrator, SLOT_POSITION, SLOT_NEXT_POSITION, h, report));
    TRY(combine(device, SLOT_NEXT_VELOCITY, &row->velocity, h));
    return combine(device, SLOT_HISTORY_ACCELERATION, &row->history_acceleration, h);
}
