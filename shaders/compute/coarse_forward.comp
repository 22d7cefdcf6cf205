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

#include "common/linear_push.glsl"

#include "common/cg.glsl"
#include "common/coarse.glsl"
#include "common/contact/group_roots.glsl"
#include "common/invocation.glsl"

/// Unknown `c` of the sums of all chunks of its group, in order: of the residual and of A p, whose loads are under way together.
real2 chunks_sums(uint c)
{
    const uint first = c % COARSE_MODES * SUM_GROUPS_MOST + c / COARSE_MODES * chunks_per_group,
               residuals = SUM_RESIDUAL_MOTIONS * SUM_GROUPS_MOST + first, products = SUM_PRODUCT_MOTIONS * SUM_GROUPS_MOST + first;
    real2 sum = real2(0.0);
    for (uint chunk = 0u; chunk < chunks_per_group; chunk += 4u) {
        real2 part[4];
        [[unroll]] for (uint k = 0u; k < 4u; ++k) {
            const uint at = min(chunk + k, chunks_per_group - 1u);
            part[k] = real2(partials[residuals + at], partials[products + at]);
        }
        [[unroll]] for (uint k = 0u; k < 4u; ++k)
            sum += chunk + k < chunks_per_group ? part[k] : real2(0.0);
    }
    return sum;
}

/// Of all unknowns: b and A p's sums; at the end what invocations have of the sums over unknowns. Contact's groups have as much as they need.
const uint UNKNOWNS_MOST = COARSE_MODES * COARSE_GROUPS_MOST;
shared real of_residual[UNKNOWNS_MOST], of_product[UNKNOWNS_MOST];
shared real squares[2u * COARSE_MODES];

/// Invocations that share a motion, each with every so many-th unknown, LOADS of them under way together.
const uint LANES = 16u, LOADS = 16u;

/// What the invocation's motion has of W for unknowns from `from` on, to before `end`.
void load_row(uint from, uint end, uint row, out real w[LOADS])
{
    [[unroll]] for (uint k = 0u; k < LOADS; ++k)
        w[k] = matrix[row * coarse_size() + min(from + k * LANES + gl_LocalInvocationIndex % LANES, end - 1u)];
}

/// Adds what the invocation's motion has of W b and of W A p for those unknowns.
void add_row(uint from, uint end, real w[LOADS], inout real2 sum)
{
    const uint motion = gl_LocalInvocationIndex / LANES;
    [[unroll]] for (uint k = 0u; k < LOADS; ++k) {
        const uint c = from + k * LANES + gl_LocalInvocationIndex % LANES;
        const uvec2 motions = coarse_motions_with(c);
        if (c < end && motion >= motions.x && motion < motions.y)
            sum += w[k] * real2(of_residual[c], of_product[c]);
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
        const bool has_row = group < count && lane < CONTACT_GROUP_SIZE;
        const uint node = has_row ? contact_groups[CONTACT_GROUP_ROWS * group + lane / 3u] : NO_CHOICE;
        const bool is_there = node != NO_CHOICE;
        const uint at = 3u * node + lane % 3u;
        real row[CONTACT_GROUP_SIZE], column[CONTACT_GROUP_SIZE]; // of W, number `lane`
        if (has_row)
            [[unroll]] for (uint k = 0u; k < CONTACT_GROUP_SIZE; ++k) {
                row[k] = contact_roots[contact_root_place(group, lane, min(k, lane))];
                column[k] = contact_roots[contact_root_place(group, max(k, lane), lane)];
            }
        const real image = !is_there || begin != 0u ? real(0.0) : product[at];
        const real own_residual = is_there ? residual[at] : real(0.0);
        barrier();
        of_product[own] = image;
        of_residual[own] = own_residual - alpha * image;
        barrier();
        real2 sum = real2(0.0);
        if (is_there)
            [[unroll]] for (uint k = 0u; k < CONTACT_GROUP_SIZE; ++k)
                if (k <= lane)
                    sum += row[k] * real2(of_residual[team + k], of_product[team + k]);
        squares += sum * sum;
        barrier();
        of_residual[own] = sum.x;
        barrier();
        real way = real(0.0);
        if (is_there) {
            [[unroll]] for (uint k = 0u; k < CONTACT_GROUP_SIZE; ++k)
                if (k >= lane)
                    way += column[k] * of_residual[team + k];
            contact_ways[at] = way;
        }
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
    if (group >= group_count) {
        solve_contact(group - group_count, begin != 0u ? real(0.0) : cg_length(parity, product_count, curvature_count));
        return;
    }
    // What does not depend on the length is loaded before it.
    const uint end = first + COARSE_MODES, row = first + min(own / LANES, COARSE_MODES - 1u);
    real w[LOADS];
    load_row(0u, end, row, w);
    for (uint c = own; c < end; c += gl_WorkGroupSize.x) {
        const real2 sums = chunks_sums(c);
        of_residual[c] = sums.x;
        of_product[c] = begin != 0u ? real(0.0) : sums.y;
    }
    const real alpha = begin != 0u ? real(0.0) : cg_length(parity, product_count, curvature_count);
    for (uint c = own; c < end; c += gl_WorkGroupSize.x)
        of_residual[c] -= alpha * of_product[c];
    barrier();
    real2 sum = real2(0.0);
    for (uint from = 0u; from < end; from += LANES * LOADS) {
        if (from != 0u)
            load_row(from, end, row, w);
        if (own / LANES < COARSE_MODES)
            add_row(from, end, w, sum);
    }
    barrier();
    of_residual[own] = sum.x;
    of_product[own] = sum.y;
    barrier();
    if (own < 2u * COARSE_MODES) {
        real total = real(0.0);
        for (uint lane = 0u; lane < LANES; ++lane)
            total += own < COARSE_MODES ? of_residual[LANES * own + lane] : of_product[LANES * (own - COARSE_MODES) + lane];
        if (own < COARSE_MODES)
            reduced[first + own] = total;
        squares[own] = total * total;
    }
    barrier();
    if (own < 2u)
        keep_squares(own == 0u ? SUM_RZ + 1u - parity : SUM_IMAGE, own * COARSE_MODES);
}
