// An obstacle plane: lit, shadowed, and blended into what is behind it towards its rim.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/scene.glsl"

layout(push_constant, std430) uniform PlaneBlock { RenderPlaneConstants plane; };
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec2 in_place;
layout(location = 0) out vec4 out_color;

void main()
{
    const float radius = length(in_place);
    float alpha = 1.0 - smoothstep(plane.center.w, 1.0, radius);
    if (alpha <= 0.0)
        discard;
    const vec3 to_eye = scene.eye.xyz - in_position, view = normalize(to_eye);
    // Seen from behind, a plane is a hint only.
    const vec3 normal = plane.normal.xyz;
    const float side = dot(normal, to_eye);
    if (side < 0.0)
        alpha *= 0.12;
    const float nl = max(dot(normal, scene.light.xyz), 0.0);
    float lit = nl > 0.0 && side > 0.0 ? shadow_share(in_position, normal, gl_FragCoord.xy) : 1.0;
    vec3 ambient = mix(scene.bounce.rgb, scene.sky.rgb, 0.5 + 0.5 * normal.y);
    // What stands on the floor also takes a little of the wide light's key.
    const float contact = plane.normal.w > 0.5 ? contact_share(in_position) : 0.0;
    ambient *= 1.0 - 0.9 * contact;
    lit *= 1.0 - 0.3 * contact;
    vec3 color = plane.color.rgb * (scene.key.rgb * (lit * nl) + ambient);
    color += scene.key.rgb * (4.0 * lit * highlight(normal, view, scene.light.xyz, max(plane.color.a, 0.25)));
    out_color = vec4(dither(tone_curve(color), gl_FragCoord.xy), alpha);
}
