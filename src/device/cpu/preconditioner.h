/// What the conjugate gradients of the CPU path divide by: P, close to the matrix A and cheap to invert.
#ifndef DEVICE_CPU_PRECONDITIONER_H
#define DEVICE_CPU_PRECONDITIONER_H

#include "device/cpu/block_matrix.h"

typedef struct CpuPreconditioner CpuPreconditioner;

/// P = the 3x3 blocks on the diagonal of A. `threads`: of OpenMP, for loops over nodes.
VelaResult preconditioner_create(VelaContext *context, const BlockMatrix *matrix, int threads,
                                 CpuPreconditioner **preconditioner);
/// After the matrix has got new values.
void preconditioner_update(CpuPreconditioner *preconditioner);
/// z = P^-1 r over the rows of the matrix.
void preconditioner_apply(const CpuPreconditioner *preconditioner, const double *r, double *z);
/// NULL is allowed.
void preconditioner_destroy(CpuPreconditioner *preconditioner);

#endif
