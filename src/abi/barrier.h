/* Contact on the device, of the barrier and of penalty contact with friction or of sums of nodes: pairs within range, and the blocks they add to Newton's matrix. The data flow is described in
 * src/device/vulkan/contact/contact.c. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_BARRIER_H
#define ABI_BARRIER_H

/* What compute/surface_vertices writes besides places: nothing, the motion along the direction, or to another slot. */
#define VERTICES_STAND 0
#define VERTICES_ALONG 1
#define VERTICES_TO 2

/* Vectors of three of a pair: its gradient at its four vertices, and three factors of its Hessian, four vectors each. */
#define PAIR_FACTORS 4
#define PAIR_DATA 16

/* Unsigned integers of a pair: its vertices, and which of them take part (bits). */
#define PAIR_MASK 4
#define PAIR_CORNERS 5

/* Nodes that the vertices of a pair follow from, each once, behind how many they are. Only where vertices are sums of several
 * nodes. */
#define PAIR_NODES_MOST 16
#define PAIR_NODES (1 + PAIR_NODES_MOST)

/* What an entry comes from: pair, and two of its vertices, or two of its nodes where vertices are sums of several. */
#define ENTRY_PAIR_SHIFT 8
#define ENTRY_ROW_SHIFT 4
#define ENTRY_COLUMN_MASK 15
#define PAIRS_MOST (1 << 24)

/* A contact that rubs: four vertices; and reals: their weights, two tangents, what the other side drifts (m), the coefficient,
 * N, or N s/m of semi-implicit friction; the dual and the slip (m) that Newton's matrix follows, and how far it trusts them. */
#define FRICTION_VERTICES 4
#define FRICTION_WEIGHTS 0
#define FRICTION_TANGENTS 4
#define FRICTION_DRIFT 10
#define FRICTION_COEFFICIENT 13
#define FRICTION_DUAL 14
#define FRICTION_SLIP 16
#define FRICTION_TRUST 18
#define FRICTION_DATA 19

/* What its force follows from: the lagged or the semi-implicit law; or ADMM has found it, and minus that force is in the place of the
 * first tangent. */
#define FRICTION_LAW_LAGGED 0
#define FRICTION_LAW_SEMI_IMPLICIT 1
#define FRICTION_LAW_SOLVED 2

/* Reals of an obstacle that friction asks for: 1 - Q^T of how it turns over the stage, row by row; its separation, m. */
#define TURN_SEPARATION 9
#define TURN_DATA 10

/* Invocations of a workgroup that works on candidates, pairs, entries or blocks; workgroups that sum over all of them, as many
 * as keep a large card busy: those that have none return at once. */
#define GROUP_PAIRS 64
#define PAIR_SUM_GROUPS 256

/* The control buffer: counts; what was wanted of each, where that did not fit the count is 0; arguments of dispatches over
 * each. */
#define PAIR_ACTIVE 0     /* candidates within range */
#define PAIR_FRICTION 1   /* contacts that rub in the stage */
#define PAIR_RUBBING 2    /* those of them that are linearized: all or none */
#define PAIR_COUNT 3      /* active candidates and behind them what rubs */
#define PAIR_ENTRIES 4    /* what the pairs add, before it is summed */
#define PAIR_BLOCKS 5     /* entries summed */
#define PAIR_CANDIDATES 6 /* of the last sweep */
#define PAIR_UNDECIDED 7  /* candidates that the filter could not tell in single precision */
#define PAIR_GROUPS 8     /* of nodes that contact holds together (abi/contact_groups.h) */
#define PAIR_COUNTS 9
#define PAIR_WANTED 9
#define PAIR_CLOSEST 18           /* of a measurement: the smallest gap, as the bits of a float */
#define PAIR_CLOSEST_CANDIDATE 19 /* the lowest candidate of that gap */
#define PAIR_CLOSEST_VERTICES 20  /* its four vertices */
#define PAIR_ARGUMENTS 24
#define PAIR_CONTROL_COUNT (PAIR_ARGUMENTS + 3 * PAIR_COUNTS)

#endif
