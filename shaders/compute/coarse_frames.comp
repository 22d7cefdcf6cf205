// variant: f64
// Turns the frame of a plate's or rod's group along with its nodes (abi/coarse.h), a group a workgroup: by what their arms times where they stand add up to.
// Twin: group_motions_turn in src/model/group_motions.c.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define MANY_SUMS 9u

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) buffer Arms { real3 arms[]; };
layout(push_constant) uniform Push { uint node_count, group_count, chunks_per_group, stripes_per_chunk, cluster_count, slot; };

#include "common/coarse_stripes.glsl"
#include "common/group_motions.glsl"
#include "common/invocation.glsl"
#include "common/many_sums.glsl"
#include "common/matrix_rows.glsl"

shared real sums[9];

Exact3 place_of(uint node)
{
    return slots[slot * node_count + node];
}

/// The unit vector across a, which is one, as far as b is across it, but for less than `least`; else along the axis of space that is most across.
real3 unit_across(real3 a, real3 b, real least)
{
    real3 across = b - dot(a, b) * a;
    if (!(length(across) > least)) {
        uint most = 0u;
        for (uint k = 1u; k < 3u; ++k)
            most = abs(a[k]) < abs(a[most]) ? k : most;
        real3 axis = real3(0.0);
        axis[most] = real(1.0);
        across = axis - a[most] * a;
    }
    return normalize(across);
}

/// `sums`: a column an arm.
void keep_frame(uint at, real3x3 sums)
{
    const real3 first = sums * arms[at + COARSE_MOTIONS_SLOPES], second = sums * arms[at + COARSE_MOTIONS_SLOPES + 1u];
    const real size = length(first);
    const real3 a = size > real(0.0) ? first / size : real3(1.0, 0.0, 0.0), b = unit_across(a, second, real(FRAME_WIDTH_LEAST) * size);
    arms[at + COARSE_MOTIONS_FRAME] = a;
    arms[at + COARSE_MOTIONS_FRAME + 1u] = b;
    arms[at + COARSE_MOTIONS_FRAME + 2u] = cross(a, b);
}

void main()
{
    const uint group = group_number();
    if (group >= group_count)
        return;
    const uint at = motions_place(group), chunk = group * chunks_per_group;
    if (uint(arms[at].x) == MOTIONS_AFFINE)
        return;
    const uvec2 places = uvec2(coarse_chunk(chunk).x, coarse_chunk(chunk + chunks_per_group - 1u).y);
    const Exact3 first = place_of(row_node(places.x));
    many_sums_begin();
    for (uint p = places.x + gl_LocalInvocationIndex; p < places.y; p += gl_WorkGroupSize.x) {
        const uint node = row_node(p);
        const real3 arm = arms[node], place = exact3_difference(place_of(node), first);
        for (uint k = 0u; k < 9u; ++k)
            many_sums_add(k, arm[k / 3u] * place[k % 3u]);
    }
    barrier();
    if (gl_LocalInvocationIndex < 9u)
        sums[gl_LocalInvocationIndex] = many_sums_total(gl_LocalInvocationIndex);
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        keep_frame(at, real3x3(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7], sums[8]));
}
