// What is done with the raw pairs, or the candidates, that were counted: a list that has no room is empty, and so is everything
// behind it. One invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Kept { uint kept[]; };

#include "common/contact/lists.glsl"
#include "common/contact/queries.glsl"
#include "common/dispatch_grid.glsl"

void set_arguments(uint place, uint count)
{
    const uvec3 grid = dispatch_grid(count / GROUP_CONTACT + uint(count % GROUP_CONTACT > 0u), groups_in_row);
    control[place] = grid.x;
    control[place + 1u] = grid.y;
    control[place + 2u] = grid.z;
}

void limit_raw()
{
    if (control[CONTACT_RAW_COARSE] >= CONTACT_COARSE_MOST)
        control[CONTACT_RAW_WANTED] = 0xffffffffu;
    const uint wanted = control[CONTACT_RAW_WANTED], count = wanted <= raw_capacity ? wanted : 0u;
    control[CONTACT_RAW_COUNT] = count;
    control[CONTACT_OVERFLOW] = wanted > raw_capacity ? uint(CONTACT_RAW_OVERFLOW) : 0u;
    set_arguments(CONTACT_ARGUMENTS_COLLECT, count > 0u ? CONTACT_COLLECTORS * (search_groups() * GROUP_CONTACT) : 0u);
    set_arguments(CONTACT_ARGUMENTS_RAW, count);
}

void limit_candidates()
{
    const uint wanted = control[CONTACT_WANTED], count = wanted <= candidate_capacity ? wanted : 0u,
               raw = control[CONTACT_RAW_COUNT];
    control[CONTACT_COUNT] = count;
    if (wanted > candidate_capacity)
        control[CONTACT_OVERFLOW] |= CONTACT_CANDIDATE_OVERFLOW;
    set_arguments(CONTACT_ARGUMENTS_LIST, count > 0u ? raw : 0u);
    for (uint kind = 0u; kind <= CONTACT_KINDS; ++kind) {
        const uint query = first_query(kind), first = query > 0u && raw > 0u ? starts[query - 1u] : 0u;
        control[CONTACT_FIRST_OF_KIND + kind] = first < raw && count > 0u ? kept[first] : count;
    }
}

void main()
{
    if (gl_LocalInvocationIndex + gl_WorkGroupID.x + gl_WorkGroupID.y > 0u)
        return;
    if (argument == CONTACT_LIMIT_RAW)
        limit_raw();
    else
        limit_candidates();
}
