// variant: f64
// variant: kinds
// One case of tests/parity/test_element_parity.c per invocation: everything the formulas of a kind of element say.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

#include "element_parity.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { real inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { real outputs[]; };
layout(push_constant) uniform Push { uint count; int model; };

#include "common/elements/kind.glsl"

real data[ELEMENT_DATA];

real element_data(uint at)
{
    return data[at];
}

void element_data_set(uint at, real value)
{
    data[at] = value;
}

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint in_at = ELEMENT_PARITY_INPUTS * gl_GlobalInvocationID.x,
               out_at = ELEMENT_PARITY_OUTPUTS * gl_GlobalInvocationID.x;
    const ElementMaterial material =
        ElementMaterial(inputs[in_at + ELEMENT_PARITY_KAPPA], inputs[in_at + ELEMENT_PARITY_LAMBDA]);
    ElementReal f[ELEMENT_SIZE];
    real change[ELEMENT_SIZE], g[ELEMENT_SHAPES], p[ELEMENT_SIZE], z[ELEMENT_SIZE], hessian[ELEMENT_HESSIAN], slope, magnitude;
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
#ifdef ELEMENT_FLOAT_FLOAT
        f[k] = two_sum(inputs[in_at + ELEMENT_PARITY_F + k], inputs[in_at + ELEMENT_PARITY_LOW + k]);
#else
        f[k] = inputs[in_at + ELEMENT_PARITY_F + k];
#endif
        change[k] = inputs[in_at + ELEMENT_PARITY_CHANGE + k];
    }
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = inputs[in_at + ELEMENT_PARITY_SHAPES + k];
    ElementLocal local;
    element_decompose(f, local);
    outputs[out_at + ELEMENT_PARITY_ENERGY] = element_energy(material, local);
    element_stress(material, local, p);
    element_slope(material, local, change, slope, magnitude);
    outputs[out_at + ELEMENT_PARITY_SLOPE] = slope;
    outputs[out_at + ELEMENT_PARITY_MAGNITUDE] = magnitude;
    element_prox(material, local, inputs[in_at + ELEMENT_PARITY_RHO], z);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        outputs[out_at + ELEMENT_PARITY_STRESS + k] = p[k];
        outputs[out_at + ELEMENT_PARITY_PROX + k] = z[k];
    }
    element_axes(ELEMENT_HESSIAN, local, g);
    element_hessian(material, local, inputs[in_at + ELEMENT_PARITY_PROJECT] > real(0.0), hessian);
    for (uint k = 0u; k < ELEMENT_HESSIAN; ++k)
        data[k] = hessian[k];
    // Up to 144 blocks: drivers that unroll would compile for seconds.
    [[dont_unroll]] for (uint a = 0u; a < ELEMENT_CORNERS; ++a)
        [[dont_unroll]] for (uint b = 0u; b < ELEMENT_CORNERS; ++b) {
            real block[9];
            element_block(0u, a, b, block);
            for (uint k = 0u; k < 9u; ++k)
                outputs[out_at + ELEMENT_PARITY_BLOCKS + 9u * (ELEMENT_CORNERS * a + b) + k] = block[k];
        }
}
