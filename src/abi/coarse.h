/* The coarse space of the two-level preconditioner: what its kernels and the host share, and what both devices agree on. Read
 * by the C compiler and by the shader compiler: preprocessor only. The data flow is described in
 * src/device/vulkan/linear/coarse.c. */
#ifndef ABI_COARSE_H
#define ABI_COARSE_H

/* Affine motions of a group of nodes: unknown COARSE_MODES g + 4 k + l moves axis k of group g by arm l of each node, which is
 * 1 for l = 0, or one of three coordinates from the group's centre over its radius. */
#define COARSE_MODES 12
#define COARSE_GROUPS_MOST 128

/* Workgroups of the kernels that work on nodes or entries of the matrix. */
#define GROUP_COARSE 64
/* And of coarse_forward, where a workgroup has all that one group has to do with: 16 for each motion, and some that only read. */
#define GROUP_COARSE_FORWARD 256

/* Places of a group's order that follow one another make up a cluster (model/node_clusters.h), of CLUSTER_NODES, or all of a small body's, at most
 * CLUSTER_ROWS_MOST of them. It moves by an affine map as well, by the arms of its group, solved for without anything else; but for those that
 * begin with a body's node, and those of groups with fewer nodes, which they hardly add to: two of a body of 27 nodes take a sixth more
 * iterations. Numbers that are kept of it: the lower triangle of its inverse's root, column by column. */
#define CLUSTER_NODES 16
#define CLUSTER_ROWS_MOST 32
#define CLUSTERED_GROUP_LEAST (2 * CLUSTER_NODES + 1)
#define CLUSTER_ROOT_SIZE (COARSE_MODES * (COARSE_MODES + 1) / 2)

/* Invocations that have a cluster: a motion each. */
#define CLUSTER_TEAM 16

/* A workgroup has a chunk of a group's places, and works on a stripe of them at the same time: whole clusters of at most GROUP_COARSE rows
 * together. A table behind the rows of the matrix, and behind the words of COARSE_TREE, tells where they are: of all chunks' stripes, as many of each, STRIPE_WORDS; then of every
 * cluster the first place, with CLUSTER_IS_SOLVED where it moves by itself, and where the last one ends. Groups, with their chunks, are in the order in which they are eliminated
 * (model/group_turns.h), clusters in that of places. */
#define STRIPE_FIRST 0 /* place */
#define STRIPE_END 1
#define STRIPE_FIRST_CLUSTER 2
#define STRIPE_END_CLUSTER 3
#define STRIPE_WORDS 4
#define STRIPE_CLUSTERS_MOST 16
/* Numbers that the workgroup shares: a value and an arm of each row, and two vectors of each cluster's motions. Before that the same memory has
 * what rows hand each other (abi/linear.h), three numbers at a time. */
#define STRIPE_NUMBERS(rows) (7 * (rows) + 2 * COARSE_MODES * STRIPE_CLUSTERS_MOST)
#define HANDED_MOST (STRIPE_NUMBERS(GROUP_COARSE) / 3)
#define CLUSTER_IS_SOLVED 0x80000000u

/* Numbers of the block of two groups, row by row; and invocations of the kernels that work on one block. */
#define COARSE_BLOCK (COARSE_MODES * COARSE_MODES)

/* Groups that follow one another and are eliminated together, a supernode: of more, others than the first would be read while they change. */
#define COARSE_ELIMINATED 2
#define COARSE_SUPERNODES_MOST (COARSE_GROUPS_MOST / COARSE_ELIMINATED)

/* The plan of an elimination, which compute/coarse_plan makes. Supernodes that are not coupled to each other once all before them are eliminated are a level: a
 * dispatch, which has arguments x, y, z and tasks of its own, a group each from whose rows some of the level are eliminated. A set of supernodes is a bit each in two words. */
#define COARSE_PLAN_ARGUMENTS 0                         /* of each level */
#define COARSE_PLAN_STARTS (3 * COARSE_SUPERNODES_MOST) /* its first task, and where the last one's end */
#define COARSE_PLAN_COUPLES                                                                                  \
    (COARSE_PLAN_STARTS + COARSE_SUPERNODES_MOST +                                                           \
     1) /* of each supernode: those behind that it is coupled to in the matrix */
#define COARSE_PLAN_REACH                                                                                    \
    (COARSE_PLAN_COUPLES +                                                                                   \
     2 * COARSE_SUPERNODES_MOST) /* those that its rows have something of when it is eliminated */
#define COARSE_PLAN_TASKS                                                                                    \
    (COARSE_PLAN_REACH + 2 * COARSE_SUPERNODES_MOST) /* the group, and what is eliminated from its rows */
#define COARSE_TASK_WORDS 3
#define COARSE_TASKS_MOST (COARSE_SUPERNODES_MOST * COARSE_SUPERNODES_MOST)
#define COARSE_PLAN_WORDS (COARSE_PLAN_TASKS + COARSE_TASK_WORDS * COARSE_TASKS_MOST)

/* And of W, the inverse of the factor: which supernodes a supernode's rows have something of, itself not counted, and whose rows have something of it. */
#define COARSE_TREE_BEFORE 0
#define COARSE_TREE_BEHIND (2 * COARSE_SUPERNODES_MOST)
#define COARSE_TREE_WORDS (4 * COARSE_SUPERNODES_MOST)

/* Entries of the matrix that a workgroup of compute/coarse_parts sums. */
#define COARSE_BATCH 256

#endif
