/// In which order the groups of a model's nodes are eliminated from the coarse matrix of their motions on Vulkan (abi/coarse.h).
#ifndef MODEL_GROUP_TURNS_H
#define MODEL_GROUP_TURNS_H

#include "model/group_couples.h"

/// The turn of each group: first the two sides of what parts them, and of each of these the sides of what parts it (A. George, "Nested dissection
/// of a regular finite element mesh", 1973), so that many are eliminated at once and little comes to be. Groups stay in twos as they follow one
/// another, COARSE_ELIMINATED. Returns how many dispatches it takes, one after the other.
int32_t group_turns_find(const GroupCouples *couples, int32_t turns[COARSE_GROUPS_MOST]);

/// The same couples with every group at its turn.
void group_turns_apply(const GroupCouples *couples, const int32_t *turns, GroupCouples *turned);

#endif
