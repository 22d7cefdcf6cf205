// Where ADMM's copies for damping are (abi/damping.h).
#ifndef COMMON_ELEMENTS_DAMPING_COPIES_GLSL
#define COMMON_ELEMENTS_DAMPING_COPIES_GLSL

#include "abi/damping.h"

/// Behind the push constants of elements (CopyPush in src/device/vulkan/admm/damping_copies.c): slots of the kind and what they are
/// (COPY_SIDE_BITS), the kind's first number in a section and the numbers of a section, its first weight, its first number of shapes; by how
/// much weights have grown since the last stage.
#define PUSH_OWN                                                                                                       \
    uint copy_slots, copy_layout, first_copy, copy_total, first_weight, first_shape_number;                        \
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

/// Numbers of a record of a shape.
#if ELEMENT_KIND == ELEMENT_TET
#define COPY_SHAPE TET_COPY_SHAPE
#elif ELEMENT_KIND == ELEMENT_SEGMENT
#define COPY_SHAPE SEGMENT_COPY_SHAPE
#elif ELEMENT_KIND == ELEMENT_MEMBRANE
#define COPY_SHAPE MEMBRANE_COPY_SHAPE
#elif ELEMENT_KIND == ELEMENT_BEND
#define COPY_SHAPE BEND_COPY_SHAPE
#else
#define COPY_SHAPE QUADRATIC_COPY_SHAPE
#endif

#define COPY_OF_QUADRATICS (-1)
#define COPY_OF_VARIATIONAL (-2)

/// What a slot is for: a side, and the number of a law or one of these.
struct DampingCopy {
    uint side;
    int law;
};

DampingCopy copy_of_slot(uint slot)
{
    uint left = slot;
    for (uint side = 0u; side < 2u; ++side) {
        const uint own = copy_layout >> COPY_SIDE_BITS * side & ((1u << COPY_SIDE_BITS) - 1u), quadratics = own & 1u,
                   count = quadratics + (own >> 1);
        if (left < count)
            return DampingCopy(side, int(left) - int(quadratics));
        left -= count;
    }
    return DampingCopy(ABI_DAMPED_AS_IS, COPY_OF_VARIATIONAL);
}

/// Number k of a record of an element's shape.
uint shape_number_place(uint record, uint e, uint k)
{
    return first_shape_number + (record * COPY_SHAPE + k) * kind_count + e;
}

#endif
