/// Stacks: nodes of a solid that lie on one another, across a thin body or across cells far flatter, or longer, than they are thick. What resists most is that
/// these nodes part, so a preconditioner has to know how they move together: what holds them all back is little beside it.
#ifndef MODEL_NODE_STACKS_H
#define MODEL_NODE_STACKS_H

#include "abi/coarse.h"
#include "model/model.h"

/// The nodes of a model that hang together by elements.
typedef struct NodeComponents {
    int32_t count;
    int32_t *nodes;  ///< all, one component behind the other
    int32_t *starts; ///< count + 1: where each begins in them
} NodeComponents;

/// What node_stacks_find tells of every node.
typedef struct NodeStacks {
    int32_t *stack_of; ///< the lowest node of its stack; the node itself where it is in none
    uint8_t *
        stack_moves; ///< whether its stack is stiff enough to be a level of the preconditioner: not in plates of cells as high as wide, where it only serves the nodes' order
    bool any;        ///< whether there are some
} NodeStacks;

/// Stacks have STACK_NODES_MOST nodes at most, and are there where they go through all that is thin: not where some nodes here and there lie close to one another, nor in
/// thick bodies, of whose cells they would be pieces; and with Newton's method alone, for other solvers make nothing of them. Arrays are the arena's.
VelaResult node_stacks_find(const Model *model, const NodeComponents *components, Arena *arena,
                            Arena *scratch, NodeStacks *stacks);

#endif
