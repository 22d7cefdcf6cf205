// variant: f64
// variant: kinds
// Corner forces of the power laws of elements of one kind, where the axes of power_law_axes stand, added to those that are there, and
// their powers. Nodes go from one slot's places to the other's in a unit of time, of which t is the length, or there is a velocity.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 4) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Records { real records[]; };
layout(scalar, set = 0, binding = 6) buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 7) buffer Diagnosis { Exact diagnosis[]; };

real element_data(uint at)
{
    return records[at];
}

#include "common/elements/power_law.glsl"
#include "common/elements/corner_velocity.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

#if ELEMENT_HAS_LAWS

/// The forces of one law at the rate X in the unit of time; returns their power.
real add_law(uint at, PowerLaw law, real volume, real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS], inout real3 sum[LAW_ARMS])
{
    real rates[LAW_RATES];
    real3 force[LAW_ARMS];
    law_rates(at, law, x, rates);
    const real square = law_product(rates, rates), per_time = exact_value(inverse);
    const real viscosity = volume * power_law_viscosity(law, per_time * per_time * square);
    law_forces(at, law, rates, force);
    for (int a = 0; a < LAW_ARMS; ++a)
        sum[a] += viscosity * force[a];
    return viscosity * square;
}

void add_element(uint e, uint list)
{
    const uint at = law_place(e);
    real3 way[LAW_ARMS], sum[LAW_ARMS], all = real3(0.0);
    real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS];
    const Exact3 own = velocity_of(e, 0u);
    for (uint a = 0u; a < LAW_ARMS; ++a) {
        way[a] = exact3_difference(velocity_of(e, a + 1u), own);
        sum[a] = real3(0.0);
    }
    law_motion(at, way, x);
    for (uint i = 0u; i < damping_lists[list]; ++i)
        if (is_law(list, i) && is_seen(list, i))
            exact_sums_add(0u, exact(add_law(at, law_at(list, i), damping_numbers[first_element + e], x, sum)));
    for (uint a = 0u; a < LAW_ARMS; ++a) {
        corner_forces[corner_places[corner_place(e, a + 1u)]] += sum[a];
        all += sum[a];
    }
    corner_forces[corner_places[corner_place(e, 0u)]] -= all;
}

#endif

void main()
{
    const uint groups = sum_groups(count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
#if ELEMENT_HAS_LAWS
    for (uint e = invocation_number(); e < count; e += groups * gl_WorkGroupSize.x) {
        const uint list = damping_lists[first_element + e];
        if (list != DAMPING_NONE)
            add_element(e, list);
    }
#endif
    exact_sums_end(argument >> DAMPING_SECTION_SHIFT & 0xffu, group_number());
}
