/* Partial sums: sections of SUM_GROUPS_MOST reals, one for every workgroup. Read by the C compiler and by the shader compiler:
 * preprocessor only. */
#ifndef ABI_SUMS_H
#define ABI_SUMS_H

#include "abi/admm.h"
#include "abi/coarse.h"

/* Sums run over a fixed number of workgroups, at most this many; the same shape on every run. */
#define SUM_GROUPS_MOST 512

#define SUM_RZ 0        /* of r.z: two, by parity */
#define SUM_CURVATURE 2 /* of p.A p */
#define SUM_IMAGE 3     /* of A p.P^-1 A p, as many as of r.z */
#define SUM_ELEMENTS 4
#define SUM_ELEMENTS_RESIDUAL 0  /* |J - Z|^2 */
#define SUM_ELEMENTS_GRADIENT 1  /* |J|^2 */
#define SUM_ELEMENTS_PROJECTED 2 /* |Z|^2 */
#define SUM_ELEMENTS_WEIGHTED 3  /* rho |J - Z|^2 */
#define SUM_ELEMENTS_CHANGE 4    /* |Z - Z_old|^2 */
#define SUM_ELEMENTS_NEWEST 5    /* HISTORY_MOST: rho newest.difference_j */
#define SUM_ELEMENTS_CURRENT (SUM_ELEMENTS_NEWEST + HISTORY_MOST)
#define SUM_ELEMENTS_COUNT (SUM_ELEMENTS_CURRENT + HISTORY_MOST)
#define SUM_PLANES (SUM_ELEMENTS + SUM_ELEMENTS_COUNT)
#define SUM_PLANES_RESIDUAL 0 /* |gap - y'|^2 */
#define SUM_PLANES_GAP 1
#define SUM_PLANES_PROJECTED 2
#define SUM_PLANES_WEIGHTED 3 /* w |gap - y'|^2 */
#define SUM_PLANES_NEWEST 4   /* HISTORY_MOST: w newest.difference_j */
#define SUM_PLANES_CURRENT (SUM_PLANES_NEWEST + HISTORY_MOST)
#define SUM_PLANES_COUNT (SUM_PLANES_CURRENT + HISTORY_MOST)
#define SUM_DUAL (SUM_PLANES + SUM_PLANES_COUNT)
#define SUM_DUAL_COUNT 4
/* Sums over the motions of chunks of groups, abi/coarse.h: of the residual and of A p. */
#define SUM_RESIDUAL_MOTIONS (SUM_DUAL + SUM_DUAL_COUNT)
#define SUM_PRODUCT_MOTIONS (SUM_RESIDUAL_MOTIONS + COARSE_MODES)
#define SUM_LARGEST (SUM_PRODUCT_MOTIONS + COARSE_MODES) /* component of a linear solve's solution: no sum */
#define SUM_SECTIONS (SUM_LARGEST + 1)

#endif
