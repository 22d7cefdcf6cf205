// variant: f64
// The matrix between the affine motions of each cluster's nodes, contact's blocks included, and the root of its inverse; 0 where a cluster
// is not solved (abi/coarse.h). A workgroup has a cluster, each team of CLUSTER_NODES invocations of it some of its rows.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 2) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ChangingRows { uvec2 changing_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer ChangingColumns { uvec2 changing_columns[]; };
layout(scalar, set = 0, binding = 7) readonly buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 9) readonly buffer ClusterOf { uint cluster_of[]; }; // of each node
layout(scalar, set = 0, binding = 10) writeonly buffer ClusterRoots { real cluster_roots[]; };

#include "common/linear_push.glsl"

#include "common/cluster_root.glsl"
#include "common/coarse.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"

/// Adds a (x) arm of a column, where `a` is a row of the block.
void add_entry(inout real row[COARSE_MODES], real3 a, real3 arm)
{
    for (uint m = 0u; m < 3u; ++m) {
        row[4u * m] += a[m];
        for (uint l = 0u; l < 3u; ++l)
            row[4u * m + l + 1u] += a[m] * arm[l];
    }
}

/// Row `axis` of block e.
real3 block_row(uint e, uint axis)
{
    const uint f = e + entry_count, g = f + entry_count;
    return axis == 0u   ? real3(first_rows[e], first_rows[f], first_rows[g])
           : axis == 1u ? real3(second_rows[e], second_rows[f], second_rows[g])
                        : real3(third_rows[e], third_rows[f], third_rows[g]);
}

/// Row `axis` of block b of contact's.
real3 changing_row(uint b, uint axis)
{
    return real3(changing_blocks[b][0][axis], changing_blocks[b][1][axis], changing_blocks[b][2][axis]);
}

/// What the row at `place` has for motion number `motion` of its cluster. Some entries at once: their loads are under way together.
void add_place(inout real row[COARSE_MODES], uint cluster, uint motion, uint place)
{
    const uint node = row_node(place), axis = motion / 4u;
    const real3 arm = arms[node];
    const real own = motion % 4u == 0u ? real(1.0) : arm[motion % 4u - 1u];
    const uvec2 entries = row_entries(place), range = changes != 0u ? changing_rows[node] : uvec2(0u);
    const RowColumns own_columns = row_columns(place, entries.x);
    add_entry(row, own * block_row(entries.x, axis), arm);
    for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += ENTRIES_AT_ONCE * SLICE_ROWS) {
        uint column[ENTRIES_AT_ONCE];
        real3 part[ENTRIES_AT_ONCE], far_arm[ENTRIES_AT_ONCE];
        bool counts[ENTRIES_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            column[k] = column_of(own_columns, entry_at_once(e, k, entries.y));
        if (column[0] == node) // from here on there is only padding
            break;
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k) {
            part[k] = block_row(entry_at_once(e, k, entries.y), axis);
            far_arm[k] = arms[column[k]];
            counts[k] = cluster_of[column[k]] == cluster && column[k] != node && e + k * SLICE_ROWS < entries.y;
        }
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            if (counts[k])
                add_entry(row, own * part[k], far_arm[k]);
    }
    for (uint b = range.x; b < range.y; b += ENTRIES_AT_ONCE) {
        uint column[ENTRIES_AT_ONCE];
        real3 part[ENTRIES_AT_ONCE], far_arm[ENTRIES_AT_ONCE];
        bool counts[ENTRIES_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            column[k] = changing_columns[min(b + k, range.y - 1u)].x;
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k) {
            part[k] = changing_row(min(b + k, range.y - 1u), axis);
            far_arm[k] = arms[column[k]];
            counts[k] = cluster_of[column[k]] == cluster && b + k < range.y;
        }
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            if (counts[k])
                add_entry(row, own * part[k], far_arm[k]);
    }
}

shared real team_rows[COARSE_MODES * gl_WorkGroupSize.x];

/// Sums what the teams have of a motion's row, for all of them.
void sum_teams(inout real row[COARSE_MODES])
{
    const uint own = gl_LocalInvocationIndex;
    for (uint m = 0u; m < COARSE_MODES; ++m)
        team_rows[m * gl_WorkGroupSize.x + own] = row[m];
    barrier();
    for (uint m = 0u; m < COARSE_MODES; ++m) {
        row[m] = real(0.0);
        for (uint other = own % CLUSTER_NODES; other < gl_WorkGroupSize.x; other += CLUSTER_NODES)
            row[m] += team_rows[m * gl_WorkGroupSize.x + other];
    }
}

void main()
{
    const uint cluster = group_number(), motion = gl_LocalInvocationIndex % CLUSTER_NODES,
               team = gl_LocalInvocationIndex / CLUSTER_NODES;
    const bool is_there = cluster < group_count * clusters_per_group;
    real row[COARSE_MODES];
    for (uint m = 0u; m < COARSE_MODES; ++m)
        row[m] = real(0.0);
    if (is_there && motion < COARSE_MODES) {
        const uvec2 group = coarse_group(cluster / clusters_per_group);
        const uint first = group.x + cluster % clusters_per_group * CLUSTER_NODES;
        const bool solved = first >= coupled_count && group.y - group.x >= CLUSTERED_GROUP_LEAST;
        for (uint place = first + team; solved && place < min(first + CLUSTER_NODES, group.y);
             place += gl_WorkGroupSize.x / CLUSTER_NODES)
            add_place(row, cluster, motion, place);
    }
    sum_teams(row);
    cluster_root_keep(cluster, motion, is_there && team == 0u, row);
}
