/// The second level of the preconditioner on the CPU path: the nodes of a part of the matrix, neighbours in space, are a
/// group, a group moves by an affine map of the initial state, or as thin bodies bend (model/group_motions.h), and the matrix restricted to such motions is factored, without the
/// blocks of groups that have nothing to do with each other. It takes on what is smooth over many nodes, which the diagonal blocks alone would carry from neighbour to neighbour.
#ifndef DEVICE_CPU_LINEAR_COARSE_SPACE_H
#define DEVICE_CPU_LINEAR_COARSE_SPACE_H

#include "device/cpu/linear/block_matrix.h"
#include "device/cpu/linear/quad.h"

#include "model/group_motions.h"
#include "model/node_clusters.h"

#include <string.h>

/// Some neighbouring rows of a part that move by its motions as well, solved for without anything else: it takes on what is smooth over
/// some nodes, at hardly any cost, for the sums over a part are made of those over its clusters.
typedef struct ClusterMotions {
    int32_t first, end; ///< rows
    bool is_solved;     ///< not of bodies' rows, which have exact blocks of their own
    double inverse[COARSE_MODES * COARSE_MODES]; ///< of the matrix restricted to its motions
    double motion[COARSE_MODES];                 ///< the solution
} ClusterMotions;

/// Where rows move otherwise than the motions of their parts have them: what a part's motions, their own one's and others', add to a row.
typedef struct MotionDeviations {
    int32_t *row_start;                ///< of every row, and one more: its deviations
    uint8_t *is_near;                  ///< of every row: whether it or one that it is coupled to has any
    int32_t *rows, *parts;             ///< of every deviation; a row's parts ascend
    float (*values)[3 * COARSE_MODES]; ///< of x, y, z in turn: what each motion adds
    int32_t *part_start;               ///< of every part, and one more
    int32_t *of_part;                  ///< its deviations, by their rows
} MotionDeviations;

/// In which order parts are eliminated: two halves that are not coupled, then the rest.
typedef struct CoarseOrder {
    int32_t *parts, *turns; ///< the part whose turn it is, and the turn of every part
    int32_t ends[2];        ///< turns of the first and of the second half; 0: there are none
} CoarseOrder;

/// Unknowns as in abi/coarse.h.
typedef struct CoarseSpace {
    const BlockMatrix *matrix;
    uint8_t *part_of;      ///< of every row
    float *arms;           ///< three numbers of every row, after one that is not used
    GroupMotions *motions; ///< of every part, their frames as nodes stand
    int32_t size;          ///< COARSE_MODES a part; 0: none
    /// Blocks of all pairs of parts: the matrix on the diagonal and above, then its factor, L^-T on the diagonal and D L^T in the rows of the part whose
    /// turn comes first.
    double *values;
    uint8_t *couples; ///< [parts * part + other]: whether they have a block there, not 0
    CoarseOrder order;
    /// Parts behind each that have a block in its rows of the factor, in turn, with room for all.
    int32_t *later;
    int32_t *later_count;
    /// Of the factor, 0 where a pivot was not positive: that motion is left out. Before, the matrix's diagonal.
    double *inverse_pivots;
    double *right;          ///< size: right-hand side, then solution
    double *carry;          ///< size: what the second half adds to the rest's right-hand side
    TeamSignal second;      ///< solves that the second half has begun
    double products[3];     ///< of right-hand side and solution; here, away from what all read
    TeamSignal rest;        ///< solves in which the rest is known
    int32_t *first_cluster; ///< of every part, and one more
    ClusterMotions *clusters;
    const MotionDeviations *deviations; ///< NULL: there are none
} CoarseSpace;

/// The block of two parts, by rows.
static inline double *coarse_block(const CoarseSpace *space, int32_t part, int32_t other)
{
    return space->values + COARSE_MODES * (size_t)COARSE_MODES *
                               ((size_t)space->matrix->part_count * (size_t)part + (size_t)other);
}

static inline bool coarse_couples(const CoarseSpace *space, int32_t part, int32_t other)
{
    return space->couples[(size_t)space->matrix->part_count * (size_t)part + (size_t)other];
}

/// The block of two parts is 0, and one of those that are not left out, if it was not yet.
static inline void coarse_begin_block(const CoarseSpace *space, int32_t part, int32_t other)
{
    if (!coarse_couples(space, part, other))
        memset(coarse_block(space, part, other), 0, COARSE_MODES * COARSE_MODES * sizeof(double));
    space->couples[(size_t)space->matrix->part_count * (size_t)part + (size_t)other] = 1;
}

static inline const int32_t *coarse_later(const CoarseSpace *space, int32_t part)
{
    return space->later + (size_t)space->matrix->part_count * (size_t)part;
}

/// `places`: where the matrix's rows stand at first, row_count x 3.
VelaResult coarse_space_create(Arena *arena, const BlockMatrix *matrix, const double *places,
                               ClusterRule rule, CoarseSpace *space);
/// What suits the parts of a matrix.
ClusterRule coarse_space_clusters(const BlockMatrix *matrix);
/// Clusters no longer have a part of their own, from the next assembly on.
void coarse_space_leave_out_clusters(CoarseSpace *space);
/// Turns the frame of a part with its nodes. `positions`: node_count x 3 of the model, m; `nodes`: of every row.
void coarse_space_turn(CoarseSpace *space, int32_t part, const double *positions, const int32_t *nodes);
/// Bytes of a coarse space, at most, for a matrix of so many rows in so many parts, of bodies in so many pieces that share no node.
size_t coarse_space_memory(int32_t rows, int32_t parts, int32_t pieces);

#endif
