/* The coarse space of the two-level preconditioner: what its kernels and the host share, and what both devices agree on. Read
 * by the C compiler and by the shader compiler: preprocessor only. The data flow is described in
 * src/device/vulkan/linear/coarse.c. */
#ifndef ABI_COARSE_H
#define ABI_COARSE_H

/* Motions of a group of nodes (model/group_motions.h), unknowns COARSE_MODES g + 4 k + l of group g, by the arms u, v, w of each node: its coordinates from the group's
 * centre over its radius. Affine ones move axis k by 1, u, v or w. Others are along the group's frame, e1 e2 e3, that turns with it; with
 * f = 1, u, v, u^2, v^2, u v and so on, and f_u, f_v its derivatives:
 *   plates, e3 across them: e1 1, e1 u, e1 v, and bent by u^2: e3 u^2 - w e1 2 u
 *                           e2 1, e2 u, e2 v, and bent by v^2: e3 v^2 - w e2 2 v
 *                           e3 f - w (e1 f_u + e2 f_v) for f = 1, u, v, u v
 *   rods, along e1:         e1 1, e1 u, and turned about it: (e3 v - e2 w) times 1, u
 *                           e2 f - v e1 f_u for f = 1, u, u^2, u^3
 *                           e3 f - w e1 f_u for f = 1, u, u^2, u^3
 * All rigid motions are among them, and those that bend a plate or a rod without stretching or shearing it. */
#define COARSE_MODES 12
#define COARSE_GROUPS_MOST 128
#define MOTIONS_AFFINE 0
#define MOTIONS_PLATE 1
#define MOTIONS_ROD 2

/* Behind the nodes' arms, in vectors of three numbers, of each group by its turn: its kind, three vectors of its frame, and two of slopes (model/group_motions.h). */
#define COARSE_MOTIONS_FRAME 1
#define COARSE_MOTIONS_SLOPES 4
#define COARSE_MOTIONS_VECTORS 6

/* An entry of the coarse matrix: one of Newton's or ADMM's, its row, its column. Of Newton's, in the block of a group with itself: where row and column are the same, the entry is that
 * of the row's sum (row_sum_entry in shaders/common/block_rows.glsl), and this column is that of all blocks whose node is in no group or in another one. */
#define COARSE_NO_COLUMN 0xffffffffu

/* Where a group is so much less wide than long, its nodes tell nothing about the second direction of its frame. */
#define FRAME_WIDTH_LEAST 1e-6

/* Workgroups of the kernels that work on nodes or entries of the matrix. */
#define GROUP_COARSE 64
/* And of coarse_forward, where a workgroup has all that one group has to do with: 16 for each motion, and some that only read. */
#define GROUP_COARSE_FORWARD 256

/* Places of a group's order that follow one another make up a cluster (model/node_clusters.h), of CLUSTER_NODES, or all of a small body's, at most
 * CLUSTER_ROWS_MOST of them. It moves by its group's motions as well, solved for without anything else; but for those that
 * begin with a body's node, and those of groups with fewer nodes, which they hardly add to: two of a body of 27 nodes take a sixth more
 * iterations. Numbers that are kept of it: the lower triangle of its inverse's root, column by column. */
#define CLUSTER_NODES 16
#define CLUSTER_ROWS_MOST 32
#define CLUSTERED_GROUP_LEAST (2 * CLUSTER_NODES + 1)
#define CLUSTER_ROOT_SIZE (COARSE_MODES * (COARSE_MODES + 1) / 2)

/* A pivot of a plate's or rod's cluster so much smaller than its diagonal was is left out: over a few of a group's nodes motions nearly make up one another, and what is
 * left of them would be the difference of large numbers. */
#define SMALLEST_THIN_PIVOT 1e-4

/* Invocations that have a cluster: a motion each. */
#define CLUSTER_TEAM 16

/* A workgroup has a chunk of a group's places, and works on a stripe of them at the same time: whole clusters of at most GROUP_COARSE rows
 * together. A table behind the rows of the matrix, and behind the words of COARSE_TREE, tells where they are: of all chunks' stripes, as many of each, STRIPE_WORDS; then of every
 * cluster the first place, with CLUSTER_IS_SOLVED where it moves by itself, and where the last one ends; and of every cluster its group's turn. Groups, with their chunks, are in the order in which they are eliminated
 * (model/group_turns.h), clusters in that of places. */
#define STRIPE_FIRST 0 /* place */
#define STRIPE_END 1
#define STRIPE_FIRST_CLUSTER 2
#define STRIPE_END_CLUSTER 3
#define STRIPE_WORDS 4
#define STRIPE_CLUSTERS_MOST 16
/* Numbers that the workgroup shares: what each row has of the motions, and two vectors of each cluster's. Before that the same memory has
 * what rows hand each other (abi/linear.h), three numbers at a time. One number more a row than motions: neighbours read different banks. */
#define STRIPE_ROW_NUMBERS (COARSE_MODES + 1)
#define STRIPE_NUMBERS(rows) (STRIPE_ROW_NUMBERS * (rows) + 2 * COARSE_MODES * STRIPE_CLUSTERS_MOST)
#define HANDED_MOST (STRIPE_NUMBERS(GROUP_COARSE) / 3)
#define CLUSTER_IS_SOLVED 0x80000000u

/* Nodes that lie on one another across flat or long cells, a stack (model/node_stacks.h), move together in three directions too, solved for without anything else; of
 * a cluster's rows alone. Behind the table every place has a word: the stack's number, which of its rows it is, and how many it has less one, STACK_ROW_BITS of both; 0: it is
 * in none. A stack's numbers, the factors of the sum of its blocks, are behind the clusters' roots. */
#define STACK_ROW_BITS 3
#define STACK_NODES_MOST (1 << STACK_ROW_BITS)
#define STACK_FACTORS_SIZE 6

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
