// variant: f64
// The local step of the copies for the air: the next S, mixed from the history, and Z = S - (w + B/t)^-1 B (S/t - wind).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Blocks { real blocks[]; };
layout(scalar, set = 0, binding = 3) readonly buffer AirWeights { real air_weights[]; };
layout(scalar, set = 0, binding = 4) buffer AirCopies { real air_copies[]; };
layout(scalar, push_constant) uniform Push { Exact3 wind; uint vertex_count, node_count; };

#include "common/air_copies.glsl"
#include "common/cg_vector.glsl"
#include "common/invocation.glsl"

void project(uint v)
{
    real3 s = air_load(AIR_COPY_IMAGE, v);
    for (uint j = 0u; j < control[CONTROL_MIXING]; ++j)
        s -= scalars[SCALAR_WEIGHTS + j] * air_load(AIR_COPY_IMAGE_DIFFERENCES + j, v);
    const real inverse = real(1.0) / scalars[SCALAR_STAGE_TIME];
    real block[6], response[6], factor[6];
    for (uint k = 0u; k < 6u; ++k) {
        block[k] = blocks[k * vertex_count + v];
        response[k] = block[k] * inverse + (k < 3u ? air_weights[v] : real(0.0));
    }
    factor_block(response, factor);
    const real3 z = s - solve_block(factor, symmetric_apply(block, inverse * s - exact3_value(wind)));
    for (uint k = 0u; k < 3u; ++k) {
        air_copies[air_place(AIR_COPY_STATE, v, k)] = s[k];
        air_copies[air_place(AIR_COPY_PROJECTED, v, k)] = z[k];
    }
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    for (uint v = invocation_number(); v < vertex_count; v += groups * gl_WorkGroupSize.x)
        if (air_weights[v] > real(0.0))
            project(v);
}
