// variant: f64
// variant: kinds
// Power laws of damping at the stage's iterate: their forces join those of the corners, what their Hessians are made of goes to the records.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 4) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 5) buffer Records { real records[]; };
layout(scalar, set = 0, binding = 6) buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Flags { uint flags[]; };

real element_data(uint at)
{
    return records[at];
}

#include "common/elements/power_law.glsl"
#include "common/elements/corner_velocity.glsl"
#include "common/invocation.glsl"

#if ELEMENT_HAS_LAWS

/// Of free nodes, as of all damping.
void add_force(uint e, uint c, real3 force)
{
    const uint place = corner_place(e, c);
    if ((flags[element_nodes[place]] & NODE_IS_FREE) != 0u)
        corner_forces[corner_places[place]] += force;
}

/// The part of one law of the form: the first sets it. What laws add to is not kept in registers meanwhile.
void add_form(uint at, PowerLaw law, real weight, bool adds)
{
    real form[FORM_SIZE];
    for (int k = 0; k < FORM_SIZE; ++k)
        form[k] = real(0.0);
    law_form_add(at, law, weight, form);
    for (uint k = 0u; k < FORM_SIZE; ++k)
        records[at + k] = adds ? records[at + k] + form[k] : form[k];
}

/// One law at the rate X, `behind` where its own numbers are.
void add_law(uint e, uint behind, PowerLaw law, real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS], bool adds)
{
    const uint at = law_place(e);
    real rates[LAW_RATES];
    real3 force[LAW_ARMS], all = real3(0.0);
    law_rates(at, law, x, rates);
    const real y = law_product(rates, rates), volume = damping_numbers[first_element + e];
    const real viscosity = volume * power_law_viscosity(law, y), weight = exact_value(inverse) * viscosity;
    const bool moves = y > power_law_floor(law);
    // Of the unit rates: their squares would leave the range of numbers.
    const real size = moves ? inversesqrt(y) : real(0.0);
    add_form(at, law, weight, adds);
    records[behind] = moves ? (law.exponent - real(1.0)) * weight : real(0.0);
    law_forces(at, law, rates, force);
    for (uint a = 0u; a < LAW_ARMS; ++a) {
        for (uint i = 0u; i < 3u; ++i)
            records[behind + 1u + 3u * a + i] = size * force[a][i];
        add_force(e, a + 1u, viscosity * force[a]);
        all += viscosity * force[a];
    }
    add_force(e, 0u, -all);
}

/// Whether the side before this one has left a form of these laws.
bool other_side_adds(uint list)
{
    bool adds = false;
    for (uint i = 0u; i < damping_lists[list]; ++i)
        adds = adds || (is_law(list, i) && !is_seen(list, i));
    return adds && argument >> DAMPING_SIDE_SHIFT != ABI_DAMPED_AS_IS;
}

#endif

void main()
{
#if ELEMENT_HAS_LAWS
    if (invocation_number() >= count)
        return;
    const uint e = invocation_number(), at = law_place(e), list = damping_lists[first_element + e];
    if (list == DAMPING_NONE)
        return;
    real3 way[LAW_ARMS];
    real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS];
    const Exact3 own = velocity_of(e, 0u);
    for (uint a = 0u; a < LAW_ARMS; ++a)
        way[a] = exact_value(inverse) * exact3_difference(velocity_of(e, a + 1u), own);
    law_motion(at, way, x);
    uint behind = at + stretches_at + ELEMENT_COLUMNS;
    bool adds = other_side_adds(list);
    for (uint i = 0u; i < damping_lists[list]; ++i) {
        if (!is_law(list, i))
            continue;
        if (is_seen(list, i)) {
            add_law(e, behind, law_at(list, i), x, adds);
            adds = true;
        }
        behind += 1u + 3u * LAW_ARMS;
    }
#endif
}
