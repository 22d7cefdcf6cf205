// variant: f64
// Corner forces of w P(F) at the positions of a slot, for the elements of one energy model.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_FIRST_OWN) const int ENERGY_MODEL = 0;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Tets { uint tets[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerSlots { uint corner_slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer CornerForces { real3 corner_forces[]; };
layout(push_constant) uniform Push { uint first, count, tet_count, node_count, slot; };

#include "common/gather_tets.glsl"
#include "common/physics/energy/energy.glsl"
#include "common/svd3.glsl"

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint t = first + gl_GlobalInvocationID.x;
    real g[9], f[9], u[9], v[9], sigma[3], stress[3], p[9];
    gather_shape(t, g);
    gather_gradient(t, slot, g, f);
    svd3(f, u, sigma, v);
    energy_stress(ENERGY_MODEL, sigma, parameters[TET_KAPPA * tet_count + t], parameters[TET_LAMBDA * tet_count + t],
                  stress);
    compose(u, stress, v, p);
    real3 force[4];
    corner_forces_of(p, g, force);
    for (uint c = 0u; c < 4u; ++c)
        corner_forces[corner_slots[c * tet_count + t]] = force[c];
}
