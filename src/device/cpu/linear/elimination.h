/// How a sparse symmetric matrix of 3x3 blocks is eliminated: in which order, in which fronts, and what of it can go on side by side. All
/// of it follows from the matrix's graph alone (J. W. H. Liu, "The multifrontal method for sparse matrix solution", 1992).
#ifndef DEVICE_CPU_LINEAR_ELIMINATION_H
#define DEVICE_CPU_LINEAR_ELIMINATION_H

#include "device/cpu/linear/dense_front.h"
#include "device/cpu/linear/dissection.h"

/// The graph of the matrix: neighbours of a node are columns[row_start[i]] to columns[row_start[i + 1]], in both directions, each once,
/// itself included or not.
typedef struct Graph {
    int32_t count;
    int32_t *row_start, *columns;
} Graph;

/// Which unknowns are eliminated together. Nodes stand in places, in the order of their elimination.
typedef struct EliminationFront {
    int32_t first, end;   ///< places of its own nodes
    int32_t own, border;  ///< blocks of its dense front
    int32_t border_count; ///< nodes of later fronts that it is coupled to
    int64_t border_start; ///< their places, ascending
    int32_t parent;       ///< the front that has the first of them; -1: none has any
    int32_t first_child, next_sibling;
    int64_t panel, pivots; ///< where they begin among the factor's numbers
    int64_t rest, carry;   ///< where what it leaves its parent begins among the work's
    int64_t
        room; ///< where it is made, behind what its children have left; in a subtree, whose fronts use the same room in turn
} EliminationFront;

/// Fronts first to end - 1, of which others have to do only with ancestors.
typedef struct EliminationSubtree {
    int32_t first, end;
    double cost,
        path; ///< of its fronts, and of what can only be done one after the other up to a root, in multiplications
} EliminationSubtree;

typedef struct Elimination {
    int32_t node_count, front_count;
    int32_t *nodes, *places;  ///< the node at a place, and back
    EliminationFront *fronts; ///< children before their parents
    int32_t *borders;
    int32_t subtree_count, top_count;
    EliminationSubtree *subtrees;   ///< those of the longest path first; above them the top
    int32_t *top;                   ///< its fronts, ascending
    int64_t panels, rests, carries; ///< numbers of all of them
    int32_t largest;                ///< blocks of the largest front
    double operations;              ///< multiplications of a factor; +infinity: more than were asked for
} Elimination;

/// Fronts are the dissection's sets, in an order as good as theirs, whether the dissection was that of this graph or of a similar one with
/// the same nodes. Where a factor would take more than `operations_most`, nothing but that is found, in less time. Owned by the arena; `scratch`, another one, is empty
/// before and after.
VelaResult elimination_create(const Graph *graph, const Dissection *sets, double operations_most,
                              Arena *scratch, Arena *arena, Elimination *elimination);
/// Multiplications that a front takes.
double elimination_operations(const EliminationFront *front);

#endif
