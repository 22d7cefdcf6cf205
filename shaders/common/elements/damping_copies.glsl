// Where ADMM's copies for damping are (abi/damping.h).
#ifndef COMMON_ELEMENTS_DAMPING_COPIES_GLSL
#define COMMON_ELEMENTS_DAMPING_COPIES_GLSL

#include "abi/damping.h"

/// Behind the push constants of elements (CopyPush in src/device/vulkan/admm/damping_copies.c): slots of the kind, those of them of quadratic
/// models (0 or 1), the kind's first number in a section and the numbers of a section, its first weight, its first number of shapes; by how
/// much weights have grown since the last stage.
#define PUSH_OWN                                                                                                       \
    uint copy_slots, quadratic_slots, first_copy, copy_total, first_weight, first_shape_number;                        \
    float growth;

#include "common/elements/push.glsl"

/// Number k of an element's copy in a slot, within a section.
uint copy_place(uint slot, uint e, uint k)
{
    return first_copy + (ELEMENT_SIZE * slot + k) * kind_count + e;
}

uint weight_place(uint slot, uint e)
{
    return first_weight + slot * kind_count + e;
}

/// Number k of an element's shape.
uint shape_number_place(uint e, uint k)
{
    return first_shape_number + k * kind_count + e;
}

#endif
