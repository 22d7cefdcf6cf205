// variant: f64
// variant: kinds
// The part of Newton's matrix of the power laws of one kind of element (common/elements/sum_blocks.glsl).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BlockStart { uint block_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Contributions { uint contributions[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Records { real data[]; };
layout(scalar, set = 0, binding = 3) buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) buffer ThirdRows { real third_rows[]; };

#define SUMMED_PUSH uint law_size, law_count;
#define SUMMED_SIZE law_size
#define SUMMED_BLOCK law_block

#include "abi/damping.h"
#include "common/elements/kind.glsl"

void law_block(uint at, uint row, uint column, out real block[9]);

#include "common/elements/sum_blocks.glsl"
#include "common/invocation.glsl"

/// f of a corner.
real3 force_of(uint at, uint corner)
{
    real3 force = real3(0.0);
    for (uint a = 0u; a < ELEMENT_CORNERS - 1u; ++a) {
        const real3 other = real3(element_data(at + 3u * a), element_data(at + 3u * a + 1u), element_data(at + 3u * a + 2u));
        force += corner == 0u ? -other : corner == a + 1u ? other : real3(0.0);
    }
    return force;
}

void law_block(uint at, uint row, uint column, out real block[9])
{
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
    element_form_block(at, row, column, block);
    uint behind = at + FORM_SIZE + FORM_AXES + ELEMENT_COLUMNS;
    for (uint law = 0u; law < law_count; ++law) {
        const real3 first = element_data(behind) * force_of(behind + 1u, row), second = force_of(behind + 1u, column);
        for (uint i = 0u; i < 3u; ++i)
            for (uint k = 0u; k < 3u; ++k)
                block[3u * i + k] += first[i] * second[k];
        behind += 1u + 3u * (ELEMENT_CORNERS - 1u);
    }
#else
    element_block(at, row, column, block); // nobody asks for one
#endif
}

void main()
{
    sum_blocks(invocation_number());
}
