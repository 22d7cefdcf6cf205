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
#include "common/coarse_tree.glsl"
#include "common/invocation.glsl"
#include "common/many_sums.glsl"
#include "common/matrix_rows.glsl"
#include "common/partial_pins.glsl"

shared real group_motion[COARSE_MODES];

void solve_motion(uint first)
{
    const uint own = gl_LocalInvocationIndex;
    const uvec2 supernodes = coarse_tree(COARSE_TREE_BEHIND, first / COARSE_MODES);
    many_sums_begin();
    for (uint c = first + own; c < coarse_size(); c += gl_WorkGroupSize.x) {
        if (!supernodes_have(supernodes, c / (COARSE_MODES * COARSE_ELIMINATED)))
            continue;
        const uvec2 motions = coarse_motions_with(c);
        const real of_group = reduced[c];
        real w[COARSE_MODES]; // all loads under way together; where motions are apart, only four of them count
        [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
            w[m] = matrix[c * coarse_size() + first + min(motions.x + m, motions.y - 1u)];
        [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
            many_sums_add(min(motions.x + m, COARSE_MODES - 1u), motions.x + m < motions.y ? w[m] * of_group : real(0.0));
    }
    barrier();
    if (own < COARSE_MODES)
        group_motion[own] = many_sums_total(own);
    barrier();
}

shared real3 first_level[gl_WorkGroupSize.x]; ///< z of each place of the stripe
shared uint row_cluster[gl_WorkGroupSize.x];  ///< the number of its cluster in the stripe
Stripe stripe;
GroupMotions motions;
/// Of the invocation's row in the stripe, if it has one: p as the iteration found it, and its arm.
real3 own_direction, own_arm;

#include "common/cg_bodies.glsl"

void keep_row(uint place, uint node, real3 r, real3 before, real2 lengths, real3 z)
{
    const uint slot = place - stripe.places.x;
    cluster_put(slot, motions, slot == gl_LocalInvocationIndex ? own_arm : arms[node], r);
    first_level[place - stripe.places.x] = z;
}

/// What coarse_forward has left, where the row is in a group.
real3 contact_way(uint node, bool has_factors)
{
    return contact_workgroups != 0u && !has_factors ? contact_ways[node] : real3(0.0);
}

/// Leaves what the rows of the stripe's clusters move by in the place of their sums. Returns what the invocation has of r.z.
real find_ways()
{
    const uint motion = own_motion();
    const real sum = cluster_count != 0u ? clusters_reduce(stripe) : real(0.0);
    barrier();
    for (uint c = own_team(); c < clusters_of(stripe); c += teams()) {
        if (motion < COARSE_MODES)
            stripe_numbers[CLUSTER_SUMS + COARSE_MODES * c + motion] =
                group_motion[motion] + (cluster_count != 0u ? cluster_solve(stripe, c, motion) : real(0.0));
        for (uint place = cluster_begins[c] + motion; place < cluster_begins[c + 1u]; place += CLUSTER_TEAM)
            row_cluster[place - stripe.places.x] = c;
    }
    barrier();
    return sum;
}

/// Behind clusters_sum: moves the invocation's row with its stack. Returns what it has of r.z.
real move_stack(uint word)
{
    if (word == 0u)
        return real(0.0);
    const uint own = gl_LocalInvocationIndex;
    const real3 move = stack_move(word, motions);
    first_level[own] += move;
    return dot(motions_vector(motions, slot_value(own)), move);
}

/// Moves the rows of the stripe and finds the ways of its clusters. Returns what the invocation has of r.z.
real move_stripe(real2 lengths)
{
    const uint own = gl_LocalInvocationIndex, place = stripe.places.x + own;
    real sum = real(0.0);
    const uint own_stack = HAS_STACKS && place < stripe.places.y ? stack_word(place) : 0u;
    clusters_begin(own_cluster_word(stripe));
    if (place < stripe.places.y) {
        const uint node = row_node(place);
        own_direction = direction[node];
        own_arm = arms[node];
        sum = move_rows(place, lengths);
    }
    clusters_sum(stripe);
    if (HAS_STACKS)
        sum += move_stack(own_stack);
    return sum + find_ways();
}

/// What the coarse space moves the invocation's row by.
real3 moved()
{
    const uint first = CLUSTER_SUMS + COARSE_MODES * row_cluster[gl_LocalInvocationIndex];
    real d[COARSE_MODES];
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        d[m] = stripe_numbers[first + m];
    return motions_move(motions, own_arm, d);
}

void turn_row(uint row, real2 lengths)
{
    const real3 move = moved();
    cg_turn(row, own_direction, lengths,
            first_level[gl_LocalInvocationIndex] + (held != 0u ? free_part(row, move) : move));
}

void main()
{
    const uint chunk = group_number();
    if (chunk >= group_count * chunks_per_group)
        return;
    stripe = coarse_stripe(chunk * stripes_per_chunk);
    const real2 lengths = cg_step(product_count, curvature_count);
    real sum = real(0.0);
    motions = group_motions(chunk / chunks_per_group);
    solve_motion(chunk / chunks_per_group * COARSE_MODES);
    for (uint k = 0u; k < stripes_per_chunk; ++k) {
        if (k != 0u)
            stripe = coarse_stripe(chunk * stripes_per_chunk + k);
        sum += move_stripe(lengths);
        if (stripe.places.x + gl_LocalInvocationIndex < stripe.places.y)
            turn_row(row_node(stripe.places.x + gl_LocalInvocationIndex), lengths);
    }
    clusters_end(SUM_RESIDUAL_MOTIONS, chunk);
    const real4 sums = workgroup_reduce(real4(sum, 0.0, 0.0, largest_moved));
    if (gl_LocalInvocationIndex == 0u) {
        partials[(SUM_RZ + 1u - parity) * SUM_GROUPS_MOST + chunk] = sums.x;
        partials[SUM_LARGEST * SUM_GROUPS_MOST + chunk] = sums.w;
    }
}
