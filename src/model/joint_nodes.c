#include "model/joint_nodes.h"

#include <string.h>

/// What is stiff between fewer nodes of a body, an affine map of 12 unknowns is too much for: ends of ropes are held by a node.
enum { SET_NODES_LEAST = 3 };

/// Of every node; -1: none.
typedef struct Owners {
    int32_t *blocks; ///< mass blocks
    int32_t *copies; ///< copies of bodies, numbered through all bodies; of free nodes alone
} Owners;

static VelaResult find_owners(const Model *model, Arena *arena, Owners *owners)
{
    const size_t size = (size_t)model->node_count * sizeof *owners->copies;
    int32_t copies = 0;
    TRY(ARENA_ARRAY(arena, owners->blocks, model->node_count));
    TRY(ARENA_ARRAY(arena, owners->copies, model->node_count));
    memset(owners->blocks, 0xff, size);
    memset(owners->copies, 0xff, size);
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const int32_t count = body->copy_count > 0 ? body->node_count / body->copy_count : 0;
        for (int32_t i = 0; i < body->node_count; ++i)
            if (model->node_is_free[body->first_node + i])
                owners->copies[body->first_node + i] = copies + i / count;
        copies += body->copy_count;
    }
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        for (int k = 0; k < BODY_NODES; ++k)
            owners->blocks[model->mass_blocks[b].nodes[k]] = b;
    return VELA_OK;
}

// The constraint's nodes of that copy of a body that are in no set yet are one, unless they are too few.
static void add_set(const ModelConstraint *constraint, const Owners *owners, int32_t copy, JointNodes *joints)
{
    int32_t nodes[CONSTRAINT_NODES_MOST], count = 0;
    for (int32_t a = 0; a < constraint->node_count; ++a) {
        const int32_t node = constraint->nodes[a];
        if (owners->copies[node] == copy && joints->set_of[node] < 0)
            nodes[count++] = node;
    }
    if (count < SET_NODES_LEAST)
        return;
    for (int32_t n = 0; n < count; ++n) {
        joints->set_of[nodes[n]] = joints->count;
        joints->nodes[joints->node_count++] = nodes[n];
    }
    joints->starts[++joints->count] = joints->node_count;
}

VelaResult joint_nodes_find(const Model *model, Arena *arena, JointNodes *joints)
{
    Owners owners;
    size_t most = 0;
    *joints = (JointNodes){0};
    for (int32_t c = 0; c < model->constraint_count; ++c)
        most += (size_t)model->constraints[c].node_count;
    TRY(find_owners(model, arena, &owners));
    TRY(ARENA_ARRAY(arena, joints->starts, most + 1));
    TRY(ARENA_ARRAY(arena, joints->nodes, most));
    TRY(ARENA_ARRAY(arena, joints->set_of, model->node_count));
    TRY(ARENA_ARRAY(arena, joints->block_is_held, model->mass_block_count));
    memset(joints->set_of, 0xff, (size_t)model->node_count * sizeof *joints->set_of);
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        for (int32_t a = 0; a < constraint->node_count && constraint->element >= 0; ++a) {
            const int32_t node = constraint->nodes[a], block = owners.blocks[node];
            if (block >= 0)
                joints->block_is_held[block] = true;
            else if (owners.copies[node] >= 0 && joints->set_of[node] < 0)
                add_set(constraint, &owners, owners.copies[node], joints);
        }
    }
    return VELA_OK;
}
