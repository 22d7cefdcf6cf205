// A vector's sums over the motions of clusters, and what a cluster's own inverse W^T W makes of them; a chunk's sums are those of its clusters. A
// workgroup has a chunk's places in stripes of its size, a team of CLUSTER_NODES invocations those of one cluster: the first COARSE_MODES of
// them have a motion each. Declare the buffers `partials` and `cluster_roots`, and the words of common/linear_push.glsl before; all in
// uniform control flow.
#ifndef COMMON_COARSE_CLUSTERS_GLSL
#define COMMON_COARSE_CLUSTERS_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "abi/coarse.h"
#include "abi/sums.h"
#include "common/coarse.glsl"
#include "common/real.glsl"

shared real cluster_values[3u * gl_WorkGroupSize.x], cluster_arms[4u * gl_WorkGroupSize.x];
shared real cluster_sums[gl_WorkGroupSize.x], cluster_reduced[gl_WorkGroupSize.x];

/// What the invocation's motion has of the chunk so far.
real chunk_sum = real(0.0);

uint own_motion()
{
    return gl_LocalInvocationIndex % CLUSTER_NODES;
}

/// The invocation that a team begins with.
uint own_team()
{
    return gl_LocalInvocationIndex - own_motion();
}

/// The team's cluster in the stripe of chunk number `chunk` that begins with place `stripe`.
uint own_cluster(uint chunk, uint stripe)
{
    const uint group = chunk / chunks_per_group;
    const uint cluster =
        group * clusters_per_group + (stripe + own_team() - coarse_group(group).x) / CLUSTER_NODES;
    return min(cluster, group_count * clusters_per_group - 1u); // behind a group's last: there are no rows
}

/// Behind all that reads what was put before. Slot i is that of the stripe's place i; all of them have to be put.
void clusters_begin()
{
    barrier();
}

void cluster_put_value(uint slot, real3 value)
{
    for (uint k = 0u; k < 3u; ++k)
        cluster_values[3u * slot + k] = value[k];
}

void cluster_put_arm(uint slot, real3 arm)
{
    cluster_arms[4u * slot] = real(1.0);
    for (uint k = 0u; k < 3u; ++k)
        cluster_arms[4u * slot + k + 1u] = arm[k];
}

/// Sums what was put, into the chunk's too.
void clusters_sum()
{
    const uint motion = own_motion(), first = own_team();
    barrier();
    if (motion < COARSE_MODES) {
        real sum = real(0.0);
        for (uint i = first; i < first + CLUSTER_NODES; ++i)
            sum += cluster_values[3u * i + motion / 4u] * cluster_arms[4u * i + motion % 4u];
        cluster_sums[gl_LocalInvocationIndex] = sum;
        chunk_sum += sum;
    }
    barrier();
}

/// Entry (row, column) of a cluster's W.
real cluster_root(uint cluster, uint row, uint column)
{
    return cluster_roots[cluster_root_place(cluster, row, column)];
}

/// Number `own_motion` of W times the sums. All loads are under way together.
real cluster_reduce(uint cluster)
{
    const uint row = own_motion(), first = own_team();
    if (row >= COARSE_MODES)
        return real(0.0);
    const uint from = coarse_motions_with(row).x;
    real root[COARSE_MODES], sum = real(0.0);
    [[unroll]] for (uint column = 0u; column < COARSE_MODES; ++column)
        root[column] = cluster_root(cluster, row, min(column, row));
    [[unroll]] for (uint column = 0u; column < COARSE_MODES; ++column)
        sum += column >= from && column <= row ? root[column] * cluster_sums[first + column] : real(0.0);
    return sum;
}

/// Number `own_motion` of W^T times what the team's invocations have reduced.
real cluster_solve(uint cluster, real reduced)
{
    const uint column = own_motion(), first = own_team();
    cluster_reduced[gl_LocalInvocationIndex] = reduced;
    barrier();
    if (column >= COARSE_MODES)
        return real(0.0);
    const uint end = coarse_motions_with(column).y;
    real root[COARSE_MODES], sum = real(0.0);
    [[unroll]] for (uint row = 0u; row < COARSE_MODES; ++row)
        root[row] = cluster_root(cluster, max(row, column), column);
    [[unroll]] for (uint row = 0u; row < COARSE_MODES; ++row)
        sum += row >= column && row < end ? root[row] * cluster_reduced[first + row] : real(0.0);
    return sum;
}

/// Leaves the sums of chunk number `chunk` in the sections `section`, `section` + 1, …
void clusters_end(uint section, uint chunk)
{
    barrier();
    cluster_sums[gl_LocalInvocationIndex] = chunk_sum;
    barrier();
    if (gl_LocalInvocationIndex < COARSE_MODES) {
        real sum = real(0.0);
        for (uint first = 0u; first < gl_WorkGroupSize.x; first += CLUSTER_NODES)
            sum += cluster_sums[first + gl_LocalInvocationIndex];
        partials[(section + gl_LocalInvocationIndex) * SUM_GROUPS_MOST + chunk] = sum;
    }
}

#endif
