// variant: f64
// First half of an iteration of the conjugate gradients for the global matrix of ADMM.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/coarse.h"
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

#define MOTIONS_ARE_AFFINE

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 4) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Values { real values[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Product { real3 product[]; };
layout(scalar, set = 0, binding = 10) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 11) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 12) readonly buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 13) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 14) readonly buffer ClusterRoots { real cluster_roots[]; };

/// changes: what the matrix has beside its entries has been applied before.
#include "common/linear_push.glsl"

#include "common/cg_apply.glsl"
#include "common/cg_blocks.glsl"
#include "common/contact/split_block.glsl"
#include "common/control.glsl"
#include "common/matrix_columns.glsl"
#include "common/partial_pins.glsl"

uint row_count()
{
    return node_count;
}

real rows_image(uvec2 places)
{
    return real(0.0);
}

void row_begin(RowHead head) {}

real3 row_product(uint place, RowHead head, real3 own)
{
    const uvec2 entries = head.entries;
    const uint row = head.node;
    real3 sum = values[entries.x] * own;
    // Some entries at once: their loads are under way together. The last rounds of a slice may read its last entries again.
    for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += ENTRIES_AT_ONCE * SLICE_ROWS) {
        uint column[ENTRIES_AT_ONCE];
        real3 part[ENTRIES_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            column[k] = column_of(head.columns, entry_at_once(e, k, entries.y));
        if (column[0] == row) // from here on there is only padding
            break;
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            part[k] = values[entry_at_once(e, k, entries.y)] * direction[column[k]];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            sum += column[k] != row && e + k * SLICE_ROWS < entries.y ? part[k] : real3(0.0);
    }
    return sum;
}

void rows_exchange() {}

real3 row_total(uint place, RowHead head, real3 own, real3 sum, out real image)
{
    const uint row = head.node;
    if ((flags[row] & NODE_IS_FREE) != 0u && flags[row] >> NODE_SURFACE_SHIFT != 0u) {
        sum += symmetric_apply(split_block(exact_value(masses[row])), own);
    }
    if (changes != 0u && (flags[row] & NODE_IS_FREE) != 0u)
        sum += gradient[row];
    sum = free_part(row, sum);
    image = dot(sum, solve_own_block(row, sum));
    return sum;
}

void end_solve(uint iterations, bool good)
{
    control[CONTROL_CG_TOTAL] += iterations;
    control[CONTROL_CG_MOST] = max(control[CONTROL_CG_MOST], iterations);
    control[CONTROL_BAD_SOLVES] += good ? 0u : 1u;
    end_solve_step();
    run_after_step();
}

void main()
{
    cg_apply();
}
