// variant: f64
// The local step of the elements of one energy model: the next S, mixed from the history; Z = U prox(sigma) V^T; and the
// corner forces of rho (2 Z - S - J).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_FIRST_OWN) const int ENERGY_MODEL = 0;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerSlots { uint corner_slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) buffer Matrices { real matrices[]; };
layout(scalar, set = 0, binding = 6) readonly buffer ImageDifferences { float image_differences[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer CornerForces { real3 corner_forces[]; };
layout(push_constant) uniform Push { uint first, count, tet_count; };

#include "common/physics/energy/energy.glsl"
#include "common/svd3.glsl"
#include "common/tets.glsl"

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint t = first + gl_GlobalInvocationID.x, section = 9u * tet_count;
    real s[9];
    for (uint k = 0u; k < 9u; ++k)
        s[k] = matrices[TET_IMAGE * section + k * tet_count + t];
    for (uint j = 0u; j < control[CONTROL_MIXING]; ++j) {
        const real weight = scalars[SCALAR_WEIGHTS + j];
        for (uint k = 0u; k < 9u; ++k)
            s[k] -= weight * real(image_differences[j * section + k * tet_count + t]);
    }
    // Read again where it is needed: it does not take registers while the prox is found.
    for (uint k = 0u; k < 9u; ++k)
        matrices[TET_STATE * section + k * tet_count + t] = s[k];
    real u[9], v[9], sigma[3], projected_sigma[3], z[9], stress[9], g[9];
    svd3(s, u, sigma, v);
    const real rho = scalars[SCALAR_PENALTY_SCALE] * parameters[TET_PENALTY * tet_count + t];
    energy_prox(ENERGY_MODEL, sigma, parameters[TET_KAPPA * tet_count + t], parameters[TET_LAMBDA * tet_count + t], rho,
                projected_sigma);
    compose(u, projected_sigma, v, z);
    for (uint k = 0u; k < 9u; ++k) {
        const uint at = k * tet_count + t;
        matrices[TET_PROJECTED * section + at] = z[k];
        stress[k] = rho * ((z[k] - matrices[TET_STATE * section + at]) +
                           (z[k] - matrices[TET_GRADIENT * section + at]));
        g[k] = gradients[at];
    }
    real3 force[4];
    corner_forces_of(stress, g, force);
    for (uint c = 0u; c < 4u; ++c)
        corner_forces[corner_slots[c * tet_count + t]] = force[c];
}
