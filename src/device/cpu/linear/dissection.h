/// An elimination order for a sparse factor by nested dissection: separators between two halves of a graph, found level by level from
/// one of its far ends (A. George, "Nested dissection of a regular finite element mesh", 1973; George and Liu's automatic version).
#ifndef DEVICE_CPU_LINEAR_DISSECTION_H
#define DEVICE_CPU_LINEAR_DISSECTION_H

#include "base/arena.h"

/// Sets of nodes, children before their parents: a set is adjacent only to its ancestors and descendants.
typedef struct Dissection {
    int32_t count;
    int32_t *parent; ///< -1: a root
    int32_t *start;  ///< count + 1: the nodes of each set
    int32_t *nodes;
} Dissection;

/// The graph's edges are columns[row_start[i]] to columns[row_start[i + 1]], in both directions; itself and nodes from `count` on do not
/// count. Owned by the arena.
VelaResult dissection_create(VelaContext *context, int32_t count, const int32_t *row_start,
                             const int32_t *columns, Arena *arena, Dissection *dissection);

#endif
