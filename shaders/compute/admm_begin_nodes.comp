// variant: f64
// Start of a stage at the nodes: x = xt, or where the same stage ended before (`again`); and the planes' s from the multipliers.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 4) buffer Split { real split[]; };
layout(push_constant) uniform Push { uint node_count, surface_count, plane_count, again; };

#include "common/invocation.glsl"
#include "common/planes.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    const uint stage = ABI_SLOT_STAGE * node_count + i;
    const Exact3 x = slots[again != 0u ? stage : ABI_SLOT_TARGET * node_count + i];
    slots[stage] = x;
    const uint surface = flags[i] >> NODE_SURFACE_SHIFT, section = plane_count * surface_count;
    for (uint p = 0u; p < plane_count && surface != 0u; ++p) {
        const uint c = p * surface_count + surface - 1u;
        const real gap = plane_gap(p, x);
        split[SPLIT_GAP * section + c] = gap;
        split[SPLIT_IMAGE * section + c] =
            gap + split[SPLIT_MULTIPLIER * section + c] / scalars[SCALAR_STIFFNESS];
    }
}
