// variant: f64
// The preconditioner's blocks of constraints: C + J D^-1 J^T of each one's own rows, D the blocks of the matrix, as L D L^T: of L what is
// below the diagonal, 1/D on it, 0 in rows that depend on those before them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Numbers { Exact numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slopes { real3 slopes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 5) readonly buffer BodyRoots { real body_roots[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Factors { real factors[]; };

#include "common/constraints/push.glsl"

#include "common/body_roots.glsl"
#include "common/cg_blocks.glsl"
#include "common/constraints/compliance.glsl"
#include "common/constraints/kinds.glsl"
#include "common/constraints/lists.glsl"
#include "common/invocation.glsl"

/// A row depends on those before it where they leave so little of its diagonal.
#ifdef VELA_F64
#define DEPENDENT 1e-11lf
#else
#define DEPENDENT 1e-5
#endif

/// Row q, column r <= q of the block's lower triangle.
uint triangle(uint q, uint r)
{
    return q * (q + 1u) / 2u + r;
}

const uint TRIANGLE_MOST = CONSTRAINT_ROWS_MOST * (CONSTRAINT_ROWS_MOST + 1) / 2;

void add_products(uint rows, real3 left[CONSTRAINT_ROWS_MOST], real3 right[CONSTRAINT_ROWS_MOST],
                  inout real block[TRIANGLE_MOST])
{
    for (uint q = 0u; q < rows; ++q)
        for (uint r = 0u; r <= q; ++r)
            block[triangle(q, r)] += dot(left[q], right[r]);
}

/// Whether another of the constraint's entries before e is of the same body.
bool is_met(uint first, uint e)
{
    for (uint f = first; f < e; ++f)
        if (entry_word(f, ENTRY_PLACE) / 4u == entry_word(e, ENTRY_PLACE) / 4u)
            return true;
    return false;
}

/// All of a body's nodes: K s for each row, s its slopes, a block row of K at a time.
void add_body(uint c, uint body, uint rows, inout real block[TRIANGLE_MOST])
{
    const uint first = constraint_word(c, CONSTRAINT_FIRST_ENTRY), start = constraint_word(c, CONSTRAINT_FIRST_SLOPE) / 3u;
    for (uint a = 0u; a < 4u; ++a) {
        real3 sums[CONSTRAINT_ROWS_MOST];
        for (uint r = 0u; r < rows; ++r)
            sums[r] = real3(0.0);
        for (uint e = 0u; e < constraint_word(c, CONSTRAINT_ENTRY_COUNT); ++e) {
            const uint place = entry_word(first + e, ENTRY_PLACE), b = place % 4u;
            if (place / 4u != body || b > a)
                continue;
            const real3x3 root = body_root(body, a, b);
            for (uint r = 0u; r < rows; ++r)
                sums[r] += root * slopes[start + rows * e + r];
        }
        add_products(rows, sums, sums, block);
    }
}

void add_node(uint at, uint row_of_matrix, uint rows, inout real block[TRIANGLE_MOST])
{
    real3 own[CONSTRAINT_ROWS_MOST], solved[CONSTRAINT_ROWS_MOST];
    for (uint r = 0u; r < rows; ++r) {
        own[r] = slopes[at + r];
        solved[r] = solve_own_block(row_of_matrix, own[r]);
    }
    add_products(rows, own, solved, block);
}

void add_compliance(uint c, uint kind, uint rows, inout real block[TRIANGLE_MOST])
{
    for (uint r = 0u; r < rows; ++r) {
        real unit[CONSTRAINT_ROWS_MOST], column[CONSTRAINT_ROWS_MOST];
        for (uint q = 0u; q < rows; ++q)
            unit[q] = real(q == r ? 1.0 : 0.0);
        apply_compliance(c, kind, rows, unit, column);
        for (uint q = r; q < rows; ++q)
            block[triangle(q, r)] += column[q];
    }
}

/// In place. Returns how many rows depend on those before them.
uint factor_rows(uint rows, inout real block[TRIANGLE_MOST])
{
    real pivots[CONSTRAINT_ROWS_MOST];
    uint dependent = 0u;
    for (uint k = 0u; k < rows; ++k) {
        const real whole = block[triangle(k, k)];
        real pivot = whole;
        for (uint j = 0u; j < k; ++j) {
            real sum = block[triangle(k, j)];
            for (uint i = 0u; i < j; ++i)
                sum -= block[triangle(k, i)] * pivots[i] * block[triangle(j, i)];
            const real own = pivots[j] > real(0.0) ? sum / pivots[j] : real(0.0);
            block[triangle(k, j)] = own;
            pivot -= own * own * pivots[j];
        }
        const bool depends = !(pivot > real(DEPENDENT) * whole);
        dependent += depends ? 1u : 0u;
        pivots[k] = depends ? real(0.0) : pivot;
        for (uint j = 0u; j < k && depends; ++j)
            block[triangle(k, j)] = real(0.0);
    }
    for (uint k = 0u; k < rows; ++k)
        block[triangle(k, k)] = pivots[k] > real(0.0) ? real(1.0) / pivots[k] : real(0.0);
    return dependent;
}

void main()
{
    const uint c = invocation_number();
    if (c >= constraint_count)
        return;
    const uint kind = constraint_word(c, CONSTRAINT_KIND), rows = CONSTRAINT_ROWS[kind],
               first = constraint_word(c, CONSTRAINT_FIRST_ENTRY), start = constraint_word(c, CONSTRAINT_FIRST_SLOPE) / 3u;
    real block[TRIANGLE_MOST];
    bool has_free = false;
    for (uint k = 0u; k < TRIANGLE_MOST; ++k)
        block[k] = real(0.0);
    add_compliance(c, kind, rows, block);
    for (uint e = 0u; e < constraint_word(c, CONSTRAINT_ENTRY_COUNT); ++e) {
        const uint place = entry_word(first + e, ENTRY_PLACE);
        if (place >= free_count)
            continue;
        has_free = true;
        if (!is_of_body(place))
            add_node(start + rows * e, entry_word(first + e, ENTRY_NODE), rows, block);
        else if (!is_met(first, first + e))
            add_body(c, place / 4u, rows, block);
    }
    const uint dependent = factor_rows(rows, block), at = constraint_word(c, CONSTRAINT_FIRST_FACTOR);
    for (uint k = 0u; k < rows * (rows + 1u) / 2u; ++k)
        factors[at + k] = has_free ? block[k] : real(0.0);
    if (has_free && dependent > 0u)
        atomicAdd(control[CONTROL_SADDLE_DEPENDENT], dependent);
}
