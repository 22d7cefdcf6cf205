#include "integrator/step.h"

#include "model/loads.h"

VelaResult integrator_pin_positions(Integrator *integrator, Slot slot, double time)
{
    model_pin_positions(integrator->device->model, time, integrator->pins);
    return device_prescribe(integrator->device, slot, integrator->pins);
}

VelaResult integrator_pin_velocities(Integrator *integrator, Slot slot, double time, double step)
{
    const Model *model = integrator->device->model;
    const size_t n = 3 * (size_t)model_prescribed_count(model);
    double *end = integrator->pins, *start = integrator->pins + n;
    model_pin_positions(model, time, start);
    model_pin_positions(model, time + step, end);
    for (size_t i = 0; i < n; ++i)
        end[i] = (end[i] - start[i]) / step;
    return device_prescribe(integrator->device, slot, end);
}

VelaResult integrator_add_loss(Integrator *integrator, Slot from, Slot to, double duration,
                               StepReport *report)
{
    DissipationLoss loss;
    TRY(device_dissipation_loss(integrator->device, from, to, duration, &loss));
    dissipation_loss_add(&report->loss, 1, &loss);
    return VELA_OK;
}

VelaResult integrator_add_damping(Integrator *integrator, Slot position, Slot velocity, double duration,
                                  StepReport *report)
{
    return integrator->device->model->is_damped
               ? device_damping_loss(integrator->device, position, velocity, duration, &report->loss)
               : VELA_OK;
}

VelaResult integrator_load_work(Integrator *integrator, Slot from, Slot to, double time, double step,
                                double *work)
{
    const Model *model = integrator->device->model;
    const Slot slots[2] = {from, to};
    double *x;
    *work = 0;
    if (!model->loads_change)
        return VELA_OK;
    Arena scratch = arena_make(integrator->device->context);
    VelaResult result = ARENA_ARRAY(&scratch, x, 3 * (size_t)model->node_count);
    for (int k = 0; k < 2 && result == VELA_OK; ++k) {
        result = device_state_read(integrator->device, slots[k], x);
        if (result == VELA_OK)
            *work += 0.5 * (model_load_energy(model, time + step, x) - model_load_energy(model, time, x));
    }
    arena_clear(&scratch);
    return result;
}
