/* The coarse space of the two-level preconditioner: what its kernels and the host share, and what both devices agree on. Read
 * by the C compiler and by the shader compiler: preprocessor only. The data flow is described in
 * src/device/vulkan/linear/coarse.c. */
#ifndef ABI_COARSE_H
#define ABI_COARSE_H

/* Affine motions of a group of nodes: unknown COARSE_MODES g + 4 k + l moves axis k of group g by arm l of each node, which is
 * 1 for l = 0, or one of three coordinates from the group's centre over its radius. */
#define COARSE_MODES 12
#define COARSE_GROUPS_MOST 64

/* Workgroups of the kernels that work on nodes or entries of the matrix. */
#define GROUP_COARSE 64

/* Numbers of the block of two groups, row by row; and invocations of the kernels that work on one block. */
#define COARSE_BLOCK (COARSE_MODES * COARSE_MODES)

/* Entries of the matrix that a workgroup of compute/coarse_parts sums. */
#define COARSE_BATCH 256

#endif
