// variant: f64
// One case of tests/parity/test_vulkan_planes.c per invocation: the penalty of a plane and what follows from it, the gap of
// a sphere, the prox of friction.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/physics/contact/friction.glsl"
#include "common/physics/contact/penalty_shape.glsl"
#include "common/physics/contact/plane_penalty.glsl"

#include "plane_parity.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { real inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { real outputs[]; };
layout(push_constant) uniform Push { uint count, unused; };

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint in_at = PARITY_INPUTS * gl_GlobalInvocationID.x, out_at = PARITY_OUTPUTS * gl_GlobalInvocationID.x;
    const real stiffness = inputs[in_at + PARITY_STIFFNESS], gap = inputs[in_at + PARITY_GAP];
    real magnitude;
    outputs[out_at + PARITY_ENERGY] = plane_penalty_energy(stiffness, gap);
    outputs[out_at + PARITY_SLOPE] = plane_penalty_slope(stiffness, gap);
    outputs[out_at + PARITY_CURVATURE] = plane_penalty_curvature(stiffness, gap);
    outputs[out_at + PARITY_CHANGE] = plane_penalty_change(stiffness, gap, inputs[in_at + PARITY_RISE], magnitude);
    outputs[out_at + PARITY_MAGNITUDE] = magnitude;
    const real weight = plane_penalty_weight(stiffness, inputs[in_at + PARITY_INERTIA]);
    outputs[out_at + PARITY_WEIGHT] = weight;
    outputs[out_at + PARITY_PROX] = plane_penalty_prox(stiffness, weight, gap);
    const real3 arm = real3(inputs[in_at + PARITY_ARM], inputs[in_at + PARITY_ARM + 1u], inputs[in_at + PARITY_ARM + 2u]),
                way = real3(inputs[in_at + PARITY_WAY], inputs[in_at + PARITY_WAY + 1u], inputs[in_at + PARITY_WAY + 2u]),
                left = friction_prox(inputs[in_at + PARITY_LIMIT], way);
    real3 normal;
    outputs[out_at + PARITY_SPHERE_GAP] = sphere_gap(exact3(arm), exact(inputs[in_at + PARITY_RADIUS]), normal);
    outputs[out_at + PARITY_SPHERE_RISE] = sphere_gap_rise(arm, way);
    for (uint k = 0u; k < 3u; ++k) {
        outputs[out_at + PARITY_NORMAL + k] = normal[k];
        outputs[out_at + PARITY_FRICTION_PROX + k] = left[k];
    }
}
