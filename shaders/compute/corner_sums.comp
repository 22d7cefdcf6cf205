// variant: f64
// Forces of nodes from those on the corners of their elements, in order; or added to what is there, of free nodes alone if asked for.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 3) buffer Forces { real3 forces[]; };
layout(push_constant) uniform Push { uint node_count, adds, free_only; };

#include "common/invocation.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    real3 sum = adds != 0u ? forces[i] : real3(0.0);
    if (free_only == 0u || (flags[i] & NODE_IS_FREE) != 0u)
        for (uint p = incidence_start[i]; p < incidence_start[i + 1u]; ++p)
            sum += corner_forces[p];
    forces[i] = sum;
}
