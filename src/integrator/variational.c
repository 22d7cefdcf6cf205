// Variational(alpha), theory.md section 2 [GVI], [VES]. The state is (q_k, M^-1 p_k):
//
//     y = argmin 1/(2 a^2) |y - yt|_M^2 + Phi(y),   yt = q_k + alpha h M^-1 p_k,   a^2 = alpha (1 - alpha) h^2
//     v = (y - q_k)/(alpha h),   q_{k+1} = q_k + h v,   p_{k+1} = M v - alpha h grad Phi(y)
//     alpha = 0 (explicit): y = q_k,   v = M^-1 (p_k - h grad Phi(q_k)),   q_{k+1} = q_k + h v,   p_{k+1} = M v
//     alpha = 1 (explicit): v = M^-1 p_k,   y = q_{k+1} = q_k + h v,   p_{k+1} = M v - h grad Phi(q_{k+1})
#include "integrator/rows.h"
#include "integrator/stages.h"

#include <math.h>

static VelaResult explicit_step(Integrator *integrator, double time, double h, StepReport *report)
{
    Device *device = integrator->device;
    TRY(device_acceleration(device, SLOT_ACCELERATION, SLOT_POSITION, time));
    TRY(device_damping_acceleration(device, SLOT_ACCELERATION, SLOT_POSITION, SLOT_VELOCITY, h));
    TRY(integrator_add_damping(integrator, SLOT_POSITION, SLOT_VELOCITY, h, report));
    TRY(device_combine(device, SLOT_NEXT_VELOCITY, 2, (double[]){1, h},
                       (Slot[]){SLOT_VELOCITY, SLOT_ACCELERATION}));
    return device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){1, h},
                          (Slot[]){SLOT_POSITION, SLOT_NEXT_VELOCITY});
}

static VelaResult other_explicit_step(Integrator *integrator, double time, double h, StepReport *report)
{
    Device *device = integrator->device;
    TRY(device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){1, h},
                       (Slot[]){SLOT_POSITION, SLOT_VELOCITY}));
    TRY(integrator_pin_positions(integrator, SLOT_NEXT_POSITION, time + h));
    TRY(device_acceleration(device, SLOT_ACCELERATION, SLOT_NEXT_POSITION, time + h));
    TRY(device_damping_acceleration(device, SLOT_ACCELERATION, SLOT_NEXT_POSITION, SLOT_VELOCITY, h));
    TRY(integrator_add_damping(integrator, SLOT_NEXT_POSITION, SLOT_VELOCITY, h, report));
    return device_combine(device, SLOT_NEXT_VELOCITY, 2, (double[]){1, h},
                          (Slot[]){SLOT_VELOCITY, SLOT_ACCELERATION});
}

static VelaResult implicit_step(Integrator *integrator, double time, double h, StepReport *report)
{
    Device *device = integrator->device;
    const double alpha = integrator->scene->alpha, inverse = 1 / (alpha * h);
    const Stage stage = {.a = h * sqrt(alpha * (1 - alpha)),
                         .time = time + alpha * h,
                         .slip_time = alpha * h,
                         .ahead = alpha * h};
    const double one = 1, ahead = alpha * h / stage.a;
    TRY(device_combine(device, SLOT_BASE_POSITION, 1, &one, (Slot[]){SLOT_POSITION}));
    TRY(device_combine(device, SLOT_BASE_VELOCITY, 1, &ahead, (Slot[]){SLOT_VELOCITY}));
    TRY(stage_solve(integrator, &stage, h, true, &report->solver));
    TRY(device_combine(device, SLOT_STAGE_VELOCITY, 2, (double[]){inverse, -inverse},
                       (Slot[]){SLOT_STAGE, SLOT_POSITION}));
    TRY(integrator_add_damping(integrator, SLOT_STAGE, SLOT_STAGE_VELOCITY, h, report));
    TRY(solver_stage_acceleration(device, &integrator->scene->solver, &stage, SLOT_ACCELERATION));
    TRY(device_combine(device, SLOT_NEXT_POSITION, 2, (double[]){1 - 1 / alpha, 1 / alpha},
                       (Slot[]){SLOT_POSITION, SLOT_STAGE}));
    TRY(integrator_add_loss(integrator, SLOT_POSITION, SLOT_NEXT_POSITION, h, report));
    return device_combine(device, SLOT_NEXT_VELOCITY, 3, (double[]){inverse, -inverse, alpha * h},
                          (Slot[]){SLOT_STAGE, SLOT_POSITION, SLOT_ACCELERATION});
}

VelaResult variational_step(Integrator *integrator, double time, double step, StepReport *report)
{
    report->alpha = integrator->scene->alpha;
    if (report->alpha == 0)
        return explicit_step(integrator, time, step, report);
    if (report->alpha == 1)
        return other_explicit_step(integrator, time, step, report);
    return implicit_step(integrator, time, step, report);
}
