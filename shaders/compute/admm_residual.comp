// variant: f64
// J = D x from differences of the exact positions, J - Z, the plain iteration's next S, the history, and all norms.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define MANY_SUMS SUM_TETS_COUNT

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Tets { uint tets[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 7) buffer Matrices { real matrices[]; };
layout(scalar, set = 0, binding = 8) buffer ResidualDifferences { float residual_differences[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer ImageDifferences { float image_differences[]; };
layout(push_constant) uniform Push { uint node_count, tet_count; };

#include "common/gather_tets.glsl"
#include "common/many_partials.glsl"

void tet_update(uint t)
{
    const uint section = 9u * tet_count, newest = control[CONTROL_NEWEST], history = control[CONTROL_HISTORY];
    const real weight = scalars[SCALAR_PENALTY_SCALE] * parameters[TET_PENALTY * tet_count + t];
    real g[9], f[9], r[9], difference[9];
    gather_shape(t, g);
    gather_gradient(t, ABI_SLOT_STAGE, g, f);
    real residual_sq = real(0.0), gradient_sq = real(0.0), projected_sq = real(0.0), change_sq = real(0.0);
    for (uint k = 0u; k < 9u; ++k) {
        const uint at = k * tet_count + t;
        const real z = matrices[TET_PROJECTED * section + at], old_r = matrices[TET_RESIDUAL * section + at];
        r[k] = f[k] - z;
        const real image = matrices[TET_STATE * section + at] + r[k];
        const real change = (z - matrices[TET_GRADIENT * section + at]) + old_r;
        difference[k] = real(float(r[k] - old_r));
        if (newest != 0xffffffffu) {
            residual_differences[newest * section + at] = float(difference[k]);
            image_differences[newest * section + at] = float(image - matrices[TET_IMAGE * section + at]);
        }
        matrices[TET_GRADIENT * section + at] = f[k];
        matrices[TET_RESIDUAL * section + at] = r[k];
        matrices[TET_IMAGE * section + at] = image;
        residual_sq += r[k] * r[k];
        gradient_sq += f[k] * f[k];
        projected_sq += z * z;
        change_sq += change * change;
    }
    many_sums_add(SUM_TETS_RESIDUAL, residual_sq);
    many_sums_add(SUM_TETS_GRADIENT, gradient_sq);
    many_sums_add(SUM_TETS_PROJECTED, projected_sq);
    many_sums_add(SUM_TETS_WEIGHTED, weight * residual_sq);
    many_sums_add(SUM_TETS_CHANGE, change_sq);
    for (uint j = 0u; j < history; ++j) {
        real with_newest = real(0.0), with_current = real(0.0);
        for (uint k = 0u; k < 9u; ++k) {
            const real old = real(residual_differences[j * section + k * tet_count + t]);
            with_newest += old * difference[k];
            with_current += old * r[k];
        }
        many_sums_add(SUM_TETS_NEWEST + j, weight * with_newest);
        many_sums_add(SUM_TETS_CURRENT + j, weight * with_current);
    }
}

void main()
{
    many_sums_begin();
    for (uint t = gl_GlobalInvocationID.x; t < tet_count; t += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
        tet_update(t);
    many_sums_end(SUM_TETS);
}
