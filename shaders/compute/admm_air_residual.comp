// variant: f64
// J, J - Z, the plain iteration's next S, the multiplier, the history, and all norms of the copies for the air.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/sums.h"
#include "common/real.glsl"

#define MANY_SUMS SUM_ELEMENTS_COUNT

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 2) readonly buffer MapStarts { uint map_starts[]; };
layout(scalar, set = 0, binding = 3) readonly buffer MapNodes { uint map_nodes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer MapWeights { Exact map_weights[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 6) readonly buffer AirWeights { real air_weights[]; };
layout(scalar, set = 0, binding = 7) buffer AirCopies { real air_copies[]; };
layout(push_constant) uniform Push { uint vertex_count, node_count, base, first_sum, group_count; };

#include "common/air_copies.glsl"
#include "common/invocation.glsl"
#include "common/many_partials.glsl"
#include "common/vertex_way.glsl"

void update(uint v)
{
    const real3 place = vertex_way(v, base, ABI_SLOT_STAGE), moved = vertex_way(v, ABI_SLOT_TARGET, ABI_SLOT_STAGE),
                z = air_load(AIR_COPY_PROJECTED, v), s = air_load(AIR_COPY_STATE, v), r = place - z, image = s + r,
                r_step = r - air_load(AIR_COPY_RESIDUAL, v), image_step = image - air_load(AIR_COPY_IMAGE, v);
    const uint newest = control[CONTROL_NEWEST];
    const real weight = air_weights[v];
    for (uint k = 0u; k < 3u; ++k) {
        if (newest != 0xffffffffu) {
            air_copies[air_place(AIR_COPY_RESIDUAL_DIFFERENCES + newest, v, k)] = r_step[k];
            air_copies[air_place(AIR_COPY_IMAGE_DIFFERENCES + newest, v, k)] = image_step[k];
        }
        air_copies[air_place(AIR_COPY_PLACE, v, k)] = place[k];
        air_copies[air_place(AIR_COPY_RESIDUAL, v, k)] = r[k];
        air_copies[air_place(AIR_COPY_IMAGE, v, k)] = image[k];
        air_copies[air_place(AIR_COPY_MULTIPLIER, v, k)] = weight * ((s[k] - z[k]) + r[k]);
    }
    many_sums_add(SUM_ELEMENTS_RESIDUAL, dot(r, r));
    many_sums_add(SUM_ELEMENTS_GRADIENT, dot(moved, moved));
    many_sums_add(SUM_ELEMENTS_WEIGHTED, weight * dot(r, r));
    for (uint j = 0u; j < control[CONTROL_HISTORY]; ++j) {
        const real3 difference = j == newest ? r_step : air_load(AIR_COPY_RESIDUAL_DIFFERENCES + j, v);
        many_sums_add(SUM_ELEMENTS_NEWEST + j, weight * dot(difference, r_step));
        many_sums_add(SUM_ELEMENTS_CURRENT + j, weight * dot(difference, r));
    }
}

void main()
{
    if (group_number() >= group_count)
        return;
    many_sums_begin();
    for (uint v = invocation_number(); v < vertex_count; v += group_count * gl_WorkGroupSize.x)
        if (air_weights[v] > real(0.0))
            update(v);
    many_sums_end(SUM_ELEMENTS, first_sum + group_number());
}
