// Conjugate gradients, first half of an iteration, whatever the matrix: A p, p.A p, and the first level's part of A p.P^-1 A p.
// Ends the solve when the residual is small enough: then the dispatches that follow are empty. Declare the buffers `control`,
// `scalars`, `partials`, `matrix_rows`, `direction`, `product`, `arms`, `cluster_roots` and the words of common/linear_push.glsl before. With a coarse
// space a workgroup has a chunk of a group's rows and also sums A p over its motions.
#ifndef COMMON_CG_APPLY_GLSL
#define COMMON_CG_APPLY_GLSL

#include "abi/control.h"
#include "abi/linear.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/cg.glsl"
#include "common/coarse_clusters.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"

/// Places of the rows.
uint row_count();
/// What a row's product begins with, loaded early.
void row_begin(RowHead head);
/// The row at `place` of A p, but for what other rows of the stripe hand it; p is `own` there.
real3 row_product(uint place, RowHead head, real3 own);
/// Behind row_product of all rows of a stripe, in uniform control flow.
void rows_exchange();
/// The row of A p, of which row_product returned `sum`. `image` gets what the row has of A p.P^-1 A p.
real3 row_total(uint place, RowHead head, real3 own, real3 sum, out real image);
/// What rows that are preconditioned together have of it, whose products are written: of the workgroup's places from the first to before the
/// second, no more than invocations.
real rows_image(uvec2 places);
/// One invocation: what runs after the solve; `good` if it was not cut off.
void end_solve(uint iterations, bool good);

/// The relative residual that ends a solve that begins with r.z = g^2 (newton_linear_tolerance in device/device.h).
real relative_target(real rz)
{
    const real exact = scalars[SCALAR_CG_REDUCTION];
    const real wanted = min(scalars[SCALAR_CG_LOOSEST], scalars[SCALAR_CG_GROWTH] * rz);
    return wanted < scalars[SCALAR_CG_NEARLY] * exact ? exact : max(wanted, exact);
}

/// Number k of the workgroup's stripes; without a coarse space, as many rows as it has invocations.
Stripe row_stripe(uint k)
{
    if (group_count != 0u)
        return coarse_stripe(group_number() * stripes_per_chunk + k);
    const uint first = (group_number() + k * curvature_count) * gl_WorkGroupSize.x;
    return Stripe(uvec2(first, max(first, min(first + gl_WorkGroupSize.x, row_count()))), uvec2(0u));
}

/// The workgroup's stripes.
uint row_stripes()
{
    const uint stride = curvature_count * gl_WorkGroupSize.x;
    return group_count != 0u ? stripes_per_chunk : (row_count() + stride - 1u) / stride;
}

/// Sums a stripe of A p over its motions; what the invocation has of the clusters' and stacks' part of A p.P^-1 A p. `own_stack`: its row's word.
real motions_image(Stripe stripe, uint own_word, uint own_stack, real3 value, real3 arm)
{
    const GroupMotions motions = group_motions(group_number() / chunks_per_group);
    clusters_begin(own_word);
    cluster_put(gl_LocalInvocationIndex, motions, arm, value);
    clusters_sum(stripe);
    const real image = HAS_STACKS && own_stack != 0u ? dot(value, stack_move(own_stack, motions)) : real(0.0);
    return cluster_count != 0u ? image + clusters_reduce(stripe) : image;
}

/// What the last dispatches and the host have left of the solve: loaded together.
struct SolveState {
    uint iteration, limit;
    bool warm, indefinite;
    real reduction, target, first, shortest, settled;
};

SolveState solve_state()
{
    return SolveState(control[CONTROL_CG_ITERATION], control[CONTROL_CG_LIMIT], control[CONTROL_CG_WARM] != 0u,
                      control[CONTROL_CG_INDEFINITE] != 0u, scalars[SCALAR_CG_REDUCTION], scalars[SCALAR_CG_TARGET],
                      scalars[SCALAR_CG_FIRST], scalars[SCALAR_CG_SHORT], scalars[SCALAR_CG_SETTLED]);
}

/// How a solve stands to the two ends that it may have: as the gradient asks for, or as the settings do.
const uint SOLVE_GOES_ON = 0u, SOLVE_ENDS_ROUGH = 1u, SOLVE_ENDS_EXACT = 2u;

/// A stage may end on a short direction, on a rough one it may not: that goes on until it is settled (newton_is_settled in device/device.h).
uint solve_standing(SolveState state, real rz)
{
    const bool is_enough = rz <= state.target;
    if (rz <= state.reduction * state.reduction * state.first)
        return SOLVE_ENDS_EXACT;
    const real residual = sqrt(rz / state.first);
    if (!is_enough && (residual > state.settled || state.iteration % SETTLING != 0u))
        return SOLVE_GOES_ON;
    const real largest = partials_largest(SUM_LARGEST, curvature_count);
    const bool is_short = largest < state.shortest;
    if (residual <= state.settled && residual * largest <= (is_short ? state.reduction : real(SETTLED_LONG)) * state.shortest)
        return is_short ? SOLVE_ENDS_EXACT : SOLVE_ENDS_ROUGH;
    return is_enough && !is_short ? SOLVE_ENDS_ROUGH : SOLVE_GOES_ON;
}

/// Whether the solve goes on; ends it otherwise. `rz`: r.z
bool solve_goes_on(SolveState state, real rz)
{
    const bool leader = invocation_number() == 0u, begins = state.iteration == 0u && !state.warm;
    if (leader) {
        control[CONTROL_CG_WARMING] = state.warm ? 1u : 0u;
        control[ARGUMENTS_START_COARSE] = control[ARGUMENTS_START_CHUNKS] = 0u; // this solve has begun
    }
    if (begins && leader) {
        const real reduction = relative_target(rz);
        control[CONTROL_CG_EXACT] = reduction == state.reduction ? 1u : 0u;
        scalars[SCALAR_CG_TARGET] = reduction * reduction * rz;
        scalars[SCALAR_CG_FIRST] = rz;
    }
    const bool cut = state.iteration >= state.limit || state.indefinite;
    uint standing = SOLVE_GOES_ON;
    if (begins)
        standing = rz > real(0.0) ? SOLVE_GOES_ON : SOLVE_ENDS_EXACT;
    else if (!state.warm && !cut)
        standing = solve_standing(state, rz);
    if (state.warm || standing == SOLVE_GOES_ON && !cut)
        return true;
    if (leader) {
        scalars[SCALAR_CG_LAST] = rz;
        if (state.iteration > 0u && standing != SOLVE_GOES_ON)
            control[CONTROL_CG_EXACT] = standing == SOLVE_ENDS_EXACT ? 1u : 0u;
        end_solve(state.iteration, state.iteration < state.limit);
    }
    return false;
}

void cg_apply()
{
    if (group_number() >= curvature_count)
        return;
    Stripe stripe = row_stripe(0u);
    const SolveState state = solve_state();
    // A chunk may have no rows.
    RowHead head = row_head(min(stripe.places.x + gl_LocalInvocationIndex, node_count - 1u));
    row_begin(head);
    if (!solve_goes_on(state, partials_sum(SUM_RZ + parity, product_count)))
        return;
    real curvature = real(0.0), image = real(0.0);
    for (uint k = 0u; k < row_stripes(); ++k) {
        if (k != 0u) {
            stripe = row_stripe(k);
            barrier(); // what the last one's clusters have shared has been read
        }
        const uint place = stripe.places.x + gl_LocalInvocationIndex;
        const uint own_word = group_count != 0u ? own_cluster_word(stripe) : 0u,
                   own_stack = HAS_STACKS && place < stripe.places.y ? stack_word(place) : 0u;
        real3 p = real3(0.0), sum = real3(0.0), arm = real3(0.0);
        if (k != 0u) {
            head = row_head(min(place, node_count - 1u));
            row_begin(head);
        }
        if (place < stripe.places.y) {
            p = direction[head.node];
            if (group_count != 0u)
                arm = arms[head.node];
            sum = row_product(place, head, p);
        }
        rows_exchange();
        if (place < stripe.places.y) {
            real own_image;
            sum = row_total(place, head, p, sum, own_image);
            product[head.node] = sum;
            curvature += dot(p, sum);
            image += own_image;
        }
        if (group_count != 0u)
            image += motions_image(stripe, own_word, own_stack, sum, arm);
        image += rows_image(stripe.places);
    }
    if (group_count != 0u)
        clusters_end(SUM_PRODUCT_MOTIONS, group_number());
    const real4 sums = workgroup_reduce(real4(curvature, image, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) {
        partials[SUM_CURVATURE * SUM_GROUPS_MOST + group_number()] = sums.x;
        partials[SUM_IMAGE * SUM_GROUPS_MOST + group_number()] = sums.y;
    }
}

#endif
