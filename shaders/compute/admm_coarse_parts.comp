// variant: f64
// The global matrix of ADMM between affine motions of the groups, as compute/coarse_parts: an entry is a multiple of the identity, on the
// diagonal with what penalty contact adds; what pins hold in part does not move. Of damping that sees no rigid motions its own entries are
// taken (`rigid`), as if the motions were without rigid parts.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BatchStart { uint batch_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Entries { uvec3 entries[]; }; // entry of the matrix, its row and column
layout(scalar, set = 0, binding = 2) readonly buffer Values { real values[]; };
layout(scalar, set = 0, binding = 3) readonly buffer RigidValues { real rigid_values[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Arms { real arms[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer Parts { real parts[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 9) readonly buffer PartialPins { real partial_pins[]; };
layout(push_constant) uniform Push { uint batch_count, rigid; };

#include "common/coarse_block.glsl"
#include "common/contact/split_block.glsl"
#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

const real3 AXES[3] = real3[3](real3(1.0, 0.0, 0.0), real3(0.0, 1.0, 0.0), real3(0.0, 0.0, 1.0));

/// What a unit along axis k in the entry's column pulls with in its row.
real3 entry_column(uvec3 entry, real value, uint k)
{
    const uint row = entry.y, column = entry.z;
    const real3 unit = free_part(column, AXES[k]);
    real3 pull = value * unit;
    if (row == column && flags[row] >> NODE_SURFACE_SHIFT != 0u)
        pull += symmetric_apply(split_block(exact_value(masses[row])), unit);
    return free_part(row, pull);
}

void main()
{
    const uint batch = group_number();
    if (batch >= batch_count)
        return;
    real sum[9];
    for (uint k = 0u; k < 9u; ++k)
        sum[k] = real(0.0);
    for (uint p = batch_start[batch] + own_team(); p < batch_start[batch + 1u]; p += team_count()) {
        const uvec3 entry = entries[p];
        const real factor = arm_factor(entry.y, entry.z);
        const real value = values[entry.x] + (rigid != 0u ? rigid_values[entry.x] : real(0.0));
        for (uint k = 0u; k < 3u; ++k) {
            const real3 pull = factor * entry_column(entry, value, k);
            sum[k] += pull.x;
            sum[3u + k] += pull.y;
            sum[6u + k] += pull.z;
        }
    }
    coarse_block_keep(sum);
    barrier();
    for (uint o = gl_LocalInvocationIndex; o < COARSE_BLOCK; o += gl_WorkGroupSize.x)
        parts[COARSE_BLOCK * batch + o] = coarse_block_total(o);
}
