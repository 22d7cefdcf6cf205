// ADMM of theory.md section 5 on the stage's solution x, in Douglas-Rachford form:
//
//     Z = U P = prox(S)                Y = rho (S - Z)
//     A dx = D^T rho (2 Z - S - D x) + M g - M (x - xt)/a^2 + contact,      x += dx
//     S' = S + (D x - Z)
//
// Solving for the increment of an exactly kept x makes single precision enough: every iteration forms the residual anew, so
// that neither its rounding nor the tolerance of the solve accumulates.
#include "device/vulkan/admm/admm.h"

#include "device/vulkan/admm/air_copies.h"
#include "device/vulkan/admm/batch.h"
#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/contact/penalty_forces.h"
#include "device/vulkan/contact/penalty_friction.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/linear/preconditioner.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/loads.h"

#include "gpu/transfer.h"
#include "model/matrix.h"

#include <math.h>

static VelaResult set_penalties(VulkanDevice *device, double factor)
{
    const Model *model = device->base.model;
    device->penalty_factor = -1;
    device->dual_floor = 0.5 * sqrt(model_element_penalties(model, factor, device->penalties));
    TRY(vulkan_finish(device));
    TRY(elements_upload_parameter(device, PARAMETER_PENALTY, device->penalties));
    device->matrix.a = 0;
    device->penalty_factor = factor;
    return VELA_OK;
}

/// Relative residual that ends a global solve. Measured on bars and a bunny of 650 to 3500 elements: 0.1 takes one or two
/// iterations of ADMM more, 0.01 half as many again of the linear solver, and nothing else is gained by it. Slow stages do gain: acceleration
/// takes the differences of hundreds of iterations, and their errors. There a guess of the solution is worth more than a smaller residual
/// (compute/admm_guess.comp).
static const double GLOBAL_REDUCTION = 3e-2;

static VelaResult prepare_solve(VulkanDevice *device)
{
    device->linear_reduction = GLOBAL_REDUCTION;
    TRY(matrix_prepare(device));
    TRY(vulkan_write_scalars(device));
    TRY(vulkan_run(device, &device->kernels[KERNEL_CG_PREPARE], &device->node_count, device->node_count));
    return vulkan_preconditioner_update(device);
}

VelaResult vulkan_admm_begin(Device *base, const AdmmSettings *settings)
{
    VulkanDevice *device = (VulkanDevice *)base;
    if (settings->penalty != device->penalty_factor)
        TRY(set_penalties(device, settings->penalty));
    device->settings = *settings;
    if (device->settings.depth > device->depth_most)
        device->settings.depth = device->depth_most;
    TRY(vulkan_write_planes(device, device->stage.time));
    TRY(loads_write(device, device->stage.time));
    TRY(copies_weigh(device));
    TRY(air_split_weigh(device));
    TRY(prepare_solve(device));
    TRY(penalty_friction_prepare(device));
    // A round after the first, with damping looked at where that one ended, begins there: solves are not exact, and from xt each iteration
    // would gain no more than GLOBAL_REDUCTION.
    AdmmNodesPush nodes = admm_nodes_push(device);
    nodes.again = base->model->is_damped && device->stage.ahead == 0;
    TRY(air_split_begin(device, vulkan_slot(device, nodes.again ? SLOT_STAGE : SLOT_TARGET)));
    TRY(vulkan_run(device, &device->kernels[KERNEL_ADMM_BEGIN_NODES], &nodes, device->node_count));
    penalty_friction_prepared(device);
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementPush push = elements_push_kind(device, k, !device->warm);
        TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_ADMM_BEGIN_ELEMENTS, k), &push, push.count));
    }
    TRY(copies_begin(device));
    const uint32_t resume[] = {1, (uint32_t)device->settings.depth, 0};
    device->iterations = 0;
    device->warm = true;
    return vulkan_run(device, &device->kernels[KERNEL_ADMM_RESUME], resume, 1);
}

static void fill_report(const VulkanDevice *device, const uint32_t *control, const void *scalars,
                        AdmmReport *report)
{
    const bool f64 = device->f64;
    report->linear_iterations = (int32_t)control[CONTROL_CG_TOTAL];
    report->primal = real_load(f64, scalars, SCALAR_PRIMAL);
    report->primal_bound = real_load(f64, scalars, SCALAR_PRIMAL_BOUND);
    report->dual = real_load(f64, scalars, SCALAR_DUAL);
    report->dual_bound = real_load(f64, scalars, SCALAR_DUAL_BOUND);
    report->primal_difference = real_load(f64, scalars, SCALAR_PRIMAL_DIFFERENCE);
    report->dual_difference = real_load(f64, scalars, SCALAR_PROJECTED_CHANGE);
    report->at_rounding = control[CONTROL_STOP] == ADMM_AT_ROUNDING;
    report->converged = control[CONTROL_STOP] == ADMM_CONVERGED || report->at_rounding;
}

VelaResult vulkan_admm_iterate(Device *base, int32_t count, AdmmReport *report)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const uint32_t resume[] = {0, 0, (uint32_t)count};
    TRY(vulkan_run(device, &device->kernels[KERNEL_ADMM_RESUME], resume, 1));
    const char *readback = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    const uint32_t *control = (const uint32_t *)(readback + READBACK_CONTROL);
    const void *scalars = readback + READBACK_SCALARS;
    const uint32_t before = device->iterations;
    uint32_t iteration = before, cg = 0;
    do {
        double seconds;
        TRY(batch_submit(device, &seconds));
        FAIL_IF(base->context,
                control[CONTROL_STOP] == ADMM_RUNNING && control[CONTROL_ITERATION] == iteration &&
                    control[CONTROL_CG_ITERATION] == cg,
                VELA_ERROR_DEVICE, "%s does no work on indirect dispatches; try another driver (%s)",
                device->gpu->info.name, device->gpu->info.driver);
        const uint32_t done = control[CONTROL_ITERATION] - iteration;
        device->seconds_per_iteration = seconds / (done > 0 ? done : 1);
        iteration = control[CONTROL_ITERATION];
        cg = control[CONTROL_CG_ITERATION];
        // A solve longer than what is recorded costs another submission: record more next time.
        const uint32_t longest = control[CONTROL_CG_MOST] > cg ? control[CONTROL_CG_MOST] : cg;
        device->wanted_cg_iterations = longest + longest / 8 + 2;
    } while (control[CONTROL_STOP] == ADMM_RUNNING);
    report->iterations = (int32_t)(iteration - before);
    device->iterations = iteration;
    device->wanted_iterations = iteration - before + 1;
    fill_report(device, control, scalars, report);
    if (control[CONTROL_BAD_SOLVES] > 0)
        context_log(base->context, VELA_LOG_DEBUG, "%u global solves were cut off at %d iterations",
                    control[CONTROL_BAD_SOLVES], CG_ITERATIONS_MOST);
    FAIL_IF(base->context, control[CONTROL_STOP] == ADMM_NOT_A_NUMBER, VELA_ERROR_NOT_CONVERGED,
            "ADMM diverged: its residual is not a number");
    return penalty_forces_solved(device);
}

VelaResult vulkan_admm_scale_penalty(Device *base, double factor)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const struct {
        uint32_t local_count;
        float factor;
    } push = {device->local_count, (float)factor};
    // Single precision holds the factors in use (powers of two) exactly; others are taken as they are rounded.
    device->penalty_scale *= (double)push.factor;
    TRY(vulkan_run(device, &device->kernels[KERNEL_ADMM_RESCALE], &push, device->local_count));
    TRY(copies_rescale(device, push.factor));
    return prepare_solve(device);
}

VelaResult vulkan_stage_acceleration(Device *base, Slot destination)
{
    VulkanDevice *device = (VulkanDevice *)base;
    struct {
        ExactNumber inverse_a_sq;
        uint32_t node_count, destination;
    } push = {.node_count = device->node_count, .destination = vulkan_slot(device, destination)};
    exact_store(device->f64, &push.inverse_a_sq, 0, 1 / (device->stage.a * device->stage.a));
    TRY(vulkan_run(device, &device->kernels[KERNEL_STAGE_ACCELERATION], &push, device->node_count));
    return copies_take_impulse(device, destination);
}
