/* Matrices and linear solves on the device. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_LINEAR_H
#define ABI_LINEAR_H

/* Rows of the global matrix are stored in slices of this many, entry j of row i of a slice at start + 32 j + i; entry 0 is
 * the diagonal. The rows are those of the nodes in the order of NodeOrder (model/model.h): a buffer has where each slice
 * starts and the last one ends, and behind that the nodes in this order. */
#define SLICE_ROWS 32

/* A solve of ADMM that needs more is cut off and counted: the next iteration forms its residual anew. */
#define CG_ITERATIONS_MOST 2000

/* Numbers that are kept of the root of a body's 12x12 block: its ten 3x3 blocks on the diagonal and below. */
#define BODY_ROOT_SIZE 90

#endif
