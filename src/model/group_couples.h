/// Which groups of a model's nodes have to do with each other, and what it takes to factor the coarse matrix of their motions (model/node_groups.h)
/// group after group: groups of other bodies and those far off cost nothing.
#ifndef MODEL_GROUP_COUPLES_H
#define MODEL_GROUP_COUPLES_H

#include "model/node_groups.h"

typedef struct GroupCouples {
    int32_t group_count;
    uint8_t of[COARSE_GROUPS_MOST][COARSE_GROUPS_MOST]; ///< [i][j], j > i: whether there is a block of theirs
} GroupCouples;

/// Groups that share an edge of the mesh or a constraint, and with barrier contact those that may come to touch: whose boxes, as bodies stand at first, come as
/// close as half their size. Group g has the places starts[g] to starts[g + 1] of `order`, of group_count + 1, COARSE_GROUPS_MOST groups at most.
void group_couples_find(const Model *model, const NodeOrder *order, int32_t group_count,
                        const int32_t *starts, GroupCouples *couples);

/// What a factor takes, in blocks of two groups.
typedef struct GroupFactor {
    double products; ///< of blocks
    int32_t blocks;  ///< behind the diagonal
} GroupFactor;

/// Eliminates a group after the other, in their order: `couples` gets the blocks that come to be.
GroupFactor group_couples_eliminate(GroupCouples *couples);

#endif
