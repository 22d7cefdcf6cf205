// variant: f64
// The penalties are multiplied by `factor`; Y = rho (S - Z) stays, so S - Z shrinks as rho grows. The history of Anderson
// acceleration is dropped.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/elements.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) writeonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Locals { real locals[]; };
layout(push_constant) uniform Push { uint local_count; float factor; };

#include "common/invocation.glsl"

void main()
{
    const uint i = invocation_number();
    if (i == 0u) {
        control[CONTROL_KEPT] = 0u;
        control[CONTROL_HAS_PREVIOUS] = 0u;
        control[CONTROL_MIXING] = 0u;
        control[CONTROL_HISTORY] = 0u;
        control[CONTROL_NEWEST] = 0xffffffffu;
    }
    if (i >= local_count)
        return;
    const real z = locals[LOCAL_PROJECTED * local_count + i];
    locals[LOCAL_IMAGE * local_count + i] = z + (locals[LOCAL_IMAGE * local_count + i] - z) / real(factor);
}
