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

/* Planes: 4 exact numbers each, the normal and -o. */
#define PLANE_STRIDE 4

#endif
