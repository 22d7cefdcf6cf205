// An elastic body: key light with shadow, hemispheric ambient darkened near the floor, a highlight, a soft reflection.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/scene.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in float in_value;
layout(location = 3) flat in uint in_body;
layout(location = 0) out vec4 out_color;

layout(set = 0, binding = RENDER_BINDING_BODIES, std430) readonly buffer BodyBlock { vec4 bodies[]; };
layout(set = 0, binding = RENDER_BINDING_MAP, std140) uniform MapBlock { vec4 map[RENDER_MAP_SIZE]; };

vec3 map_albedo(float value)
{
    const float x = clamp((value - scene.value_range.x) * scene.value_range.y, 0.0, 1.0) * (RENDER_MAP_SIZE - 1);
    const int i = min(int(x), RENDER_MAP_SIZE - 2);
    return mix(map[i].rgb, map[i + 1].rgb, x - float(i));
}

void main()
{
    const vec4 body = bodies[in_body];
    const bool has_value = float(in_body) < scene.screen.z && in_value > 0.5 * RENDER_NO_VALUE;
    const vec3 albedo = has_value ? map_albedo(in_value) : body.rgb;
    const float roughness = clamp(body.a, 0.08, 1.0);
    const vec3 view = normalize(scene.eye.xyz - in_position), light = scene.light.xyz;
    vec3 normal = normalize(in_normal);
    if (!gl_FrontFacing)
        normal = -normal;

    // The terminator fades before the facets of a coarse surface could shadow themselves.
    const float nl = dot(normal, light);
    float lit = 0;
    if (nl > 0.0) {
        const vec3 lifted = in_position + normal * (scene.shadow_bias.x * (1.5 - nl));
        lit = shadow_share(lifted, normal, gl_FragCoord.xy) * smoothstep(0.0, 0.12, nl);
    }

    const float up = 0.5 + 0.5 * normal.y;
    vec3 ambient = mix(scene.bounce.rgb, scene.sky.rgb, up);
    const float height = max(row(scene.floor_plane, in_position), 0.0) / max(scene.floor_size.x, 1e-20);
    const float near_floor = contact_share(in_position) * exp(-1.5 * height);
    ambient *= 1.0 - near_floor * (0.85 - 0.6 * up);

    const vec3 mirror = reflect(-view, normal);
    const float facing = clamp(dot(normal, view), 0.0, 1.0);
    const float rim = 0.04 + (1.0 - roughness) * 0.5 * pow(1.0 - facing, 5.0);
    const vec3 surroundings = mix(scene.bounce.rgb, scene.sky.rgb, smoothstep(-0.35, 0.35, mirror.y));

    vec3 color = albedo * (scene.key.rgb * (lit * max(nl, 0.0)) + ambient);
    color += scene.key.rgb * (4.0 * lit * highlight(normal, view, light, roughness));
    color += surroundings * (2.0 * rim * (1.0 - 0.7 * near_floor));
    out_color = vec4(dither(tone_curve(color), gl_FragCoord.xy), 1);
}
