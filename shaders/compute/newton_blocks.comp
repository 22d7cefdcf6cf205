// variant: f64
// variant: kinds
// The part of the matrix of one kind of element, from its Hessians (common/elements/sum_blocks.glsl).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BlockStart { uint block_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Contributions { uint contributions[]; };
layout(scalar, set = 0, binding = 2) readonly buffer ElementData { real data[]; };
layout(scalar, set = 0, binding = 3) buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) buffer ThirdRows { real third_rows[]; };

#include "common/elements/kind.glsl"
#define SUMMED_BLOCK element_block
#include "common/elements/sum_blocks.glsl"
#include "common/invocation.glsl"

void main()
{
    sum_blocks(invocation_number());
}
