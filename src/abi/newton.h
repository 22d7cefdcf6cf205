/* Newton's method on the device: what kernels and host share beyond abi/admm.h. Read by the C compiler and by the shader
 * compiler: preprocessor only. The data flow is described in src/device/vulkan/newton/newton.c. */
#ifndef ABI_NEWTON_H
#define ABI_NEWTON_H

/* CONTROL_STOP of a linear solve. */
#define NEWTON_RUNNING 0
#define NEWTON_SOLVED 1

/* Element data, ELEMENT_SIZE reals each, element by element: what the matrix is assembled from. */
#define ELEMENT_HESSIAN 0 /* the 12 numbers of energy_hessian times the volume */
#define ELEMENT_U 12
#define ELEMENT_SHAPES 21 /* V^T G_a, a = 0 .. 3 */
#define ELEMENT_ENERGY 33 /* w (psi - psi at rest), J */
#define ELEMENT_SIZE 34

/* A contribution to a block of the matrix: 16 element + 4 corner of the row + corner of the column. */

/* Step lengths tried at once. */
#define TRIALS_MOST 4

/* Sections of SUM_GROUPS_MOST exact numbers in the diagnosis' buffer. */
#define DIRECTION_SLOPE 0
#define DIRECTION_LARGEST 1 /* minus the largest component: the smallest is sought */
#define DIRECTION_PIN_GAP 2 /* likewise */
#define DIRECTION_SECTIONS 3
#define TRIAL_DIFFERENCE 0 /* TRIALS_MOST */
#define TRIAL_SLOPE (TRIAL_DIFFERENCE + TRIALS_MOST)
#define TRIAL_MAGNITUDE                                                                                      \
    (TRIAL_SLOPE + TRIALS_MOST) /* of what the differences are rounded from, TRIALS_MOST */
#define TRIAL_SUMS (TRIAL_MAGNITUDE + TRIALS_MOST)
#define TRIAL_BOUND TRIAL_SUMS /* smallest: the largest admissible step */
#define TRIAL_SECTIONS (TRIAL_SUMS + 1)

/* Places in the diagnosis' indices. */
#define TRIAL_INFINITE 0 /* bit i: the objective is not finite at trial i */

#endif
