// What the rows of the matrix share in the second half of an iteration, place by place: those of bodies whose masses are coupled come
// first, in fours, and are preconditioned together. Declare the buffers of common/cg_update.glsl, `preconditioner`, `matrix_rows`,
// `body_roots` and the push constants of common/linear_push.glsl before.
#ifndef COMMON_CG_BODIES_GLSL
#define COMMON_CG_BODIES_GLSL

#include "common/body_roots.glsl"
#include "common/cg_blocks.glsl"
#include "common/cg_update.glsl"
#include "common/matrix_rows.glsl"

/// What is done with the row of a node that has moved to the residual r; p is `before`, and r preconditioned z.
void keep_row(uint place, uint node, real3 r, real3 before, real2 lengths, real3 z);
/// What a row moves by as one of a group of contact's, whose own factors are 0, and whose part of r.z is counted elsewhere.
real3 contact_way(uint node, bool has_factors);

/// The largest component of what an invocation has moved at free nodes.
real largest_moved = real(0.0);

void note_moved(real3 increment)
{
    const real3 moved = abs(increment);
    largest_moved = max(largest_moved, max(moved.x, max(moved.y, moved.z)));
}

/// Moves the row at `place` and gives it its new direction; where that is a body's first, all four of them, and none where it is another
/// one of them. Returns their part of r.z.
real move_rows(uint place, real2 lengths)
{
    real3 p, x;
    if (!is_of_body(place)) {
        const uint node = row_node(place);
        real factor[6];
        real3 r;
        block_factor(node, factor); // before what is stored: so it is under way with the vectors
        cg_move(node, lengths, p, r, x);
        const real3 z = solve_block(factor, r);
        keep_row(place, node, r, p, lengths, z + contact_way(node, factor[0] != real(0.0)));
        if (place < free_count)
            note_moved(x);
        return dot(r, z);
    }
    real sum = real(0.0);
    if (place % 4u != 0u)
        return sum;
    real3 r[4], z[4];
    for (uint k = 0u; k < 4u; ++k) {
        real3 own;
        cg_move(row_node(place + k), lengths, p, own, x);
        note_moved(x);
        r[k] = own;
    }
    solve_body(place / 4u, r, z);
    for (uint k = 0u; k < 4u; ++k) {
        const uint node = row_node(place + k);
        keep_row(place + k, node, r[k], direction[node], lengths, z[k]);
        sum += dot(r[k], z[k]);
    }
    return sum;
}

#endif
