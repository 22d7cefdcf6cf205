/* What contact holds together in the preconditioner: groups of nodes that are solved for as one. Read by the C compiler and by the shader
 * compiler: preprocessor only. The data flow is described in src/device/vulkan/linear/contact_groups.c. */
#ifndef ABI_CONTACT_GROUPS_H
#define ABI_CONTACT_GROUPS_H

/* Rows of a group, at most; their unknowns; and numbers that are kept of a group: the lower triangle of its inverse's root, column by column. */
#define CONTACT_GROUP_ROWS 8
#define CONTACT_GROUP_SIZE (3 * CONTACT_GROUP_ROWS)
#define CONTACT_ROOT_SIZE (CONTACT_GROUP_SIZE * (CONTACT_GROUP_SIZE + 1) / 2)

/* Nodes whose coupling is weaker than this are not brought together: |D_i^-1/2 A_ij D_j^-1/2|, squared, which is 1 where they can only
 * move together. The strongest first, told apart to a part of so many. */
#define COUPLING_LEAST 0.01
#define COUPLING_STEPS 256

/* Vulkan: how often groups are joined in twos. After four or five times hardly any are left that could be. */
#define CONTACT_GROUP_ROUNDS 5

/* Invocations that have a group in coarse_forward, and workgroups of it that have groups at most. */
#define CONTACT_TEAM 32
#define CONTACT_WORKGROUPS_MOST 64

/* A node's links: the first node of its group, the next one of it in a ring, how many there are, and which group it would be joined with. */
#define LINK_FIRST 0
#define LINK_NEXT 1
#define LINK_COUNT 2
#define LINK_CHOICE 3
#define NO_CHOICE 0xffffffffu

/* Set in the number of the block that a row of contact's blocks begins with: the row is in a group. */
#define ROW_IS_GROUPED 0x80000000u

#endif
