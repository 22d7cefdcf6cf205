// variant: f64
// A level of supernodes is eliminated from the rows behind them: A_ij -= (K A_ki)^T K A_kj for each group k of them, one after the other, in A and in what
// began as the identity beside it. Both share one square: columns up to k hold W, which becomes the inverse of the factor L in A = L L^T, those
// from a row's diagonal block on A. What is between is not used yet, and 0 until it is W. Each workgroup has the rows of one group i in COARSE_BLOCK columns
// (a task of abi/coarse.h), and makes the factors of the eliminated groups' own blocks for itself. So their rows stay as they are while others read them: among
// themselves they are eliminated by a later dispatch. Their own factors follow in compute/coarse_pivot.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Diagonal { real diagonal[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Plan { uint plan[]; };
layout(push_constant) uniform Push { uint group_count, level; };

#include "common/coarse_pivot.glsl"
#include "common/invocation.glsl"
#include "common/supernodes.glsl"

/// Groups from `first` to before `end` are eliminated from the rows of group i.
struct Task {
    uint first, end, i;
};

/// Of a supernode and group i, which may be its last one.
Task supernode_task(uint supernode, uint i)
{
    const uint first = COARSE_ELIMINATED * supernode;
    return Task(first, min(first + COARSE_ELIMINATED, i), i);
}

// Blocks (k, l) of the eliminated groups' rows, l = COARSE_ELIMINATED those of group i; and K times those of the row that is being eliminated.
shared real blocks[COARSE_ELIMINATED * (COARSE_ELIMINATED + 1) * COARSE_BLOCK], scaled[(COARSE_ELIMINATED + 1) * COARSE_BLOCK];

uint block_place(uint k, uint l)
{
    return ((COARSE_ELIMINATED + 1u) * k + l) * COARSE_BLOCK;
}

void load_block(uint k, uint l, uint row, uint column)
{
    const uint own = gl_LocalInvocationIndex;
    blocks[block_place(k, l) + own] =
        matrix[(COARSE_MODES * row + own / COARSE_MODES) * coarse_stride() + COARSE_MODES * column + own % COARSE_MODES];
}

void load_blocks(Task task)
{
    [[unroll]] for (uint k = 0u; k < COARSE_ELIMINATED; ++k) {
        [[unroll]] for (uint l = k; l < COARSE_ELIMINATED; ++l)
            if (task.first + l < task.end)
                load_block(k, l, task.first + k, task.first + l);
        if (task.first + k < task.end)
            load_block(k, COARSE_ELIMINATED, task.first + k, task.i);
    }
}

/// K times block (k, l).
void scale_block(uint k, uint l)
{
    const uint own = gl_LocalInvocationIndex, row = own / COARSE_MODES, column = own % COARSE_MODES;
    real sum = real(0.0);
    [[unroll]] for (uint n = 0u; n < COARSE_MODES; ++n) // 0 behind the diagonal
        sum += block[COARSE_MODES * row + n] * blocks[block_place(k, l) + COARSE_MODES * n + column];
    scaled[COARSE_BLOCK * l + own] = sum;
}

/// Subtracts from block (l, m) what was scaled.
void reduce_block(uint l, uint m)
{
    const uint own = gl_LocalInvocationIndex, row = own / COARSE_MODES, column = own % COARSE_MODES;
    real sum = blocks[block_place(l, m) + own];
    [[unroll]] for (uint n = 0u; n < COARSE_MODES; ++n)
        sum -= scaled[COARSE_BLOCK * l + COARSE_MODES * n + row] * scaled[COARSE_BLOCK * m + COARSE_MODES * n + column];
    blocks[block_place(l, m) + own] = sum;
}

/// A column: of the rows of group i, and of the groups' that are still to be eliminated.
struct Column {
    real rows[COARSE_MODES], above[COARSE_ELIMINATED][COARSE_MODES];
};

/// What the task's groups have in column c, of group j. What began as the identity is not in the matrix.
void load_above(Task task, uint c, uint j, inout Column column)
{
    const bool begins = j >= task.first && j < task.end;
    [[unroll]] for (uint k = 0u; k < COARSE_ELIMINATED; ++k)
        group_column(min(task.first + k, group_count - 1u), c, column.above[k]);
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        [[unroll]] for (uint k = 0u; k < COARSE_ELIMINATED; ++k)
            column.above[k][m] = begins ? real(0.0) : column.above[k][m];
}

/// Eliminates group number k of the task from column c. `begins`: the identity of that group is 1 there.
void eliminate(uint k, uint c, bool begins, inout Column column)
{
    real factor[COARSE_MODES];
    [[unroll]] for (uint n = 0u; n < COARSE_MODES; ++n) {
        factor[n] = block[COARSE_MODES * n + c % COARSE_MODES];
        real sum = real(0.0);
        [[unroll]] for (uint l = 0u; l <= n; ++l)
            sum += block[COARSE_MODES * n + l] * column.above[0][l];
        factor[n] = begins ? factor[n] : sum;
    }
    [[unroll]] for (uint n = 0u; n < COARSE_MODES; ++n) {
        [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
            column.rows[m] -= scaled[COARSE_BLOCK * COARSE_ELIMINATED + COARSE_MODES * n + m] * factor[n];
        [[unroll]] for (uint l = 1u; l < COARSE_ELIMINATED; ++l)
            if (k + l < COARSE_ELIMINATED)
                [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
                    column.above[l][m] -= scaled[COARSE_BLOCK * (k + l) + COARSE_MODES * n + m] * factor[n];
    }
}

/// Eliminates the task's groups from column c, of group j; counts: it is one of the matrix.
void eliminate_task(Task task, uint c, uint j, bool counts, inout Column column)
{
    const uint own = gl_LocalInvocationIndex;
    load_blocks(task);
    if (counts)
        load_above(task, c, j, column);
    [[unroll]] for (uint k = 0u; k < COARSE_ELIMINATED; ++k) {
        if (task.first + k >= task.end)
            break;
        barrier();
        block_root(blocks[block_place(k, k) + own], diagonal[COARSE_MODES * (task.first + k) + own / COARSE_MODES]);
        [[unroll]] for (uint l = k + 1u; l <= COARSE_ELIMINATED; ++l)
            scale_block(k, l);
        barrier();
        [[unroll]] for (uint l = k + 1u; l < COARSE_ELIMINATED; ++l)
            [[unroll]] for (uint m = l; m <= COARSE_ELIMINATED; ++m)
                reduce_block(l, m);
        if (counts && (j <= task.first + k || j >= task.i))
            eliminate(k, c, j == task.first + k, column);
        [[unroll]] for (uint l = 1u; l < COARSE_ELIMINATED; ++l)
            [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
                column.above[l - 1u][m] = column.above[l][m];
    }
}

/// Those of `set` that have something of the workgroup's columns, from `first` on.
uvec2 reaching(uvec2 set, uint first)
{
    const uvec2 columns = supernodes_of_unknowns(first, first + COARSE_BLOCK);
    uvec2 found = uvec2(0u);
    for (uvec2 left = set; left != uvec2(0u);) {
        const uint supernode = supernodes_first(left), at = COARSE_PLAN_REACH + 2u * supernode;
        left &= ~supernode_set(supernode);
        if ((uvec2(plan[at], plan[at + 1u]) & columns) != uvec2(0u))
            found |= supernode_set(supernode);
    }
    return found;
}

void main()
{
    const uint own = gl_LocalInvocationIndex, spans = (coarse_stride() + COARSE_BLOCK - 1u) / COARSE_BLOCK;
    const uint number = plan[COARSE_PLAN_STARTS + level] + group_number() / spans;
    if (number >= plan[COARSE_PLAN_STARTS + level + 1u])
        return;
    const uint at = COARSE_PLAN_TASKS + COARSE_TASK_WORDS * number, i = plan[at];
    const uint first = COARSE_BLOCK * (group_number() % spans), c = first + own, j = c / COARSE_MODES;
    uvec2 set = reaching(uvec2(plan[at + 1u], plan[at + 2u]), first);
    if (set == uvec2(0u))
        return;
    const bool counts = c < coarse_stride();
    Column column;
    if (counts)
        group_column(i, c, column.rows);
    while (set != uvec2(0u)) {
        const uint supernode = supernodes_first(set);
        set &= ~supernode_set(supernode);
        eliminate_task(supernode_task(supernode, i), c, j, counts, column);
    }
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        if (counts)
            matrix[(COARSE_MODES * i + m) * coarse_stride() + c] = column.rows[m];
}
