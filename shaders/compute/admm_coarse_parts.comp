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

#define MOTIONS_ARE_AFFINE

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Batches { uint batches[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Entries { uvec3 entries[]; }; // entry of the matrix, its row and column
layout(scalar, set = 0, binding = 2) readonly buffer Values { real values[]; };
layout(scalar, set = 0, binding = 3) readonly buffer RigidValues { real rigid_values[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Arms { real3 arms[]; };
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
    const uint end = batches[batch + 1u];
    const GroupMotions affine = group_motions(0u);
    coarse_block_begin();
    for (uint first = batches[batch]; first < end; first += gl_WorkGroupSize.x) {
        const uint p = first + gl_LocalInvocationIndex;
        if (p < end) {
            const uvec3 entry = entries[p];
            const real value = values[entry.x] + (rigid != 0u ? rigid_values[entry.x] : real(0.0));
            const real3x3 turned =
                transpose(real3x3(entry_column(entry, value, 0u), entry_column(entry, value, 1u), entry_column(entry, value, 2u)));
            coarse_block_put(affine, entry.y, entry.z, real3[3](turned[0], turned[1], turned[2]), false);
        }
        coarse_block_add(affine, min(end - first, gl_WorkGroupSize.x));
    }
    coarse_block_keep();
    barrier();
    for (uint o = gl_LocalInvocationIndex; o < COARSE_BLOCK; o += gl_WorkGroupSize.x)
        parts[COARSE_BLOCK * batch + o] = coarse_block_total(o);
}
