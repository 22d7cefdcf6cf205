#include "device/cpu/contact/contact_term.h"

#include <string.h>

static VelaResult add_gradient(CpuDevice *device, const double *x, double *gradient)
{
    return barrier_gradient(device->barrier, x, gradient);
}

static VelaResult diagnose(CpuDevice *device, const double *x, Diagnosis *diagnosis)
{
    ContactMeasure measure;
    TRY(barrier_measure(device->barrier, x, &measure));
    diagnosis->contact += measure.energy;
    diagnosis->min_distance = measure.min_distance;
    memcpy(diagnosis->closest, measure.vertices, sizeof measure.vertices);
    return VELA_OK;
}

static VelaResult begin_stage(CpuDevice *device)
{
    const Stage *stage = &device->stage;
    const double start = cpu_clock();
    TRY(barrier_begin(device->barrier, device->slots[SLOT_STAGE], device->slots[SLOT_VELOCITY],
                      device->slots[SLOT_BASE_POSITION], stage->slip_time > 0 ? stage->slip_time : stage->a,
                      stage->time));
    cpu_timing_add(device->timings, PHASE_CONTACT_PAIRS, start);
    return VELA_OK;
}

static VelaResult add_dissipation(CpuDevice *device, double *gradient)
{
    return barrier_friction_gradient(device->barrier, device->slots[SLOT_STAGE], gradient);
}

static VelaResult add_loss(CpuDevice *device, const double *x0, const double *x1, double duration,
                           DissipationLoss *loss)
{
    const DissipationLoss own =
        barrier_friction_loss(device->barrier, device->slots[SLOT_STAGE], x0, x1, duration);
    loss->all += own.all;
    loss->free += own.free;
    return VELA_OK;
}

static VelaResult admit(CpuDevice *device, const double *x, const double *d, double *part)
{
    double start = cpu_clock();
    TRY(barrier_sweep(device->barrier, x, d));
    cpu_timing_add(device->timings, PHASE_CONTACT_PAIRS, start);
    start = cpu_clock();
    double safe;
    TRY(barrier_safe_part(device->barrier, &safe));
    *part = safe < *part ? safe : *part;
    cpu_timing_add(device->timings, PHASE_CONTACT_FILTER, start);
    return VELA_OK;
}

static VelaResult bound(CpuDevice *device, double *longest)
{
    return admit(device, device->slots[SLOT_STAGE], device->newton.direction, longest);
}

static VelaResult linearize_changing(CpuDevice *device, bool project)
{
    const double start = cpu_clock();
    TRY(barrier_linearize(device->barrier, device->slots[SLOT_STAGE], device->base.model->order.places,
                          project, &device->newton.matrix, device->newton.gradient));
    cpu_timing_add(device->timings, PHASE_CONTACT_HESSIANS, start);
    return VELA_OK;
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const double start = cpu_clock();
    const NewtonData *newton = &device->newton;
    ContactTrial trials[NEWTON_TRIALS];
    barrier_trials(device->barrier, device->slots[SLOT_STAGE], newton->direction,
                   newton_part_of_bound(newton), count, steps, trials);
    for (int i = 0; i < count; ++i)
        trial_add(sums, i, trials[i].difference, trials[i].slope, trials[i].magnitude);
    sums->contact_work += trials[0].work;
    cpu_timing_add(device->timings, PHASE_CONTACT_SEARCH, start);
}

const CpuTerm cpu_contact_term = {
    .add_gradient = add_gradient,
    .diagnose = diagnose,
    .begin_stage = begin_stage,
    .add_dissipation = add_dissipation,
    .add_loss = add_loss,
    .admit = admit,
    .linearize_changing = linearize_changing,
    .bound = bound,
    .try_steps = try_steps,
};
