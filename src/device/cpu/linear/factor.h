/// A sparse factor L D L^T, laid out for solving again and again: subtrees of the elimination tree that can be solved
/// side by side, and the top of the tree above them. How it is cut depends on the matrix alone, so that the result does
/// not depend on the number of threads.
#ifndef DEVICE_CPU_LINEAR_FACTOR_H
#define DEVICE_CPU_LINEAR_FACTOR_H

#include "base/arena.h"
#include "device/cpu/linear/quad.h"

enum { SUBTREES_MOST = 32 };

typedef struct Subtree {
    int32_t first, end; ///< columns
} Subtree;

typedef struct Factor {
    int32_t count;        ///< unknowns
    int32_t top_count;    ///< columns of the top; they are the compact unknowns 0 to top_count - 1 there
    int32_t *top_columns; ///< ascending
    int32_t *top_index;   ///< count: the compact unknown of a column, -1: it is in a subtree
    int32_t subtree_count;
    Subtree subtrees[SUBTREES_MOST];
    int64_t *start; ///< count + 1: entries of a column below the diagonal
    int64_t *split; ///< count: from here on a column's rows are compact unknowns of the top
    int32_t *rows;
    double *values;       ///< L
    double *diagonal;     ///< 1/D
    int32_t *permutation; ///< unknown of the matrix that stands at each place
    Quad *x;              ///< work: count; the right-hand sides of an unknown, solved together, unused ones 0
    Quad *top, *top_parts; ///< work: top_count, and as many again for every subtree
    Arena arena;
} Factor;

/// A factor without numbers: column j has start[j + 1] - start[j] entries below the diagonal, parent[j] is the row of the first of them, -1 without
/// any, and all columns below a parent stand right before it. `permutation` as in Factor. Fill rows (ascending), values and diagonal, and finish it.
/// Free with factor_destroy.
VelaResult factor_create(VelaContext *context, int32_t count, const int64_t *start, const int32_t *parent,
                         const int32_t *permutation, Factor **factor);
/// Ready to be solved with: rows that belong to the top become compact unknowns.
void factor_finish(Factor *factor);
void factor_destroy(Factor *factor);
size_t factor_bytes(const Factor *factor);

#endif
