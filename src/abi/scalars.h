/* What kernels compute with and hand on: the scalars' buffer, `real` numbers. Read by the C compiler and by the shader
 * compiler: preprocessor only. */
#ifndef ABI_SCALARS_H
#define ABI_SCALARS_H

#include "abi/admm.h"

#define SCALAR_TOLERANCE 0
#define SCALAR_PENALTY_SCALE 1
#define SCALAR_INVERSE_A_SQ 2
#define SCALAR_STIFFNESS 3
#define SCALAR_GRAVITY 4       /* 3 */
#define SCALAR_PLANE_BLOCK 7   /* sum of k n n^T over the planes: 00 11 22 01 02 12 */
#define SCALAR_PRIMAL_FLOOR 13 /* times |J| */
#define SCALAR_DUAL_FLOOR 14
#define SCALAR_CG_REDUCTION 15 /* relative residual of a solve, in the preconditioner's norm */
#define SCALAR_GRAM_FLOOR 16
#define SCALAR_STRETCH 17   /* how much longer a Newton direction is made */
#define SCALAR_CG_TARGET 18 /* of r.z */
#define SCALAR_CG_FIRST 19  /* r.z where the solve began */
#define SCALAR_CG_LAST 20   /* where it ended */
#define SCALAR_BEST 21
#define SCALAR_PRIMAL 22
#define SCALAR_PRIMAL_BOUND 23
#define SCALAR_DUAL 24
#define SCALAR_DUAL_BOUND 25
#define SCALAR_PROJECTED_CHANGE 26 /* |Z - Z_old| */
#define SCALAR_WEIGHTS 27          /* HISTORY_MOST */
#define SCALAR_GRAM (SCALAR_WEIGHTS + HISTORY_MOST)
#define SCALAR_COUNT (SCALAR_GRAM + HISTORY_MOST * HISTORY_MOST)

#endif
