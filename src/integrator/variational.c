// Variational(alpha), theory.md section 2 [GVI], [VES]. The state is (q_k, M^-1 p_k):
//
//     y = argmin 1/(2 a^2) |y - yt|_M^2 + Phi(y),   yt = q_k + alpha h M^-1 p_k,   a^2 = alpha (1 - alpha) h^2
//     v = (y - q_k)/(alpha h),   q_{k+1} = q_k + h v,   p_{k+1} = M v - alpha h grad Phi(y)
//     alpha = 0 (explicit): v = M^-1 (p_k - h grad Phi(q_k)),   q_{k+1} = q_k + h v,   p_{k+1} = M v
#include "integrator/rows.h"

#include <math.h>

static VelaResult explicit_step(Integrator *integrator, double time, double h)
{
    Device *device = integrator->device;
    TRY(device_acceleration(device, SLOT_ACCELERATION, SLOT_POSITION, time));
    TRY(device_combine(device, SLOT_NEXT_VELOCITY, 2, (double[]){1, h},
                       (Slot[]){SLOT_VELOCITY, SLOT_ACCELERATION}));
    return device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){1, h},
                          (Slot[]){SLOT_POSITION, SLOT_NEXT_VELOCITY});
}

static VelaResult implicit_step(Integrator *integrator, double time, double h, SolverReport *report)
{
    Device *device = integrator->device;
    const double alpha = integrator->scene->alpha;
    const Stage stage = {.a = h * sqrt(alpha * (1 - alpha)), .time = time + alpha * h};
    TRY(device_combine(device, SLOT_TARGET, 2, (double[]){1, alpha * h},
                       (Slot[]){SLOT_POSITION, SLOT_VELOCITY}));
    TRY(integrator_pin_positions(integrator, SLOT_STAGE, stage.time));
    TRY(device_stage_set(device, &stage));
    TRY(admm_solve(device, &integrator->scene->solver, &integrator->batch, report));
    TRY(device_stage_acceleration(device, SLOT_ACCELERATION));
    const double inverse = 1 / (alpha * h);
    TRY(device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){1 - 1 / alpha, 1 / alpha},
                       (Slot[]){SLOT_POSITION, SLOT_STAGE}));
    return device_combine(device, SLOT_NEXT_VELOCITY, 3, (double[]){inverse, -inverse, alpha * h},
                          (Slot[]){SLOT_STAGE, SLOT_POSITION, SLOT_ACCELERATION});
}

VelaResult variational_step(Integrator *integrator, double time, double step, SolverReport *report)
{
    *report = (SolverReport){0};
    if (integrator->scene->alpha == 0)
        TRY(explicit_step(integrator, time, step));
    else
        TRY(implicit_step(integrator, time, step, report));
    TRY(integrator_pin_positions(integrator, SLOT_NEXT_POSITION, time + step));
    return integrator_pin_velocities(integrator, SLOT_NEXT_VELOCITY, time, step);
}
