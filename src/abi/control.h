/* What kernels decide and hand on: the control buffer, unsigned integers. Arguments of indirect dispatches are x, y, z:
 * kernels switch the columns x on and off, the host has set the rows y, and z = 1. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_CONTROL_H
#define ABI_CONTROL_H

#include "abi/element_kind.h"
#include "abi/energy_model.h"

/* Elements of one kind and one energy model are a range; this many may occur. */
#define RANGES_MOST (ELEMENT_KIND_COUNT * ENERGY_MODEL_COUNT)

#define CONTROL_ITERATION 0    /* done since admm_begin */
#define CONTROL_LIMIT 1        /* stop there */
#define CONTROL_CG_ITERATION 2 /* of the running solve */
#define CONTROL_CG_TOTAL 3     /* since the last readback's reset */
#define CONTROL_CG_MOST 4      /* longest solve since then */
#define CONTROL_STOP 5         /* one of ADMM_* of abi/admm.h or NEWTON_* of abi/newton.h */
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
#define CONTROL_CG_LIMIT 16      /* the running solve is cut off there */
#define CONTROL_CG_EXACT 17      /* 1: it ends at SCALAR_CG_REDUCTION, not at something rougher */

/* Sums that nodes, elements of all kinds leave in a section, constant. */
#define CONTROL_SUMS_NODES 18
#define CONTROL_SUMS_ELEMENTS 19

/* Columns of the dispatches' workgroups, constant; their rows are in the arguments, constant too. */
#define CONTROL_GROUPS_NODES 20
#define CONTROL_GROUPS_CG 21
#define CONTROL_GROUPS_COARSE 22 /* groups of nodes, chunks of all groups; 0 without a coarse space */
#define CONTROL_GROUPS_CHUNKS 23
#define CONTROL_GROUPS_SADDLE 24 /* of the system of constraints */
#define CONTROL_GROUPS_RIGID 25  /* chunks of rigid motions */
#define CONTROL_CG_WARM 26 /* 1: the solve's first direction is a guess of its solution; cg_apply reads it */
#define CONTROL_CG_WARMING 27  /* the same of the running iteration; cg_update reads it */
#define CONTROL_GROUPS_KIND 28 /* one for each kind of element */
#define CONTROL_GROUPS_RANGE (CONTROL_GROUPS_KIND + ELEMENT_KIND_COUNT) /* one for each range */

/* Of the system of constraints. */
#define CONTROL_SADDLE (CONTROL_GROUPS_RANGE + RANGES_MOST)
#define CONTROL_SADDLE_FRESH (CONTROL_SADDLE + 0)     /* 1: a round begins, without a solution so far */
#define CONTROL_SADDLE_STEP (CONTROL_SADDLE + 1)      /* iterations since MINRES began */
#define CONTROL_SADDLE_ROUNDS (CONTROL_SADDLE + 2)    /* changes of what inequalities hold */
#define CONTROL_SADDLE_DEPENDENT (CONTROL_SADDLE + 3) /* rows that are left out */
#define CONTROL_SADDLE_BAD (CONTROL_SADDLE + 4)       /* 1: the system is singular or not finite */
#define CONTROL_SADDLE_COUNT 5

#define CONTROL_ARGUMENTS (CONTROL_SADDLE + CONTROL_SADDLE_COUNT)
#define ARGUMENTS_LOCAL_NODES (CONTROL_ARGUMENTS + 0)
#define ARGUMENTS_CG (CONTROL_ARGUMENTS + 3)
#define ARGUMENTS_AFTER_NODES (CONTROL_ARGUMENTS + 6)
#define ARGUMENTS_AFTER_ONE (CONTROL_ARGUMENTS + 9)
#define ARGUMENTS_DUAL_NODES (CONTROL_ARGUMENTS + 12)
#define ARGUMENTS_DUAL_ONE (CONTROL_ARGUMENTS + 15)
#define ARGUMENTS_COARSE (CONTROL_ARGUMENTS + 18)
#define ARGUMENTS_CHUNKS (CONTROL_ARGUMENTS + 21)
#define ARGUMENTS_SADDLE                                                                                     \
    (CONTROL_ARGUMENTS + 24) /* iterations of the system of constraints, and what goes around them */
#define ARGUMENTS_SADDLE_START (CONTROL_ARGUMENTS + 27)
#define ARGUMENTS_SADDLE_SIDES (CONTROL_ARGUMENTS + 30)
#define ARGUMENTS_SADDLE_FINISH (CONTROL_ARGUMENTS + 33)
#define ARGUMENTS_LOCAL_RIGID (CONTROL_ARGUMENTS + 36)
#define ARGUMENTS_CG_RIGID (CONTROL_ARGUMENTS + 39)
#define ARGUMENTS_AFTER_RIGID (CONTROL_ARGUMENTS + 42)
#define ARGUMENTS_DUAL_RIGID (CONTROL_ARGUMENTS + 45)
#define ARGUMENTS_START_COARSE (CONTROL_ARGUMENTS + 48) /* before a solve's first iteration */
#define ARGUMENTS_START_CHUNKS (CONTROL_ARGUMENTS + 51)
#define ARGUMENTS_AFTER_KIND (CONTROL_ARGUMENTS + 54) /* one for each kind of element */
#define ARGUMENTS_DUAL_KIND (ARGUMENTS_AFTER_KIND + 3 * ELEMENT_KIND_COUNT)
#define ARGUMENTS_LOCAL_RANGE (ARGUMENTS_DUAL_KIND + 3 * ELEMENT_KIND_COUNT) /* one for each range */
#define CONTROL_COUNT (ARGUMENTS_LOCAL_RANGE + 3 * RANGES_MOST)

#endif
