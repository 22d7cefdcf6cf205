// What the rows of the matrix share in the second half of an iteration, place by place: those of bodies whose masses are coupled come
// first, in fours, and are preconditioned together. Define `void keep_row(uint row, real3 r, real3 z)` before, and declare the buffers
// of common/cg_update.glsl, `preconditioner`, `matrix_rows`, `body_roots` and the push constants of common/linear_push.glsl.
#ifndef COMMON_CG_BODIES_GLSL
#define COMMON_CG_BODIES_GLSL

#include "common/cg_blocks.glsl"
#include "common/cg_update.glsl"
#include "common/matrix_rows.glsl"

/// The largest component of what an invocation has moved at free nodes.
real largest_moved = real(0.0);

void note_moved(uint row)
{
    const real3 moved = abs(increment[row]);
    largest_moved = max(largest_moved, max(moved.x, max(moved.y, moved.z)));
}

/// Block (a, b) of a body's root K, b <= a, as compute/newton_bodies leaves it.
real3x3 body_root(uint body, uint a, uint b)
{
    const uint bodies = coupled_count / 4u, first = 9u * (a * (a + 1u) / 2u + b) * bodies + body;
    real3x3 root;
    for (uint i = 0u; i < 3u; ++i)
        for (uint j = 0u; j < 3u; ++j)
            root[j][i] = body_roots[first + (3u * i + j) * bodies];
    return root;
}

/// K^T K r
void solve_body(uint body, real3 r[4], out real3 z[4])
{
    for (uint a = 0u; a < 4u; ++a)
        z[a] = real3(0.0);
    for (uint a = 0u; a < 4u; ++a) {
        real3x3 root[4];
        real3 sum = real3(0.0);
        for (uint b = 0u; b < 4u; ++b)
            if (b <= a) {
                root[b] = body_root(body, a, b);
                sum += root[b] * r[b];
            }
        for (uint b = 0u; b < 4u; ++b)
            if (b <= a)
                z[b] += sum * root[b];
    }
}

/// Moves the row at `place` by alpha and keeps it; where that is a body's first, all four of them, and none where it is another one
/// of them. Returns their part of r.z.
real move_rows(uint place, real alpha)
{
    if (place >= coupled_count) {
        const uint row = row_node(place);
        const real3 r = cg_move(row, alpha), z = solve_own_block(row, r);
        keep_row(row, r, z);
        if (place < free_count)
            note_moved(row);
        return dot(r, z);
    }
    real sum = real(0.0);
    if (place % 4u != 0u)
        return sum;
    real3 r[4], z[4];
    for (uint k = 0u; k < 4u; ++k)
        r[k] = cg_move(row_node(place + k), alpha);
    solve_body(place / 4u, r, z);
    for (uint k = 0u; k < 4u; ++k) {
        keep_row(row_node(place + k), r[k], z[k]);
        sum += dot(r[k], z[k]);
        note_moved(row_node(place + k));
    }
    return sum;
}

#endif
