/// Hessian of one contact pair by the 3x3 blocks of its vertices (N/m):
/// H_il = w_i w_l T + A_il n n^T + w_l n s_i^T + w_i s_l n^T.
/// Friction and planes have the first term alone. A fourth of the numbers of a 12x12 matrix, and most of a sum over many pairs waits
/// for memory.
#ifndef PHYSICS_CONTACT_PAIR_HESSIAN_H
#define PHYSICS_CONTACT_PAIR_HESSIAN_H

/// What all vertices share, each by its weight.
typedef struct SharedStiffness {
    double weights[4]; ///< w, of the closest points; vertices with weight 0 take no part
    double block[9];   ///< T, N/m, symmetric
} SharedStiffness;

/// What goes with how the normal turns.
typedef struct TurningStiffness {
    double normal[3];   ///< n, of length 1
    double along[16];   ///< A, N/m, symmetric
    double sides[4][3]; ///< s, N/m, perpendicular to n
} TurningStiffness;

/// Adds `weight` T to a block: w_i w_l of two vertices, or of two sums of vertices. T is symmetric, so by rows or by columns.
static inline void shared_stiffness_add(const SharedStiffness *shared, double weight, double block[9])
{
    for (int i = 0; i < 9; ++i)
        block[i] += weight * shared->block[i];
}

/// A vertex of a pair, or a sum of its vertices: its weight, and its side.
typedef struct PairEnd {
    double weight;
    const double *side;
} PairEnd;

/// Adds the terms with n, of rows `row` and columns `column`, to a block, column by column. `along`: A of both, N/m.
static inline void turning_stiffness_add(const double normal[3], double along, PairEnd row, PairEnd column,
                                         double block[9])
{
    // In this order the block of (column, row) is the same number for number.
    for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a)
            block[3 * b + a] += along * (normal[a] * normal[b]) + (normal[a] * (column.weight * row.side[b]) +
                                                                   normal[b] * (row.weight * column.side[a]));
}

#endif
