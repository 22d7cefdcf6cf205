// variant: f64
// Constraints where a system begins: values with what the way of prescribed nodes adds, slopes without what pins hold, geometric stiffness
// of the last multipliers, and which inequalities hold at first. With `begin` 0, for forces, slopes alone, whole.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/saddle.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Numbers { Exact numbers[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Slopes { real3 slopes[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer Vectors { real vectors[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Sums { Exact sums[]; };
layout(scalar, set = 0, binding = 10) writeonly buffer Stiffness { real stiffness[]; };
layout(scalar, set = 0, binding = 11) writeonly buffer Holds { uint holds[]; };

#include "common/constraints/push.glsl"

#include "common/constraints/columns.glsl"
#include "common/constraints/places.glsl"
#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

void begin_system()
{
    for (uint k = 0u; k < CONTROL_SADDLE_COUNT; ++k)
        control[CONTROL_SADDLE + k] = 0u;
    control[CONTROL_SADDLE_FRESH] = 1u;
    control[ARGUMENTS_SADDLE] = control[ARGUMENTS_SADDLE_SIDES] = control[ARGUMENTS_SADDLE_FINISH] = 0u;
    control[ARGUMENTS_SADDLE_START] = control[CONTROL_GROUPS_SADDLE];
}

void keep_stiffness(uint c, uint kind, Exact3 y[CONSTRAINT_COLUMNS_MOST], real lambda[CONSTRAINT_ROWS_MOST])
{
    real products[CONSTRAINT_STIFFNESS_SIZE];
    constraint_stiffness(kind, y, lambda, (argument & SADDLE_STIFFNESS_CLAMPED) != 0u, products);
    for (uint k = 0u; k < CONSTRAINT_STIFFNESS_SIZE; ++k)
        stiffness[CONSTRAINT_STIFFNESS_SIZE * c + k] = products[k];
}

bool holds_at_first(uint side, real value, real lambda)
{
    const real sign = real(side == SADDLE_SIDE_AT_LEAST ? 1.0 : -1.0);
    return side == SADDLE_SIDE_BOTH || sign * value < real(0.0) || sign * lambda > real(0.0);
}

void main()
{
    const uint c = invocation_number();
    if (c == 0u && begin != 0u)
        begin_system();
    if (c >= constraint_count)
        return;
    const uint kind = constraint_word(c, CONSTRAINT_KIND), rows = CONSTRAINT_ROWS[kind],
               first = constraint_word(c, CONSTRAINT_FIRST_ENTRY), row = constraint_word(c, CONSTRAINT_FIRST_ROW);
    Exact3 y[CONSTRAINT_COLUMNS_MOST];
    ConstraintLocal local;
    constraint_columns(c, slot, y);
    constraint_evaluate(kind, y, constraint_number(c, CONSTRAINT_REST), local);
    real right[CONSTRAINT_ROWS_MOST] = local.value, lambda[CONSTRAINT_ROWS_MOST];
    uint at = constraint_word(c, CONSTRAINT_FIRST_SLOPE) / 3u;
    for (uint e = first; e < first + constraint_word(c, CONSTRAINT_ENTRY_COUNT); ++e) {
        const uint node = entry_word(e, ENTRY_NODE);
        for (uint r = 0u; r < rows; ++r, ++at) {
            const real3 slope = entry_slope(local, kind, e, r);
            slopes[at] = begin != 0u ? free_part(node, slope) : slope;
            if (begin != 0u) // 0 where nothing is prescribed
                right[r] += dot(slope, increment[node]);
        }
    }
    if (begin == 0u)
        return;
    for (uint r = 0u; r < rows; ++r) {
        lambda[r] = exact_value(sums[multiplier_place(row + r)]);
        vectors[row_place(SADDLE_RIGHT, row + r)] = right[r];
    }
    holds[c] = holds_at_first(constraint_word(c, CONSTRAINT_SIDE), local.value[0], lambda[0]) ? 1u : 0u;
    if ((argument & SADDLE_STIFFNESS_THERE) != 0u)
        keep_stiffness(c, kind, y, lambda);
}
