// variant: f64
// 3x3 block Jacobi: the factors of every diagonal block, its scalar part plus what penalty contact adds; 0 where nothing moves.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Diagonal { real diagonal[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 4) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Masses { Exact masses[]; };
layout(push_constant) uniform Push { uint node_count; };

#include "common/cg_vector.glsl"
#include "common/contact/split_block.glsl"
#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    const bool on_surface = flags[i] >> NODE_SURFACE_SHIFT != 0u;
    const real push[6] = split_block(exact_value(masses[i]));
    real m[6];
    for (int k = 0; k < 6; ++k)
        m[k] = (k < 3 ? diagonal[i] : real(0.0)) + (on_surface ? push[k] : real(0.0));
    hold_block(i, m);
    real factor[6];
    factor_block(m, factor);
    for (int k = 0; k < 6; ++k)
        preconditioner[6u * i + uint(k)] = (flags[i] & NODE_IS_FREE) != 0u ? factor[k] : real(0.0);
}
