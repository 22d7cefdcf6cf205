// variant: f64
// variant: kinds
// The part of the damping's matrix C of one kind of element (common/elements/sum_blocks.glsl).
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

#include "common/elements/damping.glsl"
#if ELEMENT_IS_DAMPED
#define SUMMED_BLOCK damping_block
#else
#define SUMMED_BLOCK element_block // of kinds without damping nobody asks for one
#endif
#include "common/elements/sum_blocks.glsl"
#include "common/invocation.glsl"

void main()
{
    sum_blocks(invocation_number());
}
