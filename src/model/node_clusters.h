/// Clusters of a group's nodes (model/node_groups.h): a level of the preconditioner between nodes and groups, for what is smooth over some
/// nodes. Both devices cut theirs by the same rule.
#ifndef MODEL_NODE_CLUSTERS_H
#define MODEL_NODE_CLUSTERS_H

#include "model/node_groups.h"

/// Which rows of a group are clusters.
typedef struct ClusterRule {
    int32_t
        nodes; ///< rows of a cluster, but for the last one before a group or a small body ends; fewer rather than a stack cut in two
    int32_t
        small_body; ///< a body of no more rows is a cluster of its own: in a crowd each moves for itself; 0: none is
} ClusterRule;

/// The end of the cluster that begins with row `first` of a group, which ends before `group_end`. Clusters follow one another from the group's
/// first row on. In [first + 1, group_end].
int32_t node_cluster_end(const RowGraph *graph, ClusterRule rule, int32_t first, int32_t group_end);

/// Whether a cluster moves by itself: not if it begins with the rows of an affine body, which have exact blocks of their own, nor in a group that has hardly
/// more rows than one.
bool node_cluster_is_solved(const RowGraph *graph, int32_t first, int32_t group_size);

#endif
