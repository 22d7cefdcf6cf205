#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/scene.glsl"

layout(location = 0) out vec4 out_color;

void main() { out_color = vec4(dither(background_color(gl_FragCoord.xy), gl_FragCoord.xy), 1); }
