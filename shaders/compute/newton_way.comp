// variant: f64
// The way that steps are tried along: a part of the direction, straight, or to where affine bodies are when they have turned as it
// starts to turn them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Straight { real3 straight[]; };
layout(scalar, set = 0, binding = 3) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer Increment { real3 increment[]; };
layout(scalar, push_constant) uniform Push { Exact part; uint node_count, turned; };

#include "common/affine_turn.glsl"
#include "common/invocation.glsl"

// S + (R - 1) (1 + S) of W + S, with Cayley's R of W: differences of small numbers stay out.
real3x3 turn(real3x3 motion)
{
    const real3x3 skew = real(0.5) * (motion - transpose(motion)), stretch = real(0.5) * (motion + transpose(motion));
    const real3 w = affine_axial(motion);
    const real3x3 turns = (skew + real(0.5) * (skew * skew)) / (real(1.0) + real(0.25) * dot(w, w));
    return stretch + turns + turns * stretch;
}

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    const real share = exact_value(part);
    real3 way = share * straight[i];
    const uint affine = NODE_IS_FREE | NODE_IS_COUPLED;
    if (turned != 0u && (flags[i] & affine) == affine && (mass_lists[i] & 3u) != 0u) {
        const uint block = mass_lists[i] >> 2;
        way = share * straight[block_node(block, 0u)] +
              turn(affine_motion(block, share)) * affine_arm(block, mass_lists[i] & 3u);
    }
    increment[i] = way;
}
