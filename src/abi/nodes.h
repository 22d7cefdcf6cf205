/* Nodes on the device: flags, slots, masses, planes. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_NODES_H
#define ABI_NODES_H

/* Node flags: (surface index + 1) << NODE_SURFACE_SHIFT | bits; 0 instead of the index inside the body. */
#define NODE_IS_FREE 1
#define NODE_IS_PINNED 2
#define NODE_IS_COUPLED 4      /* its mass is one of a block's */
#define NODE_IS_HELD_IN_PART 8 /* by partial pins */
#define NODE_IS_LOADED 16      /* by forces */
#define NODE_SURFACE_SHIFT 5

/* Slots of node vectors; device/device.h numbers them, vulkan.c asserts that these agree. */
#define ABI_SLOT_POSITION 0
#define ABI_SLOT_TARGET 4
#define ABI_SLOT_STAGE 5

/* Masses: sections of one exact number for each node, the diagonal of the mass matrix and the sums of its rows. Lists of those
 * beside the diagonal, where there are any: 4 block + row for each node, then the 4 nodes of each block, then the entries of the
 * node graph between them, row by row. */
#define MASS_SECTIONS 2
#define MASS_BLOCK_INVERSES 16 /* exact numbers of a block: the masses, the inverse */
#define MASS_BLOCK_SIZE 32

/* Planes and spheres of penalty contact, exact numbers each: those of PenaltyShape (physics/contact/penalty_shape.h), and what ADMM
 * splits off for a vertex. With friction those where the stage begins are behind those where they stand. */
#define PLANE_NORMAL 0   /* 3 */
#define PLANE_OFFSET 3   /* -o */
#define PLANE_RADIUS 4   /* of a sphere; 0: a plane */
#define PLANE_POINT 5    /* 3; of a sphere the centre */
#define PLANE_TANGENTS 8 /* 6 */
#define PLANE_WIDTH 14   /* coordinates of the split, 1 or 3 */
#define PLANE_STRIDE 15

/* How an obstacle of penalty contact moves, reals each, for friction: over the slip its points come from c' + Q^T arm to c + arm. */
#define DRIFT_SHIFT 0  /* c' - c, 3 */
#define DRIFT_TURN 3   /* Q^T - 1, row by row */
#define DRIFT_AHEAD 12 /* how it turns from where the stage begins to where it is solved, row by row */
#define DRIFT_DATA 21

#endif
