// variant: f64
// variant: kinds
// J = D x from differences of the exact positions, J - Z, the plain iteration's next S, the history, and all norms.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
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
layout(scalar, set = 0, binding = 6) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 7) buffer Locals { real locals[]; };
layout(scalar, set = 0, binding = 8) buffer ResidualDifferences { float residual_differences[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer ImageDifferences { float image_differences[]; };

#include "common/elements/gather.glsl"
#include "common/invocation.glsl"
#include "common/many_partials.glsl"

void element_update(uint e)
{
    const uint newest = control[CONTROL_NEWEST], history = control[CONTROL_HISTORY];
    const real weight = scalars[SCALAR_PENALTY_SCALE] * parameters[parameter_place(e, PARAMETER_PENALTY)];
    real g[ELEMENT_SHAPES], f[ELEMENT_SIZE], r[ELEMENT_SIZE], difference[ELEMENT_SIZE];
    gather_shape(e, g);
    gather_gradient(e, ABI_SLOT_STAGE, g, f);
    real residual_sq = real(0.0), gradient_sq = real(0.0), projected_sq = real(0.0), change_sq = real(0.0);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        const uint at = local_place(e, k);
        const real z = locals[LOCAL_PROJECTED * local_count + at], old_r = locals[LOCAL_RESIDUAL * local_count + at];
        r[k] = f[k] - z;
        const real image = locals[LOCAL_STATE * local_count + at] + r[k];
        const real change = (z - locals[LOCAL_GRADIENT * local_count + at]) + old_r;
        difference[k] = real(float(r[k] - old_r));
        if (newest != 0xffffffffu) {
            residual_differences[newest * local_count + at] = float(difference[k]);
            image_differences[newest * local_count + at] = float(image - locals[LOCAL_IMAGE * local_count + at]);
        }
        locals[LOCAL_GRADIENT * local_count + at] = f[k];
        locals[LOCAL_RESIDUAL * local_count + at] = r[k];
        locals[LOCAL_IMAGE * local_count + at] = image;
        residual_sq += r[k] * r[k];
        gradient_sq += f[k] * f[k];
        projected_sq += z * z;
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
            const real old = real(residual_differences[j * local_count + local_place(e, k)]);
            with_newest += old * difference[k];
            with_current += old * r[k];
        }
        many_sums_add(SUM_ELEMENTS_NEWEST + j, weight * with_newest);
        many_sums_add(SUM_ELEMENTS_CURRENT + j, weight * with_current);
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
