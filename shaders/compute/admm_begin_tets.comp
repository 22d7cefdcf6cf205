// variant: f64
// Start of a stage at the elements: J = D xt; without a last stage S = D x_n, so that Z = F(x_n) and Y = 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Tets { uint tets[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Matrices { real matrices[]; };
layout(push_constant) uniform Push { uint node_count, tet_count, cold; };

#include "common/gather_tets.glsl"

void main()
{
    const uint t = gl_GlobalInvocationID.x, section = 9u * tet_count;
    if (t >= tet_count)
        return;
    real g[9], f[9];
    gather_shape(t, g);
    gather_gradient(t, ABI_SLOT_STAGE, g, f);
    for (uint k = 0u; k < 9u; ++k) {
        matrices[TET_GRADIENT * section + k * tet_count + t] = f[k];
        matrices[TET_RESIDUAL * section + k * tet_count + t] = real(0.0);
    }
    if (cold == 0u)
        return;
    gather_gradient(t, ABI_SLOT_POSITION, g, f);
    for (uint k = 0u; k < 9u; ++k)
        matrices[TET_IMAGE * section + k * tet_count + t] = f[k];
}
