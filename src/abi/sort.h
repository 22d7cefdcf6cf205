/* Scans and sorts on the device (device/vulkan/sort). Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_SORT_H
#define ABI_SORT_H

/* A tile is what a workgroup takes at once; a workgroup takes equally many tiles as the others, one behind the other. */
#define SORT_GROUP 256
#define SORT_ITEMS 4 /* of an invocation */
#define SORT_TILE (SORT_GROUP * SORT_ITEMS)
#define SORT_GROUPS_MOST 128

/* A pass of a sort is by one digit; an invocation of a workgroup looks after each. */
#define SORT_DIGIT_BITS_MOST 8
#define SORT_DIGITS SORT_GROUP

/* The work buffer, unsigned integers. A scan: a sum for each workgroup. A sort: tables of how often each workgroup's items have each
 * digit, a row a workgroup. A pass reads one table, adds to the next pass's and clears the one after that. */
#define SORT_TABLE (SORT_DIGITS * SORT_GROUPS_MOST)
#define SORT_TABLES 3
#define SORT_WORK_COUNT (SORT_TABLES * SORT_TABLE)

/* Instead of the place of a total that is not asked for. */
#define SORT_NO_TOTAL 0xffffffffu

#endif
