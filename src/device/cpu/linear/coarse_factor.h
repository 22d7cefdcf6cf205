/// The factor of the coarse matrix, and solving with it, by the threads of a region: two halves of the parts that have nothing to do with each other, each by
/// one thread, then the parts that are coupled to both (one step of A. George's nested dissection, 1973). Results do not depend on the number of threads.
#ifndef DEVICE_CPU_LINEAR_COARSE_FACTOR_H
#define DEVICE_CPU_LINEAR_COARSE_FACTOR_H

#include "device/cpu/kernels.h"

/// Factors an assembled matrix, in its place. By all threads of a region, or by one outside of regions.
void coarse_factor(const Kernels *kernels, CoarseSpace *space, Team *team);
/// `right` becomes the solution: what is begun by every thread is done when every thread has ended it and met the others; between, they may do something else.
void coarse_begin_solve(const Kernels *kernels, CoarseSpace *space);
void coarse_end_solve(const Kernels *kernels, CoarseSpace *space);
/// Then, the product of the right-hand side and the solution.
double coarse_product(const CoarseSpace *space);

#endif
