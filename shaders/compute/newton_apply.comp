// variant: f64
// First half of an iteration of the conjugate gradients for the matrix of Newton's method.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/coarse.h"
#include "abi/contact_groups.h"
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 5) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 7) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 9) coherent buffer Product { real3 product[]; };
layout(scalar, set = 0, binding = 10) readonly buffer ChangingRows { uvec2 changing_rows[]; };
layout(scalar, set = 0, binding = 11) readonly buffer ChangingColumns { uvec2 changing_columns[]; };
layout(scalar, set = 0, binding = 12) readonly buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(scalar, set = 0, binding = 13) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 14) readonly buffer BodyRoots { real body_roots[]; };
layout(scalar, set = 0, binding = 15) readonly buffer ClusterRoots { real cluster_roots[]; };

#include "common/linear_push.glsl"

#include "common/block_rows.glsl"
#include "common/body_roots.glsl"
#include "common/cg_apply.glsl"
#include "common/handed_blocks.glsl"
#include "common/matrix_columns.glsl"

uint row_count()
{
    return free_count;
}

/// What contact adds to a row: its blocks from `first` to before `end`, some at once.
real3 changing_product(uint first, uint end)
{
    real3 sum = real3(0.0);
    for (uint b = first; b < end; b += ENTRIES_AT_ONCE) {
        uint column[ENTRIES_AT_ONCE];
        real3 part[ENTRIES_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            column[k] = changing_columns[min(b + k, end - 1u)].x;
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            part[k] = changing_blocks[min(b + k, end - 1u)] * direction[column[k]];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            sum += b + k < end ? part[k] : real3(0.0);
    }
    return sum;
}

/// Of the invocation's row in the stripe.
uint handed_word;

void row_begin(RowHead head)
{
    handed_word = columns[handed_words(head)];
}

real3 row_product(uint place, RowHead head, real3 own)
{
    const uint end = read_end(head, handed_word), last = handed_end(head, handed_word);
    real sums[6];
    row_sum(row_sum_entry(place), sums);
    real3 sum = symmetric_apply(sums, own);
    // Some entries at once: their loads are under way together. The last round may read the last entry again.
    for (uint e = head.entries.x + SLICE_ROWS; e < end; e += ENTRIES_AT_ONCE * SLICE_ROWS) {
        uint column[ENTRIES_AT_ONCE], places[ENTRIES_AT_ONCE / 2u];
        real3x3 block[ENTRIES_AT_ONCE];
        real3 against[ENTRIES_AT_ONCE]; // how the column's node moves against the row's
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            column[k] = column_of(head.columns, entry_at_once(e, k, end));
        if (e < last)
            [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE / 2u; ++k)
                places[k] = handed_places(head, (e - head.entries.x - SLICE_ROWS) / (2u * SLICE_ROWS) + k);
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k) {
            block[k] = block_at(entry_at_once(e, k, end));
            against[k] = direction[column[k]] - own;
        }
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k) {
            sum += e + k * SLICE_ROWS < end ? block[k] * against[k] : real3(0.0);
            // Here and not in a loop of its own, so that no more registers are wanted.
            if (e + k * SLICE_ROWS < last)
                hand_on(k % 2u == 0u ? places[k / 2u] & 0xffffu : places[k / 2u] >> 16, -against[k] * block[k]);
        }
    }
    const uvec2 range = changes != 0u ? changing_rows[head.node] : uvec2(0u);
    return sum + changing_product(range.x & ~ROW_IS_GROUPED, range.y);
}

void rows_exchange()
{
    if (group_count != 0u)
        barrier();
}

real3 row_total(uint place, RowHead head, real3 own, real3 sum, out real image)
{
    const bool is_grouped = changes != 0u && changing_rows[head.node].x >= ROW_IS_GROUPED;
    const real3 total = sum + handed_sum(handed_word);
    // The factors that compute/newton_start has made of the diagonal's block: less to compute than to read, as that has just been read.
    real diagonal[6], factor[6];
    symmetric_block(head.entries.x, diagonal);
    factor_block(diagonal, factor);
    // Rows in groups of contact's are in compute/coarse_forward.
    image = is_of_body(place) || is_grouped ? real(0.0) : dot(total, solve_block(factor, total));
    return total;
}

real rows_image(uvec2 places)
{
    if (!HAS_BODIES)
        return real(0.0);
    // The four rows of a body are products of this workgroup's invocations.
    memoryBarrierBuffer();
    barrier();
    const uint place = places.x + gl_LocalInvocationIndex;
    if (place >= min(places.y, coupled_count) || place % 4u != 0u)
        return real(0.0);
    real3 image[4];
    for (uint k = 0u; k < 4u; ++k)
        image[k] = product[row_node(place + k)];
    return body_image(place / 4u, image);
}

void end_solve(uint iterations, bool good)
{
    control[CONTROL_STOP] = NEWTON_SOLVED;
    control[ARGUMENTS_CG] = control[ARGUMENTS_COARSE] = control[ARGUMENTS_CHUNKS] = 0u;
    control[ARGUMENTS_AFTER_NODES] = control[CONTROL_GROUPS_NODES];
}

void main()
{
    cg_apply();
}
