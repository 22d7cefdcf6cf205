// variant: f64
// What the stage has of forces that come with its shape joins Newton's gradient; it is of free nodes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer ShapeForce { real3 shape_force[]; };
layout(scalar, set = 0, binding = 1) buffer Gradient { real3 gradient[]; };
layout(push_constant) uniform Push { uint node_count; };

#include "common/invocation.glsl"

void main()
{
    const uint i = invocation_number();
    if (i < node_count)
        gradient[i] += shape_force[i];
}
