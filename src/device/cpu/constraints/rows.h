/// Constraints at a state as rows of a matrix on the CPU path: values phi, slopes J = dphi/dx, and the multipliers that go from step to
/// step (theory.md section 10).
#ifndef DEVICE_CPU_CONSTRAINTS_ROWS_H
#define DEVICE_CPU_CONSTRAINTS_ROWS_H

#include "device/cpu/linear/block_matrix.h"

/// Most numbers of a constraint's slopes by one of its nodes: rows x 3.
enum { ENTRY_SIZE = 3 * CONSTRAINT_ROWS_MOST };

typedef struct ConstraintRows {
    const Model *model;
    int32_t count, row_count;
    int32_t *start; ///< count + 1: entries of each constraint, one a node
    int32_t *
        places; ///< of every entry: the row of its node in the matrix; those of fixed nodes are row_count and above
    int32_t *node_start, *node_constraints,
        *node_entries; ///< of every free node: the constraints it is in, ascending, and its entries
    double (*slopes)[ENTRY_SIZE]; ///< of every entry, rows x 3: times columns it gives J
    double *values;               ///< phi, row_count
    double *multipliers;          ///< lambda, N (N m of angles, J of strains), row_count
    double *right;                ///< phi + J w, w the way of fixed nodes, row_count
    uint8_t *active;              ///< of every constraint: 0 where an inequality does not hold it
} ConstraintRows;

/// Owned by the arena; all multipliers are 0.
VelaResult constraint_rows_create(const Model *model, Arena *arena, ConstraintRows *rows);
/// Values and slopes at `x`, and phi + J w, w the way of pinned nodes from there to `target`; both node_count x 3 in the model's order.
/// What partial pins hold has no slope then.
void constraint_rows_evaluate(ConstraintRows *rows, const double *x, const double *target);
/// out = J v of the constraints first <= c < end (row_count), v by place.
void constraint_rows_multiply(const ConstraintRows *rows, int32_t first, int32_t end, const double *v,
                              double *out);
/// v += J^T lambda at the free nodes first <= place < end.
void constraint_rows_pull(const ConstraintRows *rows, int32_t first, int32_t end, const double *lambda,
                          double *v);
/// Adds minus the geometric stiffness of the multipliers at `x` to the matrix's diagonal and what is above it.
void constraint_rows_stiffen(const ConstraintRows *rows, const double *x, bool clamp, BlockMatrix *matrix);

#endif
