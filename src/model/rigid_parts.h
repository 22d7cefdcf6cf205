/// The parts of a model that may move as rigid ones: each copy of a body that nothing holds (theory.md section 7, angular momentum).
#ifndef MODEL_RIGID_PARTS_H
#define MODEL_RIGID_PARTS_H

#include "model/model.h"

/// Nodes of one copy of a body that nothing holds.
typedef struct RigidPart {
    int32_t first_node, node_count;
} RigidPart;

typedef struct RigidParts {
    int32_t count;
    RigidPart *parts; ///< in the order of the nodes
} RigidParts;

/// `parts` gets an array in `arena`. VELA_ERROR_OUT_OF_MEMORY.
VelaResult rigid_parts_find(const Model *model, Arena *arena, RigidParts *parts);

#endif
