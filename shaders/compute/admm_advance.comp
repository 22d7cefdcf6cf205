// variant: f64
// x += increment, and the planes' part of the residuals: r = gap - y', the next s, the history of Anderson acceleration.
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
layout(push_constant) uniform Push { uint node_count, surface_count, plane_count; };

#include "common/invocation.glsl"
#include "common/many_partials.glsl"
#include "common/partial_pins.glsl"
#include "common/planes.glsl"

void split_update(uint c, real gap)
{
    const uint section = plane_count * surface_count;
    const real state = split[SPLIT_STATE * section + c], projected = split[SPLIT_PROJECTED * section + c];
    const real r = gap - projected, image = state + r;
    const uint newest = control[CONTROL_NEWEST];
    if (newest != 0xffffffffu) {
        split[(SPLIT_RESIDUAL_DIFFERENCES + newest) * section + c] = r - split[SPLIT_RESIDUAL * section + c];
        split[(SPLIT_IMAGE_DIFFERENCES + newest) * section + c] = image - split[SPLIT_IMAGE * section + c];
    }
    split[SPLIT_GAP * section + c] = gap;
    split[SPLIT_RESIDUAL * section + c] = r;
    split[SPLIT_IMAGE * section + c] = image;
    split[SPLIT_MULTIPLIER * section + c] = scalars[SCALAR_STIFFNESS] * (state - projected + r);
    many_sums_add(SUM_PLANES_RESIDUAL, r * r);
    many_sums_add(SUM_PLANES_GAP, gap * gap);
    many_sums_add(SUM_PLANES_PROJECTED, projected * projected);
    for (uint j = 0u; j < control[CONTROL_HISTORY]; ++j) {
        const real difference = split[(SPLIT_RESIDUAL_DIFFERENCES + j) * section + c];
        many_sums_add(SUM_PLANES_NEWEST + j, difference * split[(SPLIT_RESIDUAL_DIFFERENCES + newest) * section + c]);
        many_sums_add(SUM_PLANES_CURRENT + j, difference * r);
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
        const Exact3 x = exact3_add(slots[at], exact3(free_part(i, increment[i])));
        slots[at] = x;
        const uint surface = flags[i] >> NODE_SURFACE_SHIFT;
        for (uint p = 0u; p < plane_count && surface != 0u && (flags[i] & NODE_IS_FREE) != 0u; ++p)
            split_update(p * surface_count + surface - 1u, plane_gap(p, x));
    }
    many_sums_end(SUM_PLANES, group_number());
}
