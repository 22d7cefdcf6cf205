// What damps a material: the sum of the entries of its list, for an element. Declare the buffers `damping_lists` and `damping_numbers` and the
// functions entries_place, element_data and element_data_set before.
#ifndef COMMON_ELEMENTS_DAMPING_ENTRIES_GLSL
#define COMMON_ELEMENTS_DAMPING_ENTRIES_GLSL

#include "common/elements/damping.glsl"
#include "common/elements/damping_entry.glsl"
#include "common/elements/material.glsl"

void entries_set(uint e, uint k, real value)
{
    element_data_set(entries_place(e, k), value);
}

/// The sum of the entries on a side whose types are wanted, bits. Lists are short: what an entry adds to is not kept in registers meanwhile.
void add_entries(uint e, uint list, uint side, uint types, ElementLocal local)
{
    const uint entries = damping_lists[list];
    const real volume = damping_numbers[first_element + e];
    const ElementMaterial material = element_material(e);
    bool adds = false;
    for (uint i = 0u; i < entries; ++i) {
        const Damping damping = damping_at(list + 1u + DAMPING_WORDS * i, volume);
        if (damping_side(damping) != side || (types >> damping.type & 1u) == 0u)
            continue;
        real numbers[DAMPING_SIZE];
        damping_numbers_of(material, local, damping, numbers);
        for (uint k = 0u; k < DAMPING_SIZE; ++k)
            entries_set(e, k, adds ? element_data(entries_place(e, k)) + numbers[k] : numbers[k]);
        adds = true;
    }
    for (uint k = 0u; k < DAMPING_SIZE && !adds; ++k)
        entries_set(e, k, real(0.0));
}

#endif
