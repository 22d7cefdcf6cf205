// variant: f64
// The dual residual D^T rho (J - Z) + contact at the free nodes from its corner forces, and the norms it is compared with.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

#define MANY_SUMS SUM_DUAL_COUNT

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 3) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 4) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Split { real split[]; };
layout(scalar, set = 0, binding = 9) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Loads { real3 loads[]; };
layout(push_constant) uniform Push { uint node_count, surface_count, plane_count, split_count; };

#include "common/contact/penalty_split.glsl"
#include "common/invocation.glsl"
#include "common/loads.glsl"
#include "common/many_partials.glsl"
#include "common/partial_pins.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    const real3 g = real3(scalars[SCALAR_GRAVITY], scalars[SCALAR_GRAVITY + 1], scalars[SCALAR_GRAVITY + 2]);
    many_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        if ((flags[i] & NODE_IS_FREE) == 0u)
            continue;
        real3 dual = real3(0.0);
        for (uint p = incidence_start[i]; p < incidence_start[i + 1u]; ++p)
            dual += corner_forces[p];
        const uint surface = flags[i] >> NODE_SURFACE_SHIFT;
        uint before = 0u;
        for (uint p = 0u; p < plane_count && surface != 0u; ++p) {
            const Copy copy = copy_of(p, before, surface - 1u, exact_value(masses[i]));
            for (uint j = 0u; j < 3u && j < copy.width; ++j)
                dual += copy_weight(copy, j) * split[copy_place(copy, SPLIT_RESIDUAL, j)] * copy_axis(copy, j);
            before = copy_end(copy, before);
        }
        dual = free_part(i, dual);
        const real mass = exact_value(masses[i]), inertia = mass * scalars[SCALAR_INVERSE_A_SQ];
        const Exact3 target = slots[ABI_SLOT_TARGET * node_count + i];
        const real3 outer = mass * g + load_at(i);
        const real3 force = outer - inertia * exact3_difference(slots[ABI_SLOT_STAGE * node_count + i], target);
        const real3 carried = inertia * exact3_difference(target, slots[ABI_SLOT_POSITION * node_count + i]);
        many_sums_add(0u, dot(dual, dual));
        many_sums_add(1u, dot(force, force));
        many_sums_add(2u, dot(carried, carried));
        many_sums_add(3u, dot(outer, outer));
    }
    many_sums_end(SUM_DUAL, group_number());
}
