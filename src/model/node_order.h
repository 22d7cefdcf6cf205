/// The order of a model's nodes in the devices' matrices, and its groups for Vulkan's coarse space (model/node_groups.h).
#ifndef MODEL_NODE_ORDER_H
#define MODEL_NODE_ORDER_H

#include "model/model.h"

/// Mass blocks first, then the other free nodes of `model` along Hilbert curves through the initial state, one body behind the other, then those that are not
/// free. Groups, COARSE_GROUPS_MOST at most, follow one another; where there is room affine bodies that joints hold have one each, and what joints take hold of in a soft one.
/// `order` gets arrays in `arena`.
VelaResult node_order_build(VelaContext *context, const Model *model, Arena *arena, NodeOrder *order);

#endif
