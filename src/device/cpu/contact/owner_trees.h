/// Boxes around what an owner (model/contact.h) is made of while its vertices move along straight lines: trees over its
/// vertices, edges and triangles, and one box around all of it.
///
/// Boxes are those of all motions that a reach allows (reach.h), or of one motion, where they start and where they end, inflated by half the contact distance and the owner's separation.
/// Of an owner that is held against itself there is a second set, relative to the owner's mean motion. Each set is refitted by
/// itself. Only boxes of vertices are kept of small owners, of which there may be many: their trees are made from these where
/// they are needed.
///
/// Trees are sorted once, along the initial state: neighbours on a surface stay neighbours however it deforms, so refitting
/// the boxes is enough.
#ifndef DEVICE_CPU_CONTACT_OWNER_TREES_H
#define DEVICE_CPU_CONTACT_OWNER_TREES_H

#include "device/cpu/contact/reach.h"

enum { PRIMITIVES = 3, SMALL_OWNER = 64 };

/// What an owner's trees are over.
typedef enum Primitive { PRIMITIVE_VERTEX, PRIMITIVE_EDGE, PRIMITIVE_TRIANGLE } Primitive;

/// Quads of the largest tree of a small owner: 16 leaves, 4 and 1 above them.
enum { SMALL_TREE_QUADS = SMALL_OWNER / 4 + SMALL_OWNER / 16 + SMALL_OWNER / 64 };

/// Room for the trees of an owner with at most SMALL_OWNER primitives of each kind.
typedef struct SmallTrees {
    BoundingTree trees[PRIMITIVES];
    SweptQuad quads[PRIMITIVES][SMALL_TREE_QUADS];
} SmallTrees;

/// Leaves of a tree of a large owner that are refitted together.
typedef struct RefitPiece {
    int32_t owner;
    Primitive primitive;
    Frame frame;
    int32_t first_leaf;
} RefitPiece;

typedef struct OwnerTrees {
    const Model *model;
    int32_t *order[PRIMITIVES];          ///< of all owners, one after the other: BoundingTree.order
    LeafCorners *corners[PRIMITIVES];    ///< of all owners' leaves: BoundingTree.corners
    int32_t *first_leaf[PRIMITIVES];     ///< of every owner, in `corners`
    SweptBox *vertex_boxes[FRAME_COUNT]; ///< of every vertex; FRAME_OWN: NULL without contact.self
    SweptBox *boxes;                     ///< of every owner, in the world
    int32_t *large;                      ///< of every owner: index into `trees`, -1 for a small one
    int32_t large_count;
    BoundingTree (*trees)[FRAME_COUNT][PRIMITIVES];
    int32_t piece_count;
    RefitPiece *pieces;
} OwnerTrees;

static inline int32_t owner_primitive_count(const ContactOwner *owner, Primitive primitive)
{
    return primitive == PRIMITIVE_VERTEX ? owner->vertex_count
           : primitive == PRIMITIVE_EDGE ? owner->edge_count
                                         : owner->triangle_count;
}

VelaResult owner_trees_create(VelaContext *context, const Model *model, Arena *arena, OwnerTrees *trees);
size_t owner_trees_memory(const Model *model);
/// The vertices of the primitive at a place of an owner's tree; where it has fewer than three the last once more.
static inline void owner_trees_corners(const BoundingTree *tree, int32_t place, int32_t corners[3])
{
    for (int k = 0; k < 3; ++k)
        corners[k] = tree->corners[place / TREE_LEAF_SIZE].of[k][place % TREE_LEAF_SIZE];
}

/// The boxes of a frame: of what a reach in it allows, or of the one motion from x to x + p that it has measured last (p NULL: none).
/// x NULL: the former.
void owner_trees_refit(OwnerTrees *trees, const Reach *reach, const double *x, const double *p, int threads);
/// The trees over an owner's primitives, by Primitive; those of a small owner are made in `room`.
const BoundingTree *owner_trees_get(const OwnerTrees *trees, int32_t owner, Frame frame, SmallTrees *room);

#endif
