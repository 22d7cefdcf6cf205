// Push constants of a system of constraints, the same for all its kernels (SaddlePush in src/device/vulkan/constraints/constraint_term.h).
#ifndef COMMON_CONSTRAINTS_PUSH_GLSL
#define COMMON_CONSTRAINTS_PUSH_GLSL

#include "common/invocation.glsl"

layout(push_constant) uniform Push
{
    uint node_count, free_count, coupled_count, entry_count; // the last of the matrix
    uint constraint_count, row_count, entry_total, side_count, first_block, first_side;
    uint parity, begin, changes, limit, argument, slot;
};

/// What kernels go over: the free nodes, place by place, then the constraints.
uint saddle_count()
{
    return free_count + constraint_count;
}

/// Workgroups that do: one at least, which ends the solve where there is nothing to go over.
uint saddle_groups()
{
    return max(sum_groups(saddle_count()), 1u);
}

#endif
