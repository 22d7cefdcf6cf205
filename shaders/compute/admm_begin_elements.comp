// variant: f64
// variant: kinds
// Start of a stage at the elements: J = D xt; without a last stage S = D x_n, so that Z = F(x_n) and Y = 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Locals { real locals[]; };

#include "common/elements/gather.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint e = first + invocation_number();
    if (invocation_number() >= count)
        return;
    const bool cold = argument != 0u;
    real g[ELEMENT_SHAPES], f[ELEMENT_SIZE];
    gather_shape(e, g);
    gather_gradient(e, ABI_SLOT_STAGE, g, f);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        locals[LOCAL_GRADIENT * local_count + local_place(e, k)] = f[k];
        locals[LOCAL_RESIDUAL * local_count + local_place(e, k)] = real(0.0);
    }
    if (!cold)
        return;
    gather_gradient(e, ABI_SLOT_POSITION, g, f);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        locals[LOCAL_IMAGE * local_count + local_place(e, k)] = f[k];
}
