/// What the conjugate gradients of the CPU path divide by: P, close to the matrix A and cheap to invert.
#ifndef DEVICE_CPU_LINEAR_PRECONDITIONER_H
#define DEVICE_CPU_LINEAR_PRECONDITIONER_H

#include "device/cpu/kernels.h"

typedef struct CpuPreconditioner CpuPreconditioner;

/// P^-1 = D^-1, the inverses of the 3x3 blocks on the diagonal of A (of bodies with coupled masses: of their 12x12 blocks), and with PRECONDITIONER_TWO_LEVEL plus the inverse of A
/// on a coarse space and, one by one, on its clusters (coarse_space.h) and on stacks of nodes (stack_blocks.h). `places`: where the matrix's rows stand at first, row_count x 3; NULL: without a coarse
/// space. `nodes`: of the model, one a row, borrowed; NULL likewise. `threads`: of OpenMP. Matrices may get fewer rows later.
VelaResult preconditioner_create(VelaContext *context, Preconditioner kind, const Kernels *kernels,
                                 const BlockMatrix *matrix, const double *places, const int32_t *nodes,
                                 int threads, CpuPreconditioner **preconditioner);
/// From now on without the clusters of its coarse space, to see what they do.
void preconditioner_leave_out_clusters(CpuPreconditioner *preconditioner);
/// From now on the coarse space gives way to contact wherever there is any, whether that pays or not.
void preconditioner_give_way_always(CpuPreconditioner *preconditioner);
/// After the matrix has got new values, for nodes that stand at `positions`, m, in the order of the model; NULL without a coarse space. P is positive definite even where A is not.
/// `groups_contact`: with PRECONDITIONER_TWO_LEVEL rows that contact holds together get blocks of their own in D (contact_groups.h), which
/// preconditioner_block knows nothing of, and the coarse space gives way to contact (contact_motions.h).
VelaResult preconditioner_update(CpuPreconditioner *preconditioner, const double *positions,
                                 bool groups_contact);
/// z = P^-1 r in steps, so that threads can share them and do other work beside them: `restrict` for every part of the matrix; where contact changes motions
/// `restrict_contact` likewise, behind it; then by every thread of the region `begin_coarse` and, before it meets the others, `end_coarse`, with whatever else between them; `solve_blocks`
/// for every part; then `turn` for every part, which adds what the coarse space has of z on the way to y = z + b y (y may be z, with b = 0). What `solve_blocks` returns and
/// the `coarse_product`, when all have ended, add up to r.z. Without a coarse space `solve_blocks` is all.
void preconditioner_restrict(CpuPreconditioner *preconditioner, int32_t part, const double *r);
bool preconditioner_has_contact(const CpuPreconditioner *preconditioner);
void preconditioner_restrict_contact(CpuPreconditioner *preconditioner, int32_t part, const double *r);
void preconditioner_begin_coarse(CpuPreconditioner *preconditioner);
void preconditioner_end_coarse(CpuPreconditioner *preconditioner);
double preconditioner_coarse_product(const CpuPreconditioner *preconditioner);
double preconditioner_solve_blocks(const CpuPreconditioner *preconditioner, int32_t part, const double *r,
                                   double *z);
void preconditioner_turn(const CpuPreconditioner *preconditioner, int32_t part, const double *z, double b,
                         double *y);
/// The block of D that a row is in: its first row; returns how many it has, 1 or 4.
int32_t preconditioner_block(const CpuPreconditioner *preconditioner, int32_t row, int32_t *first);
/// z = D^-1 r of the block that begins at the row `first`, 3 numbers a row.
void preconditioner_solve_block(const CpuPreconditioner *preconditioner, int32_t first, const double *r,
                                double *z);
/// NULL is allowed.
void preconditioner_destroy(CpuPreconditioner *preconditioner);

#endif
