// variant: f64
// The matrix between the motions of each cluster's nodes, contact's blocks included, and the root of its inverse; 0 where a cluster
// is not solved (abi/coarse.h). A team of CLUSTER_TEAM invocations has a cluster, and as many of its rows at a time: each of them first a row,
// whose blocks it multiplies by the motions of their columns, then a motion, for which it sums that over the rows by their motions.
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
#include "common/coarse_stripes.glsl"
#include "common/group_motions.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"

/// Of a row's blocks within its cluster, each times the motions of its column's node: number COARSE_MODES a + m is what axis a has of motion m. In the team's columns.
const uint PRODUCTS = 3u * COARSE_MODES;
shared real products[PRODUCTS * gl_WorkGroupSize.x], row_arms[3u * gl_WorkGroupSize.x];

/// Of the invocation's cluster.
GroupMotions motions;

/// Adds a block times the motions of its column's node.
void add_block(inout real product[PRODUCTS], real3 rows[3], real3 arm)
{
    [[unroll]] for (uint a = 0u; a < 3u; ++a) {
        real of[COARSE_MODES];
        motions_of(motions, arm, rows[a], of);
        [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
            product[COARSE_MODES * a + m] += of[m];
    }
}

/// Block e, row by row.
void load_block(uint e, out real3 rows[3])
{
    const uint f = e + entry_count, g = f + entry_count;
    rows[0] = real3(first_rows[e], first_rows[f], first_rows[g]);
    rows[1] = real3(second_rows[e], second_rows[f], second_rows[g]);
    rows[2] = real3(third_rows[e], third_rows[f], third_rows[g]);
}

/// Block b of contact's, row by row.
void load_changing(uint b, out real3 rows[3])
{
    const real3x3 turned = transpose(changing_blocks[b]);
    [[unroll]] for (uint a = 0u; a < 3u; ++a)
        rows[a] = turned[a];
}

/// The row at `place` times the motions of its cluster's nodes. The columns of some entries are under way together.
void multiply_row(uint place, uint cluster, out real product[PRODUCTS])
{
    [[unroll]] for (uint i = 0u; i < PRODUCTS; ++i)
        product[i] = real(0.0);
    const RowHead head = row_head(place);
    const uvec2 entries = head.entries, range = changes != 0u ? changing_rows[head.node] : uvec2(0u);
    real3 rows[3];
    load_block(entries.x, rows);
    add_block(product, rows, arms[head.node]);
    for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += ENTRIES_AT_ONCE * SLICE_ROWS) {
        uint column[ENTRIES_AT_ONCE], of[ENTRIES_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            column[k] = column_of(head.columns, entry_at_once(e, k, entries.y));
        if (column[0] == head.node) // from here on there is only padding
            break;
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            of[k] = cluster_of[column[k]];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            if (of[k] == cluster && column[k] != head.node && e + k * SLICE_ROWS < entries.y) {
                load_block(e + k * SLICE_ROWS, rows);
                add_block(product, rows, arms[column[k]]);
            }
    }
    for (uint b = range.x; b < range.y; ++b) {
        const uint column = changing_columns[b].x;
        if (cluster_of[column] == cluster) {
            load_changing(b, rows);
            add_block(product, rows, arms[column]);
        }
    }
}

void main()
{
    const uint own = gl_LocalInvocationIndex, cluster = invocation_number() / CLUSTER_TEAM, motion = own % CLUSTER_TEAM,
               team = own - motion;
    const bool is_there = cluster < cluster_count;
    const uint word = is_there ? cluster_word(cluster) : 0u, first = word & ~CLUSTER_IS_SOLVED;
    const uint rows = word >= CLUSTER_IS_SOLVED ? (cluster_word(cluster + 1u) & ~CLUSTER_IS_SOLVED) - first : 0u;
    motions = group_motions(is_there ? cluster_group(cluster) : 0u);
    real row[COARSE_MODES]; // of the block, which is symmetric: its column
    for (uint m = 0u; m < COARSE_MODES; ++m)
        row[m] = real(0.0);
    for (uint from = 0u; from < CLUSTER_ROWS_MOST; from += CLUSTER_TEAM) {
        const uint count = clamp(rows, from, from + CLUSTER_TEAM) - from;
        barrier();
        if (motion < count) {
            const uint place = first + from + motion;
            real product[PRODUCTS];
            multiply_row(place, cluster, product);
            [[unroll]] for (uint i = 0u; i < PRODUCTS; ++i)
                products[i * gl_WorkGroupSize.x + own] = product[i];
            const real3 arm = arms[row_node(place)];
            for (uint k = 0u; k < 3u; ++k)
                row_arms[k * gl_WorkGroupSize.x + own] = arm[k];
        }
        barrier();
        for (uint i = team; i < team + count && motion < COARSE_MODES; ++i) {
            real3 arm, product;
            for (uint k = 0u; k < 3u; ++k) {
                arm[k] = row_arms[k * gl_WorkGroupSize.x + i];
                product[k] = products[(k * COARSE_MODES + motion) * gl_WorkGroupSize.x + i];
            }
            real of[COARSE_MODES];
            motions_of(motions, arm, product, of);
            for (uint m = 0u; m < COARSE_MODES; ++m)
                row[m] += of[m];
        }
    }
    cluster_root_keep(cluster, motion, is_there, motions.kind != MOTIONS_AFFINE, row);
}
