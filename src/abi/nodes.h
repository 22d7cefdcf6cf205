/* Nodes on the device: flags, slots, masses, planes. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_NODES_H
#define ABI_NODES_H

/* Node flags: (surface index + 1) << NODE_SURFACE_SHIFT | bits; 0 instead of the index inside the body. */
#define NODE_IS_FREE 1
#define NODE_IS_PINNED 2
#define NODE_SURFACE_SHIFT 2

/* Slots of node vectors; device/device.h numbers them, vulkan.c asserts that these agree. */
#define ABI_SLOT_POSITION 0
#define ABI_SLOT_TARGET 4
#define ABI_SLOT_STAGE 5

/* Planes: 4 exact numbers each, the normal and -o. */
#define PLANE_STRIDE 4

#endif
