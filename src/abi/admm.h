/* ADMM on the device: theory.md section 5 in Douglas-Rachford form; the data flow is described in
 * src/device/vulkan/admm/batch.c. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_ADMM_H
#define ABI_ADMM_H

/* Anderson acceleration. */
#define HISTORY_MOST 8

/* CONTROL_STOP. */
#define ADMM_RUNNING 0
#define ADMM_CONVERGED 1
#define ADMM_AT_ROUNDING 2 /* converged down to the rounding floor only */
#define ADMM_AT_LIMIT 3
#define ADMM_NOT_A_NUMBER 4

/* A stage with penalty contact takes at least this many iterations: one alone does not contract where the split's weight is below the
 * stiffness (plane_penalty_weight), and what rests would move by what the tolerance allows. */
#define ADMM_LEAST_WITH_CONTACT 4

/* The split of penalty contact: sections of as many reals as there are coordinates (device/cpu/terms/penalty_split.h), obstacle by
 * obstacle, coordinate by coordinate, surface node by surface node. */
#define SPLIT_GAP 0   /* gap, slip or place at the current iterate; at the start, of the inertial target */
#define SPLIT_STATE 1 /* s */
#define SPLIT_PROJECTED 2   /* y' = prox(s) */
#define SPLIT_RESIDUAL 3    /* gap - y' */
#define SPLIT_IMAGE 4       /* s + residual */
#define SPLIT_MULTIPLIER 5  /* W, N */
#define SPLIT_REST 6        /* with friction: where it would hold the node */
#define SPLIT_DRAG 7        /* around a sphere: minus the force of friction in the last prox, N */
#define SPLIT_COEFFICIENT 8 /* of friction, in the place of the first coordinate */
#define SPLIT_RESIDUAL_DIFFERENCES 9
#define SPLIT_IMAGE_DIFFERENCES (SPLIT_RESIDUAL_DIFFERENCES + HISTORY_MOST)
#define SPLIT_SECTIONS (SPLIT_IMAGE_DIFFERENCES + HISTORY_MOST)

#endif
