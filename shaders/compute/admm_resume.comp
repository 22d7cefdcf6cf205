// One invocation: (begins a stage and) lets the next iterations run.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/control.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(push_constant) uniform Push { uint begin, depth, count; };

#include "common/control.glsl"
#include "common/invocation.glsl"

void main()
{
    if (invocation_number() != 0u)
        return;
    if (begin != 0u) {
        control[CONTROL_ITERATION] = 0u;
        control[CONTROL_DEPTH] = depth;
        control[CONTROL_KEPT] = 0u;
        control[CONTROL_NEXT] = 0u;
        control[CONTROL_HAS_PREVIOUS] = 0u;
        control[CONTROL_MIXING] = 0u;
        control[CONTROL_HISTORY] = 0u;
        control[CONTROL_NEWEST] = 0xffffffffu;
    }
    control[CONTROL_LIMIT] = control[CONTROL_ITERATION] + count;
    control[CONTROL_STOP] = ADMM_RUNNING;
    control[CONTROL_CG_TOTAL] = 0u;
    control[CONTROL_CG_MOST] = 0u;
    control[CONTROL_BAD_SOLVES] = 0u;
    end_solve_step();
    control[CONTROL_CG_WARM] = 0u;
    end_after_step();
    end_dual();
    run_local_step();
}
