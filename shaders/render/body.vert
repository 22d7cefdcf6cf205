#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/scene.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in float in_value;
layout(location = 3) in uint in_body;
layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out float out_value;
layout(location = 3) flat out uint out_body;

void main()
{
    out_position = in_position;
    out_normal = in_normal;
    out_value = in_value;
    out_body = in_body;
    gl_Position = scene.view_projection * vec4(in_position, 1);
}
