// Blending [Dinev 2018a], theory.md section 2: theta times the midpoint rule's end and 1 - theta times implicit Euler's,
// theta such that the energy is the initial one.
#include "integrator/rows.h"
#include "integrator/stages.h"

#include <math.h>

enum { BISECTIONS = 60 };

// One of the two methods, a = factor h, to `position` and `velocity`: x = x_n + (x* - x_n)/factor, v alike.
static VelaResult solve(Integrator *integrator, double time, double h, double factor, Slot position,
                        Slot velocity, StepReport *report)
{
    Device *device = integrator->device;
    const Stage stage = {.a = factor * h, .time = time + factor * h};
    const double one = 1, inverse = 1 / factor;
    TRY(device_combine(device, SLOT_BASE_POSITION, 1, &one, (Slot[]){SLOT_POSITION}));
    TRY(device_combine(device, SLOT_BASE_VELOCITY, 1, &one, (Slot[]){SLOT_VELOCITY}));
    TRY(stage_solve(integrator, &stage, h, true, &report->solver));
    TRY(device_combine(device, position, 2, (double[]){inverse, 1 - inverse},
                       (Slot[]){SLOT_STAGE, SLOT_POSITION}));
    TRY(device_combine(device, velocity, 2, (double[]){inverse, 1 - inverse},
                       (Slot[]){SLOT_STAGE_VELOCITY, SLOT_VELOCITY}));
    TRY(integrator_pin_positions(integrator, position, time + h));
    return integrator_pin_velocities(integrator, velocity, time, h);
}

static VelaResult total_energy(Device *device, Slot position, Slot velocity, double time, double *total)
{
    Diagnosis at;
    TRY(device_diagnose(device, position, velocity, time, &at));
    *total = at.kinetic + at.elastic + at.gravitational + at.contact;
    return VELA_OK;
}

static VelaResult blend(Device *device, double theta)
{
    TRY(device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){theta, 1 - theta},
                       (Slot[]){SLOT_SCRATCH_0, SLOT_SCRATCH_2}));
    return device_combine(device, SLOT_NEXT_VELOCITY, 2, (double[]){theta, 1 - theta},
                          (Slot[]){SLOT_SCRATCH_1, SLOT_SCRATCH_3});
}

// 1 where even the midpoint rule ends below the wanted energy, 0 where even implicit Euler ends above it. An energy that
// is not finite (a barrier was passed) counts as above.
static VelaResult find_theta(Device *device, double wanted, double time, double *theta)
{
    double above, below, energy;
    TRY(total_energy(device, SLOT_SCRATCH_0, SLOT_SCRATCH_1, time, &above));
    TRY(total_energy(device, SLOT_SCRATCH_2, SLOT_SCRATCH_3, time, &below));
    *theta = above <= wanted ? 1 : 0;
    if (above <= wanted || !(below < wanted))
        return VELA_OK;
    double low = 0, high = 1;
    for (int i = 0; i < BISECTIONS && 0.5 * (low + high) > low && 0.5 * (low + high) < high; ++i) {
        *theta = 0.5 * (low + high);
        TRY(blend(device, *theta));
        TRY(total_energy(device, SLOT_NEXT_POSITION, SLOT_NEXT_VELOCITY, time, &energy));
        if (energy <= wanted)
            low = *theta;
        else
            high = *theta;
    }
    *theta = low;
    return VELA_OK;
}

VelaResult blending_start_target(Integrator *integrator, double time, double *target)
{
    return total_energy(integrator->device, SLOT_POSITION, SLOT_VELOCITY, time, target);
}

VelaResult blending_step(Integrator *integrator, double time, double step, StepReport *report)
{
    Device *device = integrator->device;
    IntegratorState *state = &integrator->state;
    if (!state->started)
        TRY(blending_start_target(integrator, time, &state->start_energy));
    TRY(solve(integrator, time, step, 0.5, SLOT_SCRATCH_0, SLOT_SCRATCH_1, report));
    TRY(solve(integrator, time, step, 1, SLOT_SCRATCH_2, SLOT_SCRATCH_3, report));
    TRY(find_theta(device, state->start_energy, time + step, &report->alpha));
    report->target = state->start_energy;
    TRY(blend(device, report->alpha));
    return integrator_add_loss(integrator, SLOT_POSITION, SLOT_NEXT_POSITION, step, report);
}
