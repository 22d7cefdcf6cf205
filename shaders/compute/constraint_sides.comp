// variant: f64
// Which inequalities hold: what would pull the wrong way is dropped, and what the direction would violate is taken up (theory.md section 10). Where
// that changes anything the system is solved again. One workgroup.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Slopes { real3 slopes[]; };
layout(scalar, set = 0, binding = 3) buffer Vectors { real vectors[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Sums { Exact sums[]; };
layout(scalar, set = 0, binding = 5) buffer Holds { uint holds[]; };

#include "common/constraints/push.glsl"

#include "common/constraints/ending.glsl"
#include "common/constraints/exact_products.glsl"

shared uint changed;

/// Whether a constraint with a side is wrong as it is.
bool is_wrong(uint c)
{
    const uint row = constraint_word(c, CONSTRAINT_FIRST_ROW);
    const real value = holds[c] != 0u ? exact_value(whole_lambda(row)) : exact_value(whole_value(c, 1u, 0u));
    return constraint_word(c, CONSTRAINT_SIDE) == SADDLE_SIDE_AT_LEAST ? value < real(0.0) : value > real(0.0);
}

void decide()
{
    control[ARGUMENTS_SADDLE_SIDES] = 0u;
    if (changed == 0u || ++control[CONTROL_SADDLE_ROUNDS] >= ACTIVE_ROUNDS_MOST) {
        end_system();
        return;
    }
    control[CONTROL_SADDLE_FRESH] = 1u;
    control[CONTROL_CG_LIMIT] = control[CONTROL_CG_ITERATION] + limit;
    control[ARGUMENTS_SADDLE_START] = control[CONTROL_GROUPS_SADDLE];
}

void main()
{
    if (gl_LocalInvocationIndex == 0u)
        changed = 0u;
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < side_count; i += gl_WorkGroupSize.x) {
        const uint c = lists[first_side + i];
        if (is_wrong(c)) {
            holds[c] = 1u - holds[c];
            atomicOr(changed, 1u);
        }
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        decide();
}
