#include "device/cpu/terms/nodes.h"

#include "model/node_groups.h"

#include <string.h>

VelaResult node_order_build(VelaContext *context, const Model *model, Arena *arena, NodeOrder *order)
{
    *order = (NodeOrder){.node_count = model->node_count};
    TRY(ARENA_ARRAY(arena, order->nodes, model->node_count));
    TRY(ARENA_ARRAY(arena, order->places, model->node_count));
    TRY(node_groups_order(context, model, order->nodes, &order->free_count, &order->coupled_count));
    for (int32_t i = 0; i < model->node_count; ++i)
        order->places[order->nodes[i]] = i;
    return VELA_OK;
}

VelaResult corner_forces_build(const Model *model, const NodeOrder *order, Arena *arena, CornerForces *forces)
{
    TRY(ARENA_ARRAY(arena, forces->values, 3 * ((size_t)model->corner_count + 1)));
    TRY(ARENA_ARRAY(arena, forces->start, model->node_count + 1));
    TRY(ARENA_ARRAY(arena, forces->entries, model->corner_count));
    int32_t entry = 0;
    for (int32_t i = 0; i < model->node_count; ++i) {
        const int32_t node = order->nodes[i];
        forces->start[i] = entry;
        for (int32_t p = model->incidence_start[node]; p < model->incidence_start[node + 1]; ++p)
            forces->entries[model->incidence[p]] = entry++;
    }
    forces->start[model->node_count] = entry;
    return VELA_OK;
}

void corner_forces_sum(const CornerForces *forces, const NodeOrder *order, int threads, double *sums)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t i = 0; i < order->node_count; ++i) {
        double sum[3];
        corner_forces_at(forces, i, sum);
        memcpy(sums + 3 * (size_t)order->nodes[i], sum, sizeof sum);
    }
}
