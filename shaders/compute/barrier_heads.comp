// Where among the sorted entries a new block begins: once as flags to be counted, once the blocks' first entries.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Keys { uvec2 keys[]; };
layout(scalar, set = 0, binding = 2) buffer Places { uint places[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Starts { uint starts[]; };
layout(push_constant) uniform Push { uint writes; };

#include "common/invocation.glsl"

void main()
{
    const uint e = invocation_number(), count = control[PAIR_ENTRIES];
    if (e >= count)
        return;
    const bool is_head = e == 0u || keys[e] != keys[e - 1u];
    if (writes == 0u) {
        places[e] = is_head ? 1u : 0u;
        return;
    }
    if (is_head && control[PAIR_BLOCKS] > 0u)
        starts[places[e]] = e;
    if (e == 0u)
        starts[control[PAIR_BLOCKS]] = count;
}
