// variant: f64
// Elastic energy (rest energy subtracted), the smallest det F and inverted elements, of one energy model. Only the first
// `never_inverting` of its elements count as inverted.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_FIRST_OWN) const int ENERGY_MODEL = 0;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Tets { uint tets[]; };
layout(scalar, set = 0, binding = 2) readonly buffer TetNumbers { uint tet_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 6) buffer Indices { uint indices[]; };
layout(push_constant) uniform Push { uint first, count, never_inverting, tet_count, node_count, slot; };

#include "common/exact_sums.glsl"
#include "common/gather_tets.glsl"
#include "common/physics/energy/energy.glsl"
#include "common/svd3.glsl"

/// w (psi - psi at rest); sigma gets the singular values.
real energy_of(uint t, out real sigma[3])
{
    real g[9], f[9], u[9], v[9];
    gather_shape(t, g);
    gather_gradient(t, slot, g, f);
    svd3(f, u, sigma, v);
    const real kappa = parameters[TET_KAPPA * tet_count + t], lambda = parameters[TET_LAMBDA * tet_count + t];
    return energy_density_above_rest(ENERGY_MODEL, sigma, kappa, lambda);
}

void main()
{
    exact_sums_begin();
    real smallest = real(3e38);
    for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        const uint t = first + i;
        real sigma[3];
        const real energy = energy_of(t, sigma);
        const real det = sigma[0] * sigma[1] * sigma[2];
        smallest = min(smallest, det);
        if (det <= real(0.0) && i < never_inverting)
            atomicMin(indices[DIAGNOSE_INVERTED], tet_numbers[t]);
        if (energy < real(3e38))
            exact_sums_add(0u, exact(energy));
        else
            atomicMin(indices[DIAGNOSE_INFINITE], tet_numbers[t]);
    }
    exact_sums_end(DIAGNOSE_ELASTIC, gl_WorkGroupID.x);
    smallest_end(smallest, DIAGNOSE_DETERMINANT, gl_WorkGroupID.x);
}
