/// What joints take hold of: of every constraint that is a force the nodes that it has in one body, a few whose motions are stiff against each other's
/// whatever the bodies are made of.
#ifndef MODEL_JOINT_NODES_H
#define MODEL_JOINT_NODES_H

#include "model/model.h"

typedef struct JointNodes {
    int32_t count, node_count; ///< of sets, each of one copy of a body; of all their nodes
    int32_t *starts;           ///< count + 1: where each one's nodes begin
    int32_t *nodes;            ///< free nodes of no mass block, each in one set; three or more of each
    int32_t *set_of;           ///< of every node; -1: in none
    bool *block_is_held;       ///< of every mass block: whether a constraint has nodes of it
} JointNodes;

/// Arrays are the arena's.
VelaResult joint_nodes_find(const Model *model, Arena *arena, JointNodes *joints);

#endif
