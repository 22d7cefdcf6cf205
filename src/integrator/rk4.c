// The classical Runge-Kutta method of order four, a reference for orders and energies.
#include "integrator/rows.h"

VelaResult rk4_step(Integrator *integrator, double time, double h, StepReport *report)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    Device *device = integrator->device;
    const double one = 1;
    TRY(device_combine(device, SLOT_NEXT_POSITION, 1, &one, (Slot[]){SLOT_POSITION}));
    TRY(device_combine(device, SLOT_NEXT_VELOCITY, 1, &one, (Slot[]){SLOT_VELOCITY}));
    // SCRATCH_0 and SCRATCH_1 hold the position and the velocity at which stage s is evaluated.
    TRY(device_combine(device, SLOT_SCRATCH_0, 1, &one, (Slot[]){SLOT_POSITION}));
    TRY(device_combine(device, SLOT_SCRATCH_1, 1, &one, (Slot[]){SLOT_VELOCITY}));
    for (int s = 0; s < 4; ++s) {
        const double at = time + node[s] * h;
        TRY(integrator_pin_positions(integrator, SLOT_SCRATCH_0, at));
        TRY(device_acceleration(device, SLOT_ACCELERATION, SLOT_SCRATCH_0, at));
        TRY(device_damping_acceleration(device, SLOT_ACCELERATION, SLOT_SCRATCH_0, SLOT_SCRATCH_1, h));
        TRY(integrator_add_damping(integrator, SLOT_SCRATCH_0, SLOT_SCRATCH_1, weight[s] * h, report));
        TRY(device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){1, weight[s] * h},
                           (Slot[]){SLOT_NEXT_POSITION, SLOT_SCRATCH_1}));
        TRY(device_combine(device, SLOT_NEXT_VELOCITY, 2, (double[]){1, weight[s] * h},
                           (Slot[]){SLOT_NEXT_VELOCITY, SLOT_ACCELERATION}));
        if (s == 3)
            break;
        const double ahead = node[s + 1] * h;
        TRY(device_combine(device, SLOT_SCRATCH_0, 2, (double[]){1, ahead},
                           (Slot[]){SLOT_POSITION, SLOT_SCRATCH_1}));
        TRY(device_combine(device, SLOT_SCRATCH_1, 2, (double[]){1, ahead},
                           (Slot[]){SLOT_VELOCITY, SLOT_ACCELERATION}));
    }
    return VELA_OK;
}
