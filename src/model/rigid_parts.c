#include "model/rigid_parts.h"

static bool is_held(const Model *model, RigidPart part)
{
    for (int32_t i = part.first_node; i < part.first_node + part.node_count; ++i)
        if ((!model->node_is_free[i] && model->masses[i] > 0) || model_partial_pin(model, i))
            return true;
    return false;
}

VelaResult rigid_parts_find(const Model *model, Arena *arena, RigidParts *parts)
{
    int32_t copies = 0;
    for (int32_t b = 0; b < model->body_count; ++b)
        copies += model->bodies[b].copy_count;
    TRY(ARENA_ARRAY(arena, parts->parts, copies));
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const int32_t each = body->node_count / body->copy_count;
        for (int32_t c = 0; c < body->copy_count; ++c) {
            const RigidPart part = {body->first_node + c * each, each};
            if (!is_held(model, part))
                parts->parts[parts->count++] = part;
        }
    }
    return VELA_OK;
}
