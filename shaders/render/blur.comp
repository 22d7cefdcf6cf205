// One direction of a separable Gaussian over a RENDER_FILTER_SIZE squared image; outside is zero.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "abi/render_layout.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform PushBlock { ivec2 direction; int reach; };
layout(set = 0, binding = RENDER_FILTER_INPUT) uniform sampler2D source;
layout(set = 0, binding = RENDER_FILTER_OUTPUT, rgba16f) writeonly uniform image2D result;

void main()
{
    const ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    vec2 sum = vec2(0);
    float weights = 0;
    for (int i = -reach; i <= reach; ++i) {
        const float x = 2.2 * float(i) / float(reach);
        const float weight = exp(-0.5 * x * x);
        const ivec2 at = place + i * direction;
        weights += weight;
        if (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, ivec2(RENDER_FILTER_SIZE))))
            sum += weight * texelFetch(source, at, 0).xy;
    }
    imageStore(result, place, vec4(sum / weights, 0, 0));
}
