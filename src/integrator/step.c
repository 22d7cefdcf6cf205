#include "integrator/step.h"

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
    report->loss.all += loss.all;
    report->loss.free += loss.free;
    return VELA_OK;
}
