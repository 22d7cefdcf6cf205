// What of W, the inverse of the coarse matrix' factor, is other than 0 (COARSE_TREE of abi/coarse.h). Declare the buffer `matrix_rows` and node_count before.
#ifndef COMMON_COARSE_TREE_GLSL
#define COMMON_COARSE_TREE_GLSL

#include "common/matrix_rows.glsl"
#include "common/supernodes.glsl"

uint coarse_tree_place(uint table, uint supernode)
{
    return matrix_row_words() + table + 2u * supernode;
}

/// A group's supernode, and those in `table`: COARSE_TREE_BEFORE or COARSE_TREE_BEHIND.
uvec2 coarse_tree(uint table, uint group)
{
    const uint supernode = group / COARSE_ELIMINATED, at = coarse_tree_place(table, supernode);
    return uvec2(matrix_rows[at], matrix_rows[at + 1u]) | supernode_set(supernode);
}

#endif
