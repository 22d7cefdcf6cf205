// variant: f64
// Elements of one energy model at the stage's iterate: energy, corner forces of w P, and what the Hessian's blocks are made
// of, projected to positive semidefinite or not.
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
layout(scalar, set = 0, binding = 2) readonly buffer CornerSlots { uint corner_slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Elements { real elements[]; };
layout(push_constant) uniform Push { uint first, count, tet_count, node_count, project; };

#include "common/gather_tets.glsl"
#include "common/physics/energy/energy.glsl"
#include "common/physics/energy/projected_hessian.glsl"
#include "common/svd3.glsl"

void write_stress(uint t, real g[9], real u[9], real stress[3], real v[9])
{
    real p[9];
    real3 force[4];
    piola_stress(u, stress, v, p);
    corner_forces_of(p, g, force);
    for (uint c = 0u; c < 4u; ++c)
        corner_forces[corner_slots[c * tet_count + t]] = force[c];
}

/// V^T G_a of the four corners.
void write_shapes(uint at, real g[9], real v[9])
{
    real3 sum = real3(0.0);
    for (uint a = 0u; a < 3u; ++a) {
        const uint row = 3u * a;
        real3 turned;
        for (uint j = 0u; j < 3u; ++j)
            turned[j] = g[row] * v[j] + g[row + 1u] * v[3u + j] + g[row + 2u] * v[6u + j];
        for (uint j = 0u; j < 3u; ++j)
            elements[at + row + 3u + j] = turned[j];
        sum += turned;
    }
    for (uint j = 0u; j < 3u; ++j)
        elements[at + j] = -sum[j];
}

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint t = first + gl_GlobalInvocationID.x, at = ELEMENT_SIZE * t;
    const real kappa = parameters[TET_KAPPA * tet_count + t], lambda = parameters[TET_LAMBDA * tet_count + t];
    real g[9], f[9], u[9], v[9], sigma[3], stress[3], hessian[12];
    gather_shape(t, g);
    gather_gradient(t, ABI_SLOT_STAGE, g, f);
    svd3(f, u, sigma, v);
    // What is written at once does not take registers until the end.
    for (uint k = 0u; k < 9u; ++k)
        elements[at + ELEMENT_U + k] = u[k];
    write_shapes(at + ELEMENT_SHAPES, g, v);
    elements[at + ELEMENT_ENERGY] = energy_density_above_rest(ENERGY_MODEL, sigma, kappa, lambda);
    energy_stress(ENERGY_MODEL, sigma, kappa, lambda, stress);
    write_stress(t, g, u, stress, v);
    energy_hessian(ENERGY_MODEL, sigma, kappa, lambda, hessian);
    if (project != 0u)
        energy_hessian_project(hessian);
    for (uint k = 0u; k < 12u; ++k)
        elements[at + ELEMENT_HESSIAN + k] = hessian[k];
}
