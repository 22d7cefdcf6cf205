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

uint damping_side(Damping entry)
{
    return entry.correction == ABI_CORRECTION_RIGID_VELOCITY ? ABI_DAMPED_LESS_RIGID : ABI_DAMPED_AS_IS;
}

/// Whether a matrix C of the positions says all: no power law, and not the variational one.
bool damping_is_linear(Damping entry)
{
    return entry.type == ABI_DAMPING_STRAIN_RATE || entry.type == ABI_DAMPING_RAYLEIGH ||
           entry.type == ABI_DAMPING_PRINCIPAL_STRAIN || entry.type == ABI_DAMPING_SPLINE;
}

#endif
