// The state of a copy for damping: the next S, mixed from the history, kept, and in single precision not held in registers. Declare the buffers
// `control`, `scalars`, `copies` and `image_differences` before.
#ifndef COMMON_ELEMENTS_COPY_STATE_GLSL
#define COMMON_ELEMENTS_COPY_STATE_GLSL

#include "common/elements/damping_copies.glsl"

void mix_state(uint slot, uint e, out real s[ELEMENT_SIZE])
{
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        s[k] = copies[LOCAL_IMAGE * copy_total + copy_place(slot, e, k)];
    for (uint j = 0u; j < control[CONTROL_MIXING]; ++j) {
        const real weight = scalars[SCALAR_WEIGHTS + j];
        for (uint k = 0u; k < ELEMENT_SIZE; ++k)
            s[k] -= weight * real(image_differences[j * copy_total + copy_place(slot, e, k)]);
    }
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        copies[LOCAL_STATE * copy_total + copy_place(slot, e, k)] = s[k];
}

/// Keeps Z; adds rho (2 Z - S - J).
void keep_projection(uint slot, uint e, real rho, real z[ELEMENT_SIZE], inout real t[ELEMENT_SIZE])
{
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        const uint at = copy_place(slot, e, k);
        copies[LOCAL_PROJECTED * copy_total + at] = z[k];
        t[k] += rho * ((z[k] - copies[LOCAL_STATE * copy_total + at]) + (z[k] - copies[LOCAL_GRADIENT * copy_total + at]));
    }
}

#endif
