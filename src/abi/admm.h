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

/* Penalty planes: sections of planes x surface nodes reals, plane by plane */
#define SPLIT_GAP 0        /* n.x - o at the current iterate; at the start, of the inertial target */
#define SPLIT_STATE 1      /* s */
#define SPLIT_PROJECTED 2  /* y' = prox(s) */
#define SPLIT_RESIDUAL 3   /* gap - y' */
#define SPLIT_IMAGE 4      /* s + residual */
#define SPLIT_MULTIPLIER 5 /* W, N */
#define SPLIT_RESIDUAL_DIFFERENCES 6
#define SPLIT_IMAGE_DIFFERENCES (SPLIT_RESIDUAL_DIFFERENCES + HISTORY_MOST)
#define SPLIT_SECTIONS (SPLIT_IMAGE_DIFFERENCES + HISTORY_MOST)

#endif
