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
/// Numbers of D x, coordinates of the split before obstacles; numbers of D x of the copies for damping, the workgroups that have summed over
/// those, whose sums stand behind the elements'; the same of the copies for the air, behind those, and the length that theirs are small against.
layout(push_constant) uniform Push { uint local_count, split_count, copy_count, copy_sums, air_count, air_sums; float air_length; };

#include "common/anderson.glsl"
#include "common/control.glsl"

/// Of elements and planes, the norms of the copies for damping, and two of those for the air.
#define COPY_NORMS (SUM_ELEMENTS_PROJECTED + 1)
#define AIR_NORMS (SUM_ELEMENTS_GRADIENT + 1)
#define FIRST_COPY_NORM (SUM_ELEMENTS_COUNT + SUM_PLANES_COUNT)
#define FIRST_AIR_NORM (FIRST_COPY_NORM + COPY_NORMS)
#define SECTIONS (FIRST_AIR_NORM + AIR_NORMS)
#define PARTS uint(GROUP_CONTROL / SECTIONS)

shared real parts[GROUP_CONTROL];
shared real totals[SECTIONS];

/// Where a section stands, and which of its entries: norms are of elements or of copies, other sums of all.
uvec3 section_entries(uint section)
{
    const uint elements = control[CONTROL_SUMS_ELEMENTS], both = elements + copy_sums, all = both + air_sums;
    if (section < COPY_NORMS)
        return uvec3(section, 0u, elements);
    if (section < SUM_ELEMENTS_COUNT)
        return uvec3(section, 0u, all);
    if (section < SUM_ELEMENTS_COUNT + SUM_PLANES_COUNT)
        return uvec3(section, 0u, control[CONTROL_SUMS_NODES]);
    if (section < FIRST_AIR_NORM)
        return uvec3(section - FIRST_COPY_NORM, elements, both);
    return uvec3(section - FIRST_AIR_NORM, both, all);
}

/// All sections at once, PARTS invocations each.
void sum_sections()
{
    const uint section = gl_LocalInvocationIndex / PARTS, part = gl_LocalInvocationIndex % PARTS;
    if (section < SECTIONS) {
        const uvec3 entries = section_entries(section);
        real sum = real(0.0);
        for (uint g = entries.y + part; g < entries.z; g += PARTS)
            sum += partials[(SUM_ELEMENTS + entries.x) * SUM_GROUPS_MOST + g];
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

real copies_total(uint v)
{
    return totals[FIRST_COPY_NORM + v];
}

/// Residual of the copies for the air, and what it is compared with but for the tolerance.
real2 air_state()
{
    return real2(sqrt(totals[FIRST_AIR_NORM + SUM_ELEMENTS_RESIDUAL]),
                 sqrt(real(air_count)) * real(air_length) + sqrt(totals[FIRST_AIR_NORM + SUM_ELEMENTS_GRADIENT]));
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

/// |r| < eps sqrt(n) + eps max(|J|, |Z|) for the n numbers of D x, the same for their copies and for penalty contact (theory.md section 5,
/// "Stopping"). What of elements and copies is farther from its bound is told.
uint primal_state()
{
    const real tolerance = scalars[SCALAR_TOLERANCE];
    const real size = sqrt(max(totals[SUM_ELEMENTS_GRADIENT], totals[SUM_ELEMENTS_PROJECTED]));
    const real primal = sqrt(totals[SUM_ELEMENTS_RESIDUAL]), bound = tolerance * (sqrt(real(local_count)) + size);
    const real copy_size = sqrt(max(copies_total(SUM_ELEMENTS_GRADIENT), copies_total(SUM_ELEMENTS_PROJECTED)));
    const real copies = sqrt(copies_total(SUM_ELEMENTS_RESIDUAL)),
               copies_bound = tolerance * (sqrt(real(copy_count)) + copy_size);
    const real planes = sqrt(planes_total(SUM_PLANES_RESIDUAL));
    const real gap = sqrt(max(planes_total(SUM_PLANES_GAP), planes_total(SUM_PLANES_PROJECTED)));
    const real planes_bound = tolerance * (sqrt(real(split_count)) + gap);
    const real2 air = air_state();
    const bool copies_are_farther = copies * bound > primal * copies_bound;
    scalars[SCALAR_PRIMAL] = copies_are_farther ? copies : primal;
    scalars[SCALAR_PRIMAL_BOUND] = copies_are_farther ? copies_bound : bound;
    scalars[SCALAR_PRIMAL_DIFFERENCE] = sqrt(totals[SUM_ELEMENTS_RESIDUAL] + copies_total(SUM_ELEMENTS_RESIDUAL));
    scalars[SCALAR_PROJECTED_CHANGE] = sqrt(totals[SUM_ELEMENTS_CHANGE]);
    if (primal <= bound && copies <= copies_bound && planes <= planes_bound && air.x <= tolerance * air.y)
        return ADMM_CONVERGED;
    const real floor = scalars[SCALAR_PRIMAL_FLOOR];
    if (primal <= max(bound, floor * size) && copies <= max(copies_bound, floor * copy_size) &&
        planes <= max(planes_bound, floor * gap) && air.x <= max(tolerance, floor) * air.y)
        return ADMM_AT_ROUNDING;
    const real all = primal + copies + air.x;
    return all >= real(0.0) && all < real(3e38) ? ADMM_RUNNING : ADMM_NOT_A_NUMBER;
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
