/// A bounding-volume hierarchy of axis-aligned boxes: a complete binary tree over primitives sorted along a space-filling
/// curve. Its shape depends on the sorting alone; boxes are refitted whenever the primitives move.
#ifndef DEVICE_CPU_CONTACT_BOUNDING_TREE_H
#define DEVICE_CPU_CONTACT_BOUNDING_TREE_H

#include "base/arena.h"

#include <math.h>

typedef float Float4 __attribute__((vector_size(16)));
typedef int32_t Int4 __attribute__((vector_size(16)));

/// The fourth lanes are equal in all boxes.
typedef struct Box {
    Float4 low, high; ///< m, rounded outward; low > high: empty
} Box;

enum { TREE_LEAF_SIZE = 4, TREE_DEEPEST = 32 };

/// Node 1 is the root, nodes 2 i and 2 i + 1 are the children of node i, node first_leaf + l is leaf l, which holds the
/// places TREE_LEAF_SIZE l on.
typedef struct BoundingTree {
    int32_t count;        ///< of primitives
    int32_t leaf_count;   ///< that are not empty
    int32_t first_leaf;   ///< a power of two, at least leaf_count
    const int32_t *order; ///< the primitive at each place; borrowed
    Box *boxes;           ///< of the primitive at each place
    Box *nodes;           ///< 2 first_leaf
} BoundingTree;

static inline Box box_empty(void)
{
    return (Box){{INFINITY, INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, -INFINITY, 0}};
}

/// The box from `low` to `high`, a little larger for the rounding to single precision.
static inline Box box_around(const double low[3], const double high[3])
{
    Box box = box_empty();
    for (int k = 0; k < 3; ++k) {
        box.low[k] = (float)(low[k] - fabs(low[k]) * 0x1p-23);
        box.high[k] = (float)(high[k] + fabs(high[k]) * 0x1p-23);
    }
    return box;
}

static inline void box_join(Box *box, const Box *other)
{
    const Int4 lower = other->low<box->low, higher = other->high> box->high;
    box->low = (Float4)(((Int4)other->low & lower) | ((Int4)box->low & ~lower));
    box->high = (Float4)(((Int4)other->high & higher) | ((Int4)box->high & ~higher));
}

static inline bool boxes_meet(const Box *a, const Box *b)
{
    const Int4 meet = (a->low <= b->high) & (b->low <= a->high);
    typedef int64_t Int2 __attribute__((vector_size(16)));
    return ((((Int2)meet)[0] & ((Int2)meet)[1])) == -1;
}

/// Shape of a tree over `count` primitives, without arrays.
void bounding_tree_shape(int32_t count, BoundingTree *tree);
/// Room for `count` primitives in an order that may still change.
VelaResult bounding_tree_create(Arena *arena, int32_t count, const int32_t *order, BoundingTree *tree);
/// Bytes of the boxes of a tree.
size_t bounding_tree_memory(int32_t count);
/// Makes the leaves that do not exist empty; once for every tree.
void bounding_tree_clear(BoundingTree *tree);
/// Sets the leaves `first` to `end` from `boxes`; then bounding_tree_finish sets the nodes above.
void bounding_tree_refit_leaves(BoundingTree *tree, int32_t first, int32_t end);
void bounding_tree_finish(BoundingTree *tree);

/// The last of the leaves below a node.
static inline int32_t bounding_tree_last_leaf(const BoundingTree *tree, int32_t node)
{
    const int levels = __builtin_clz((unsigned)node) - __builtin_clz((unsigned)tree->first_leaf);
    return ((node + 1) << levels) - 1 - tree->first_leaf;
}

/// The first leaf from `leaf` on that meets a box; leaf_count: none does. Adds the number of boxes looked at to *steps.
static inline int32_t bounding_tree_next_leaf(const BoundingTree *tree, int32_t leaf, const Box *box,
                                              int64_t *steps)
{
    int32_t node = tree->first_leaf + leaf;
    if (leaf >= tree->leaf_count)
        return tree->leaf_count;
    while (node > 1 && node % 2 == 0) // as high up as the leaf is the first one below
        node /= 2;
    while (node > 0) {
        ++*steps;
        if (boxes_meet(box, &tree->nodes[node])) {
            if (node >= tree->first_leaf)
                return node - tree->first_leaf;
            node *= 2;
            continue;
        }
        while (node & 1) // what lies below the node and before it is done
            node /= 2;
        node += node > 0;
    }
    return tree->leaf_count;
}

/// Calls visit(data, place_a, place_b) for every pair of primitives whose boxes meet, place_a in leaf `leaf` of `a`, in an
/// order that the trees alone decide. Where both are one tree, each pair comes once, with place_a < place_b.
static inline __attribute__((always_inline)) void
bounding_tree_pairs(const BoundingTree *a, int32_t leaf, const BoundingTree *b,
                    void (*visit)(void *data, int32_t place_a, int32_t place_b), void *data)
{
    const bool same = a == b;
    const Box *box = &a->nodes[a->first_leaf + leaf];
    const int32_t first_a = TREE_LEAF_SIZE * leaf,
                  end_a = first_a + TREE_LEAF_SIZE < a->count ? first_a + TREE_LEAF_SIZE : a->count;
    int32_t stack[TREE_DEEPEST], depth = 0;
    stack[depth++] = 1;
    while (depth > 0) {
        const int32_t node = stack[--depth];
        const Box *other = &b->nodes[node];
        if (!boxes_meet(box, other))
            continue;
        if (node < b->first_leaf) {
            const int32_t left = 2 * node;
            stack[depth++] = left + 1;
            // What lies before the leaf meets it from its own side.
            if (!same || bounding_tree_last_leaf(b, left) >= leaf)
                stack[depth++] = left;
            continue;
        }
        const int32_t first_b = TREE_LEAF_SIZE * (node - b->first_leaf);
        const int32_t end_b = first_b + TREE_LEAF_SIZE < b->count ? first_b + TREE_LEAF_SIZE : b->count;
        for (int32_t i = first_a; i < end_a; ++i) {
            if (!boxes_meet(&a->boxes[i], other))
                continue;
            for (int32_t j = same && i + 1 > first_b ? i + 1 : first_b; j < end_b; ++j)
                if (boxes_meet(&a->boxes[i], &b->boxes[j]))
                    visit(data, i, j);
        }
    }
}

#endif
