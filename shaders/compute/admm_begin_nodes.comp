// variant: f64
// Start of a stage at the nodes: x = xt, or where the same stage ended before (`again`); and of penalty contact the split's s from the multipliers,
// and where friction holds.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 4) buffer Split { real split[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Bodies { uint bodies[]; }; // of vertices
layout(scalar, set = 0, binding = 7) readonly buffer Coefficients { real coefficients[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Drifts { real drifts[]; };
/// rubs: 0 without friction; is_new: the stage has not begun before
layout(push_constant) uniform Push
{
    uint node_count, surface_count, plane_count, split_count, base, rubs, is_new, body_count, again;
};

#include "common/contact/penalty_split.glsl"
#include "common/contact/penalty_drift.glsl"
#include "common/invocation.glsl"

/// `place`: where the stage begins.
void find_rest(Copy copy, uint i, uint surface_node, Exact3 place)
{
    const real3 drift = penalty_drift(copy.obstacle, place);
    const real3 rest = exact3_difference(slots[base * node_count + i], obstacle_point(copy.obstacle)) - drift;
    for (uint j = 0u; j < 3u; ++j)
        split[copy_place(copy, SPLIT_REST, j)] = copy.is_sphere ? rest[j] : -dot(copy_axis(copy, j), drift);
    split[copy_place(copy, SPLIT_COEFFICIENT, 0u)] = coefficients[body_count * copy.obstacle + bodies[surface_node]];
}

void begin_copy(Copy copy, uint i, Exact3 x)
{
    const real3 coordinates = copy_coordinates(copy, x, slots[base * node_count + i]),
                multiplier = copy_load(copy, SPLIT_MULTIPLIER);
    for (uint j = 0u; j < 3u && j < copy.width; ++j) {
        split[copy_place(copy, SPLIT_GAP, j)] = coordinates[j];
        split[copy_place(copy, SPLIT_IMAGE, j)] = coordinates[j] + multiplier[j] / copy_weight(copy, j);
    }
    if (rubs == 0u || !copy.is_sphere)
        return;
    real3 normal;
    penalty_direction(coordinates, normal);
    const real3 drag = multiplier - dot(multiplier, normal) * normal;
    for (uint j = 0u; j < 3u; ++j)
        split[copy_place(copy, SPLIT_DRAG, j)] = drag[j];
}

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    const uint stage = ABI_SLOT_STAGE * node_count + i;
    const Exact3 place = slots[stage], x = slots[again != 0u ? stage : ABI_SLOT_TARGET * node_count + i];
    slots[stage] = x;
    const uint surface = flags[i] >> NODE_SURFACE_SHIFT;
    uint before = 0u;
    for (uint p = 0u; p < plane_count && surface != 0u; ++p) {
        const Copy copy = copy_of(p, before, surface - 1u, exact_value(masses[i]));
        if (rubs != 0u && is_new != 0u && copy.width == 3u)
            find_rest(copy, i, surface - 1u, place);
        begin_copy(copy, i, x);
        before = copy_end(copy, before);
    }
}
