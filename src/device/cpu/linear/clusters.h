/// The first level of the preconditioner on the CPU path: neighbouring rows of the matrix form a cluster, and its whole block,
/// contact's blocks included, is inverted: a whole body's where masses are coupled. What is stiff between neighbours, through a
/// thin sheet or inside a stiff body, costs no iterations then.
#ifndef DEVICE_CPU_LINEAR_CLUSTERS_H
#define DEVICE_CPU_LINEAR_CLUSTERS_H

#include "device/cpu/linear/block_matrix.h"

enum {
    CLUSTER_ROWS = 4, ///< as many as a body with coupled masses has nodes
    CLUSTER_SIZE = 3 * CLUSTER_ROWS,
    CLUSTER_NUMBERS = 8 * CLUSTER_ROWS * 3
};

/// K of the inverse K^T K, a lower triangle, in single precision: K^T K is positive definite and symmetric whatever the rounding.
/// Its columns and its rows, of each the fours of numbers that are not all 0. Of a smaller cluster the rest is 0.
typedef struct Cluster {
    float columns[CLUSTER_NUMBERS], rows[CLUSTER_NUMBERS];
} Cluster;

typedef struct Clusters {
    const BlockMatrix *matrix;
    int32_t most;   ///< rows of one, 1 to CLUSTER_ROWS; of a body all
    int32_t *first; ///< of every part: the number of its first cluster; part_count + 1
    int32_t *start; ///< the first row of every cluster; one more
    Cluster *items;
} Clusters;

VelaResult clusters_create(Arena *arena, const BlockMatrix *matrix, int32_t most, Clusters *clusters);
/// Bytes of clusters of `most` rows for a matrix of so many rows in so many parts.
size_t clusters_memory(int32_t rows, int32_t parts, int32_t most);

#endif
