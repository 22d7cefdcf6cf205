// Power laws in the lists of what damps materials. Declare the buffers `damping_lists` and `damping_numbers` before.
#ifndef COMMON_ELEMENTS_POWER_LAW_LIST_GLSL
#define COMMON_ELEMENTS_POWER_LAW_LIST_GLSL

#include "abi/damping.h"
#include "common/physics/dissipation/power_law.glsl"

/// Entry i of the list, whether it is a law.
bool is_law(uint list, uint i)
{
    return damping_lists[list + 1u + DAMPING_WORDS * i + DAMPING_TYPE] == ABI_DAMPING_POWER_LAW;
}

PowerLaw law_at(uint list, uint i)
{
    const uint at = list + 1u + DAMPING_WORDS * i, numbers = damping_lists[at + DAMPING_NUMBERS];
    return PowerLaw(damping_numbers[numbers + DAMPING_COEFFICIENT], damping_numbers[numbers + DAMPING_EXPONENT],
                    damping_lists[at + DAMPING_CORRECTION] == ABI_CORRECTION_VELOCITY_GRADIENT);
}

#endif
