// variant: f64
// The elements' part of the matrix: every block sums its contributions in a fixed order. Rows of nodes that are not free have
// none and stay 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BlockStart { uint block_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Contributions { uint contributions[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Elements { real elements[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer ThirdRows { real third_rows[]; };
layout(push_constant) uniform Push { uint entry_count; };

#include "common/physics/energy/projected_hessian.glsl"

real3 shape_of(uint at, uint corner)
{
    const uint place = at + ELEMENT_SHAPES + 3u * corner;
    return real3(elements[place], elements[place + 1u], elements[place + 2u]);
}

void add_contribution(uint contribution, inout real sum[9])
{
    const uint at = ELEMENT_SIZE * (contribution >> 4);
    real hessian[12], u[9], block[9];
    for (uint k = 0u; k < 12u; ++k)
        hessian[k] = elements[at + ELEMENT_HESSIAN + k];
    for (uint k = 0u; k < 9u; ++k)
        u[k] = elements[at + ELEMENT_U + k];
    hessian_block(hessian, u, shape_of(at, (contribution >> 2) & 3u), shape_of(at, contribution & 3u), block);
    for (int k = 0; k < 9; ++k)
        sum[k] += block[k];
}

void main()
{
    for (uint e = gl_GlobalInvocationID.x; e < entry_count; e += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        real sum[9];
        for (int k = 0; k < 9; ++k)
            sum[k] = real(0.0);
        for (uint c = block_start[e]; c < block_start[e + 1u]; ++c)
            add_contribution(contributions[c], sum);
        for (uint k = 0u; k < 3u; ++k) {
            first_rows[k * entry_count + e] = sum[k];
            second_rows[k * entry_count + e] = sum[3u + k];
            third_rows[k * entry_count + e] = sum[6u + k];
        }
    }
}
