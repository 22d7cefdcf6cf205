/// Nodes that contact holds together more than all else, a group solved for as a whole: blocks of the preconditioner that follow what touches. What a
/// stiff contact couples moves apart at a high cost and together at hardly any, and blocks on the diagonal know of the former alone.
#ifndef DEVICE_CPU_LINEAR_CONTACT_GROUPS_H
#define DEVICE_CPU_LINEAR_CONTACT_GROUPS_H

#include "abi/contact_groups.h"
#include "device/cpu/linear/block_matrix.h"

/// Columns of a group's root are kept in blocks of as many rows.
enum { GROUP_BLOCK = 8, GROUP_BLOCKS = CONTACT_GROUP_SIZE / GROUP_BLOCK };
enum { GROUP_ROOT_SIZE = GROUP_BLOCK * GROUP_BLOCK * GROUP_BLOCKS * (GROUP_BLOCKS + 1) / 2 };

/// Groups that a thread takes at a time.
enum { CONTACT_GROUPS_AT_ONCE = 16 };

typedef struct ContactGroup {
    int32_t count;
    int32_t rows[CONTACT_GROUP_ROWS]; ///< ascending
    double stiffness, pull;           ///< traces of the matrix, and of what its rows sum to
    /// W = L^-1 of L L^T, the matrix of their blocks on the diagonal and contact's between them: its inverse is W^T W, positive definite however
    /// W is rounded. Column after column, of each the blocks from the one that has its diagonal to the last that has any rows; 0 beyond
    /// these.
    _Alignas(GROUP_BLOCK * sizeof(float)) float root[GROUP_ROOT_SIZE];
} ContactGroup;

/// A changing block that couples its row and its column strongly.
typedef struct StrongBlock {
    int32_t place; ///< among the changing blocks
    int32_t step;  ///< of those in which couplings are sorted
} StrongBlock;

typedef struct ContactGroups {
    const BlockMatrix *matrix;
    int threads;
    int32_t count;
    ContactGroup *groups; ///< by their first rows
    int32_t *members; ///< of every row: CONTACT_GROUP_ROWS times its group, and its place there; -1: in none
    // While they are found.
    int32_t *parents, *sizes;      ///< of every row, in trees of those that belong together; of their roots
    StrongBlock *found;            ///< of every row from where its changing blocks begin, with room for all
    int32_t *found_end;            ///< of every row
    int32_t *strong, *strong_rows; ///< the same blocks, the strongest first; their rows
    size_t group_capacity, found_capacity, strong_capacity, row_capacity;
    Arena growing;
} ContactGroups;

/// Finds the root of a group; false where the matrix is not positive definite.
typedef bool ContactGroupInvert(const BlockMatrix *matrix, ContactGroup *group);

/// Without groups. Arrays of every row are the arena's.
VelaResult contact_groups_create(Arena *arena, const BlockMatrix *matrix, int threads, ContactGroups *groups);
void contact_groups_clear(ContactGroups *groups);
/// The groups of the matrix as it is. `inverses`: of the blocks on its diagonal; those of rows in groups become 0.
VelaResult contact_groups_update(ContactGroups *groups, ContactGroupInvert *invert, double (*inverses)[9]);

#endif
