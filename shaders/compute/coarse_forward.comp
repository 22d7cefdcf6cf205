// variant: f64
// First half of the coarse solve A^-1 b = W^T W b, one group a workgroup: b = the sums over motions of the residual that this
// iteration will have, and W b. Its square is the coarse space's part of r.z; that of W times A p's sums its part of A p.P^-1 A p.
// Behind them some workgroups have groups of nodes that contact holds together, a team each: all of their solve, for their nodes lie anywhere.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/barrier.h"
#include "abi/coarse.h"
#include "abi/contact_groups.h"
#include "abi/kernel.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Reduced { real reduced[]; };
layout(scalar, set = 0, binding = 3) readonly buffer PairControl { uint pair_control[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ContactGroups { uint contact_groups[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ContactRoots { real contact_roots[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Product { real product[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Residual { real residual[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer ContactWays { real contact_ways[]; };
layout(scalar, set = 0, binding = 9) readonly buffer MatrixRows { uint matrix_rows[]; };

#include "common/linear_push.glsl"

#include "common/cg.glsl"
#include "common/coarse.glsl"
#include "common/coarse_tree.glsl"
#include "common/contact/group_roots.glsl"
#include "common/invocation.glsl"

/// Unknown `c` of the sums of all chunks of its group, in order.
real chunks_sum(uint first_section, uint c)
{
    const uint section = (first_section + c % COARSE_MODES) * SUM_GROUPS_MOST,
               first = c / COARSE_MODES * chunks_per_group;
    real sum = real(0.0);
    for (uint chunk = 0u; chunk < chunks_per_group; chunk += 4u) { // four loads under way together
        real part[4];
        [[unroll]] for (uint k = 0u; k < 4u; ++k)
            part[k] = partials[section + first + min(chunk + k, chunks_per_group - 1u)];
        [[unroll]] for (uint k = 0u; k < 4u; ++k)
            sum += chunk + k < chunks_per_group ? part[k] : real(0.0);
    }
    return sum;
}

/// Of a tile of as many unknowns as invocations: b and A p's sums; at the end what invocations have of the sums over unknowns.
shared real tile_residual[gl_WorkGroupSize.x], tile_product[gl_WorkGroupSize.x];
shared real squares[2u * COARSE_MODES];

/// Invocations that share a motion: each takes every so many-th unknown of a tile.
const uint LANES = 16u, LOADS = 8u;

/// Adds what the invocation's motion and unknowns of the tile that begins with `tile` have of W b and of W A p.
void add_tile(uint tile, uint end, uint row, inout real2 sum)
{
    const uint motion = gl_LocalInvocationIndex / LANES, lane = gl_LocalInvocationIndex % LANES;
    for (uint from = 0u; from < gl_WorkGroupSize.x; from += LOADS * LANES) {
        real w[LOADS];
        [[unroll]] for (uint k = 0u; k < LOADS; ++k)
            w[k] = matrix[row * coarse_size() + min(tile + from + k * LANES + lane, end - 1u)];
        [[unroll]] for (uint k = 0u; k < LOADS; ++k) {
            const uint at = from + k * LANES + lane, c = tile + at;
            const uvec2 motions = coarse_motions_with(c);
            if (c < end && motion >= motions.x && motion < motions.y)
                sum += w[k] * real2(tile_residual[at], tile_product[at]);
        }
    }
}

/// Leaves the sum of some squares where the coarse space's parts of a section are.
void keep_squares(uint section, uint first)
{
    real sum = real(0.0);
    for (uint m = 0u; m < COARSE_MODES; ++m)
        sum += squares[first + m];
    partials[section * SUM_GROUPS_MOST + group_count * chunks_per_group + group_number()] = sum;
}

/// z = W^T W r of the groups that a team of this workgroup has, one after the other, an unknown an invocation. `workgroup`: of those that have groups.
void solve_contact(uint workgroup, real alpha)
{
    const uint own = gl_LocalInvocationIndex, teams = gl_WorkGroupSize.x / CONTACT_TEAM, lane = own % CONTACT_TEAM,
               team = own - lane, count = pair_control[PAIR_GROUPS];
    real2 squares = real2(0.0);
    for (uint first = teams * workgroup; first < count; first += teams * contact_workgroups) {
        const uint group = first + team / CONTACT_TEAM;
        const uint node = group < count && lane < CONTACT_GROUP_SIZE ? contact_groups[CONTACT_GROUP_ROWS * group + lane / 3u]
                                                                     : NO_CHOICE;
        const uint at = 3u * node + lane % 3u;
        const real image = node == NO_CHOICE || begin != 0u ? real(0.0) : product[at];
        barrier();
        tile_product[own] = image;
        tile_residual[own] = node == NO_CHOICE ? real(0.0) : residual[at] - alpha * image;
        barrier();
        real2 sum = real2(0.0);
        for (uint column = 0u; node != NO_CHOICE && column <= lane; column += LOADS) {
            real w[LOADS];
            [[unroll]] for (uint k = 0u; k < LOADS; ++k)
                w[k] = contact_roots[contact_root_place(group, lane, min(column + k, lane))];
            [[unroll]] for (uint k = 0u; k < LOADS; ++k)
                if (column + k <= lane)
                    sum += w[k] * real2(tile_residual[team + column + k], tile_product[team + column + k]);
        }
        squares += sum * sum;
        barrier();
        tile_residual[own] = sum.x;
        barrier();
        real way = real(0.0);
        for (uint row = lane; node != NO_CHOICE && row < CONTACT_GROUP_SIZE; row += LOADS) {
            real w[LOADS];
            [[unroll]] for (uint k = 0u; k < LOADS; ++k)
                w[k] = contact_roots[contact_root_place(group, min(row + k, CONTACT_GROUP_SIZE - 1u), lane)];
            [[unroll]] for (uint k = 0u; k < LOADS; ++k)
                if (row + k < CONTACT_GROUP_SIZE)
                    way += w[k] * tile_residual[team + row + k];
        }
        if (node != NO_CHOICE)
            contact_ways[at] = way;
    }
    const real4 sums = workgroup_reduce(real4(squares, 0.0, 0.0));
    if (own < 2u)
        partials[(own == 0u ? SUM_RZ + 1u - parity : SUM_IMAGE) * SUM_GROUPS_MOST + group_count * (chunks_per_group + 1u) +
                 workgroup] = sums[own];
}

void main()
{
    const uint own = gl_LocalInvocationIndex, group = group_number(), first = COARSE_MODES * group;
    if (group >= group_count + contact_workgroups)
        return;
    const uint end = first + COARSE_MODES, motion = own / LANES;
    const real alpha = begin != 0u ? real(0.0) : cg_length(parity, product_count, curvature_count);
    if (group >= group_count) {
        solve_contact(group - group_count, alpha);
        return;
    }
    const uvec2 supernodes = coarse_tree(COARSE_TREE_BEFORE, group);
    real2 sum = real2(0.0);
    for (uint tile = 0u; tile < end; tile += gl_WorkGroupSize.x) {
        const uint c = tile + own;
        if ((supernodes & supernodes_of_unknowns(tile, tile + gl_WorkGroupSize.x)) == uvec2(0u))
            continue;
        barrier();
        if (c < end) {
            const real product = begin != 0u ? real(0.0) : chunks_sum(SUM_PRODUCT_MOTIONS, c);
            tile_product[own] = product;
            tile_residual[own] = chunks_sum(SUM_RESIDUAL_MOTIONS, c) - alpha * product;
        }
        barrier();
        if (motion < COARSE_MODES)
            add_tile(tile, end, first + motion, sum);
    }
    barrier();
    tile_residual[own] = sum.x;
    tile_product[own] = sum.y;
    barrier();
    if (own < 2u * COARSE_MODES) {
        real total = real(0.0);
        for (uint lane = 0u; lane < LANES; ++lane)
            total += own < COARSE_MODES ? tile_residual[LANES * own + lane]
                                        : tile_product[LANES * (own - COARSE_MODES) + lane];
        if (own < COARSE_MODES)
            reduced[first + own] = total;
        squares[own] = total * total;
    }
    barrier();
    if (own < 2u)
        keep_squares(own == 0u ? SUM_RZ + 1u - parity : SUM_IMAGE, own * COARSE_MODES);
}
