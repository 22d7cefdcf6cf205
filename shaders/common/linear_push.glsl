// Push constants of a linear solve, the same for all its kernels (LinearPush in
// src/device/vulkan/vulkan_device.h has the words).
#ifndef COMMON_LINEAR_PUSH_GLSL
#define COMMON_LINEAR_PUSH_GLSL

layout(push_constant) uniform Push
{
    uint node_count, parity, begin, coupled_count, entry_count, product_count, curvature_count;
    uint free_count, group_count, chunks_per_group, stripes_per_chunk, cluster_count;
    uint changes, held, apart, contact_workgroups, stacks;
};

#endif
