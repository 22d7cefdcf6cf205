// variant: f64
// x += increment, and penalty contact's part of the residuals: r = gap - y', the next s, the history of Anderson acceleration.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

#define MANY_SUMS SUM_PLANES_COUNT

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 4) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 6) buffer Split { real split[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 8) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 10) writeonly buffer PlaceDifferences { float place_differences[]; };
layout(push_constant) uniform Push { uint node_count, surface_count, plane_count, split_count, base; };

#include "common/contact/penalty_split.glsl"
#include "common/invocation.glsl"
#include "common/many_partials.glsl"
#include "common/partial_pins.glsl"

/// Coordinate j of a copy.
void coordinate_update(Copy copy, uint j, real gap)
{
    const real weight = copy_weight(copy, j), state = split[copy_place(copy, SPLIT_STATE, j)],
               projected = split[copy_place(copy, SPLIT_PROJECTED, j)];
    const real r = gap - projected, image = state + r;
    const uint newest = control[CONTROL_NEWEST];
    if (newest != 0xffffffffu) {
        split[copy_place(copy, SPLIT_RESIDUAL_DIFFERENCES + newest, j)] =
            r - split[copy_place(copy, SPLIT_RESIDUAL, j)];
        split[copy_place(copy, SPLIT_IMAGE_DIFFERENCES + newest, j)] =
            image - split[copy_place(copy, SPLIT_IMAGE, j)];
    }
    split[copy_place(copy, SPLIT_GAP, j)] = gap;
    split[copy_place(copy, SPLIT_RESIDUAL, j)] = r;
    split[copy_place(copy, SPLIT_IMAGE, j)] = image;
    split[copy_place(copy, SPLIT_MULTIPLIER, j)] = weight * (state - projected + r);
    many_sums_add(SUM_PLANES_RESIDUAL, r * r);
    many_sums_add(SUM_PLANES_GAP, gap * gap);
    many_sums_add(SUM_PLANES_PROJECTED, projected * projected);
    many_sums_add(SUM_PLANES_WEIGHTED, weight * r * r);
    for (uint k = 0u; k < control[CONTROL_HISTORY]; ++k) {
        const real difference = weight * split[copy_place(copy, SPLIT_RESIDUAL_DIFFERENCES + k, j)];
        many_sums_add(SUM_PLANES_NEWEST + k,
                      difference * split[copy_place(copy, SPLIT_RESIDUAL_DIFFERENCES + newest, j)]);
        many_sums_add(SUM_PLANES_CURRENT + k, difference * r);
    }
}

void split_update(uint i, Exact3 x)
{
    const uint surface_node = (flags[i] >> NODE_SURFACE_SHIFT) - 1u;
    uint before = 0u;
    for (uint p = 0u; p < plane_count; ++p) {
        const Copy copy = copy_of(p, before, surface_node, exact_value(masses[i]));
        const real3 coordinates = copy_coordinates(copy, x, slots[base * node_count + i]);
        for (uint j = 0u; j < 3u && j < copy.width; ++j)
            coordinate_update(copy, j, coordinates[j]);
        before = copy_end(copy, before);
    }
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    many_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        const uint at = ABI_SLOT_STAGE * node_count + i;
        const real3 moved = free_part(i, increment[i]);
        const Exact3 x = exact3_add(slots[at], exact3(moved));
        if (control[CONTROL_NEWEST] != 0xffffffffu)
            for (uint k = 0u; k < 3u; ++k)
                place_differences[3u * (control[CONTROL_NEWEST] * node_count + i) + k] = float(moved[k]);
        slots[at] = x;
        if (flags[i] >> NODE_SURFACE_SHIFT != 0u && (flags[i] & NODE_IS_FREE) != 0u)
            split_update(i, x);
    }
    many_sums_end(SUM_PLANES, group_number());
}
