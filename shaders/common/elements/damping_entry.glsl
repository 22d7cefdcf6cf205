// Entries of the lists of damping. Declare the buffers `damping_lists` and `damping_numbers` before.
#ifndef COMMON_ELEMENTS_DAMPING_ENTRY_GLSL
#define COMMON_ELEMENTS_DAMPING_ENTRY_GLSL

#include "common/physics/dissipation/damping.glsl"

real damping_number(uint at)
{
    return damping_numbers[at];
}

/// The entry at a place of the lists, of an element of that volume.
Damping damping_at(uint at, real volume)
{
    const uint numbers = damping_lists[at + DAMPING_NUMBERS];
    return Damping(damping_lists[at + DAMPING_TYPE], damping_lists[at + DAMPING_CORRECTION],
                   volume * damping_numbers[numbers + DAMPING_SHEAR], volume * damping_numbers[numbers + DAMPING_BULK],
                   damping_numbers[numbers + DAMPING_TIME], numbers + DAMPING_SPLINE_POINTS,
                   damping_lists[at + DAMPING_POINT_COUNT]);
}

#endif
