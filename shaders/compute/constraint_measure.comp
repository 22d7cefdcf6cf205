// variant: f64
// Energy of the constraints with compliance, and the largest error of hard ones, as model_constraint_state of src/model/constraints.c has them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/diagnosis.h"
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Numbers { Exact numbers[]; };
layout(scalar, set = 0, binding = 3) buffer Diagnosis { Exact diagnosis[]; };

#include "common/constraints/push.glsl"

#include "common/constraints/columns.glsl"
#include "common/constraints/compliance.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

/// v C^-1 v of a constraint with compliance.
real stored(uint c, uint kind, real v[CONSTRAINT_ROWS_MOST])
{
    const uint rows = CONSTRAINT_ROWS[kind], normal = normal_rows(kind, rows);
    const Exact compliance = constraint_number(c, CONSTRAINT_COMPLIANCE), between = constraint_number(c, CONSTRAINT_COUPLED);
    const real coupled = exact_value(between), own = exact_difference(compliance, between),
               sheared = exact_value(constraint_number(c, CONSTRAINT_SHEARED));
    real squares = real(0.0), sum = real(0.0);
    for (uint r = 0u; r < normal; ++r) {
        squares += v[r] * v[r];
        sum += v[r];
    }
    real energy = (squares - coupled / (own + real(normal) * coupled) * sum * sum) / own;
    for (uint r = normal; r < rows; ++r)
        energy += v[r] * v[r] / sheared;
    return energy;
}

bool is_met(uint side, real value)
{
    return (side == SADDLE_SIDE_AT_MOST && value <= real(0.0)) || (side == SADDLE_SIDE_AT_LEAST && value >= real(0.0));
}

void main()
{
    const uint groups = sum_groups(constraint_count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
    real largest = real(0.0);
    for (uint c = invocation_number(); c < constraint_count; c += groups * gl_WorkGroupSize.x) {
        const uint kind = constraint_word(c, CONSTRAINT_KIND);
        const real arm = exact_value(constraint_number(c, CONSTRAINT_ARM));
        Exact3 y[CONSTRAINT_COLUMNS_MOST];
        ConstraintLocal local;
        constraint_columns(c, slot, y);
        constraint_evaluate(kind, y, constraint_number(c, CONSTRAINT_REST), local);
        if (is_met(constraint_word(c, CONSTRAINT_SIDE), local.value[0]))
            continue;
        if (exact_value(constraint_number(c, CONSTRAINT_COMPLIANCE)) > real(0.0))
            exact_sums_add(0u, exact(real(0.5) * stored(c, kind, local.value)));
        else
            for (uint r = 0u; r < CONSTRAINT_ROWS[kind]; ++r)
                largest = max(largest, arm * abs(local.value[r]));
    }
    exact_sums_end(DIAGNOSE_CONSTRAINT, group_number());
    smallest_end(-largest, DIAGNOSE_UNMET, group_number());
}
