/* Scans and sorts on the device (device/vulkan/sort). Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_SORT_H
#define ABI_SORT_H

/* A tile is what a workgroup takes at once; a workgroup takes equally many tiles as the others, one behind the other. */
#define SORT_GROUP 256
#define SORT_ITEMS 8 /* of an invocation, neighbours */
#define SORT_TILE (SORT_GROUP * SORT_ITEMS)
#define SORT_GROUPS_MOST 256

/* A pass of a sort is by one digit. */
#define SORT_DIGIT_BITS 4
#define SORT_DIGITS 16

/* The work buffer, unsigned integers: the arguments of the dispatches, then a number for each workgroup, and each digit. */
#define SORT_ARGUMENTS 0
#define SORT_PARTIALS 4
#define SORT_WORK_COUNT (SORT_PARTIALS + SORT_DIGITS * SORT_GROUPS_MOST)

/* Instead of the place of a total that is not asked for. */
#define SORT_NO_TOTAL 0xffffffffu

#endif
