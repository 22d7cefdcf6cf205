/// How the rows of the coarse space's groups are shared among workgroups: clusters, stripes and chunks (abi/coarse.h).
#ifndef DEVICE_VULKAN_LINEAR_COARSE_STRIPES_H
#define DEVICE_VULKAN_LINEAR_COARSE_STRIPES_H

#include "device/vulkan/vulkan_device.h"
#include "model/node_clusters.h"

/// What a table tells (abi/coarse.h).
typedef struct CoarseTable {
    CoarseCounts counts;
    uint32_t *words;
    uint32_t *cluster_of; ///< of every node; UINT32_MAX where it is not free
} CoarseTable;

/// The clusters of Vulkan's groups.
ClusterRule coarse_stripes_rule(void);
/// Sets stripes_per_chunk, chunks_per_group, at most `chunks_most`, the clusters and the stacks of `counts`, whose groups are the model's.
void coarse_stripes_count(const Model *model, uint32_t chunks_most, CoarseCounts *counts);
/// Of all chunks, those that are empty included.
uint32_t coarse_stripe_count(const CoarseCounts *counts);
/// Words of the table.
uint64_t coarse_stripes_words(const Model *model, const CoarseCounts *counts);
/// Where in it those of stacks begin; 0: there are none.
uint64_t coarse_stacks_word(const CoarseCounts *counts);
/// Fills the table, and the cluster of every free node in cluster_of.
void coarse_stripes_fill(const Model *model, const CoarseCounts *counts, uint32_t *table,
                         uint32_t *cluster_of);

#endif
