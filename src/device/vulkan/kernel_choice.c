#include "device/vulkan/kernel_choice.h"

#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/terms/air.h"

/// Of damping that is linear.
static bool is_of_damping(int kernel)
{
    return kernel == KERNEL_DAMPING_LINEARIZE || kernel == KERNEL_DAMPING_TRIALS ||
           kernel == KERNEL_DAMPING_BLOCKS || kernel == KERNEL_DAMPING_FORCES ||
           kernel == KERNEL_DAMPING_ELEMENTS || kernel == KERNEL_DAMPING_SHAPE ||
           kernel == KERNEL_RIGID_BLOCKS;
}

static bool is_of_laws(int kernel)
{
    return kernel >= KERNEL_POWER_LAW_AXES && kernel <= KERNEL_POWER_LAW_SHAPE;
}

/// Of forms that are not lagged.
static bool is_of_forms(int kernel)
{
    return (kernel >= KERNEL_SHAPE_SUMS && kernel <= KERNEL_SHAPE_TRIALS) ||
           kernel == KERNEL_POWER_LAW_SHAPE || kernel == KERNEL_DAMPING_SHAPE ||
           kernel == KERNEL_ADMM_SHAPE_FORCE;
}

/// Of what sees no rigid motion.
static bool is_of_rigid_motions(int kernel)
{
    return (kernel >= KERNEL_RIGID_LINEARIZE && kernel <= KERNEL_RIGID_REMOVE) ||
           kernel == KERNEL_RIGID_BLOCKS || kernel == KERNEL_POWER_LAW_RIGID_TRIALS ||
           (kernel >= KERNEL_ADMM_RIGID_SUMS && kernel <= KERNEL_ADMM_RIGID_FORCE);
}

/// Of variational damping.
static bool is_variational(int kernel)
{
    return (kernel >= KERNEL_VARIATIONAL_REST && kernel <= KERNEL_VARIATIONAL_BLOCKS) ||
           (kernel >= KERNEL_VARIATIONAL_FORCES && kernel <= KERNEL_VARIATIONAL_TRIALS);
}

/// Of both, what only Newton's method works with.
static bool is_of_damped_newton(int kernel)
{
    return kernel == KERNEL_DAMPING_LINEARIZE || kernel == KERNEL_DAMPING_TRIALS ||
           kernel == KERNEL_DAMPING_BLOCKS || kernel == KERNEL_POWER_LAW_AXES ||
           kernel == KERNEL_POWER_LAW_LINEARIZE || kernel == KERNEL_POWER_LAW_BLOCKS ||
           kernel == KERNEL_POWER_LAW_TRIALS || kernel == KERNEL_POWER_LAW_RIGID_TRIALS ||
           kernel == KERNEL_RIGID_LINEARIZE || kernel == KERNEL_RIGID_TRIALS || kernel == KERNEL_RIGID_BLOCKS;
}

/// Of constraints.
static bool is_of_constraints(int kernel)
{
    return kernel >= KERNEL_CONSTRAINT_EVALUATE && kernel <= KERNEL_MINRES_UPDATE;
}

/// What only a search along Newton's direction works with.
static bool is_of_search(int kernel)
{
    return kernel == KERNEL_CG_UPDATE || kernel == KERNEL_NEWTON_APPLY || kernel == KERNEL_NEWTON_TURN ||
           kernel == KERNEL_NEWTON_WAY || kernel == KERNEL_NEWTON_TRIAL_NODES ||
           kernel == KERNEL_NEWTON_TRIAL_ELEMENTS || kernel == KERNEL_NEWTON_BOUND;
}

/// Of ADMM's copies for damping.
static bool is_of_copies(int kernel)
{
    return (kernel >= KERNEL_ADMM_RESCALE_COPIES && kernel <= KERNEL_ADMM_RIGID_FORCE) ||
           (kernel >= KERNEL_ADMM_DAMPING_BEGIN && kernel <= KERNEL_ADMM_DAMPING_DUAL) ||
           kernel == KERNEL_ADMM_DAMPING_SHAPE || kernel == KERNEL_ADMM_VARIATIONAL_PROJECT;
}

bool vulkan_kernel_is_needed_of(const VulkanDevice *device, int kernel, int kind)
{
    const uint32_t kinds = is_of_damping(kernel)    ? device->damped_kinds
                           : is_of_laws(kernel)     ? device->law_kinds
                           : is_variational(kernel) ? device->variational_kinds
                                                    : UINT32_MAX;
    if (is_of_copies(kernel) && device->copies->places[kind].slots == 0)
        return false;
    if (kernel == KERNEL_ADMM_VARIATIONAL_PROJECT && !device->copies->places[kind].variational)
        return false;
    return device->places[kind].count > 0 && kinds >> kind & 1;
}

bool vulkan_kernel_is_needed(const VulkanDevice *device, int kernel)
{
    const bool of_newton = (kernel >= KERNEL_NEWTON_NODES && kernel <= KERNEL_NEWTON_ACCEPT) ||
                           kernel == KERNEL_NEWTON_BLOCKS || kernel == KERNEL_NEWTON_BOUND ||
                           kernel == KERNEL_NEWTON_ELEMENTS || kernel == KERNEL_NEWTON_TRIAL_ELEMENTS;
    const bool of_coarse = kernel >= KERNEL_COARSE_PARTS && kernel <= KERNEL_COARSE_UPDATE;
    const bool of_admm = (kernel >= KERNEL_CG_PREPARE && kernel <= KERNEL_ADMM_DECIDE) ||
                         (kernel >= KERNEL_ADMM_BEGIN_ELEMENTS && kernel <= KERNEL_ADMM_PROJECT);
    const bool of_contact = kernel >= KERNEL_SURFACE_VERTICES && kernel < KERNEL_CONTACT_ACCELERATION;
    const bool of_barrier = (kernel >= KERNEL_CONTACT_MEANS && kernel <= KERNEL_CONTACT_LIST) ||
                            (kernel >= KERNEL_BARRIER_ACTIVE && kernel <= KERNEL_BARRIER_MEASURE);
    const bool of_penalty = kernel >= KERNEL_PENALTY_PAIRS && kernel <= KERNEL_PENALTY_SOLVED;
    const bool of_friction = kernel >= KERNEL_PENALTY_LAG && kernel <= KERNEL_FRICTION_LOSS;
    const bool of_lag = kernel == KERNEL_FRICTION_LAG;
    const bool of_both = kernel >= KERNEL_COARSE_GROUPS && kernel <= KERNEL_CONTACT_ROOTS;
    const bool of_bodies = kernel == KERNEL_NEWTON_TURN;
    const bool of_air = kernel >= KERNEL_AIR_VERTICES && kernel <= KERNEL_AIR_NODES;
    if ((is_of_rigid_motions(kernel) && device->rigid_chunks == 0) ||
        (is_of_forms(kernel) && device->shape_sides == 0))
        return false;
    if (is_of_constraints(kernel))
        return device->constraints;
    if (is_of_search(kernel) && device->constraints)
        return false;
    if (is_of_damped_newton(kernel) && vulkan_solver(device) == SOLVER_ADMM)
        return false;
    if (kernel == KERNEL_ADMM_VARIATIONAL_PROJECT)
        return device->copies && device->variational_kinds != 0;
    if (kernel >= KERNEL_ADMM_AIR_BEGIN && kernel <= KERNEL_ADMM_AIR_RESIDUAL)
        return device->air_copies;
    if (is_of_copies(kernel))
        return device->copies;
    if (is_of_damping(kernel))
        return device->damped_kinds != 0;
    if (kernel == KERNEL_DAMPING_NODES)
        return (device->damped_kinds | device->law_kinds | device->variational_kinds) != 0;
    if (is_variational(kernel))
        return device->variational_kinds != 0 &&
               (vulkan_solver(device) == SOLVER_NEWTON || kernel == KERNEL_VARIATIONAL_REST ||
                kernel == KERNEL_VARIATIONAL_FORCES);
    if (kernel == KERNEL_CORNER_SUMS)
        return (device->shape_sides | device->variational_kinds) != 0;
    if ((is_of_rigid_motions(kernel) || is_of_forms(kernel)) && !is_of_laws(kernel))
        return true;
    if (is_of_laws(kernel))
        return device->law_kinds != 0;
    if (of_air)
        return air_is_there(device->base.model) &&
               (vulkan_solver(device) != SOLVER_ADMM ||
                (kernel != KERNEL_AIR_LINEARIZE && kernel != KERNEL_AIR_TRIALS));
    if (kernel == KERNEL_CONTACT_ACCELERATION)
        return device->base.model->is_damped || device->contact;
    if ((of_bodies && device->base.model->order.coupled_count == 0) || (of_contact && !device->contact) ||
        ((of_barrier || of_lag) && !device->broad_phase) || (of_penalty && device->broad_phase) ||
        (of_friction && !device->base.model->contact.has_friction))
        return false;
    if (kernel == KERNEL_PENALTY_SOLVED)
        return vulkan_solver(device) == SOLVER_ADMM;
    if (kernel == KERNEL_COARSE_STACKS && device->coarse.stack_count == 0)
        return false;
    if (device->two_level ? kernel == KERNEL_CG_UPDATE
                          : of_coarse || of_both || kernel == KERNEL_ADMM_COARSE_PARTS)
        return false;
    return vulkan_solver(device) == SOLVER_ADMM
               ? !of_newton && !of_both && kernel != KERNEL_COARSE_PARTS && kernel != KERNEL_COARSE_CLUSTERS
               : !of_admm;
}
