/* What kernels compute with and hand on: the scalars' buffer, `real` numbers. Read by the C compiler and by the shader
 * compiler: preprocessor only. */
#ifndef ABI_SCALARS_H
#define ABI_SCALARS_H

#include "abi/admm.h"
#include "abi/saddle.h"

#define SCALAR_TOLERANCE 0
#define SCALAR_PENALTY_SCALE 1
#define SCALAR_INVERSE_A_SQ 2
#define SCALAR_STIFFNESS 3
#define SCALAR_GRAVITY 4 /* 3 */
#define SCALAR_PLANE_ACROSS                                                                                  \
    7 /* what penalty contact adds to ADMM's matrix for each unit of plane_penalty_weight: 00 11 22 01 02 12 */
#define SCALAR_PRIMAL_FLOOR 13 /* times |J| */
#define SCALAR_DUAL_FLOOR 14
#define SCALAR_CG_REDUCTION 15 /* relative residual of a solve, in the preconditioner's norm */
#define SCALAR_GRAM_FLOOR 16
#define SCALAR_CG_LOOSEST                                                                                    \
    17 /* LinearForcing of device/device.h; 0: SCALAR_CG_REDUCTION, whatever the gradient is */
#define SCALAR_CG_GROWTH 18 /* factor/last^2 */
#define SCALAR_CG_NEARLY 19
#define SCALAR_CG_SHORT 20 /* a solution without a component of this size is solved to SCALAR_CG_REDUCTION */
#define SCALAR_PLANE_ALONG 21 /* the same for each unit of m/a^2 */
#define SCALAR_STAGE_TIME 27  /* what passes from the base position to the stage's solution, s */
#define SCALAR_ALPHA 28       /* part of a step that the variational stage takes */
#define SCALAR_CG_SETTLED 29  /* residuals above tell nothing of a direction by its length; 0: none does */
#define SCALAR_CG_TARGET 30   /* of r.z */
#define SCALAR_CG_FIRST 31    /* r.z where the solve began */
#define SCALAR_CG_LAST 32     /* where it ended */
#define SCALAR_BEST 33
#define SCALAR_PRIMAL 34 /* of what is farther from its bound, elements or their copies */
#define SCALAR_PRIMAL_BOUND 35
#define SCALAR_DUAL 36
#define SCALAR_DUAL_BOUND 37
#define SCALAR_PRIMAL_DIFFERENCE 38 /* |J - Z| of both */
#define SCALAR_PROJECTED_CHANGE 39  /* |Z - Z_old| */
#define SCALAR_WEIGHTS 40           /* HISTORY_MOST */
#define SCALAR_GRAM (SCALAR_WEIGHTS + HISTORY_MOST)
#define SCALAR_MINRES (SCALAR_GRAM + HISTORY_MOST * HISTORY_MOST) /* 2 MINRES_STATE */
#define SCALAR_MINRES_DIAGONAL (SCALAR_MINRES + 2 * MINRES_STATE)
#define SCALAR_MINRES_LAST (SCALAR_MINRES + 2 * MINRES_STATE + 1) /* norm where it began the time before */
#define SCALAR_COUNT (SCALAR_MINRES + 2 * MINRES_STATE + 2)

#endif
