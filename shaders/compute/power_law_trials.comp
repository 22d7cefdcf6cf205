// variant: f64
// variant: kinds
// Power laws of damping along the direction d: y, the square of the rates S, goes to |S + s D|^2 with the rates D of d/t.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 3) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Records { real records[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 7) buffer Indices { uint indices[]; };

real element_data(uint at)
{
    return records[at];
}

#include "common/elements/power_law.glsl"
#include "common/elements/corner_velocity.glsl"
#include "common/invocation.glsl"
#include "common/trials.glsl"

#if ELEMENT_HAS_LAWS

/// y0 + s along + s^2 across at the step s.
void try_law(PowerLaw law, real weight, real y, real along, real across, real step)
{
    const real viscosity = power_law_viscosity(law, y);
    real s = step;
    for (uint i = 0u; i < TRIALS_MOST; ++i) {
        const real rise = s * (along + s * across), end = max(y + rise, real(0.0));
        trial_add(i, weight * power_law_change(law, y, rise),
                  weight * power_law_viscosity(law, end) * (real(0.5) * along + s * across),
                  real(0.5) * weight * viscosity * s * (abs(along) + s * across));
        s *= real(0.5);
    }
}

void try_element(uint e, uint list, real step)
{
    const uint at = law_place(e), node = element_nodes[corner_place(e, 0u)];
    real3 way[LAW_ARMS], change[LAW_ARMS];
    real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS], dx[ELEMENT_COLUMNS * ELEMENT_COLUMNS], rates[LAW_RATES], rises[LAW_RATES];
    const Exact3 own = velocity_of(e, 0u);
    for (uint a = 0u; a < LAW_ARMS; ++a) {
        way[a] = exact_value(inverse) * exact3_difference(velocity_of(e, a + 1u), own);
        change[a] = exact_value(inverse) * (increment[element_nodes[corner_place(e, a + 1u)]] - increment[node]);
    }
    law_motion(at, way, x);
    law_motion(at, change, dx);
    for (uint i = 0u; i < damping_lists[list]; ++i) {
        if (!is_law(list, i) || !is_seen(list, i))
            continue;
        const PowerLaw law = law_at(list, i);
        law_rates(at, law, x, rates);
        law_rates(at, law, dx, rises);
        try_law(law, exact_value(duration) * damping_numbers[first_element + e], law_product(rates, rates),
                real(2.0) * law_product(rates, rises), law_product(rises, rises), step);
    }
}

#endif

void main()
{
    const uint groups = sum_groups(count);
    if (group_number() >= groups)
        return;
    const real step = first_step(argument >> DAMPING_SECTION_SHIFT & 0xffu);
    exact_sums_begin();
#if ELEMENT_HAS_LAWS
    for (uint e = invocation_number(); e < count; e += groups * gl_WorkGroupSize.x) {
        const uint list = damping_lists[first_element + e];
        if (list != DAMPING_NONE)
            try_element(e, list, step);
    }
#endif
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
