// variant: f64
// variant: kinds
// The part of the matrix of one kind of element: every block sums its contributions in a fixed order. The first kind writes, the
// others add. Rows of nodes that are not free have none and stay 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BlockStart { uint block_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Contributions { uint contributions[]; };
layout(scalar, set = 0, binding = 2) readonly buffer ElementData { real data[]; };
layout(scalar, set = 0, binding = 3) buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) buffer ThirdRows { real third_rows[]; };
layout(push_constant) uniform Push { uint entry_count, first_start, first_data, adds; };

#include "common/elements/kind.glsl"
#include "common/invocation.glsl"

real element_data(uint at)
{
    return data[at];
}

void add_contribution(uint contribution, inout real sum[9])
{
    const uint pairs = ELEMENT_CORNERS * ELEMENT_CORNERS, pair = contribution % pairs;
    real block[9];
    element_block(first_data + ELEMENT_DATA * (contribution / pairs), pair / ELEMENT_CORNERS, pair % ELEMENT_CORNERS,
                  block);
    for (int k = 0; k < 9; ++k)
        sum[k] += block[k];
}

void main()
{
    const uint e = invocation_number();
    if (e >= entry_count)
        return;
    const uint begin = block_start[first_start + e], end = block_start[first_start + e + 1u];
    if (adds != 0u && begin == end)
        return;
    real sum[9];
    for (int k = 0; k < 9; ++k)
        sum[k] = real(0.0);
    for (uint c = begin; c < end; ++c)
        add_contribution(contributions[c], sum);
    for (uint k = 0u; k < 3u && adds != 0u; ++k) {
        sum[k] += first_rows[k * entry_count + e];
        sum[3u + k] += second_rows[k * entry_count + e];
        sum[6u + k] += third_rows[k * entry_count + e];
    }
    for (uint k = 0u; k < 3u; ++k) {
        first_rows[k * entry_count + e] = sum[k];
        second_rows[k * entry_count + e] = sum[3u + k];
        third_rows[k * entry_count + e] = sum[6u + k];
    }
}
