/// A small set of nodes that parts a graph into two halves, multilevel: the graph is made coarser by joining neighbours, parted where it is
/// small, and the separator improved on the way back by moves of its nodes (C. Ashcraft, J. W. H. Liu, "Robust ordering of sparse matrices using
/// multisection", 1998; G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", 1998).
#ifndef DEVICE_CPU_LINEAR_SEPARATOR_H
#define DEVICE_CPU_LINEAR_SEPARATOR_H

#include "base/arena.h"

/// Edges are columns[row_start[i]] to columns[row_start[i + 1]], in both directions, each once, none from a node to itself.
typedef struct WeightedGraph {
    int32_t count;
    int32_t *row_start, *columns;
    int32_t *node_weights, *edge_weights; ///< positive; how many nodes and edges each stands for
} WeightedGraph;

/// Two sides without an edge between them, and what is in neither.
enum { SIDE_BELOW, SIDE_ABOVE, SEPARATOR, PART_COUNT };

/// Sets the part of every node of a connected graph. A side may be empty, where the graph is too small or too dense to be parted. The same graph
/// gives the same parts.
VelaResult separator_find(const WeightedGraph *graph, Arena *scratch, uint8_t *parts);

#endif
