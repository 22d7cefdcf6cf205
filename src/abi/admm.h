/* ADMM on the device: what kernels and host share. Read by the C compiler and by the shader compiler: preprocessor
 * only. theory.md section 5 in Douglas-Rachford form; the data flow is described in src/device/vulkan/admm/batch.c. */
#ifndef ABI_ADMM_H
#define ABI_ADMM_H

#include "abi/energy_model.h"

/* Anderson acceleration. */
#define HISTORY_MOST 8

/* Sums run over a fixed number of workgroups, at most this many; the same shape on every run. */
#define SUM_GROUPS_MOST 512

/* Workgroups: element kernels, node kernels, conjugate gradients, the one group that decides. */
#define GROUP_TETS 64
#define GROUP_NODES 64
#define GROUP_CG 128
#define GROUP_CONTROL 256

/* Rows of the global matrix are stored in slices of this many, entry j of row i of a slice at start + 32 j + i; entry 0 is
 * the diagonal. */
#define SLICE_ROWS 32

/* Node flags: (surface index + 1) << NODE_SURFACE_SHIFT | bits; 0 instead of the index inside the body. */
#define NODE_IS_FREE 1
#define NODE_IS_PINNED 2
#define NODE_SURFACE_SHIFT 2

/* ---- control: unsigned integers. Arguments of indirect dispatches are x, y, z with y = z = 1. */
#define MODELS_MOST ENERGY_MODEL_COUNT
#define CONTROL_ITERATION 0    /* done since admm_begin */
#define CONTROL_LIMIT 1        /* stop there */
#define CONTROL_CG_ITERATION 2 /* of the running solve */
#define CONTROL_CG_TOTAL 3     /* since the last readback's reset */
#define CONTROL_CG_MOST 4      /* longest solve since then */
#define CONTROL_STOP 5         /* one of the ADMM_* below */
#define CONTROL_DEPTH 6        /* of Anderson acceleration, 0: off */
#define CONTROL_KEPT 7         /* differences in use */
#define CONTROL_NEXT 8         /* slot the next difference goes to */
#define CONTROL_HAS_PREVIOUS 9
#define CONTROL_MIXING 10  /* how many weights the next S is mixed with */
#define CONTROL_HISTORY 11 /* differences in use in the running iteration, the newest included */
#define CONTROL_NEWEST 12  /* slot of the newest, or 0xffffffff */
#define CONTROL_PRIMAL_DONE 13
#define CONTROL_BAD_SOLVES 14    /* solves that ended at CG_ITERATIONS_MOST */
#define CONTROL_CG_INDEFINITE 15 /* 1: the running solve met a direction of no positive curvature */
#define CONTROL_GROUPS_NODES 16  /* group counts, constant */
#define CONTROL_GROUPS_CG 17
#define CONTROL_GROUPS_TETS 18
#define CONTROL_CG_LIMIT 19      /* the running solve is cut off there */
#define CONTROL_GROUPS_MODEL 20  /* one for each energy model, up to 12 */
#define CONTROL_GROUPS_COARSE 32 /* groups of nodes, chunks of all groups; 0 without a coarse space */
#define CONTROL_GROUPS_CHUNKS 33
#define CONTROL_ARGUMENTS 34
#define ARGUMENTS_LOCAL_NODES (CONTROL_ARGUMENTS + 0)
#define ARGUMENTS_CG (CONTROL_ARGUMENTS + 3)
#define ARGUMENTS_AFTER_NODES (CONTROL_ARGUMENTS + 6)
#define ARGUMENTS_AFTER_TETS (CONTROL_ARGUMENTS + 9)
#define ARGUMENTS_AFTER_ONE (CONTROL_ARGUMENTS + 12)
#define ARGUMENTS_DUAL_NODES (CONTROL_ARGUMENTS + 15)
#define ARGUMENTS_DUAL_ONE (CONTROL_ARGUMENTS + 18)
#define ARGUMENTS_COARSE (CONTROL_ARGUMENTS + 21)
#define ARGUMENTS_CHUNKS (CONTROL_ARGUMENTS + 24)
#define ARGUMENTS_LOCAL_MODEL (CONTROL_ARGUMENTS + 27) /* one for each energy model */
#define CONTROL_COUNT (CONTROL_ARGUMENTS + 27 + 3 * MODELS_MOST)

#define ADMM_RUNNING 0
#define ADMM_CONVERGED 1
#define ADMM_AT_ROUNDING 2 /* converged down to the rounding floor only */
#define ADMM_AT_LIMIT 3
#define ADMM_NOT_A_NUMBER 4

/* A solve that needs more is cut off and counted: the next iteration forms its residual anew. */
#define CG_ITERATIONS_MOST 2000

/* ---- scalars: `real` numbers */
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

/* ---- partial sums: sections of SUM_GROUPS_MOST reals */
#define SUM_RZ 0 /* of r.z: two, by parity */
#define SUM_CURVATURE 2
#define SUM_TETS 3
#define SUM_TETS_RESIDUAL 0  /* |J - Z|^2 */
#define SUM_TETS_GRADIENT 1  /* |J|^2 */
#define SUM_TETS_PROJECTED 2 /* |Z|^2 */
#define SUM_TETS_WEIGHTED 3  /* rho |J - Z|^2 */
#define SUM_TETS_CHANGE 4    /* |Z - Z_old|^2 */
#define SUM_TETS_NEWEST 5    /* HISTORY_MOST: rho newest.difference_j */
#define SUM_TETS_CURRENT (SUM_TETS_NEWEST + HISTORY_MOST)
#define SUM_TETS_COUNT (SUM_TETS_CURRENT + HISTORY_MOST)
#define SUM_PLANES (SUM_TETS + SUM_TETS_COUNT)
#define SUM_PLANES_RESIDUAL 0 /* |gap - y'|^2 */
#define SUM_PLANES_GAP 1
#define SUM_PLANES_PROJECTED 2
#define SUM_PLANES_NEWEST 3 /* HISTORY_MOST */
#define SUM_PLANES_CURRENT (SUM_PLANES_NEWEST + HISTORY_MOST)
#define SUM_PLANES_COUNT (SUM_PLANES_CURRENT + HISTORY_MOST)
#define SUM_DUAL (SUM_PLANES + SUM_PLANES_COUNT)
#define SUM_DUAL_COUNT 4
#define SUM_SECTIONS (SUM_DUAL + SUM_DUAL_COUNT)

/* ---- contact: sections of planes x surface nodes reals, plane by plane */
#define CONTACT_GAP 0        /* n.x - o at the current iterate; at the start, of the inertial target */
#define CONTACT_STATE 1      /* s */
#define CONTACT_PROJECTED 2  /* y' = prox(s) */
#define CONTACT_RESIDUAL 3   /* gap - y' */
#define CONTACT_IMAGE 4      /* s + residual */
#define CONTACT_MULTIPLIER 5 /* W, N */
#define CONTACT_RESIDUAL_DIFFERENCES 6
#define CONTACT_IMAGE_DIFFERENCES (CONTACT_RESIDUAL_DIFFERENCES + HISTORY_MOST)
#define CONTACT_SECTIONS (CONTACT_IMAGE_DIFFERENCES + HISTORY_MOST)

/* ---- element matrices: sections of 9 tet_count reals, entry k of tet t at k tet_count + t, row-major */
#define TET_IMAGE 0     /* S + (J - Z), the plain iteration's next S */
#define TET_STATE 1     /* S */
#define TET_PROJECTED 2 /* Z */
#define TET_GRADIENT 3  /* J = D x */
#define TET_RESIDUAL 4  /* J - Z */
#define TET_SECTIONS 5

/* Per tet, beside: w kappa, w lambda, rho at scale 1, w; each tet_count reals. */
#define TET_KAPPA 0
#define TET_LAMBDA 1
#define TET_PENALTY 2
#define TET_VOLUME 3
#define TET_PARAMETERS 4

/* compute/diagnose_nodes and _tets: sections of SUM_GROUPS_MOST exact numbers, one for every workgroup. */
#define DIAGNOSE_KINETIC 0
#define DIAGNOSE_GRAVITATIONAL 1
#define DIAGNOSE_CONTACT 2
#define DIAGNOSE_MOMENTUM 3
#define DIAGNOSE_ANGULAR 6
#define DIAGNOSE_CENTER 9
#define DIAGNOSE_MASS 12
#define DIAGNOSE_NODE_SUMS 13
#define DIAGNOSE_ELASTIC 13
#define DIAGNOSE_SUMS 14
#define DIAGNOSE_GAP 14         /* smallest */
#define DIAGNOSE_DETERMINANT 15 /* smallest */
#define DIAGNOSE_SECTIONS 16
/* Lowest indices, 0xffffffff: none. */
#define DIAGNOSE_BAD_NODE 0
#define DIAGNOSE_INVERTED 1
#define DIAGNOSE_INFINITE 2 /* lowest element of infinite energy */
#define DIAGNOSE_INDICES 3
/* What sections of smallest values hold before, as bytes: a large number, float-float or double. */
#define SMALLEST_BEFORE 0x7f7f7f7f

/* Slots of node vectors; device/device.h numbers them, vulkan.c asserts that these agree. */
#define ABI_SLOT_POSITION 0
#define ABI_SLOT_TARGET 4
#define ABI_SLOT_STAGE 5

/* Planes: 4 exact numbers each, the normal and -o. */
#define PLANE_STRIDE 4

#endif
