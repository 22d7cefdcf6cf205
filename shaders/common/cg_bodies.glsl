// What the rows of the matrix share in the second half of an iteration, place by place: those of bodies whose masses are coupled come
// first, in fours, and are preconditioned together. Define `void keep_row(uint place, uint row, real2 lengths, real3 r, real3 z)` before, and `real3 contact_way(uint row)`,
// what the row moves by as one of a group of contact's, whose own factors are 0, and whose part of r.z is counted elsewhere; declare the buffers
// of common/cg_update.glsl, `preconditioner`, `matrix_rows`, `body_roots` and the push constants of common/linear_push.glsl.
#ifndef COMMON_CG_BODIES_GLSL
#define COMMON_CG_BODIES_GLSL

#include "common/body_roots.glsl"
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

/// Moves the row at `place` and gives it its new direction; where that is a body's first, all four of them, and none where it is another
/// one of them. Returns their part of r.z.
real move_rows(uint place, real2 lengths)
{
    if (!is_of_body(place)) {
        const uint row = row_node(place);
        const real3 r = cg_move(row, lengths), z = solve_own_block(row, r);
        keep_row(place, row, lengths, r, z + contact_way(row));
        if (place < free_count)
            note_moved(row);
        return dot(r, z);
    }
    real sum = real(0.0);
    if (place % 4u != 0u)
        return sum;
    real3 r[4], z[4];
    for (uint k = 0u; k < 4u; ++k)
        r[k] = cg_move(row_node(place + k), lengths);
    solve_body(place / 4u, r, z);
    for (uint k = 0u; k < 4u; ++k) {
        keep_row(place + k, row_node(place + k), lengths, r[k], z[k]);
        sum += dot(r[k], z[k]);
        note_moved(row_node(place + k));
    }
    return sum;
}

#endif
