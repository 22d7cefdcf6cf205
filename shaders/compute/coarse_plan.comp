// The plan of the coarse matrix' elimination (abi/coarse.h): which supernodes are coupled by then, what can be eliminated at the same time, and from which
// rows; and what W will have. One workgroup, a supernode each, later a level each. What the matrix couples is forgotten, for the next one.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Plan { uint plan[]; };
layout(scalar, set = 0, binding = 1) buffer MatrixRows { uint matrix_rows[]; };
layout(push_constant) uniform Push { uint node_count, group_count; };

#include "common/coarse_tree.glsl"

// Of every supernode: those behind and before it that it is coupled to when it is eliminated; those whose elimination leaves W something of in its rows.
shared uvec2 behind[COARSE_SUPERNODES_MOST], before[COARSE_SUPERNODES_MOST];
shared uint descendants[2u * COARSE_SUPERNODES_MOST];
shared uint levels[COARSE_SUPERNODES_MOST], task_counts[COARSE_SUPERNODES_MOST];
shared uint level_sets[2u * COARSE_SUPERNODES_MOST]; ///< of every level

uint supernode_count()
{
    return (group_count + COARSE_ELIMINATED - 1u) / COARSE_ELIMINATED;
}

/// Eliminates one after the other: those behind it are coupled to each other from then on.
void eliminate(uint own)
{
    const uint at = COARSE_PLAN_COUPLES + 2u * own;
    uvec2 own_before = uvec2(0u);
    uint level = 0u;
    behind[own] = uvec2(plan[at], plan[at + 1u]);
    plan[at] = 0u;
    plan[at + 1u] = 0u;
    for (uint s = 0u; s < supernode_count(); ++s) {
        if (own == s)
            levels[own] = level;
        barrier();
        const uvec2 coupled = behind[s];
        if (own > s && supernodes_have(coupled, own)) {
            behind[own] |= coupled & ~supernodes_before(own + 1u);
            own_before |= supernode_set(s);
            level = max(level, levels[s] + 1u);
        }
    }
    before[own] = own_before;
}

/// The first behind a supernode that it is coupled to is its parent, for that is coupled to all the others. So those whose rows of W have something of it are
/// its parent, the parent's, and so on.
void find_tree(uint own)
{
    uvec2 found = uvec2(0u);
    for (uint at = own; behind[at] != uvec2(0u);) {
        at = supernodes_first(behind[at]);
        found |= supernode_set(at);
        atomicOr(descendants[2u * at + own / 32u], 1u << own % 32u);
    }
    const uint place = coarse_tree_place(COARSE_TREE_BEHIND, own);
    matrix_rows[place] = found.x;
    matrix_rows[place + 1u] = found.y;
}

void keep_tree(uint own)
{
    const uint place = coarse_tree_place(COARSE_TREE_BEFORE, own), reach = COARSE_PLAN_REACH + 2u * own;
    const uvec2 found = uvec2(descendants[2u * own], descendants[2u * own + 1u]),
                reached = found | behind[own] | supernode_set(own);
    matrix_rows[place] = found.x;
    matrix_rows[place + 1u] = found.y;
    plan[reach] = reached.x;
    plan[reach + 1u] = reached.y;
}

/// Goes over the tasks of a level, which has `set`; writes them from task number `first` on, if `writes`. Returns how many there are.
uint go_over_tasks(uint level, uvec2 set, uint first, bool writes)
{
    uint count = 0u;
    for (uint s = 0u; s < supernode_count(); ++s) {
        const uint group = COARSE_ELIMINATED * s, groups = min(group_count - group, COARSE_ELIMINATED);
        const uvec2 coupled = before[s] & set;
        // A supernode's first group is eliminated from the others when nobody reads these any more.
        const bool is_due = groups > 1u && levels[s] + (behind[s] != uvec2(0u) ? 1u : 0u) == level;
        const uvec2 sets = coupled | (is_due ? supernode_set(s) : uvec2(0u));
        for (uint k = 0u; k < groups; ++k) {
            const uvec2 eliminated = k > 0u ? sets : coupled;
            if (eliminated == uvec2(0u))
                continue;
            const uint at = COARSE_PLAN_TASKS + COARSE_TASK_WORDS * (first + count++);
            if (writes) {
                plan[at] = group + k;
                plan[at + 1u] = eliminated.x;
                plan[at + 2u] = eliminated.y;
            }
        }
    }
    return count;
}

void arrange_level(uint own)
{
    const uvec2 set = uvec2(level_sets[2u * own], level_sets[2u * own + 1u]);
    const uint spans = (COARSE_MODES * group_count + COARSE_BLOCK - 1u) / COARSE_BLOCK;
    task_counts[own] = go_over_tasks(own, set, 0u, false);
    barrier();
    uint first = 0u;
    for (uint level = 0u; level < own; ++level)
        first += task_counts[level];
    go_over_tasks(own, set, first, true);
    plan[COARSE_PLAN_ARGUMENTS + 3u * own] = spans * task_counts[own];
    plan[COARSE_PLAN_ARGUMENTS + 3u * own + 1u] = 1u;
    plan[COARSE_PLAN_ARGUMENTS + 3u * own + 2u] = 1u;
    plan[COARSE_PLAN_STARTS + own] = first;
    if (own + 1u == COARSE_SUPERNODES_MOST)
        plan[COARSE_PLAN_STARTS + own + 1u] = first + task_counts[own];
}

void main()
{
    const uint own = gl_LocalInvocationIndex;
    for (uint word = 0u; word < 2u; ++word) {
        descendants[2u * own + word] = 0u;
        level_sets[2u * own + word] = 0u;
    }
    eliminate(own);
    barrier();
    find_tree(own);
    if (own < supernode_count())
        atomicOr(level_sets[2u * levels[own] + own / 32u], 1u << own % 32u);
    barrier();
    keep_tree(own);
    arrange_level(own);
}
