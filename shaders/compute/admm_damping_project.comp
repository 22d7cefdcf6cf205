// variant: f64
// variant: kinds
// The local step of the copies that elements have for damping, slot after slot: the next S, mixed from the history; Z = prox(S); and the corner
// forces of rho (2 Z - S - J), added to those of the elements themselves.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

#define SCATTER_ADDS

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 5) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Weights { real weights[]; };
layout(scalar, set = 0, binding = 7) readonly buffer CopyShapes { real copy_shapes[]; };
layout(scalar, set = 0, binding = 8) buffer Copies { real copies[]; };
layout(scalar, set = 0, binding = 9) readonly buffer ImageDifferences { float image_differences[]; };
layout(scalar, set = 0, binding = 10) buffer CornerForces { real3 corner_forces[]; };

#include "common/elements/damping_copies.glsl"
#include "common/elements/damping_prox.glsl"
#include "common/elements/power_law_list.glsl"
#include "common/elements/scatter.glsl"
#include "common/invocation.glsl"

uint shape_element; ///< the one at hand

real element_data(uint at)
{
    return copy_shapes[shape_number_place(shape_element, at)];
}

#if ELEMENT_HAS_COPIES

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

/// Entry `number` of the laws in an element's list.
PowerLaw law_of(uint e, uint number)
{
    const uint list = damping_lists[first_element + e];
    uint i = 0u;
    for (uint left = number;; ++i)
        if (is_law(list, i) && left-- == 0u)
            return law_at(list, i);
}

void project(uint slot, uint e, real rho, inout real z[ELEMENT_SIZE])
{
    const real duration = scalars[SCALAR_STAGE_TIME];
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
    const DampingCopy copy = copy_of_slot(slot);
    if (copy.law >= 0) {
        law_prox(law_of(e, uint(copy.law)), damping_numbers[first_element + e], duration, rho, z);
        return;
    }
#endif
    damping_prox(real(1.0) / (rho * duration), z);
}

#endif

void main()
{
#if ELEMENT_HAS_COPIES
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number();
    shape_element = e;
    real t[ELEMENT_SIZE], g[ELEMENT_SHAPES], z[ELEMENT_SIZE];
    bool any = false;
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        t[k] = real(0.0);
    for (uint slot = 0u; slot < copy_slots; ++slot) {
        const real rho = scalars[SCALAR_PENALTY_SCALE] * weights[weight_place(slot, e)];
        if (!(rho > real(0.0)))
            continue;
        any = true;
        mix_state(slot, e, z);
        project(slot, e, rho, z);
        for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
            const uint at = copy_place(slot, e, k);
            copies[LOCAL_PROJECTED * copy_total + at] = z[k];
            t[k] += rho * ((z[k] - copies[LOCAL_STATE * copy_total + at]) + (z[k] - copies[LOCAL_GRADIENT * copy_total + at]));
        }
    }
    if (!any)
        return;
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = shapes[shape_place(e, k)];
    scatter_forces(e, t, g);
#endif
}
