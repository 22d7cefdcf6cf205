// What runs next in an iteration of ADMM. Declare the buffer `control` before.
#ifndef COMMON_CONTROL_GLSL
#define COMMON_CONTROL_GLSL

#include "abi/control.h"

/// The conjugate gradients.
void run_solve()
{
    control[ARGUMENTS_CG] = control[CONTROL_GROUPS_CG];
    control[ARGUMENTS_CG_RIGID] = control[CONTROL_GROUPS_RIGID];
    control[ARGUMENTS_COARSE] = control[ARGUMENTS_START_COARSE] = control[CONTROL_GROUPS_COARSE];
    control[ARGUMENTS_CHUNKS] = control[ARGUMENTS_START_CHUNKS] = control[CONTROL_GROUPS_CHUNKS];
}

void end_solve_step()
{
    control[ARGUMENTS_CG] = 0u;
    control[ARGUMENTS_CG_RIGID] = 0u;
    control[ARGUMENTS_COARSE] = control[ARGUMENTS_START_COARSE] = 0u;
    control[ARGUMENTS_CHUNKS] = control[ARGUMENTS_START_CHUNKS] = 0u;
}

/// The local step: all ranges of elements, then the nodes.
void run_local_step()
{
    control[ARGUMENTS_LOCAL_NODES] = control[CONTROL_GROUPS_CG];
    control[ARGUMENTS_LOCAL_RIGID] = control[CONTROL_GROUPS_RIGID];
    for (uint r = 0u; r < RANGES_MOST; ++r)
        control[ARGUMENTS_LOCAL_RANGE + 3u * r] = control[CONTROL_GROUPS_RANGE + r];
}

void end_local_step()
{
    control[ARGUMENTS_LOCAL_NODES] = 0u;
    control[ARGUMENTS_LOCAL_RIGID] = 0u;
    for (uint r = 0u; r < RANGES_MOST; ++r)
        control[ARGUMENTS_LOCAL_RANGE + 3u * r] = 0u;
}

/// What follows the global step: x and the planes, the elements' residuals, the decision.
void run_after_step()
{
    control[ARGUMENTS_AFTER_NODES] = control[CONTROL_GROUPS_NODES];
    control[ARGUMENTS_AFTER_RIGID] = control[CONTROL_GROUPS_RIGID];
    for (uint k = 0u; k < ELEMENT_KIND_COUNT; ++k)
        control[ARGUMENTS_AFTER_KIND + 3u * k] = control[CONTROL_GROUPS_KIND + k];
    control[ARGUMENTS_AFTER_ONE] = 1u;
}

void end_after_step()
{
    control[ARGUMENTS_AFTER_NODES] = 0u;
    control[ARGUMENTS_AFTER_RIGID] = 0u;
    for (uint k = 0u; k < ELEMENT_KIND_COUNT; ++k)
        control[ARGUMENTS_AFTER_KIND + 3u * k] = 0u;
    control[ARGUMENTS_AFTER_ONE] = 0u;
}

/// The dual residual.
void run_dual()
{
    for (uint k = 0u; k < ELEMENT_KIND_COUNT; ++k)
        control[ARGUMENTS_DUAL_KIND + 3u * k] = control[CONTROL_GROUPS_KIND + k];
    control[ARGUMENTS_DUAL_NODES] = control[CONTROL_GROUPS_NODES];
    control[ARGUMENTS_DUAL_RIGID] = control[CONTROL_GROUPS_RIGID];
    control[ARGUMENTS_DUAL_ONE] = 1u;
}

void end_dual()
{
    for (uint k = 0u; k < ELEMENT_KIND_COUNT; ++k)
        control[ARGUMENTS_DUAL_KIND + 3u * k] = 0u;
    control[ARGUMENTS_DUAL_NODES] = 0u;
    control[ARGUMENTS_DUAL_RIGID] = 0u;
    control[ARGUMENTS_DUAL_ONE] = 0u;
}

#endif
