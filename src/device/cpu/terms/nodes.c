#include "device/cpu/terms/nodes.h"

#include <string.h>

VelaResult corner_forces_build(const Model *model, Arena *arena, CornerForces *forces)
{
    TRY(ARENA_ARRAY(arena, forces->values, 3 * ((size_t)model->corner_count + 1)));
    TRY(ARENA_ARRAY(arena, forces->start, model->node_count + 1));
    TRY(ARENA_ARRAY(arena, forces->entries, model->corner_count));
    int32_t entry = 0;
    for (int32_t i = 0; i < model->node_count; ++i) {
        const int32_t node = model->order.nodes[i];
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
