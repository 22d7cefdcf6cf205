// Blending [Dinev 2018a], theory.md section 2: theta times the midpoint rule's end and 1 - theta times implicit Euler's,
// theta such that the energy is the initial one less what friction has taken.
#include "integrator/rows.h"
#include "integrator/stages.h"

#include <math.h>

enum { BISECTIONS = 60 };

// One of the two methods, a = factor h, to `position` and `velocity`: x = x_n + (x* - x_n)/factor, v alike. `loss`: what
// friction takes on the way, less what changing loads give.
static VelaResult solve(Integrator *integrator, double time, double h, double factor, Slot position,
                        Slot velocity, StepReport *report, DissipationLoss *loss)
{
    Device *device = integrator->device;
    const Stage stage = {.a = factor * h, .time = time + factor * h, .ahead = factor * h};
    const double one = 1, inverse = 1 / factor;
    TRY(device_combine(device, SLOT_BASE_POSITION, 1, &one, (Slot[]){SLOT_POSITION}));
    TRY(device_combine(device, SLOT_BASE_VELOCITY, 1, &one, (Slot[]){SLOT_VELOCITY}));
    TRY(stage_solve(integrator, &stage, h, true, &report->solver));
    TRY(device_combine(device, position, 2, (double[]){inverse, 1 - inverse},
                       (Slot[]){SLOT_STAGE, SLOT_POSITION}));
    TRY(device_combine(device, velocity, 2, (double[]){inverse, 1 - inverse},
                       (Slot[]){SLOT_STAGE_VELOCITY, SLOT_VELOCITY}));
    TRY(integrator_pin_positions(integrator, position, time + h));
    TRY(integrator_pin_velocities(integrator, velocity, time, h));
    TRY(device_dissipation_loss(device, SLOT_POSITION, position, h, loss));
    TRY(device_damping_loss(device, SLOT_STAGE, SLOT_STAGE_VELOCITY, h, loss));
    // What changing loads put in, the motion loses less.
    double work;
    TRY(integrator_load_work(integrator, SLOT_POSITION, position, time, h, &work));
    loss->free -= work;
    return VELA_OK;
}

static VelaResult total_energy(Device *device, Slot position, Slot velocity, double time, double *total)
{
    Diagnosis at;
    TRY(device_diagnose(device, position, velocity, time, &at));
    *total = at.kinetic + at.elastic + at.gravitational + at.contact + at.loads + at.constraint;
    return VELA_OK;
}

static VelaResult blend(Device *device, double theta)
{
    TRY(device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){theta, 1 - theta},
                       (Slot[]){SLOT_SCRATCH_0, SLOT_SCRATCH_2}));
    return device_combine(device, SLOT_NEXT_VELOCITY, 2, (double[]){theta, 1 - theta},
                          (Slot[]){SLOT_SCRATCH_1, SLOT_SCRATCH_3});
}

static DissipationLoss blended_loss(const DissipationLoss ends[2], double theta)
{
    DissipationLoss loss = {0};
    dissipation_loss_add(&loss, theta, &ends[0]);
    dissipation_loss_add(&loss, 1 - theta, &ends[1]);
    return loss;
}

// 1 where even the midpoint rule ends below the wanted energy, 0 where even implicit Euler ends above it. An energy that
// is not finite (a barrier was passed) counts as above. `losses` are those of the two.
static VelaResult find_theta(Device *device, double wanted, const DissipationLoss losses[2], double time,
                             double *theta)
{
    double above, below, energy;
    TRY(total_energy(device, SLOT_SCRATCH_0, SLOT_SCRATCH_1, time, &above));
    TRY(total_energy(device, SLOT_SCRATCH_2, SLOT_SCRATCH_3, time, &below));
    above += losses[0].free;
    below += losses[1].free;
    *theta = above <= wanted ? 1 : 0;
    if (above <= wanted || !(below < wanted))
        return VELA_OK;
    double low = 0, high = 1;
    for (int i = 0; i < BISECTIONS && 0.5 * (low + high) > low && 0.5 * (low + high) < high; ++i) {
        *theta = 0.5 * (low + high);
        TRY(blend(device, *theta));
        TRY(total_energy(device, SLOT_NEXT_POSITION, SLOT_NEXT_VELOCITY, time, &energy));
        if (energy + blended_loss(losses, *theta).free <= wanted)
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
    DissipationLoss losses[2];
    if (!state->started)
        TRY(blending_start_target(integrator, time, &state->kept_energy));
    TRY(solve(integrator, time, step, 0.5, SLOT_SCRATCH_0, SLOT_SCRATCH_1, report, &losses[0]));
    TRY(solve(integrator, time, step, 1, SLOT_SCRATCH_2, SLOT_SCRATCH_3, report, &losses[1]));
    TRY(find_theta(device, state->kept_energy, losses, time + step, &report->alpha));
    const DissipationLoss loss = blended_loss(losses, report->alpha);
    dissipation_loss_add(&report->loss, 1, &loss);
    report->target = state->kept_energy - loss.free;
    return blend(device, report->alpha);
}
