// variant: f64
// W of a group, W^T W = A^-1, A being the blocks on its nodes' diagonals and contact's between them; a workgroup a group. Its nodes'
// own blocks are no longer part of the preconditioner: their factors become 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact_groups.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Groups { uint groups[]; };
layout(scalar, set = 0, binding = 2) buffer Rows { uvec2 rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Columns { uvec2 columns[]; }; // column, row
layout(scalar, set = 0, binding = 4) readonly buffer Values { real3x3 values[]; };
layout(scalar, set = 0, binding = 5) buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Roots { real roots[]; };

#include "common/contact/group_roots.glsl"
#include "common/invocation.glsl"

const uint SIZE = CONTACT_GROUP_SIZE;

shared real block[SIZE * SIZE], pivots[SIZE], before[SIZE];
shared uint nodes[CONTACT_GROUP_ROWS];

/// The block on the diagonal of which compute/newton_start has left the factors.
void put_diagonal(uint member)
{
    const uint from = 6u * nodes[member], at = (SIZE + 1u) * 3u * member;
    const real d0 = real(1.0) / preconditioner[from], d1 = real(1.0) / preconditioner[from + 1u],
               d2 = real(1.0) / preconditioner[from + 2u], l10 = preconditioner[from + 3u],
               l20 = preconditioner[from + 4u], l21 = preconditioner[from + 5u];
    block[at] = d0;
    block[at + 1u] = block[at + SIZE] = l10 * d0;
    block[at + 2u] = block[at + 2u * SIZE] = l20 * d0;
    block[at + SIZE + 1u] = d1 + l10 * l10 * d0;
    block[at + SIZE + 2u] = block[at + 2u * SIZE + 1u] = l21 * d1 + l20 * l10 * d0;
    block[at + 2u * SIZE + 2u] = d2 + l21 * l21 * d1 + l20 * l20 * d0;
}

/// Contact's blocks between this node of the group and the others.
void put_couplings(uint member)
{
    const uint node = nodes[member];
    for (uint b = rows[node].x + gl_LocalInvocationIndex; b < rows[node].y; b += gl_WorkGroupSize.x)
        for (uint other = 0u; other < CONTACT_GROUP_ROWS; ++other)
            if (columns[b].x == nodes[other] && other != member)
                for (uint i = 0u; i < 3u; ++i)
                    for (uint j = 0u; j < 3u; ++j)
                        block[SIZE * (3u * member + i) + 3u * other + j] = values[b][j][i];
}

/// `block` becomes W, by elimination of [A 1] in place: columns before a row's own and up to a pivot's hold the part that began as 1. A pivot that
/// rounding has taken is held at what it is of the number that it began as: W^T W stays positive definite.
void eliminate()
{
    for (uint k = 0u; k < SIZE; ++k) {
        barrier();
        const real pivot = max(block[(SIZE + 1u) * k], PIVOT_LEAST * before[k]), inverse = real(1.0) / pivot;
        if (gl_LocalInvocationIndex == 0u)
            pivots[k] = inverse;
        for (uint e = SIZE * (k + 1u) + gl_LocalInvocationIndex; e < SIZE * SIZE; e += gl_WorkGroupSize.x) {
            const uint row = e / SIZE, column = e % SIZE;
            const real factor = inverse * block[SIZE * k + row];
            if (column <= k || column >= row)
                block[e] = column == k ? -factor : block[e] - factor * block[SIZE * k + column];
        }
    }
    barrier();
}

void main()
{
    const uint group = group_number(), own = gl_LocalInvocationIndex;
    if (group >= control[PAIR_GROUPS])
        return;
    if (own < CONTACT_GROUP_ROWS)
        nodes[own] = groups[CONTACT_GROUP_ROWS * group + own];
    for (uint e = own; e < SIZE * SIZE; e += gl_WorkGroupSize.x)
        block[e] = e % (SIZE + 1u) == 0u ? real(1.0) : real(0.0); // where there is no node
    barrier();
    if (own < CONTACT_GROUP_ROWS && nodes[own] != NO_CHOICE)
        put_diagonal(own);
    for (uint member = 0u; member < CONTACT_GROUP_ROWS && nodes[member] != NO_CHOICE; ++member)
        put_couplings(member);
    barrier();
    if (own < SIZE)
        before[own] = block[(SIZE + 1u) * own];
    eliminate();
    for (uint e = own; e < SIZE * SIZE; e += gl_WorkGroupSize.x) {
        const uint row = e / SIZE, column = e % SIZE;
        if (column <= row)
            roots[contact_root_place(group, row, column)] =
                sqrt(pivots[row]) * (column < row ? block[e] : real(1.0));
    }
    if (own < CONTACT_GROUP_ROWS && nodes[own] != NO_CHOICE)
        rows[nodes[own]].x |= ROW_IS_GROUPED;
    if (own < 6u * CONTACT_GROUP_ROWS && nodes[own / 6u] != NO_CHOICE)
        preconditioner[6u * nodes[own / 6u] + own % 6u] = real(0.0);
}
