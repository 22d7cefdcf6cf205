/// What the conjugate gradients of the CPU path divide by: P, close to the matrix A and cheap to invert.
#ifndef DEVICE_CPU_LINEAR_PRECONDITIONER_H
#define DEVICE_CPU_LINEAR_PRECONDITIONER_H

#include "device/cpu/kernels.h"

/// The coarse space and the clusters of every part.
enum { PRECONDITIONER_TASKS_MOST = 1 + PARTS_MOST };

typedef struct CpuPreconditioner CpuPreconditioner;

/// P^-1 = the inverses of the blocks of clusters of `cluster_rows` rows (clusters.h), and with PRECONDITIONER_TWO_LEVEL plus the
/// inverse of A on a coarse space (coarse_space.h). `places`: where the matrix's rows stand at first, row_count x 3.
/// `threads`: of OpenMP.
VelaResult preconditioner_create(VelaContext *context, Preconditioner kind, const Kernels *kernels,
                                 const BlockMatrix *matrix, const double *places, int32_t cluster_rows,
                                 int threads, CpuPreconditioner **preconditioner);
/// After the matrix has got new values. P is positive definite even where A is not.
void preconditioner_update(CpuPreconditioner *preconditioner);
/// z = P^-1 r in three phases, so that threads can share them and do other work beside them: `begin` for every part of the
/// matrix, then every one of `tasks`, in any order, then `end` for every part. The results of the tasks add up to r.z.
void preconditioner_begin(CpuPreconditioner *preconditioner, int32_t part, const double *r);
int32_t preconditioner_tasks(const CpuPreconditioner *preconditioner);
double preconditioner_task(CpuPreconditioner *preconditioner, int32_t task, const double *r, double *z);
void preconditioner_end(const CpuPreconditioner *preconditioner, int32_t part, double *z);
/// NULL is allowed.
void preconditioner_destroy(CpuPreconditioner *preconditioner);

#endif
