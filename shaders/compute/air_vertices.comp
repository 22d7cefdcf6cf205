// variant: f64
// Drag of the air on every vertex of bodies' surfaces, from the facets around it at the positions of a slot: its matrix B.
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
layout(scalar, set = 0, binding = 4) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Facets { uint facets[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Factors { real factors[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Blocks { real blocks[]; };
layout(push_constant) uniform Push { uint vertex_count, node_count, slot; };

#include "common/invocation.glsl"
#include "common/physics/dissipation/air.glsl"

Exact3 place_of(uint v)
{
    const uint first = map_starts[v], end = map_starts[v + 1u];
    if (end - first == 1u) // the very values of a node
        return slots[slot * node_count + map_nodes[first]];
    Exact3 x = exact3(real3(0.0));
    for (uint k = first; k < end; ++k)
        x = exact3_add(x, exact3_scale(map_weights[k], slots[slot * node_count + map_nodes[k]]));
    return x;
}

void main()
{
    const uint v = invocation_number();
    if (v >= vertex_count)
        return;
    real B[AIR_BLOCK_SIZE];
    for (uint k = 0u; k < AIR_BLOCK_SIZE; ++k)
        B[k] = real(0.0);
    for (uint f = AIR_FACET_WORDS * starts[v]; f < AIR_FACET_WORDS * starts[v + 1u]; f += AIR_FACET_WORDS) {
        const Exact3 x0 = place_of(facets[f]);
        const real3 first = exact3_difference(place_of(facets[f + 1u]), x0);
        if (facets[f + 2u] == AIR_SEGMENT)
            air_segment(factors[v], first, B);
        else
            air_triangle(factors[v], first, exact3_difference(place_of(facets[f + 2u]), x0), B);
    }
    for (uint k = 0u; k < AIR_BLOCK_SIZE; ++k)
        blocks[k * vertex_count + v] = B[k];
}
