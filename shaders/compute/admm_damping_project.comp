// variant: f64
// variant: kinds
// The local step of the copies that elements have for damping, slot after slot: the next S, mixed from the history; Z = prox(S); and the corner
// forces of rho (2 Z - S - J), added to those of the elements themselves. The variational model has a kernel of its own.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/control.h"
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

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
layout(scalar, set = 0, binding = 11) writeonly buffer RigidCorners { real3 rigid_corners[]; };

#include "common/elements/copy_scatter.glsl"
#include "common/elements/copy_state.glsl"
#include "common/elements/damping_prox.glsl"
#include "common/elements/power_law_list.glsl"
#include "common/invocation.glsl"

uint shape_record, shape_element; ///< at hand

real element_data(uint at)
{
    return copy_shapes[shape_number_place(shape_record, shape_element, at)];
}

#if ELEMENT_HAS_COPIES

/// Entry `number` of the laws in an element's list.
PowerLaw law_of(uint e, uint number)
{
    const uint list = damping_lists[first_element + e];
    uint i = 0u;
    for (uint left = number;; ++i)
        if (is_law(list, i) && left-- == 0u)
            return law_at(list, i);
}

void project(DampingCopy copy, uint e, real rho, inout real z[ELEMENT_SIZE])
{
    const real duration = scalars[SCALAR_STAGE_TIME];
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
    if (copy.law >= 0) {
        law_prox(law_of(e, uint(copy.law)), damping_numbers[first_element + e], duration, rho, z);
        return;
    }
#endif
    damping_prox(real(1.0) / (rho * duration), z);
}

#endif

#if ELEMENT_HAS_COPIES

/// Those on one side.
void project_side(uint side, uint e)
{
    real t[ELEMENT_SIZE], g[ELEMENT_SHAPES], z[ELEMENT_SIZE];
    bool any = false;
    shape_record = side;
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        t[k] = real(0.0);
    for (uint slot = 0u; slot < copy_slots; ++slot) {
        const DampingCopy copy = copy_of_slot(slot);
        const real rho = scalars[SCALAR_PENALTY_SCALE] * weights[weight_place(slot, e)];
        if (!(rho > real(0.0)) || copy.law == COPY_OF_VARIATIONAL || copy.side != side)
            continue;
        any = true;
        mix_state(slot, e, z);
        project(copy, e, rho, z);
        keep_projection(slot, e, rho, z, t);
    }
    if (!any)
        return;
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = shapes[shape_place(e, k)];
    scatter_side = side;
    scatter_forces(e, t, g);
}

#endif

void main()
{
#if ELEMENT_HAS_COPIES
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number();
    shape_element = e;
    [[dont_unroll]] for (uint side = 0u; side < 2u; ++side)
        project_side(side, e);
#endif
}
