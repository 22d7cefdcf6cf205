// variant: f64
// The air at the stage's iterate: B/t joins Newton's matrix, B u its gradient, at the nodes of each vertex by their weights. An invocation has
// a node.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MapStarts { uint map_starts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MapNodes { uint map_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer MapWeights { Exact map_weights[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Terms { uint terms[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Entries { uint entries[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Blocks { real blocks[]; };
layout(scalar, set = 0, binding = 9) buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 10) buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 11) buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 12) buffer Gradient { real3 gradient[]; };
layout(scalar, push_constant) uniform Push { Exact inverse; Exact3 wind; uint node_count, vertex_count, to, from, entry_count; };

#include "common/air.glsl"
#include "common/invocation.glsl"

/// Adds B of vertex v, times `weight`, to entry e.
void add_block(uint e, uint v, real weight)
{
    const uint f = e + entry_count, g = f + entry_count;
    const real xy = weight * blocks[3u * vertex_count + v], xz = weight * blocks[4u * vertex_count + v],
               yz = weight * blocks[5u * vertex_count + v];
    first_rows[e] += weight * blocks[v];
    first_rows[f] += xy;
    first_rows[g] += xz;
    second_rows[e] += xy;
    second_rows[f] += weight * blocks[vertex_count + v];
    second_rows[g] += yz;
    third_rows[e] += xz;
    third_rows[f] += yz;
    third_rows[g] += weight * blocks[2u * vertex_count + v];
}

void main()
{
    const uint i = invocation_number();
    if (i >= node_count || (flags[i] & NODE_IS_FREE) == 0u)
        return;
    const uint first = starts[vertex_count + 1u + i], end = starts[vertex_count + 2u + i];
    real3 force = real3(0.0);
    for (uint t = AIR_TERM_WORDS * first; t < AIR_TERM_WORDS * end; t += AIR_TERM_WORDS) {
        const uint v = terms[t + AIR_TERM_VERTEX], own = map_starts[v];
        const real weight = exact_value(map_weights[terms[t + AIR_TERM_WEIGHT]]);
        force += weight * air_apply(v, velocity_against(v));
        for (uint k = own; k < map_starts[v + 1u]; ++k)
            add_block(entries[terms[t + AIR_TERM_ENTRIES] + k - own], v,
                      weight * exact_value(map_weights[k]) * exact_value(inverse));
    }
    if (first < end)
        gradient[i] += force;
}
