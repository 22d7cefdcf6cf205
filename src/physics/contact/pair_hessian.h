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

/// A vertex of a pair, or a sum of its vertices: its weight, and its side.
typedef struct PairEnd {
    double weight;
    const double *side;
} PairEnd;

/// What the blocks of row i have in common, P = w_i T + n s_i^T, column by column: H_il = w_l P + (A_il n + w_i s_l) n^T.
/// `normal` NULL: nothing turns.
static inline void pair_row_common(const SharedStiffness *shared, const double *normal, PairEnd row,
                                   double common[9])
{
    for (int i = 0; i < 9; ++i)
        common[i] = row.weight * shared->block[i]; // T is symmetric
    for (int b = 0; b < 3 && normal; ++b)
        for (int a = 0; a < 3; ++a)
            common[3 * b + a] += normal[a] * row.side[b];
}

/// Adds the block of a row of weight `row_weight` and of a column to a block, column by column. `along`: A of both, N/m.
static inline void pair_row_add(const double common[9], const double *normal, double along, double row_weight,
                                PairEnd column, double block[9])
{
    for (int i = 0; i < 9; ++i)
        block[i] += column.weight * common[i];
    if (!normal)
        return;
    double turning[3];
    for (int a = 0; a < 3; ++a)
        turning[a] = along * normal[a] + row_weight * column.side[a];
    for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a)
            block[3 * b + a] += turning[a] * normal[b];
}

#endif
