// Reduces a depth map to RENDER_FILTER_SIZE squared: share of occluded texels, and depth (mode 0) or nearness
// (mode 1) times that share.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "abi/render_layout.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform PushBlock { int block; int mode; };
layout(set = 0, binding = RENDER_FILTER_INPUT) uniform sampler2D depth_map;
layout(set = 0, binding = RENDER_FILTER_OUTPUT, rgba16f) writeonly uniform image2D result;

void main()
{
    const ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    vec2 sum = vec2(0);
    for (int y = 0; y < block; ++y) {
        for (int x = 0; x < block; ++x) {
            const float depth = texelFetch(depth_map, place * block + ivec2(x, y), 0).x;
            const float above = 1.0 - depth;
            if (depth < 1.0)
                sum += mode == 0 ? vec2(depth, 1.0) : vec2(min(1.5625 * above * above, 1.0), 1.0);
        }
    }
    imageStore(result, place, vec4(sum / float(block * block), 0, 0));
}
