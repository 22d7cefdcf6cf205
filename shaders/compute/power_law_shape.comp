// variant: f64
// variant: kinds
// Elements with power laws whose form is not lagged: what compute/damping_shape does for the other models. Axes and stretches of every
// shape that is tried stand where Newton's data are.
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
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 5) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 6) buffer Records { real records[]; };
layout(scalar, set = 0, binding = 7) buffer CornerForces { real3 corner_forces[]; };

real element_data(uint at)
{
    return records[at];
}

void element_data_set(uint at, real value)
{
    records[at] = value;
}

#include "common/elements/power_law.glsl"
#include "common/elements/gather.glsl"
#include "common/elements/shape_change.glsl"
#include "common/invocation.glsl"

#if ELEMENT_HAS_LAWS

real3 way[LAW_ARMS], earlier[LAW_ARMS];

/// |S'|^2 of corners' velocities at the shape of the record.
real square_of(uint at, PowerLaw law, real3 velocity[LAW_ARMS])
{
    real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS], rates[LAW_RATES];
    law_motion(at, velocity, x);
    law_rates(at, law, x, rates);
    return law_product(rates, rates);
}

/// t R over the volume at a shape, less that of the earlier velocities if asked for.
real potential_at(uint at, ElementReal f[ELEMENT_SIZE], real g[ELEMENT_SHAPES], PowerLaw law, bool less_earlier)
{
    ElementLocal local;
    real s[ELEMENT_COLUMNS];
    element_decompose(f, local);
    element_form_axes(at + FORM_SIZE, local, g);
    element_stretches(local, s);
    for (uint k = 0u; k < ELEMENT_COLUMNS; ++k)
        records[at + stretches_at + k] = s[k];
    const real now = power_law_density(law, square_of(at, law, way));
    return exact_value(duration) * (less_earlier ? now - power_law_density(law, square_of(at, law, earlier)) : now);
}

void add_element(uint e, uint list)
{
    const uint at = law_place(e);
    real g[ELEMENT_SHAPES], t[ELEMENT_SIZE];
    ElementReal f[ELEMENT_SIZE];
    gather_shape(e, g);
    gather_gradient(e, ABI_SLOT_STAGE, g, f);
    corner_ways(e, way, earlier);
    for (uint a = 0u; a < LAW_ARMS; ++a)
        way[a] *= exact_value(inverse);
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        t[k] = real(0.0);
    const real step = real(SHAPE_STEP) * shape_size(f), volume = damping_numbers[first_element + e];
    for (uint i = 0u; i < damping_lists[list]; ++i) {
        if (!is_law(list, i) || !is_seen(list, i) || form_of(list, i) == ABI_FORM_LAGGED)
            continue;
        const PowerLaw law = law_at(list, i);
        for (int number = 0; number < ELEMENT_SIZE; ++number) {
            real change = real(0.0);
            for (int end = -1; end <= 1; end += 2) {
                ElementReal moved[ELEMENT_SIZE];
                shape_moved(f, number, real(end) * step, moved);
                change += real(end) * potential_at(at, moved, g, law, form_of(list, i) == ABI_FORM_SECOND_ORDER);
            }
            t[number] += volume * change / (real(2.0) * step);
        }
    }
    add_forces(e, t, g);
}

#endif

void main()
{
#if ELEMENT_HAS_LAWS
    if (invocation_number() >= count)
        return;
    const uint e = invocation_number(), list = damping_lists[first_element + e];
    if (list != DAMPING_NONE)
        add_element(e, list);
#endif
}
