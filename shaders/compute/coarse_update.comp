// variant: f64
// Conjugate gradients, second half of an iteration, with the two-level preconditioner: x += alpha p, r -= alpha A p, and
// p = z + beta p, where z is the first level's and the motions of the node's cluster and group: of the latter W^T times what coarse_forward
// left. The first level's and the clusters' part of r.z, and the sums of r over the motions; the largest component of x.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "abi/sums.h"
#include "common/real.glsl"

#define MANY_SUMS COARSE_MODES

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 3) buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Product { real3 product[]; };
layout(scalar, set = 0, binding = 5) buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 6) buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 7) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Reduced { real reduced[]; };
layout(scalar, set = 0, binding = 11) readonly buffer BodyRoots { real body_roots[]; };
layout(scalar, set = 0, binding = 12) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 13) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 14) readonly buffer ClusterRoots { real cluster_roots[]; };
layout(scalar, set = 0, binding = 15) readonly buffer ContactWays { real3 contact_ways[]; };

#include "common/linear_push.glsl"

#include "common/cg_update.glsl"
#include "common/coarse_clusters.glsl"
#include "common/invocation.glsl"
#include "common/many_sums.glsl"
#include "common/matrix_rows.glsl"
#include "common/partial_pins.glsl"

shared real motion[COARSE_MODES];

/// Unknowns that an invocation has under way together, with what all motions of the group have of them.
#ifdef VELA_F64
const uint UNKNOWNS_AT_ONCE = 1u;
#else
const uint UNKNOWNS_AT_ONCE = 2u;
#endif

/// Loads a column of W^T, the group's motions of it from `first` on, and number c of what it is multiplied by.
void load_unknown(uint first, uint c, out real root[COARSE_MODES], out real of_group)
{
    const uvec2 motions = coarse_motions_with(c);
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        root[m] = matrix[c * coarse_size() + first + clamp(m, motions.x, motions.y - 1u)];
    of_group = reduced[c];
}

void solve_motion(uint first)
{
    const uint own = gl_LocalInvocationIndex;
    real sum[COARSE_MODES];
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        sum[m] = real(0.0);
    for (uint from = first + own; from < coarse_size(); from += UNKNOWNS_AT_ONCE * gl_WorkGroupSize.x) {
        real root[UNKNOWNS_AT_ONCE][COARSE_MODES], of_group[UNKNOWNS_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < UNKNOWNS_AT_ONCE; ++k)
            load_unknown(first, min(from + k * gl_WorkGroupSize.x, coarse_size() - 1u), root[k], of_group[k]);
        [[unroll]] for (uint k = 0u; k < UNKNOWNS_AT_ONCE; ++k) {
            const uint c = from + k * gl_WorkGroupSize.x;
            const uvec2 motions = coarse_motions_with(c);
            [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
                sum[m] += c < coarse_size() && m >= motions.x && m < motions.y ? root[k][m] * of_group[k] : real(0.0);
        }
    }
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        many_sums_put(m, sum[m]);
    barrier();
    if (own < COARSE_MODES)
        motion[own] = many_sums_total(own);
    barrier();
}

shared real3 first_level[gl_WorkGroupSize.x]; ///< z of each place of the stripe
shared real way[gl_WorkGroupSize.x];          ///< what the rows of a team move by, in the place of the invocation that has the motion
uint stripe_begin;

#include "common/cg_bodies.glsl"

void keep_row(uint place, uint node, real3 r, real3 before, real2 lengths, real3 z)
{
    cluster_put_value(place - stripe_begin, r);
    first_level[place - stripe_begin] = z;
}

/// What coarse_forward has left, where the row is in a group.
real3 contact_way(RowState row)
{
    return contact_workgroups != 0u && row.factor[0] == real(0.0) ? contact_ways[row.node] : real3(0.0);
}

/// What an invocation has of a stripe, loaded before it is known how far to go: its row, if there is one.
struct Stripe {
    bool has_row;
    RowState row;
    real3 arm;
};

void load_stripe(uint end, out Stripe stripe)
{
    const uint place = stripe_begin + gl_LocalInvocationIndex;
    stripe.has_row = place < end;
    stripe.arm = real3(0.0);
    if (stripe.has_row) {
        stripe.row = row_state(place);
        stripe.arm = arms[stripe.row.node];
    }
}

/// Moves the rows of a stripe and finds the ways of its clusters. Returns what the invocation has of r.z.
real move_stripe(uint chunk, Stripe stripe, real2 lengths)
{
    const uint own = gl_LocalInvocationIndex;
    clusters_begin();
    real sum = real(0.0);
    if (stripe.has_row)
        sum = move_rows(stripe_begin + own, stripe.row, lengths);
    else
        cluster_put_value(own, real3(0.0));
    cluster_put_arm(own, stripe.arm);
    clusters_sum();
    real of_cluster = real(0.0);
    if (clusters_per_group != 0u) {
        real root[COARSE_MODES]; // of the cluster's W: the row, then the column of the invocation's motion
        cluster_row(own_cluster(chunk, stripe_begin), root);
        const real reduced = cluster_reduce(root);
        cluster_column(own_cluster(chunk, stripe_begin), root);
        of_cluster = cluster_solve(root, reduced);
        sum += reduced * reduced;
    }
    if (own_motion() < COARSE_MODES)
        way[own] = motion[own_motion()] + of_cluster;
    barrier();
    return sum;
}

/// What the coarse space moves the invocation's row by.
real3 moved()
{
    const uint arm = 4u * gl_LocalInvocationIndex;
    real3 sum = real3(0.0);
    for (uint k = 0u; k < 3u; ++k)
        for (uint l = 0u; l < 4u; ++l)
            sum[k] += cluster_arms[arm + l] * way[own_team() + 4u * k + l];
    return sum;
}

void turn_row(Stripe stripe, real2 lengths)
{
    const uint row = stripe.row.node;
    const real3 move = moved();
    cg_turn(row, stripe.row.vectors.direction, lengths,
            first_level[gl_LocalInvocationIndex] + (held != 0u ? free_part(row, move) : move));
}

void main()
{
    const uint chunk = group_number();
    if (chunk >= group_count * chunks_per_group)
        return;
    const uvec2 range = coarse_chunk(chunk);
    real sum = real(0.0);
    Stripe stripe;
    stripe_begin = range.x;
    load_stripe(range.y, stripe);
    const real2 lengths = cg_step(product_count, curvature_count);
    solve_motion(chunk / chunks_per_group * COARSE_MODES);
    for (; stripe_begin < range.y; stripe_begin += gl_WorkGroupSize.x) {
        if (stripe_begin != range.x)
            load_stripe(range.y, stripe);
        sum += move_stripe(chunk, stripe, lengths);
        if (stripe.has_row)
            turn_row(stripe, lengths);
    }
    clusters_end(SUM_RESIDUAL_MOTIONS, chunk);
    const real4 sums = workgroup_reduce(real4(sum, 0.0, 0.0, largest_moved));
    if (gl_LocalInvocationIndex == 0u) {
        partials[(SUM_RZ + 1u - parity) * SUM_GROUPS_MOST + chunk] = sums.x;
        partials[SUM_LARGEST * SUM_GROUPS_MOST + chunk] = sums.w;
    }
}
