/// Groups of free nodes that are neighbours in space, for the coarse space of a preconditioner: each moves by an affine map.
/// Both devices have the same ones.
#ifndef MODEL_NODE_GROUPS_H
#define MODEL_NODE_GROUPS_H

#include "abi/coarse.h"
#include "model/model.h"

/// A group has so many nodes: of a body as thick as it is long that is a cube of four. Of a rod or a sheet it would be far longer
/// than thick, and bend; groups of these have fewer.
enum { NODES_PER_GROUP = 64, NODES_PER_THIN_GROUP = 12 };
/// More groups than this only for thin bodies, and where each would have more nodes than this: every group is a dispatch for a new
/// matrix.
enum { GROUPS_USUAL = 32, NODES_PER_GROUP_MOST = 512 };

/// The nodes of `model` along Hilbert curves through the initial state, one body behind the other, and the number of groups, at most COARSE_GROUPS_MOST; `order`
/// gets arrays in `arena`.
VelaResult node_order_build(VelaContext *context, const Model *model, Arena *arena, NodeOrder *order);

/// Group `group` has the places node_groups_start(…, group) to node_groups_start(…, group + 1) of the order. None of the mass
/// blocks, the first coupled_count places, is cut in two.
static inline int32_t node_groups_start(int32_t free_count, int32_t coupled_count, int32_t group_count,
                                        int32_t group)
{
    const int32_t start = group_count > 0 ? (int32_t)((int64_t)free_count * group / group_count) : 0;
    return start < coupled_count ? start / 4 * 4 : start;
}

/// Arms of a group's nodes: the three coordinates from the group's centre over its radius, in [-1, 1]. `places`: where the
/// nodes stand at first; both count x 3.
void node_groups_arms(const double *places, int32_t count, double *arms);

#endif
