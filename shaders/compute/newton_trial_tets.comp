// variant: f64
// Elements of one energy model along the direction: change of their energy, formed element by element, and its derivative.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_FIRST_OWN) const int ENERGY_MODEL = 0;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Tets { uint tets[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Elements { real elements[]; };
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 7) buffer Indices { uint indices[]; };
layout(push_constant) uniform Push { uint first, count, tet_count, node_count, halvings; };

#include "common/gather_increment.glsl"
#include "common/gather_tets.glsl"
#include "common/physics/energy/energy.glsl"
#include "common/svd3.glsl"
#include "common/trials.glsl"

/// u_k . D v_k
real along(real u[9], real change[9], real v[9], int k)
{
    real sum = real(0.0);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            sum += u[3 * row + k] * change[3 * row + column] * v[3 * column + k];
    return sum;
}

void try_step(uint t, uint i, real trial[9], real change[9])
{
    const real kappa = parameters[TET_KAPPA * tet_count + t], lambda = parameters[TET_LAMBDA * tet_count + t];
    const real start = elements[ELEMENT_SIZE * t + ELEMENT_ENERGY];
    real u[9], v[9], sigma[3], stress[3];
    svd3(trial, u, sigma, v);
    const real energy = energy_density_above_rest(ENERGY_MODEL, sigma, kappa, lambda);
    energy_stress(ENERGY_MODEL, sigma, kappa, lambda, stress);
    real slope = real(0.0), pull = real(0.0);
    for (int k = 0; k < 3; ++k) {
        slope += stress[k] * along(u, change, v, k);
        pull += abs(stress[k]);
    }
    // The stretches are good to some roundings of the largest.
    trial_add(i, energy - start, slope, abs(energy) + abs(start) + pull * sigma[0]);
}

void main()
{
    const real step = first_step();
    exact_sums_begin();
    for (uint e = gl_GlobalInvocationID.x; e < count; e += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        const uint t = first + e;
        real g[9], f[9], change[9], trial[9], s = step;
        gather_shape(t, g);
        gather_gradient(t, ABI_SLOT_STAGE, g, f);
        gather_increment(t, g, change);
        for (uint i = 0u; i < TRIALS_MOST; ++i) {
            for (int k = 0; k < 9; ++k)
                trial[k] = f[k] + s * change[k];
            try_step(t, i, trial, change);
            s *= real(0.5);
        }
    }
    exact_sums_end(TRIAL_DIFFERENCE, gl_WorkGroupID.x);
}
