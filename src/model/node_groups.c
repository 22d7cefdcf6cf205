#include "model/node_groups.h"

#include "base/matrix3.h"
#include "model/locality.h"

#include <string.h>

// The free mass blocks along a Morton curve through their first nodes; marks their nodes.
static VelaResult order_blocks(VelaContext *context, const Model *model, Arena *scratch, uint8_t *is_coupled,
                               int32_t *order, int32_t *count)
{
    double *places;
    int32_t *curve;
    TRY(ARENA_ARRAY(scratch, places, 3 * (size_t)model->mass_block_count));
    TRY(ARENA_ARRAY(scratch, curve, model->mass_block_count));
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        memcpy(places + 3 * (size_t)b, model->initial_positions + 3 * (size_t)model->mass_blocks[b].nodes[0],
               3 * sizeof *places);
    TRY(locality_order(context, places, model->mass_block_count, curve));
    for (int32_t b = 0; b < model->mass_block_count; ++b) {
        const int32_t *nodes = model->mass_blocks[curve[b]].nodes;
        for (int k = 0; k < 4 && model->node_is_free[nodes[0]]; ++k) {
            is_coupled[nodes[k]] = 1;
            order[(*count)++] = nodes[k];
        }
    }
    return VELA_OK;
}

// The free mass blocks' nodes first, then the other free ones, then the rest.
static VelaResult order_nodes(VelaContext *context, const Model *model, Arena *scratch, NodeOrder *order)
{
    uint8_t *is_coupled;
    int32_t *curve;
    TRY(ARENA_ARRAY(scratch, curve, model->node_count));
    TRY(ARENA_ARRAY(scratch, is_coupled, model->node_count));
    TRY(order_blocks(context, model, scratch, is_coupled, order->nodes, &order->coupled_count));
    TRY(locality_order(context, model->initial_positions, model->node_count, curve));
    int32_t place = order->coupled_count;
    for (int is_free = 1; is_free >= 0; --is_free) {
        for (int32_t i = 0; i < model->node_count; ++i)
            if (model->node_is_free[curve[i]] == is_free && !is_coupled[curve[i]])
                order->nodes[place++] = curve[i];
        order->free_count = is_free ? place : order->free_count;
    }
    return VELA_OK;
}

VelaResult node_order_build(VelaContext *context, const Model *model, Arena *arena, NodeOrder *order)
{
    *order = (NodeOrder){.node_count = model->node_count};
    TRY(ARENA_ARRAY(arena, order->nodes, model->node_count));
    TRY(ARENA_ARRAY(arena, order->places, model->node_count));
    Arena scratch = arena_make(context);
    const VelaResult result = order_nodes(context, model, &scratch, order);
    arena_clear(&scratch);
    TRY(result);
    for (int32_t i = 0; i < model->node_count; ++i)
        order->places[order->nodes[i]] = i;
    return VELA_OK;
}

void node_groups_arms(const double *places, int32_t count, double *arms)
{
    double center[3] = {0}, radius = 0;
    for (int32_t i = 0; i < count; ++i)
        add_scaled3(center, 1.0 / count, places + 3 * (size_t)i, center);
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        radius = fmax(radius, fabs(places[i] - center[i % 3]));
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        arms[i] = radius > 0 ? (places[i] - center[i % 3]) / radius : 0;
}
