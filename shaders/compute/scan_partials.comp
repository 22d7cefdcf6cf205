// Second part of a scan or of a sort's pass: what the workgroups left becomes the sums of all before, digit after digit. One
// workgroup.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) buffer Work { uint work[]; };
layout(push_constant) uniform Push { uint count_place, digits, total_place; };

#include "common/invocation.glsl"
#include "common/sort/tiles.glsl"
#include "common/sort/workgroup_scan.glsl"

void main()
{
    const uint size = digits * tile_groups(counts[count_place]);
    const uint each = size / SORT_GROUP + uint(size % SORT_GROUP > 0u),
               first = gl_LocalInvocationIndex * each, end = min(first + each, size);
    uint sum = 0u, total;
    for (uint i = first; i < end; ++i)
        sum += work[SORT_PARTIALS + i];
    sum = workgroup_scan(sum, total);
    for (uint i = first; i < end; ++i) {
        const uint value = work[SORT_PARTIALS + i];
        work[SORT_PARTIALS + i] = sum;
        sum += value;
    }
    if (gl_LocalInvocationIndex == 0u && total_place != SORT_NO_TOTAL)
        counts[total_place] = total;
}
