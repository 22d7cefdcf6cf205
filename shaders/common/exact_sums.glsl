// Sums as many_exact_sums.glsl forms them, and smallest values. They are
// joined with what the sections of the buffer `diagnosis` hold, so that several dispatches add up: 0 before the first, for
// smallest values a large number (sections.c). Define EXACT_SUMS and declare the buffer before.
#ifndef COMMON_EXACT_SUMS_GLSL
#define COMMON_EXACT_SUMS_GLSL

#include "abi/sums.h"
#include "common/many_exact_sums.glsl"

/// Adds the sums of the workgroup to entry `entry` of the sections `section`, `section` + 1, …
void exact_sums_end(uint section, uint entry)
{
    barrier();
    for (uint v = gl_LocalInvocationIndex; v < EXACT_SUMS; v += gl_WorkGroupSize.x) {
        const uint at = (section + v) * SUM_GROUPS_MOST + entry;
        diagnosis[at] = exact_add(diagnosis[at], exact_sums_total(v));
    }
}

shared real smallest_scratch[gl_WorkGroupSize.x];

/// The smallest of the workgroup's values, for all of its invocations. Call in uniform control flow.
real workgroup_smallest(real value)
{
    const uint i = gl_LocalInvocationIndex;
    barrier();
    smallest_scratch[i] = value;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2u; width > 0u; width /= 2u) {
        if (i < width)
            smallest_scratch[i] = min(smallest_scratch[i], smallest_scratch[i + width]);
        barrier();
    }
    return smallest_scratch[0];
}

/// The smallest of the workgroup's values to entry `entry` of a section, unless what is there is smaller.
void smallest_end(real value, uint section, uint entry)
{
    const real smallest = workgroup_smallest(value);
    const uint at = section * SUM_GROUPS_MOST + entry;
    if (gl_LocalInvocationIndex == 0u)
        diagnosis[at] = exact(min(smallest, exact_value(diagnosis[at])));
}

#endif
