/* The positive semidefinite Hessian of a contact pair, the same on both devices. Read by the C compiler and by the shader compiler:
 * preprocessor only. */
#ifndef ABI_PAIR_HESSIAN_H
#define ABI_PAIR_HESSIAN_H

/* The part of what turns the pair's normal: that changes within a step where bodies slide over each other's facets. A number of both
 * precisions. */
#define PAIR_TURNING_PART 0.25

#endif
