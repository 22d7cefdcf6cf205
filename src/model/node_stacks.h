/// Stacks: nodes of solids that lie on one another across cells far flatter, or far longer, than they are thick. What such cells resist most is that these
/// nodes part, so a preconditioner has to know how they move together: what holds them all back is little beside it.
#ifndef MODEL_NODE_STACKS_H
#define MODEL_NODE_STACKS_H

#include "abi/coarse.h"
#include "model/model.h"

/// The lowest node of each node's stack; the node itself where it is in none. Stacks have STACK_NODES_MOST nodes at most. `stack_of`: of every node.
VelaResult node_stacks_find(const Model *model, Arena *scratch, int32_t *stack_of);

#endif
