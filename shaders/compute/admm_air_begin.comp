// variant: f64
// Start of a stage at the copies for the air: J where the iteration begins, S where the multiplier is the last stage's at the places where the stage
// is looked at.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MapStarts { uint map_starts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MapNodes { uint map_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer MapWeights { Exact map_weights[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer AirWeights { real air_weights[]; };
layout(scalar, set = 0, binding = 5) buffer AirCopies { real air_copies[]; };
/// Slots: of the base positions, where the stage is looked at, where the iteration begins.
layout(push_constant) uniform Push { uint vertex_count, node_count, base, shape, start; };

#include "common/air_copies.glsl"
#include "common/invocation.glsl"
#include "common/vertex_way.glsl"

void main()
{
    const uint v = invocation_number();
    if (v >= vertex_count || !(air_weights[v] > real(0.0)))
        return;
    const real3 place = vertex_way(v, base, start),
                image = vertex_way(v, base, shape) + air_load(AIR_COPY_MULTIPLIER, v) / air_weights[v];
    for (uint k = 0u; k < 3u; ++k) {
        air_copies[air_place(AIR_COPY_PLACE, v, k)] = place[k];
        air_copies[air_place(AIR_COPY_IMAGE, v, k)] = image[k];
    }
}
