// Which workgroup and which invocation of a dispatch this is. A dispatch of more workgroups than a device takes in a row has several
// rows, and may have a few workgroups too many (gpu_grid in src/gpu/commands.h): those have nothing to do. Include after
// local_size_x_id.
#ifndef COMMON_INVOCATION_GLSL
#define COMMON_INVOCATION_GLSL

#include "abi/sums.h"

uint group_number()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

uint invocation_number()
{
    return group_number() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
}

/// Whether the workgroup has none of `count` things, of which its first invocation begins with its own number.
bool workgroup_is_idle(uint count)
{
    return group_number() * gl_WorkGroupSize.x >= count;
}

/// Workgroups of a kernel that goes over `count` things and leaves one sum each (sum_groups in
/// src/device/vulkan/vulkan_device.h).
uint sum_groups(uint count)
{
    return min((count + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x, uint(SUM_GROUPS_MOST));
}

#endif
