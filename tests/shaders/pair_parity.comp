// variant: f64
// One case of tests/parity/test_contact_parity.c per invocation: distance, barrier energy and its derivatives of a pair.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/physics/contact/pair_barrier.glsl"

#include "pair_parity.h"

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

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint in_at = PAIR_PARITY_INPUTS * gl_GlobalInvocationID.x,
               out_at = PAIR_PARITY_OUTPUTS * gl_GlobalInvocationID.x;
    const int kind = int(inputs[in_at + PAIR_PARITY_KIND]);
    const PairBarrier pair = PairBarrier(inputs[in_at + PAIR_PARITY_STIFFNESS], inputs[in_at + PAIR_PARITY_RANGE],
                                         inputs[in_at + PAIR_PARITY_SEPARATION], inputs[in_at + PAIR_PARITY_THRESHOLD]);
    Exact3 x[4];
    real3 y[4], step[4], gradient[4], product[4];
    for (uint i = 0u; i < 4u; ++i) {
        x[i] = input_position(in_at, i);
        step[i] = input_vector(in_at + PAIR_PARITY_STEP, i);
    }
    relative_vertices(x, y);

    const ClosestPoints closest = closest_points(y, kind);
    distance_sq_gradient(closest, gradient);
    outputs[out_at + PAIR_PARITY_DISTANCE] = sqrt(closest.distance_sq);
    outputs[out_at + PAIR_PARITY_FEATURES] = real(closest.features);
    for (uint i = 0u; i < 4u; ++i) {
        outputs[out_at + PAIR_PARITY_WEIGHTS + i] = closest.weights[i];
        write(out_at + PAIR_PARITY_D_GRADIENT + 3u * i, gradient[i]);
    }
    real weights[4], slope, magnitude;
    real3 r;
    outputs[out_at + PAIR_PARITY_ENERGY] = pair_barrier_energy(pair, y, kind);
    outputs[out_at + PAIR_PARITY_FORCE] = pair_barrier_force(pair, y, kind, weights, r);
    outputs[out_at + PAIR_PARITY_MOLLIFIER] =
        pair.parallel_threshold > real(0.0) ? mollifier(y, pair.parallel_threshold) : real(1.0);
    PairHessian hessian;
    pair_barrier_hessian(pair, y, kind, gradient, hessian);
    pair_hessian_apply(hessian, step, product);
    for (int i = 0; i < 4; ++i) {
        write(out_at + PAIR_PARITY_GRADIENT + 3u * i, gradient[i]);
        write(out_at + PAIR_PARITY_PRODUCT + 3u * i, product[i]);
        for (int l = 0; l < 4; ++l) {
            const real3x3 block = pair_hessian_block(hessian, i, l);
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column)
                    outputs[out_at + PAIR_PARITY_HESSIAN + 9 * (4 * i + l) + 3 * row + column] = block[column][row];
        }
    }
    outputs[out_at + PAIR_PARITY_CHANGE] = pair_barrier_change(pair, y, step, kind, slope, magnitude);
    outputs[out_at + PAIR_PARITY_SLOPE] = slope;
    outputs[out_at + PAIR_PARITY_MAGNITUDE] = magnitude;
}
