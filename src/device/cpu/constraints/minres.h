/// The system of constraints (saddle_factor.h) by the preconditioned method of minimal residuals (C. C. Paige and M. A. Saunders,
/// "Solution of sparse indefinite systems of linear equations", 1975), theory.md section 10. The preconditioner P is D, the blocks on the
/// diagonal of A (linear/preconditioner.h), and for every constraint C + J D^-1 J^T of its own rows; it is positive definite even where A
/// is not. Where constraints depend on one another and agree, the multipliers are the least ones in the norm of P; where they do not agree
/// the residual is the least one.
#ifndef DEVICE_CPU_CONSTRAINTS_MINRES_H
#define DEVICE_CPU_CONSTRAINTS_MINRES_H

#include "base/team.h"
#include "device/cpu/constraints/rows.h"
#include "device/cpu/kernels.h"
#include "device/cpu/linear/preconditioner.h"

/// Constraints that a thread takes at once, and whose sums are formed together.
enum { CONSTRAINTS_PER_CHUNK = 512 };

/// d by place, column_count x 3, 0 behind the free nodes; lambda, row_count.
typedef struct SaddleVector {
    double *d, *lambda;
} SaddleVector;

typedef double ConstraintBlock[CONSTRAINT_ROWS_MOST * CONSTRAINT_ROWS_MOST];

typedef struct Minres {
    VelaContext *context;
    const Kernels *kernels;
    const BlockMatrix *matrix;
    const ConstraintRows *rows;
    CpuPreconditioner *preconditioner; ///< of the matrix, block Jacobi
    int threads;                       ///< of OpenMP
    Team team;                         ///< of a region
    int32_t chunk_count;               ///< of constraints
    ConstraintBlock *
        factors; ///< of every constraint's block of P: L of L D L^T by rows, 1/D on the diagonal, 0 in rows left out
    SaddleVector solution;
    SaddleVector direction, residual, last_residual, product, preconditioned, step, last_step;
    double *curvatures, *products; ///< sums: one a part of the matrix, then one a chunk
    double norm;                   ///< of the right-hand side
    bool goes_on;                  ///< nobody asked to stop
} Minres;

typedef struct MinresReport {
    int32_t iterations;
    double residual; ///< the norm of the residual in the end, as the recurrence has it
    bool is_finite;
} MinresReport;

/// With the first six members set; the rest is owned by the arena.
VelaResult minres_allocate(Arena *arena, Minres *minres);
size_t minres_memory(const Model *model);
/// Takes the preconditioner from the matrix and the constraints as they are; `active` may change later. Returns how many rows of
/// constraints depend on others of the same one: they are left out, with multiplier 0.
int32_t minres_update(Minres *minres);
/// Whether it is such a row, or none of its nodes is free and its compliance is 0.
bool minres_left_out(const Minres *minres, int32_t constraint, int32_t row);
/// Takes a right-hand side and returns its norm sqrt(r.P^-1 r).
double minres_begin(Minres *minres, const double *d, const double *lambda);
/// minres->solution for it from 0, until the norm of the residual is `target` or nothing more can be had from it; inactive constraints have
/// the multiplier 0. VELA_ERROR_INTERRUPTED as of context_breathe.
VelaResult minres_solve(Minres *minres, double target, int32_t max_iterations, MinresReport *report);

#endif
