// variant: f64
// Damping at the stage's iterate: C/t joins Newton's matrix, what holds back masses the nodes' own blocks, C v the gradient. In the time t nodes go from one slot's places to the other's,
// or what a slot has is their way. An invocation has a row.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/damping.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 3) readonly buffer FirstRows { real first_rows[]; }; ///< of C, without what holds back masses
layout(scalar, set = 0, binding = 4) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Drag { real drag[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 8) buffer NewtonFirstRows { real newton_first_rows[]; };
layout(scalar, set = 0, binding = 9) buffer NewtonSecondRows { real newton_second_rows[]; };
layout(scalar, set = 0, binding = 10) buffer NewtonThirdRows { real newton_third_rows[]; };
layout(scalar, set = 0, binding = 11) buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 12) writeonly buffer Force { real3 damping_force[]; };
layout(scalar, set = 0, binding = 13) buffer Own { real own_blocks[]; }; // six numbers a node, which newton_start adds to the diagonal
/// inverse: 1/t
layout(scalar, push_constant) uniform Push { Exact inverse; uint node_count, entry_count, to, from; };

#include "common/block_rows.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"

Exact3 way_of(uint i)
{
    const Exact3 end = slots[to * node_count + i];
    if (from == DAMPING_NO_SLOT)
        return end;
    return exact3_subtract(end, slots[from * node_count + i]);
}

/// A component of a row of blocks.
void join_component(uint e, real weight)
{
    newton_first_rows[e] += weight * first_rows[e];
    newton_second_rows[e] += weight * second_rows[e];
    newton_third_rows[e] += weight * third_rows[e];
}

void main()
{
    const uint place = invocation_number();
    if (place >= node_count)
        return;
    const uint row = row_node(place);
    const uvec2 entries = row_entries(place);
    const RowColumns own_columns = row_columns(place, entries.x);
    const real weight = exact_value(inverse), held = (flags[row] & NODE_IS_FREE) != 0u ? drag[row] : real(0.0);
    const Exact3 own = way_of(row);
    real3 sum = real3(0.0);
    for (uint e = entries.x; e < entries.y; e += SLICE_ROWS) {
        for (uint k = 0u; k < 3u; ++k)
            join_component(e + k * entry_count, weight);
        // No translation is damped: ways count as they differ from the row's own, which is nothing on the diagonal.
        sum += block_apply(e, exact3_difference(way_of(column_of(own_columns, e)), own));
    }
    for (uint k = 0u; k < 3u && held != real(0.0); ++k)
        own_blocks[6u * row + k] += weight * held;
    const real3 force = weight * (sum + held * exact3_value(own));
    damping_force[row] = force;
    gradient[row] += force;
}
