// variant: f64
// variant: kinds
// Start of a stage at the copies in one slot, all less D xp: J = D xt; S where the multiplier Y = rho (S - Z) is the last stage's, or without
// one S = Z = D x_n, so that Y = 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Weights { real weights[]; };
layout(scalar, set = 0, binding = 4) buffer Copies { real copies[]; };

#include "common/elements/damping_copies.glsl"
#include "common/elements/gather.glsl"
#include "common/elements/gather_way.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint e = first + invocation_number();
    const uint from = argument & ((1u << COPY_SLOT_SHIFT) - 1u), slot = argument >> COPY_SLOT_SHIFT & 0xffu;
    const bool cold = (argument >> COPY_COLD_SHIFT & 1u) != 0u;
    const uint own = argument >> COPY_OWN_SHIFT;
    if (invocation_number() >= count || !(weights[weight_place(slot, e)] > real(0.0)))
        return;
    real g[ELEMENT_SHAPES], f[ELEMENT_SIZE], base[ELEMENT_SIZE];
    const bool is_rigid = copy_of_slot(slot).side == ABI_DAMPED_LESS_RIGID;
    const uint begin = is_rigid ? DAMPING_NO_SLOT : from;
    gather_way(e, begin, is_rigid ? own + OWN_WAY : ABI_SLOT_STAGE, f);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        copies[LOCAL_GRADIENT * copy_total + copy_place(slot, e, k)] = f[k];
        copies[LOCAL_RESIDUAL * copy_total + copy_place(slot, e, k)] = real(0.0);
    }
    if (cold)
        gather_way(e, begin, is_rigid ? own + OWN_START_WAY : ABI_SLOT_POSITION, f);
    gather_shape(e, g);
    gather_gradient(e, is_rigid ? own + OWN_BASE_WAY : from, g, base);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        const uint at = copy_place(slot, e, k);
        const real before = copies[COPY_BASE * copy_total + at];
        // As the solver's state has them: a run that is resumed goes on with the same bytes. Precise: s - z is not to become a difference
        // of what they are summed from.
        precise const real s = before + copies[LOCAL_IMAGE * copy_total + at];
        precise const real z = before + copies[LOCAL_PROJECTED * copy_total + at];
        copies[LOCAL_IMAGE * copy_total + at] = cold ? f[k] : (z + (s - z) / real(growth)) - base[k];
        copies[LOCAL_PROJECTED * copy_total + at] = cold ? f[k] : z - base[k];
        copies[COPY_BASE * copy_total + at] = base[k];
    }
}
