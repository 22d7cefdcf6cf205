// Push constants of the kernels of elements (ElementPush in src/device/vulkan/vulkan_device.h has the words): a range of elements
// of one kind, and where those of the kind are in the buffers of all.
#ifndef COMMON_ELEMENTS_PUSH_GLSL
#define COMMON_ELEMENTS_PUSH_GLSL

#include "common/elements/kind.glsl"

/// More words, of kernels that define it before.
#ifndef PUSH_OWN
#define PUSH_OWN
#endif

layout(push_constant) uniform Push
{
    uint first, count, never_inverting, kind_count;
    uint first_element, first_corner, first_shape, first_local, first_data, first_sum;
    uint group_count; ///< workgroups that leave sums
    uint element_count, local_count, node_count;
    uint argument; ///< the kernel's own
    PUSH_OWN
};

/// Where element e of the kind has its corner c.
uint corner_place(uint e, uint c)
{
    return first_corner + c * kind_count + e;
}

/// Number k of its shape gradients, of its D x within a section.
uint shape_place(uint e, uint k)
{
    return first_shape + k * kind_count + e;
}

uint local_place(uint e, uint k)
{
    return first_local + k * kind_count + e;
}

/// One of its PARAMETER_*.
uint parameter_place(uint e, uint parameter)
{
    return parameter * element_count + first_element + e;
}

/// Its first number of Newton's data.
uint data_place(uint e)
{
    return first_data + ELEMENT_DATA * e;
}

#endif
