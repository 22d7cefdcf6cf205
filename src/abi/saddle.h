/* The system of constraints on the device (theory.md section 10): what kernels and host share. The data flow is described in
 * src/device/vulkan/constraints/compliant.c. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_SADDLE_H
#define ABI_SADDLE_H

#include "abi/constraint.h"

/* Workgroups of the kernels that go over constraints, and of the one that decides what inequalities hold. */
#define GROUP_CONSTRAINTS 64
#define GROUP_SIDES 256

/* Lists: CONSTRAINT_WORDS for each constraint; ENTRY_WORDS for each of its nodes, constraint after constraint; where the pulls of each
 * node start, node_count + 1; PULL_WORDS for each entry, node after node; entries of the matrix; the constraints with a side. */
#define CONSTRAINT_KIND 0
#define CONSTRAINT_FIRST_ROW 1
#define CONSTRAINT_FIRST_ENTRY 2
#define CONSTRAINT_ENTRY_COUNT 3
#define CONSTRAINT_FIRST_SLOPE 4  /* of its first entry; 3 for each row, entry after entry */
#define CONSTRAINT_FIRST_FACTOR 5 /* of the lower triangle of its block of the preconditioner, row by row */
#define CONSTRAINT_SIDE 6         /* SADDLE_SIDE_* */
#define CONSTRAINT_WORDS 7
#define ENTRY_NODE 0
#define ENTRY_PLACE 1 /* of the node in the matrix */
#define ENTRY_WORDS 2
#define PULL_CONSTRAINT 0
#define PULL_ENTRY 1  /* among its constraint's */
#define PULL_BLOCKS 2 /* where the places of the blocks in the node's row start that its constraint has */
#define PULL_WORDS 3
#define SADDLE_SIDE_BOTH 0
#define SADDLE_SIDE_AT_MOST 1
#define SADDLE_SIDE_AT_LEAST 2

/* Exact numbers: these of each constraint, then CONSTRAINT_COLUMNS_MOST weights of each entry. */
#define CONSTRAINT_REST 0
#define CONSTRAINT_COMPLIANCE 1
#define CONSTRAINT_COUPLED 2
#define CONSTRAINT_SHEARED 3
#define CONSTRAINT_ARM 4
#define CONSTRAINT_NUMBERS 5

/* Numbers of a constraint's geometric stiffness: of a length its block, of others what each two columns are coupled by; 00 11 22 01 02 12. */
#define CONSTRAINT_STIFFNESS_SIZE 6

/* How it is made: bits. */
#define SADDLE_STIFFNESS_THERE 1
#define SADDLE_STIFFNESS_CLAMPED 2

/* Vectors of the linear solve, reals: 3 for each node, then one for each row. */
#define SADDLE_SOLUTION 0
#define SADDLE_DIRECTION 1
#define SADDLE_PRECONDITIONED 2
#define SADDLE_STEPS 3     /* two, by parity */
#define SADDLE_RESIDUALS 5 /* likewise */
#define SADDLE_RIGHT 7     /* rows alone: phi + J w */
#define SADDLE_VECTORS 8

/* The same of exact numbers: the sum of all solutions, an Exact3 for each node; then an exact number for each row, twice: lambda of the
 * running system, and the multipliers that go from step to step. */
#define SADDLE_ROW_SECTIONS 2

/* What the recurrence of MINRES hands on, twice, by parity. */
#define MINRES_NORM 0   /* of the residual that Lanczos's last vector is made of */
#define MINRES_FACTOR 1 /* that over the one before */
#define MINRES_COSINE 2
#define MINRES_SINE 3
#define MINRES_NEXT 4 /* right of the diagonal, one and two columns further on */
#define MINRES_AFTER 5
#define MINRES_LEFT 6    /* the residual's norm */
#define MINRES_LARGEST 7 /* value of the preconditioned matrix so far */
#define MINRES_STATE 8

/* The rounds in which inequalities are taken up and dropped. */
#define ACTIVE_ROUNDS_MOST 10

/* Iterations between two looks at whether the method ended: an even number. */
#define MINRES_BLOCK 16

#endif
