// variant: f64
// 3x3 block Jacobi: the inverse of every diagonal block, its scalar part plus the planes' k n n^T; 0 where nothing moves.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Diagonal { real diagonal[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer InverseBlocks { real inverse_blocks[]; };
layout(push_constant) uniform Push { uint node_count; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i >= node_count)
        return;
    real m[6];
    for (int k = 0; k < 6; ++k) {
        m[k] = k < 3 ? diagonal[i] : real(0.0);
        if (flags[i] >> NODE_SURFACE_SHIFT != 0u)
            m[k] += scalars[SCALAR_PLANE_BLOCK + k];
    }
    const real c00 = m[1] * m[2] - m[5] * m[5], c01 = m[4] * m[5] - m[3] * m[2], c02 = m[3] * m[5] - m[4] * m[1];
    const real inverse = (flags[i] & NODE_IS_FREE) != 0u ? real(1.0) / (m[0] * c00 + m[3] * c01 + m[4] * c02) : real(0.0);
    inverse_blocks[6u * i] = c00 * inverse;
    inverse_blocks[6u * i + 1u] = (m[0] * m[2] - m[4] * m[4]) * inverse;
    inverse_blocks[6u * i + 2u] = (m[0] * m[1] - m[3] * m[3]) * inverse;
    inverse_blocks[6u * i + 3u] = c01 * inverse;
    inverse_blocks[6u * i + 4u] = c02 * inverse;
    inverse_blocks[6u * i + 5u] = (m[3] * m[4] - m[0] * m[5]) * inverse;
}
