/// The order of nodes on the CPU path, and the forces of element corners that are summed at them.
#ifndef DEVICE_CPU_TERMS_NODES_H
#define DEVICE_CPU_TERMS_NODES_H

#include "model/model.h"

/// Corner forces lie node by node in that order: what is written together is near.
typedef struct CornerForces {
    double *
        values; ///< (corner_count + 1) x 3; the last one is written by lanes without an element and read by nobody
    int32_t *start;   ///< node_count + 1: those of place i are start[i] to start[i + 1]
    int32_t *entries; ///< corner_count: where a corner's force goes, by its number
} CornerForces;

VelaResult corner_forces_build(const Model *model, Arena *arena, CornerForces *forces);

/// Sum of the corner forces at place `i`.
static inline void corner_forces_at(const CornerForces *forces, int32_t i, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (int32_t p = forces->start[i]; p < forces->start[i + 1]; ++p)
        for (int k = 0; k < 3; ++k)
            sum[k] += forces->values[3 * (size_t)p + (size_t)k];
}

/// sums[3 i + k] = sum of the corner forces at node i. `threads`: of OpenMP.
void corner_forces_sum(const CornerForces *forces, const NodeOrder *order, int threads, double *sums);

#endif
