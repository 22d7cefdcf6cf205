// variant: f64
// Minus the geometric stiffness of the last multipliers joins Newton's matrix: a node's row gathers the blocks of the constraints that it is in,
// in their order.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/saddle.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Numbers { Exact numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Stiffness { real stiffness[]; };
layout(scalar, set = 0, binding = 5) buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 6) buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 7) buffer ThirdRows { real third_rows[]; };

#include "common/constraints/push.glsl"

#include "common/constraints/columns.glsl"
#include "common/invocation.glsl"

void add_block(uint e, real m[6])
{
    const uint f = e + entry_count, g = f + entry_count;
    first_rows[e] += m[0];
    second_rows[f] += m[1];
    third_rows[g] += m[2];
    if (m[3] == real(0.0) && m[4] == real(0.0) && m[5] == real(0.0))
        return;
    first_rows[f] += m[3];
    second_rows[e] += m[3];
    first_rows[g] += m[4];
    third_rows[e] += m[4];
    second_rows[g] += m[5];
    third_rows[f] += m[5];
}

/// The block of two of a constraint's entries.
void node_block(uint kind, real products[6], uint a, uint b, out real block[6])
{
    for (int k = 0; k < 6; ++k)
        block[k] = real(0.0);
    if (kind == CONSTRAINT_KIND_LENGTH) {
        const real weight = exact_value(entry_weight(a, 0u)) * exact_value(entry_weight(b, 0u));
        for (int k = 0; k < 6; ++k)
            block[k] = weight * products[k];
        return;
    }
    real sum = real(0.0);
    for (uint c = 0u; c < CONSTRAINT_COLUMNS[kind]; ++c)
        for (uint d = 0u; d < CONSTRAINT_COLUMNS[kind]; ++d)
            sum += exact_value(entry_weight(a, c)) * exact_value(entry_weight(b, d)) *
                   products[c == d ? c : c + d + 2u];
    for (int k = 0; k < 3; ++k)
        block[k] = sum;
}

void main()
{
    const uint node = invocation_number();
    if (node >= node_count || (flags[node] & NODE_IS_FREE) == 0u)
        return;
    const uvec2 pulls = node_pulls(node);
    for (uint p = pulls.x; p < pulls.y; p += PULL_WORDS) {
        const uint c = lists[p + PULL_CONSTRAINT], kind = constraint_word(c, CONSTRAINT_KIND),
                   first = constraint_word(c, CONSTRAINT_FIRST_ENTRY);
        real products[6], block[6];
        bool is_there = false;
        for (uint k = 0u; k < CONSTRAINT_STIFFNESS_SIZE; ++k) {
            products[k] = stiffness[CONSTRAINT_STIFFNESS_SIZE * c + k];
            is_there = is_there || products[k] != real(0.0);
        }
        for (uint b = 0u; is_there && b < constraint_word(c, CONSTRAINT_ENTRY_COUNT); ++b) {
            node_block(kind, products, first + lists[p + PULL_ENTRY], first + b, block);
            add_block(lists[first_block + lists[p + PULL_BLOCKS] + b], block);
        }
    }
}
