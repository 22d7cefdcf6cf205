// variant: f64
// One case of tests/parity/test_contact_parity.c per invocation: the barrier, a plane's barrier, friction.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/geometry/tangent.glsl"
#include "common/physics/contact/friction.glsl"
#include "common/physics/contact/plane_barrier.glsl"

#include "contact_parity.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { real inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { real outputs[]; };
layout(push_constant) uniform Push { uint count, unused; };

#include "pair_inputs.glsl"

void write(uint at, real3 value)
{
    outputs[at] = value.x;
    outputs[at + 1u] = value.y;
    outputs[at + 2u] = value.z;
}

void write(uint at, real3x3 block)
{
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            outputs[at + 3 * row + column] = block[column][row];
}

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint in_at = CONTACT_PARITY_INPUTS * gl_GlobalInvocationID.x,
               out_at = CONTACT_PARITY_OUTPUTS * gl_GlobalInvocationID.x;
    const real gap = inputs[in_at + CONTACT_PARITY_GAP], range = inputs[in_at + CONTACT_PARITY_RANGE];
    outputs[out_at + CONTACT_PARITY_BARRIER] = barrier(gap, range);
    outputs[out_at + CONTACT_PARITY_BARRIER + 1u] = barrier_slope(gap, range);
    outputs[out_at + CONTACT_PARITY_BARRIER + 2u] = barrier_curvature(gap, range);
    outputs[out_at + CONTACT_PARITY_BARRIER + 3u] = barrier_change(gap, inputs[in_at + CONTACT_PARITY_RISE], range);

    const PlaneBarrier plane = PlaneBarrier(inputs[in_at + CONTACT_PARITY_COEFFICIENT], range,
                                            inputs[in_at + CONTACT_PARITY_SEPARATION]);
    Exact3 x[3];
    real3 step[3], normal, gradient[3], factor;
    real slope, magnitude;
    for (uint i = 0u; i < 3u; ++i) {
        x[i] = input_position(in_at + CONTACT_PARITY_X, i);
        step[i] = input_vector(in_at + CONTACT_PARITY_STEP, i);
    }
    outputs[out_at + CONTACT_PARITY_PLANE_GAP] = plane_barrier_gap(plane, x, normal);
    write(out_at + CONTACT_PARITY_PLANE_NORMAL, normal);
    outputs[out_at + CONTACT_PARITY_PLANE_ENERGY] = plane_barrier_energy(plane, x);
    outputs[out_at + CONTACT_PARITY_PLANE_FORCE] = plane_barrier_force(plane, x, normal);
    plane_barrier_hessian(plane, x, gradient, factor);
    write(out_at + CONTACT_PARITY_PLANE_GRADIENT, gradient[0]);
    write(out_at + CONTACT_PARITY_PLANE_BLOCK, outerProduct(factor, factor));
    outputs[out_at + CONTACT_PARITY_PLANE_CHANGE] = plane_barrier_change(plane, x, step, slope, magnitude);
    outputs[out_at + CONTACT_PARITY_PLANE_CHANGE + 1u] = slope;
    outputs[out_at + CONTACT_PARITY_PLANE_CHANGE + 2u] = magnitude;

    FrictionContact contact;
    real3 motion[4], further[4], pull[4];
    for (uint i = 0u; i < 4u; ++i) {
        contact.weights[i] = inputs[in_at + CONTACT_PARITY_WEIGHTS + i];
        motion[i] = input_vector(in_at + CONTACT_PARITY_MOTION, i);
        further[i] = input_vector(in_at + CONTACT_PARITY_FURTHER, i);
    }
    contact.drift = real3(0.0);
    contact.coefficient = inputs[in_at + CONTACT_PARITY_COEFFICIENT];
    tangent_basis(input_vector(in_at + CONTACT_PARITY_NORMAL, 0u), contact.tangents);
    const FrictionLaw law = FrictionLaw(inputs[in_at + CONTACT_PARITY_SEMI_IMPLICIT] > real(0.0),
                                        inputs[in_at + CONTACT_PARITY_SCALE]);
    contact.dual = real2(inputs[in_at + CONTACT_PARITY_DUAL], inputs[in_at + CONTACT_PARITY_DUAL + 1u]);
    contact.slip = real2(inputs[in_at + CONTACT_PARITY_SLIP], inputs[in_at + CONTACT_PARITY_SLIP + 1u]);
    contact.trust = inputs[in_at + CONTACT_PARITY_TRUST];
    friction_follow(contact, law, motion);
    outputs[out_at + CONTACT_PARITY_TRUSTED] = contact.trust;
    for (uint i = 0u; i < 2u; ++i)
        outputs[out_at + CONTACT_PARITY_FOLLOWED + i] = contact.dual[i];
    const FrictionHessian hessian = friction_hessian(contact, law, motion, pull);
    outputs[out_at + CONTACT_PARITY_FRICTION] = friction_energy(contact, law, motion);
    outputs[out_at + CONTACT_PARITY_FRICTION + 1u] = friction_loss(contact, law, motion);
    outputs[out_at + CONTACT_PARITY_FRICTION + 2u] = friction_change(contact, law, motion, further, slope, magnitude);
    outputs[out_at + CONTACT_PARITY_FRICTION + 3u] = slope;
    outputs[out_at + CONTACT_PARITY_FRICTION + 4u] = magnitude;
    for (uint i = 0u; i < 4u; ++i)
        write(out_at + CONTACT_PARITY_FRICTION_GRADIENT + 3u * i, pull[i]);
    write(out_at + CONTACT_PARITY_FRICTION_BLOCK, friction_hessian_block(hessian, contact.weights[0], contact.weights[3]));
    write(out_at + CONTACT_PARITY_TANGENTS, contact.tangents[0]);
    write(out_at + CONTACT_PARITY_TANGENTS + 3u, contact.tangents[1]);
}
