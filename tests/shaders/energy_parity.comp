// variant: f64
// One case of tests/parity/test_energy_parity.c per invocation: the singular value decomposition of F, and the energy, its
// derivatives and its prox for the given values; logarithm and exponential.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/physics/energy/energy.glsl"
#include "common/physics/energy/projected_hessian.glsl"
#include "common/real_math.glsl"
#include "common/svd3.glsl"

#include "energy_parity.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { real inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { real outputs[]; };
layout(push_constant) uniform Push { uint count; int model; };

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint in_at = PARITY_INPUTS * gl_GlobalInvocationID.x, out_at = PARITY_OUTPUTS * gl_GlobalInvocationID.x;
    real f[9], u[9], s[3], v[9], values[3], q[3], stress[3], p[9], hessian[12], prox[3], block[9];
    real3 ga, gb;
    for (int i = 0; i < 9; ++i)
        f[i] = inputs[in_at + PARITY_F + i];
    for (int i = 0; i < 3; ++i) {
        ga[i] = inputs[in_at + PARITY_SHAPES + i];
        gb[i] = inputs[in_at + PARITY_SHAPES + 3 + i];
        values[i] = inputs[in_at + PARITY_VALUES + i];
        q[i] = inputs[in_at + PARITY_Q + i];
    }
    const real kappa = inputs[in_at + PARITY_KAPPA], lambda = inputs[in_at + PARITY_LAMBDA];
    const real rho = inputs[in_at + PARITY_RHO], argument = inputs[in_at + PARITY_ARGUMENT];

    svd3(f, u, s, v);
    for (int i = 0; i < 9; ++i) {
        outputs[out_at + PARITY_U + i] = u[i];
        outputs[out_at + PARITY_V + i] = v[i];
    }
    energy_stress(model, values, kappa, lambda, stress);
    energy_hessian(model, values, kappa, lambda, hessian);
    energy_prox(model, q, kappa, lambda, rho, prox);
    outputs[out_at + PARITY_DENSITY] = energy_density(model, values, kappa, lambda);
    outputs[out_at + PARITY_ABOVE_REST] = energy_density_above_rest(model, values, kappa, lambda);
    for (int i = 0; i < 3; ++i) {
        outputs[out_at + PARITY_S + i] = s[i];
        outputs[out_at + PARITY_STRESS + i] = stress[i];
        outputs[out_at + PARITY_PROX + i] = prox[i];
    }
    for (int i = 0; i < 12; ++i)
        outputs[out_at + PARITY_HESSIAN + i] = hessian[i];
    // The projected Hessian in the basis of F's singular vectors: any rotations will do.
    energy_hessian_project(hessian);
    hessian_block(hessian, u, ga, gb, block);
    piola_stress(u, stress, v, p);
    for (int i = 0; i < 9; ++i) {
        outputs[out_at + PARITY_BLOCK + i] = block[i];
        outputs[out_at + PARITY_PIOLA + i] = p[i];
    }
    outputs[out_at + PARITY_LOG] = real_log(abs(argument));
    outputs[out_at + PARITY_EXP] = real_exp(argument);
}
