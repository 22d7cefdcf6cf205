/// Preconditioned conjugate gradients for Newton's directions on the CPU path.
#ifndef DEVICE_CPU_LINEAR_CONJUGATE_GRADIENTS_H
#define DEVICE_CPU_LINEAR_CONJUGATE_GRADIENTS_H

#include "base/team.h"
#include "device/cpu/kernels.h"
#include "device/cpu/linear/preconditioner.h"

/// Vectors are column_count x 3 in the matrix's order; behind the rows they stay 0.
typedef struct ConjugateGradients {
    VelaContext *context;
    const Kernels *kernels;
    const BlockMatrix *matrix;
    CpuPreconditioner *preconditioner;
    RoundedMatrix rounded;
    bool is_rounded; ///< the solve multiplies with that
    int threads;
    Team team;        ///< of a solve
    int32_t *shares;  ///< of every thread: the first of the matrix's parts that it has
    double *residual; ///< the right-hand side, before
    double *direction, *preconditioned, *product;
    double curvatures[PARTS_MOST], products[PARTS_MOST], largest[PARTS_MOST]; ///< of the matrix's parts
    int32_t alternative; ///< iterations' worth of another way to solve; INT32_MAX: there is none
    bool goes_on;        ///< nobody asked to stop
} ConjugateGradients;

typedef struct LinearReport {
    int32_t iterations;
    bool is_exact;   ///< the tolerance was the settings' own, or was reached, or the solution is settled
    double norm;     ///< sqrt(b.P^-1 b) of the right-hand side b
    double residual; ///< the same of the residual in the end, over norm
    bool
        indefinite; ///< a direction of no positive curvature was met; the solution is what there was until then
    bool is_slow;   ///< given up because it seemed to take longer than the alternative
    double left;    ///< then, the iterations that seemed to be left
} LinearReport;

/// Iterations that an alternative is worth that is clearly less than those that seem to be left: what is told of them is rough.
static inline double conjugate_gradients_clearly(double left)
{
    return left / 1.25;
}

VelaResult conjugate_gradients_allocate(Arena *arena, ConjugateGradients *solver);
/// Solves for `solution` (column_count x 3) from 0 until the norm of the residual is newton_linear_tolerance times that of the
/// right-hand side, or, of a short direction, until newton_is_settled; the right-hand side is in solver->residual, which is overwritten. Where the first direction has no positive
/// curvature the solution is P^-1 b. VELA_ERROR_INTERRUPTED as of context_breathe.
VelaResult conjugate_gradients(ConjugateGradients *solver, const NewtonSettings *settings, double *solution,
                               LinearReport *report);

#endif
