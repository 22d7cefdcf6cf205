#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/scene.glsl"

layout(push_constant, std430) uniform PlaneBlock { RenderPlaneConstants plane; };
layout(location = 0) out vec3 out_position;
layout(location = 1) out vec2 out_place; // in the square, -1 to 1

void main()
{
    out_place = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    out_position = plane.center.xyz + out_place.x * plane.axis_u.xyz + out_place.y * plane.axis_v.xyz;
    gl_Position = scene.view_projection * vec4(out_position, 1);
}
