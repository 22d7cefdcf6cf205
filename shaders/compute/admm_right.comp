// variant: f64
// What stationarity in x lacks at the current iterate: r = D^T rho (2 Z - S - J) + M g - M (x - xt)/a^2 + contact, summed
// at the nodes in a fixed order; the prox of penalty contact; and the start of the conjugate gradients for the increment.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/linear.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 4) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 5) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 9) buffer Split { real split[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 11) writeonly buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 12) writeonly buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 13) writeonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 14) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 15) readonly buffer Loads { real3 loads[]; };
/// rubs: 0 without friction
layout(push_constant) uniform Push { uint node_count, surface_count, plane_count, split_count, base, rubs; };

/// Stages that have not ended by then, slow ones, get a guess of each solution (compute/admm_guess.comp): others need no better ones, and it costs an
/// iteration of the conjugate gradients.
#define GUESS_FROM 50u

#include "common/cg_vector.glsl"
#include "common/contact/penalty_split.glsl"
#include "common/contact/penalty_prox.glsl"
#include "common/control.glsl"
#include "common/invocation.glsl"
#include "common/loads.glsl"
#include "common/partial_pins.glsl"
#include "common/reduce.glsl"

/// y' = prox(s), and what the split pushes with: w (2 y' - s - gap) along each axis.
real3 copy_push(Copy copy)
{
    real3 s = real3(0.0), sum = real3(0.0);
    for (uint j = 0u; j < 3u && j < copy.width; ++j) {
        real state = split[copy_place(copy, SPLIT_IMAGE, j)];
        for (uint k = 0u; k < control[CONTROL_MIXING]; ++k)
            state -= scalars[SCALAR_WEIGHTS + k] * split[copy_place(copy, SPLIT_IMAGE_DIFFERENCES + k, j)];
        split[copy_place(copy, SPLIT_STATE, j)] = state;
        s[j] = state;
    }
    const real3 projected = copy_prox(copy, s, control[CONTROL_ITERATION] == 0u, rubs != 0u);
    for (uint j = 0u; j < 3u && j < copy.width; ++j) {
        split[copy_place(copy, SPLIT_PROJECTED, j)] = projected[j];
        sum += copy_weight(copy, j) *
               ((projected[j] - s[j]) + (projected[j] - split[copy_place(copy, SPLIT_GAP, j)])) * copy_axis(copy, j);
    }
    return sum;
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    const real3 gravity = real3(scalars[SCALAR_GRAVITY], scalars[SCALAR_GRAVITY + 1], scalars[SCALAR_GRAVITY + 2]);
    real sum = real(0.0);
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        real3 force = real3(0.0);
        for (uint p = incidence_start[i]; p < incidence_start[i + 1u]; ++p)
            force += corner_forces[p];
        const real3 moved = exact3_difference(slots[ABI_SLOT_STAGE * node_count + i], slots[ABI_SLOT_TARGET * node_count + i]);
        // Coupled masses are Newton's method's only: what gravity pulls on is the mass.
        force += exact_value(masses[i]) * (gravity - scalars[SCALAR_INVERSE_A_SQ] * moved) + load_at(i);
        const uint surface = flags[i] >> NODE_SURFACE_SHIFT;
        uint before = 0u;
        for (uint p = 0u; p < plane_count && surface != 0u; ++p) {
            const Copy copy = copy_of(p, before, surface - 1u, exact_value(masses[i]));
            force += copy_push(copy);
            before = copy_end(copy, before);
        }
        if ((flags[i] & NODE_IS_FREE) == 0u)
            force = real3(0.0);
        force = free_part(i, force);
        real factor[6];
        for (int k = 0; k < 6; ++k)
            factor[k] = preconditioner[6u * i + k];
        const real3 z = solve_block(factor, force);
        residual[i] = force;
        direction[i] = z;
        increment[i] = real3(0.0);
        sum += dot(force, z);
    }
    sum = workgroup_sum(sum);
    if (gl_LocalInvocationIndex == 0u)
        partials[SUM_RZ * SUM_GROUPS_MOST + group_number()] = sum;
    if (invocation_number() == 0u) {
        end_local_step();
        control[CONTROL_CG_ITERATION] = 0u;
        control[CONTROL_CG_LIMIT] = CG_ITERATIONS_MOST;
        control[CONTROL_CG_INDEFINITE] = 0u;
        control[CONTROL_CG_WARM] = control[CONTROL_MIXING] != 0u && control[CONTROL_ITERATION] >= GUESS_FROM ? 1u : 0u;
        run_solve();
    }
}
