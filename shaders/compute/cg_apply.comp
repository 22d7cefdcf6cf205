// variant: f64
// Conjugate gradients, first half of an iteration: p = z + beta p, formed on the fly for the neighbours too; A p; p.A p.
// Ends the solve when the residual is small enough: then the dispatches that follow are empty.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 4) readonly buffer SliceStart { uint slice_start[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Values { real values[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Preconditioned { real3 preconditioned[]; };
layout(scalar, set = 0, binding = 8) buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Product { real3 product[]; };
layout(push_constant) uniform Push { uint node_count, parity; };

#include "common/cg.glsl"

void end_solve(uint iterations, bool good)
{
    control[CONTROL_CG_TOTAL] += iterations;
    control[CONTROL_CG_MOST] = max(control[CONTROL_CG_MOST], iterations);
    control[CONTROL_BAD_SOLVES] += good ? 0u : 1u;
    control[ARGUMENTS_CG] = 0u;
    control[ARGUMENTS_AFTER_NODES] = control[CONTROL_GROUPS_NODES];
    control[ARGUMENTS_AFTER_TETS] = control[CONTROL_GROUPS_TETS];
    control[ARGUMENTS_AFTER_ONE] = 1u;
}

void main()
{
    const uint groups = gl_NumWorkGroups.x;
    const uint iteration = control[CONTROL_CG_ITERATION];
    const real rz = partials_sum(SUM_RZ + parity, groups);
    const real rz_old = partials_sum(SUM_RZ + 1u - parity, groups);
    const bool leader = gl_GlobalInvocationID.x == 0u;
    real beta = real(0.0);
    real target = real(0.0);
    if (iteration == 0u) {
        if (leader)
            scalars[SCALAR_CG_TARGET] = scalars[SCALAR_CG_REDUCTION] * scalars[SCALAR_CG_REDUCTION] * rz;
    } else {
        target = scalars[SCALAR_CG_TARGET];
        beta = rz / rz_old;
    }
    const bool cut = iteration >= CG_ITERATIONS_MOST;
    if (!(rz > target) || cut) {
        if (leader)
            end_solve(iteration, !cut);
        return;
    }
    const uint from = parity * node_count, to = (1u - parity) * node_count;
    real block[6];
    for (int k = 0; k < 6; ++k)
        block[k] = scalars[SCALAR_PLANE_BLOCK + k];
    real curvature = real(0.0);
    for (uint row = gl_GlobalInvocationID.x; row < node_count; row += groups * gl_WorkGroupSize.x) {
        const real3 p = preconditioned[row] + beta * direction[from + row];
        direction[to + row] = p;
        real3 sum = real3(0.0);
        const uint slice = row / SLICE_ROWS;
        for (uint e = slice_start[slice] + row % SLICE_ROWS; e < slice_start[slice + 1u]; e += SLICE_ROWS) {
            const uint column = columns[e];
            sum += values[e] * (preconditioned[column] + beta * direction[from + column]);
        }
        if ((flags[row] & NODE_IS_FREE) != 0u && flags[row] >> NODE_SURFACE_SHIFT != 0u)
            sum += symmetric_apply(block, p);
        product[row] = sum;
        curvature += dot(p, sum);
    }
    curvature = workgroup_sum(curvature);
    if (gl_LocalInvocationIndex == 0u)
        partials[SUM_CURVATURE * SUM_GROUPS_MOST + gl_WorkGroupID.x] = curvature;
}
