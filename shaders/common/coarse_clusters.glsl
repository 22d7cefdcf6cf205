// A vector's sums over the motions of clusters, and what a cluster's own inverse W^T W makes of them; a chunk's sums are those of its clusters. A
// workgroup works on a stripe of its chunk's places at a time, a team of CLUSTER_TEAM invocations on every so many-th of its clusters: the first
// COARSE_MODES of them have a motion each. Declare the buffers `partials`, `matrix_rows`, `arms` and `cluster_roots`, and the words of
// common/linear_push.glsl before; all in uniform control flow.
#ifndef COMMON_COARSE_CLUSTERS_GLSL
#define COMMON_COARSE_CLUSTERS_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "abi/coarse.h"
#include "abi/sums.h"
#include "common/coarse.glsl"
#include "common/coarse_stripes.glsl"
#include "common/cg_vector.glsl"
#include "common/group_motions.glsl"
#include "common/real.glsl"
#include "common/stacks.glsl"

shared uint cluster_begins[STRIPE_CLUSTERS_MOST + 1u]; ///< first places of the stripe's clusters; where the last one ends
/// What each slot's value has of the motions; then of the stripe's cluster number c the sums from COARSE_MODES c on, and those reduced. What
/// rows hand each other is here before (common/handed_blocks.glsl).
shared real stripe_numbers[STRIPE_NUMBERS(gl_WorkGroupSize.x)];
const uint CLUSTER_SUMS = STRIPE_ROW_NUMBERS * gl_WorkGroupSize.x,
           CLUSTER_REDUCED = CLUSTER_SUMS + COARSE_MODES * STRIPE_CLUSTERS_MOST;

/// What the invocation's motion has of the chunk so far.
real chunk_sum = real(0.0);

/// Rows of a cluster whose values are under way together.
const uint ROWS_AT_ONCE = 8u;

uint own_motion()
{
    return gl_LocalInvocationIndex % CLUSTER_TEAM;
}

/// The first of the team's clusters in a stripe, and how many further the next one is.
uint own_team()
{
    return gl_LocalInvocationIndex / CLUSTER_TEAM;
}

uint teams()
{
    return gl_WorkGroupSize.x / CLUSTER_TEAM;
}

uint clusters_of(Stripe stripe)
{
    return stripe.clusters.y - stripe.clusters.x;
}

/// What clusters_begin asks for, to be loaded early.
uint own_cluster_word(Stripe stripe)
{
    return cluster_word(min(stripe.clusters.x + gl_LocalInvocationIndex, stripe.clusters.y));
}

/// Behind all that reads what was put before. Slot i is that of the stripe's place i; those of its places have to be put.
void clusters_begin(uint own_word)
{
    barrier();
    if (gl_LocalInvocationIndex <= STRIPE_CLUSTERS_MOST)
        cluster_begins[gl_LocalInvocationIndex] = own_word & ~CLUSTER_IS_SOLVED;
}

void cluster_put(uint slot, GroupMotions motions, real3 arm, real3 value)
{
    real of[COARSE_MODES];
    motions_of(motions, arm, value, of);
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        stripe_numbers[STRIPE_ROW_NUMBERS * slot + m] = of[m];
}

/// What the slots from the first to before the second have of a motion.
real rows_sum(uvec2 slots, uint motion)
{
    real sum = real(0.0);
    for (uint first = slots.x; first < slots.y; first += ROWS_AT_ONCE) {
        real part[ROWS_AT_ONCE];
        [[unroll]] for (uint i = 0u; i < ROWS_AT_ONCE; ++i)
            part[i] = stripe_numbers[STRIPE_ROW_NUMBERS * min(first + i, slots.y - 1u) + motion];
        [[unroll]] for (uint i = 0u; i < ROWS_AT_ONCE; ++i)
            sum += first + i < slots.y ? part[i] : real(0.0);
    }
    return sum;
}

/// Sums what was put, into the chunk's too.
void clusters_sum(Stripe stripe)
{
    const uint motion = own_motion();
    barrier();
    for (uint c = own_team(); c < clusters_of(stripe) && motion < COARSE_MODES; c += teams()) {
        const real sum = rows_sum(uvec2(cluster_begins[c], cluster_begins[c + 1u]) - stripe.places.x, motion);
        stripe_numbers[CLUSTER_SUMS + COARSE_MODES * c + motion] = sum;
        chunk_sum += sum;
    }
    barrier();
}

/// What was put of a slot's value.
real3 slot_value(uint slot)
{
    const uint at = STRIPE_ROW_NUMBERS * slot;
    return real3(stripe_numbers[at], stripe_numbers[at + 4u], stripe_numbers[at + 8u]);
}

/// Behind clusters_sum: what the stack of the invocation's row, which has that word, moves by for what was put.
real3 stack_move(uint word, GroupMotions motions)
{
    const uint first = gl_LocalInvocationIndex - stack_row(word), count = stack_count(word);
    real factor[STACK_FACTORS_SIZE];
    for (uint k = 0u; k < STACK_FACTORS_SIZE; ++k)
        factor[k] = cluster_roots[stack_factors(word) + k];
    real3 sum = real3(0.0);
    for (uint k = 0u; k < count; ++k)
        sum += slot_value(first + k);
    return solve_block(factor, motions_vector(motions, sum));
}

/// Entry (row, column) of a cluster's W.
real cluster_root(uint cluster, uint row, uint column)
{
    return cluster_roots[cluster_root_place(cluster, row, column)];
}

/// Number `row` of W times the sums of the stripe's cluster number c. All loads are under way together.
real cluster_reduce(Stripe stripe, uint c, uint row)
{
    const uint from = coarse_motions_with(row).x;
    real root[COARSE_MODES], sum = real(0.0);
    [[unroll]] for (uint column = 0u; column < COARSE_MODES; ++column)
        root[column] = cluster_root(stripe.clusters.x + c, row, min(column, row));
    [[unroll]] for (uint column = 0u; column < COARSE_MODES; ++column)
        sum += column >= from && column <= row ? root[column] * stripe_numbers[CLUSTER_SUMS + COARSE_MODES * c + column] : real(0.0);
    return sum;
}

/// W times the sums of all clusters of the stripe. Returns what the invocation has of its square.
real clusters_reduce(Stripe stripe)
{
    const uint motion = own_motion();
    real square = real(0.0);
    for (uint c = own_team(); c < clusters_of(stripe) && motion < COARSE_MODES; c += teams()) {
        const real reduced = cluster_reduce(stripe, c, motion);
        stripe_numbers[CLUSTER_REDUCED + COARSE_MODES * c + motion] = reduced;
        square += reduced * reduced;
    }
    return square;
}

/// Number `column` of W^T times what clusters_reduce has left of the stripe's cluster number c, behind a barrier.
real cluster_solve(Stripe stripe, uint c, uint column)
{
    const uint end = coarse_motions_with(column).y;
    real root[COARSE_MODES], sum = real(0.0);
    [[unroll]] for (uint row = 0u; row < COARSE_MODES; ++row)
        root[row] = cluster_root(stripe.clusters.x + c, max(row, column), column);
    [[unroll]] for (uint row = 0u; row < COARSE_MODES; ++row)
        sum += row >= column && row < end ? root[row] * stripe_numbers[CLUSTER_REDUCED + COARSE_MODES * c + row] : real(0.0);
    return sum;
}

/// Leaves the sums of chunk number `chunk` in the sections `section`, `section` + 1, …
void clusters_end(uint section, uint chunk)
{
    barrier();
    stripe_numbers[CLUSTER_SUMS + gl_LocalInvocationIndex] = chunk_sum;
    barrier();
    if (gl_LocalInvocationIndex < COARSE_MODES) {
        real sum = real(0.0);
        for (uint first = 0u; first < gl_WorkGroupSize.x; first += CLUSTER_TEAM)
            sum += stripe_numbers[CLUSTER_SUMS + first + gl_LocalInvocationIndex];
        partials[(section + gl_LocalInvocationIndex) * SUM_GROUPS_MOST + chunk] = sum;
    }
}

#endif
