// variant: f64
// One case of tests/parity/test_constraint_parity.c per invocation: values, slopes and geometric stiffness of a kind of constraint.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/physics/constraint/constraint.glsl"

#include "constraint_parity.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { real inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { real outputs[]; };
layout(push_constant) uniform Push { uint count, kind; };

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint in_at = PARITY_INPUTS * gl_GlobalInvocationID.x, out_at = PARITY_OUTPUTS * gl_GlobalInvocationID.x;
    Exact3 y[CONSTRAINT_COLUMNS_MOST];
    real lambda[CONSTRAINT_ROWS_MOST], stiffness[6];
    ConstraintLocal local;
    for (uint c = 0u; c < CONSTRAINT_COLUMNS_MOST; ++c) {
        const uint at = in_at + PARITY_COLUMNS + 3u * c;
        y[c] = exact3(real3(inputs[at], inputs[at + 1u], inputs[at + 2u]));
    }
    for (uint r = 0u; r < CONSTRAINT_ROWS_MOST; ++r)
        lambda[r] = inputs[in_at + PARITY_LAMBDA + r];
    constraint_evaluate(kind, y, exact(inputs[in_at + PARITY_REST]), local);
    constraint_stiffness(kind, y, lambda, inputs[in_at + PARITY_CLAMP] != real(0.0), stiffness);
    for (uint r = 0u; r < CONSTRAINT_ROWS_MOST; ++r) {
        outputs[out_at + PARITY_VALUES + r] = local.value[r];
        for (uint k = 0u; k < 3u * CONSTRAINT_COLUMNS_MOST; ++k)
            outputs[out_at + PARITY_SLOPES + 3u * CONSTRAINT_COLUMNS_MOST * r + k] = local.slope[r][k / 3u][k % 3u];
    }
    for (uint k = 0u; k < 6u; ++k)
        outputs[out_at + PARITY_STIFFNESS + k] = stiffness[k];
}
