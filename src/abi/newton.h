/* Newton's method on the device: what kernels and host share. The data flow is described in
 * src/device/vulkan/newton/newton.c. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_NEWTON_H
#define ABI_NEWTON_H

#include "abi/diagnosis.h"

/* CONTROL_STOP of a linear solve. */
#define NEWTON_RUNNING 0
#define NEWTON_SOLVED 1

/* A contribution to a block of the matrix: corners^2 element + corners corner of the row + corner of the column. */

/* The arguments of its kernels of elements: what is said of each, and from this bit on the slot of the places. */
#define NEWTON_SLOT_SHIFT 8

/* Step lengths tried at once. */
#define TRIALS_MOST 4

/* Sections of SUM_GROUPS_MOST exact numbers in the diagnosis' buffer. */
#define DIRECTION_SLOPE 0
#define DIRECTION_LARGEST 1 /* minus the largest component: the smallest is sought */
#define DIRECTION_PIN_GAP 2 /* likewise */
#define DIRECTION_TURN 3    /* minus the angle that an affine body turns by, rad: likewise */
#define DIRECTION_SECTIONS 4
#define TRIAL_DIFFERENCE 0 /* TRIALS_MOST */
#define TRIAL_SLOPE (TRIAL_DIFFERENCE + TRIALS_MOST)
#define TRIAL_MAGNITUDE                                                                                      \
    (TRIAL_SLOPE + TRIALS_MOST) /* of what the differences are rounded from, TRIALS_MOST */
#define TRIAL_TERM_SUMS (TRIAL_MAGNITUDE + TRIALS_MOST) /* those that every term adds to */
#define TRIAL_WORK TRIAL_TERM_SUMS                      /* NewtonTrials.contact_work */
#define TRIAL_SUMS (TRIAL_WORK + 1)
#define TRIAL_BOUND TRIAL_SUMS /* smallest: the largest admissible step */
#define TRIAL_SECTIONS (TRIAL_SUMS + 1)

/* Places in the diagnosis' indices. */
#define TRIAL_INFINITE 0 /* bit i: the objective is not finite at trial i */

#endif
