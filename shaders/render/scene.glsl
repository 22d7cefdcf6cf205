// What all drawing passes share: the scene's uniforms, tone curve, shadow, ambient light, highlights.
#ifndef RENDER_SCENE_GLSL
#define RENDER_SCENE_GLSL
#extension GL_GOOGLE_include_directive : require
#include "abi/render_layout.h"

layout(set = 0, binding = RENDER_BINDING_SCENE, std140) uniform SceneBlock { RenderScene scene; };
layout(set = 0, binding = RENDER_BINDING_SHADOW) uniform sampler2DShadow shadow_map;
layout(set = 0, binding = RENDER_BINDING_OCCLUDER) uniform sampler2D occluder_map;
layout(set = 0, binding = RENDER_BINDING_CONTACT) uniform sampler2D contact_map;

float row(vec4 r, vec3 p) { return dot(r.xyz, p) + r.w; }

// x^p / (x^p + 1); twin of color_tone_curve.
vec3 tone_curve(vec3 x)
{
    const vec3 power = pow(max(x, vec3(0)), vec3(1.2));
    return power / (power + 1);
}

// Interleaved gradient noise (J. Jimenez 2014), in [0, 1): even over any few neighbouring pixels.
float noise(vec2 pixel) { return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715)))); }

// Spreads the rounding to 8 bits over 2 x 2 pixels, so that slow gradients show no bands; a regular pattern keeps the
// files small. The step of sRGB's 8 bits is about
// 2.2 c^0.55 / 255 near the linear value c.
vec3 dither(vec3 color, vec2 pixel)
{
    const ivec2 place = ivec2(pixel) & 1;
    const float step_share = (place.x == place.y ? -0.25 : 0.25) + (place.y == 0 ? -0.125 : 0.125);
    return color + step_share * (2.2 / 255.0) * pow(max(color, vec3(1e-4)), vec3(0.55));
}

vec3 background_color(vec2 pixel)
{
    const vec2 uv = pixel * scene.screen.xy;
    const vec3 gradient = mix(scene.background_top.rgb, scene.background_bottom.rgb, smoothstep(0.0, 1.0, uv.y));
    const vec2 off = uv - 0.5;
    return gradient * (1.0 - 0.16 * dot(off, off));
}

// Points of a Vogel disk: sqrt((k + 1/2) / 32) at k golden angles. The first half, the outermost eight and eight spread
// inside, decides alone where the light is not partly hidden.
const int DISK_COUNT = 32;
const vec2 DISK[DISK_COUNT] = vec2[](
    vec2(0.53660, -0.83453), vec2(-0.94403, 0.24884), vec2(0.84991, 0.44669), vec2(-0.31941, -0.88803),
    vec2(-0.35789, 0.85516), vec2(0.82610, -0.38168), vec2(-0.85045, -0.27132), vec2(0.43503, 0.75919),
    vec2(0.12500, 0.00000), vec2(0.20122, 0.26246), vec2(-0.11700, 0.43524), vec2(-0.50364, 0.20790),
    vec2(-0.54076, -0.31338), vec2(-0.08944, -0.69020), vec2(0.53896, -0.53633), vec2(0.81236, 0.10930),
    vec2(-0.15965, 0.14625), vec2(0.02444, -0.27844), vec2(-0.36927, -0.06532), vec2(0.34980, -0.22252),
    vec2(-0.22314, -0.42963), vec2(0.48412, 0.17680), vec2(0.24279, -0.51882), vec2(0.17941, 0.57200),
    vec2(0.63437, -0.13946), vec2(-0.38715, 0.55068), vec2(0.54907, 0.46276), vec2(-0.73888, 0.03055),
    vec2(-0.03606, 0.77979), vec2(-0.51282, -0.61453), vec2(-0.68831, 0.47891), vec2(0.18809, -0.83606));

// Share of the key light that reaches `position`. The softness grows with the distance to what hides the light, as for
// a round light of tangent scene.light.w; `normal` gives the plane along which the comparison depth follows the taps.
float shadow_share(vec3 position, vec3 normal, vec2 pixel)
{
    const vec2 uv = vec2(row(scene.shadow_x, position), row(scene.shadow_y, position));
    if (any(lessThan(uv, vec2(0))) || any(greaterThan(uv, vec2(1))))
        return 1;
    const vec2 occluder = textureLod(occluder_map, uv, 0).xy;
    if (occluder.y < 2e-3)
        return 1;
    const float width = scene.shadow_size.x, range = scene.shadow_size.y;
    const float depth = row(scene.shadow_z, position);
    const float distance = max(depth - occluder.x / occluder.y, 0.0) * range;
    const float radius = clamp(distance * scene.light.w / width, scene.shadow_size.z, scene.shadow_size.w);

    // In the light's axes the receiver's plane is n.x du + n.y dv + n.z dz = 0.
    const vec3 n = vec3(dot(scene.shadow_x.xyz, normal) * width, dot(scene.shadow_y.xyz, normal) * width,
                        dot(scene.shadow_z.xyz, normal) * range);
    const vec2 slope = clamp(-n.xy / min(n.z, -0.2), -2.0, 2.0) * (width / range);
    const float base = depth - scene.shadow_bias.y / range;
    const float turn = 6.2831853 * noise(pixel);
    const mat2 spread = radius * mat2(cos(turn), sin(turn), -sin(turn), cos(turn));
    float sum = 0;
    for (int i = 0; i < 16; ++i) {
        const vec2 offset = spread * DISK[i];
        sum += textureLod(shadow_map, vec3(uv + offset, min(base + dot(slope, offset), 0.9999)), 0.0);
    }
    // Unanimous, and no small hole or thin part near that these taps may have missed.
    if (sum < 0.01 ? occluder.y > 0.9 : sum > 15.99 && occluder.y < 0.1)
        return sum / 16;
    for (int i = 16; i < DISK_COUNT; ++i) {
        const vec2 offset = spread * DISK[i];
        sum += textureLod(shadow_map, vec3(uv + offset, min(base + dot(slope, offset), 0.9999)), 0.0);
    }
    return sum / float(DISK_COUNT);
}

float contact_share(vec3 position)
{
    const vec2 uv = vec2(row(scene.floor_x, position), row(scene.floor_y, position));
    return scene.floor_size.y * textureLod(contact_map, clamp(uv, 0.0, 1.0), 0).x;
}

// GGX distribution with the joint Smith term folded into one fit, Schlick's Fresnel at 4 % head-on.
float highlight(vec3 normal, vec3 view, vec3 light, float roughness)
{
    const vec3 middle = normalize(view + light);
    const float nl = max(dot(normal, light), 0.0), nh = max(dot(normal, middle), 0.0);
    const float lh = max(dot(light, middle), 0.1);
    const float alpha = max(roughness * roughness, 0.01), alpha_sq = alpha * alpha;
    const float d = nh * nh * (alpha_sq - 1.0) + 1.0;
    const float fresnel = 0.04 + 0.96 * pow(1.0 - lh, 5.0);
    return nl * fresnel * alpha_sq / (4.0 * d * d * lh * lh * (roughness + 0.5));
}
#endif
