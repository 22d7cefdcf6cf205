// variant: f64
// One workgroup, after every iteration: the norms, Anderson's weights, and what runs next.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Partials { real partials[]; };
layout(push_constant) uniform Push { uint local_count, split_count; };

#include "common/anderson.glsl"
#include "common/control.glsl"

#define SECTIONS (SUM_ELEMENTS_COUNT + SUM_PLANES_COUNT)
#define PARTS 6u

shared real parts[SECTIONS * 6];
shared real totals[SECTIONS];

/// All sections of elements and planes at once, PARTS invocations each.
void sum_sections()
{
    const uint section = gl_LocalInvocationIndex / PARTS, part = gl_LocalInvocationIndex % PARTS;
    if (section < SECTIONS) {
        const uint groups = section < SUM_ELEMENTS_COUNT ? control[CONTROL_SUMS_ELEMENTS] : control[CONTROL_SUMS_NODES];
        real sum = real(0.0);
        for (uint g = part; g < groups; g += PARTS)
            sum += partials[(SUM_ELEMENTS + section) * SUM_GROUPS_MOST + g];
        parts[gl_LocalInvocationIndex] = sum;
    }
    barrier();
    if (gl_LocalInvocationIndex < SECTIONS) {
        real sum = real(0.0);
        for (uint p = 0u; p < PARTS; ++p)
            sum += parts[PARTS * gl_LocalInvocationIndex + p];
        totals[gl_LocalInvocationIndex] = sum;
    }
    barrier();
}

real planes_total(uint v)
{
    return totals[SUM_ELEMENTS_COUNT + v];
}

/// As cpu_anderson_update: the newest difference enters the history, or the history is dropped where the combined
/// residual exceeds twice the best.
void anderson_update()
{
    control[CONTROL_MIXING] = 0u;
    const uint depth = control[CONTROL_DEPTH];
    if (depth == 0u)
        return;
    const real combined = sqrt(totals[SUM_ELEMENTS_WEIGHTED] + planes_total(SUM_PLANES_WEIGHTED));
    if (control[CONTROL_HAS_PREVIOUS] != 0u) {
        const uint newest = control[CONTROL_NEWEST], kept = control[CONTROL_HISTORY];
        control[CONTROL_KEPT] = kept;
        control[CONTROL_NEXT] = (newest + 1u) % depth;
        for (uint j = 0u; j < kept; ++j) {
            const real entry = totals[SUM_ELEMENTS_NEWEST + j] + planes_total(SUM_PLANES_NEWEST + j);
            scalars[SCALAR_GRAM + HISTORY_MOST * newest + j] = entry;
            scalars[SCALAR_GRAM + HISTORY_MOST * j + newest] = entry;
            anderson_right[j] = totals[SUM_ELEMENTS_CURRENT + j] + planes_total(SUM_PLANES_CURRENT + j);
        }
        if (combined > real(2.0) * scalars[SCALAR_BEST]) {
            control[CONTROL_KEPT] = 0u;
            control[CONTROL_NEXT] = 0u;
            scalars[SCALAR_BEST] = combined;
        } else {
            solve_weights(kept);
            control[CONTROL_MIXING] = kept;
        }
    } else {
        scalars[SCALAR_BEST] = combined;
        control[CONTROL_HAS_PREVIOUS] = 1u;
    }
    scalars[SCALAR_BEST] = min(scalars[SCALAR_BEST], combined);
    control[CONTROL_NEWEST] = control[CONTROL_NEXT];
    control[CONTROL_HISTORY] = min(control[CONTROL_KEPT] + 1u, depth);
}

/// |r| < eps sqrt(n) + eps max(|J|, |Z|) for the n numbers of D x, the same for penalty contact (theory.md section 5, "Stopping").
uint primal_state()
{
    const real tolerance = scalars[SCALAR_TOLERANCE];
    const real size = sqrt(max(totals[SUM_ELEMENTS_GRADIENT], totals[SUM_ELEMENTS_PROJECTED]));
    const real primal = sqrt(totals[SUM_ELEMENTS_RESIDUAL]), bound = tolerance * (sqrt(real(local_count)) + size);
    const real planes = sqrt(planes_total(SUM_PLANES_RESIDUAL));
    const real gap = sqrt(max(planes_total(SUM_PLANES_GAP), planes_total(SUM_PLANES_PROJECTED)));
    const real planes_bound = tolerance * (sqrt(real(split_count)) + gap);
    scalars[SCALAR_PRIMAL] = primal;
    scalars[SCALAR_PRIMAL_BOUND] = bound;
    scalars[SCALAR_PROJECTED_CHANGE] = sqrt(totals[SUM_ELEMENTS_CHANGE]);
    if (primal <= bound && planes <= planes_bound)
        return ADMM_CONVERGED;
    const real floor = scalars[SCALAR_PRIMAL_FLOOR];
    if (primal <= max(bound, floor * size) && planes <= max(planes_bound, floor * gap))
        return ADMM_AT_ROUNDING;
    return primal >= real(0.0) && primal < real(3e38) ? ADMM_RUNNING : ADMM_NOT_A_NUMBER;
}

void main()
{
    sum_sections();
    if (gl_LocalInvocationIndex != 0u)
        return;
    const uint iteration = control[CONTROL_ITERATION] + 1u;
    const uint state = primal_state();
    control[CONTROL_ITERATION] = iteration;
    control[CONTROL_PRIMAL_DONE] = state;
    end_after_step();
    if (state == ADMM_NOT_A_NUMBER) {
        control[CONTROL_STOP] = state;
        return;
    }
    anderson_update();
    // The dual residual costs another pass over the elements, so it is looked at only when the primal one is small.
    if (state != ADMM_RUNNING || iteration >= control[CONTROL_LIMIT]) {
        run_dual();
        return;
    }
    run_local_step();
}
