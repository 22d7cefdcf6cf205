// variant: f64
// MINRES, second half of an iteration: the new residual, and it preconditioned. With `begin` the solution so far joins the sum of all, and the
// method begins with the residual that is there.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 5) readonly buffer BodyRoots { real body_roots[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Factors { real factors[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Holds { uint holds[]; };
layout(scalar, set = 0, binding = 9) buffer Vectors { real vectors[]; };
layout(scalar, set = 0, binding = 10) buffer Sums { Exact sums[]; };

#include "common/constraints/push.glsl"

#include "common/body_roots.glsl"
#include "common/cg.glsl"
#include "common/cg_blocks.glsl"
#include "common/constraints/kinds.glsl"
#include "common/constraints/lists.glsl"
#include "common/constraints/vectors.glsl"
#include "common/invocation.glsl"
#include "common/matrix_rows.glsl"

/// The sum of all solutions with the last one; nothing with `first`.
Exact join(Exact sum, Exact last, bool first)
{
    if (first)
        return exact(real(0.0));
    return exact_add(sum, last);
}

/// The last solution of a node joins the sum of all; the next one begins at 0.
void collect_node(uint node, bool first)
{
    for (uint k = 0u; k < 3u; ++k) {
        const uint at = way_place(node, k);
        const Exact last = exact(vectors[node_place(SADDLE_SOLUTION, node) + k]);
        sums[at] = join(sums[at], last, first);
    }
    set_node_vector(SADDLE_SOLUTION, node, real3(0.0));
    for (uint s = 0u; s < 2u; ++s)
        set_node_vector(SADDLE_STEPS + s, node, real3(0.0));
    set_node_vector(SADDLE_RESIDUALS + 1u, node, real3(0.0));
}

void collect_row(uint row, bool first)
{
    const uint at = lambda_place(row);
    const Exact last = exact(-vectors[row_place(SADDLE_SOLUTION, row)]);
    sums[at] = join(sums[at], last, first);
    vectors[row_place(SADDLE_SOLUTION, row)] = real(0.0);
    for (uint s = 0u; s < 2u; ++s)
        vectors[row_place(SADDLE_STEPS + s, row)] = real(0.0);
    vectors[row_place(SADDLE_RESIDUALS + 1u, row)] = real(0.0);
}

/// What is written: the residual that comes next, K v - diagonal/norm times the last one; K v is there.
uint next_residual()
{
    return SADDLE_RESIDUALS + (begin != 0u ? 0u : 1u - parity);
}

real3 new_node(uint node, real factor, bool first)
{
    if (begin != 0u) {
        collect_node(node, first);
        return node_vector(SADDLE_RESIDUALS, node);
    }
    const real3 r = node_vector(next_residual(), node) - factor * node_vector(SADDLE_RESIDUALS + parity, node);
    set_node_vector(next_residual(), node, r);
    return r;
}

real new_row(uint row, real factor, bool first)
{
    if (begin != 0u) {
        collect_row(row, first);
        return vectors[row_place(SADDLE_RESIDUALS, row)];
    }
    const real r =
        vectors[row_place(next_residual(), row)] - factor * vectors[row_place(SADDLE_RESIDUALS + parity, row)];
    vectors[row_place(next_residual(), row)] = r;
    return r;
}

/// Returns r.z of the row at a place; of a body's first row that of all four, of its others 0.
real precondition_node(uint place, real factor, bool first)
{
    if (!is_of_body(place)) {
        const uint node = row_node(place);
        const real3 r = new_node(node, factor, first), z = solve_own_block(node, r);
        set_node_vector(SADDLE_PRECONDITIONED, node, z);
        return dot(r, z);
    }
    real sum = real(0.0);
    if (place % 4u != 0u)
        return sum;
    real3 r[4], z[4];
    for (uint k = 0u; k < 4u; ++k)
        r[k] = new_node(row_node(place + k), factor, first);
    solve_body(place / 4u, r, z);
    for (uint k = 0u; k < 4u; ++k) {
        set_node_vector(SADDLE_PRECONDITIONED, row_node(place + k), z[k]);
        sum += dot(r[k], z[k]);
    }
    return sum;
}

/// Entry (i, k) of a constraint's L D L^T, k <= i.
real factor_entry(uint at, uint i, uint k)
{
    return factors[at + i * (i + 1u) / 2u + k];
}

/// (L D L^T)^-1 r, 0 in rows that are left out.
void solve_rows(uint at, uint rows, real r[CONSTRAINT_ROWS_MOST], out real z[CONSTRAINT_ROWS_MOST])
{
    for (uint i = 0u; i < rows; ++i) {
        z[i] = r[i];
        for (uint k = 0u; k < i; ++k)
            z[i] -= factor_entry(at, i, k) * z[k];
    }
    for (uint j = rows; j > 0u; --j) {
        const uint i = j - 1u;
        const real inverse = factor_entry(at, i, i);
        real sum = inverse * z[i];
        for (uint k = j; k < rows; ++k)
            sum -= factor_entry(at, k, i) * z[k];
        z[i] = inverse > real(0.0) ? sum : real(0.0);
    }
}

real precondition_constraint(uint c, real factor, bool first)
{
    const uint rows = CONSTRAINT_ROWS[constraint_word(c, CONSTRAINT_KIND)], row = constraint_word(c, CONSTRAINT_FIRST_ROW);
    real r[CONSTRAINT_ROWS_MOST], z[CONSTRAINT_ROWS_MOST], sum = real(0.0);
    for (uint k = 0u; k < rows; ++k)
        r[k] = new_row(row + k, factor, first);
    solve_rows(constraint_word(c, CONSTRAINT_FIRST_FACTOR), rows, r, z);
    for (uint k = 0u; k < rows; ++k) {
        const real own = holds[c] != 0u ? z[k] : real(0.0);
        vectors[row_place(SADDLE_PRECONDITIONED, row + k)] = own;
        sum += r[k] * own;
    }
    return sum;
}

void count(real diagonal)
{
    if (begin != 0u) {
        control[CONTROL_SADDLE_STEP] = 0u;
        control[ARGUMENTS_SADDLE] = control[CONTROL_GROUPS_SADDLE];
        control[ARGUMENTS_SADDLE_START] = 0u;
        return;
    }
    if (control[CONTROL_SADDLE_STEP] == 0u) {
        control[CONTROL_SADDLE_FRESH] = 0u;
        scalars[SCALAR_MINRES_LAST] = scalars[SCALAR_MINRES + MINRES_STATE * parity + MINRES_NORM];
    }
    scalars[SCALAR_MINRES_DIAGONAL] = diagonal;
    ++control[CONTROL_SADDLE_STEP];
    ++control[CONTROL_CG_ITERATION];
}

void main()
{
    const uint groups = saddle_groups();
    if (group_number() >= groups)
        return;
    const bool first = control[CONTROL_SADDLE_FRESH] != 0u;
    real diagonal = real(0.0), factor = real(0.0);
    if (begin == 0u) {
        diagonal = partials_sum(SUM_CURVATURE, groups);
        factor = diagonal / scalars[SCALAR_MINRES + MINRES_STATE * parity + MINRES_NORM];
    }
    real sum = real(0.0);
    for (uint i = invocation_number(); i < saddle_count(); i += groups * gl_WorkGroupSize.x)
        sum += i < free_count ? precondition_node(i, factor, first) : precondition_constraint(i - free_count, factor, first);
    const real total = workgroup_sum(sum);
    if (gl_LocalInvocationIndex == 0u)
        partials[SUM_RZ * SUM_GROUPS_MOST + group_number()] = total;
    if (invocation_number() == 0u)
        count(diagonal);
}
