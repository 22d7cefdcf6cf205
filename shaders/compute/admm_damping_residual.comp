// variant: f64
// variant: kinds
// J = D x less D xp, J - Z, the plain iteration's next S, the history, and all norms of the copies that elements have for damping.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/control.h"
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

#define MANY_SUMS SUM_ELEMENTS_COUNT

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Weights { real weights[]; };
layout(scalar, set = 0, binding = 7) buffer Copies { real copies[]; };
layout(scalar, set = 0, binding = 8) buffer ResidualDifferences { float residual_differences[]; };
layout(scalar, set = 0, binding = 9) buffer ImageDifferences { float image_differences[]; };

#include "common/elements/damping_copies.glsl"
#include "common/elements/gather_way.glsl"
#include "common/invocation.glsl"
#include "common/many_partials.glsl"

/// way: D x less D xp.
void copy_update(uint slot, uint e, real weight, real way[ELEMENT_SIZE])
{
    const uint newest = control[CONTROL_NEWEST], history = control[CONTROL_HISTORY];
    real r[ELEMENT_SIZE], difference[ELEMENT_SIZE];
    real residual_sq = real(0.0), gradient_sq = real(0.0), projected_sq = real(0.0), change_sq = real(0.0);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        const uint at = copy_place(slot, e, k);
        const real z = copies[LOCAL_PROJECTED * copy_total + at], old_r = copies[LOCAL_RESIDUAL * copy_total + at];
        r[k] = way[k] - z;
        const real image = copies[LOCAL_STATE * copy_total + at] + r[k];
        const real change = (z - copies[LOCAL_GRADIENT * copy_total + at]) + old_r, base = copies[COPY_BASE * copy_total + at];
        difference[k] = real(float(r[k] - old_r));
        if (newest != 0xffffffffu) {
            residual_differences[newest * copy_total + at] = float(difference[k]);
            image_differences[newest * copy_total + at] = float(image - copies[LOCAL_IMAGE * copy_total + at]);
        }
        copies[LOCAL_GRADIENT * copy_total + at] = way[k];
        copies[LOCAL_RESIDUAL * copy_total + at] = r[k];
        copies[LOCAL_IMAGE * copy_total + at] = image;
        residual_sq += r[k] * r[k];
        gradient_sq += (base + way[k]) * (base + way[k]);
        projected_sq += (base + z) * (base + z);
        change_sq += change * change;
    }
    many_sums_add(SUM_ELEMENTS_RESIDUAL, residual_sq);
    many_sums_add(SUM_ELEMENTS_GRADIENT, gradient_sq);
    many_sums_add(SUM_ELEMENTS_PROJECTED, projected_sq);
    many_sums_add(SUM_ELEMENTS_WEIGHTED, weight * residual_sq);
    many_sums_add(SUM_ELEMENTS_CHANGE, change_sq);
    for (uint j = 0u; j < history; ++j) {
        real with_newest = real(0.0), with_current = real(0.0);
        for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
            const real old = real(residual_differences[j * copy_total + copy_place(slot, e, k)]);
            with_newest += old * difference[k];
            with_current += old * r[k];
        }
        many_sums_add(SUM_ELEMENTS_NEWEST + j, weight * with_newest);
        many_sums_add(SUM_ELEMENTS_CURRENT + j, weight * with_current);
    }
}

void element_update(uint e)
{
    real way[ELEMENT_SIZE];
    uint seen = 2u; // the side whose ways are at hand
    for (uint slot = 0u; slot < copy_slots; ++slot) {
        const real weight = scalars[SCALAR_PENALTY_SCALE] * weights[weight_place(slot, e)];
        const uint side = copy_of_slot(slot).side;
        if (!(weight > real(0.0)))
            continue;
        if (side == ABI_DAMPED_LESS_RIGID && seen != side)
            gather_way(e, DAMPING_NO_SLOT, (argument >> COPY_OWN_SHIFT) + OWN_WAY, way);
        else if (seen != side)
            gather_way(e, argument & 0xffu, ABI_SLOT_STAGE, way);
        seen = side;
        copy_update(slot, e, weight, way);
    }
}

void main()
{
    if (group_number() >= group_count)
        return;
    many_sums_begin();
    for (uint e = invocation_number(); e < count; e += group_count * gl_WorkGroupSize.x)
        element_update(e);
    many_sums_end(SUM_ELEMENTS, first_sum + group_number());
}
