/// A bounding-volume hierarchy of axis-aligned boxes: a complete binary tree over primitives sorted along a space-filling
/// curve. Its shape depends on the sorting alone; boxes are refitted whenever the primitives move.
#ifndef DEVICE_CPU_CONTACT_BOUNDING_TREE_H
#define DEVICE_CPU_CONTACT_BOUNDING_TREE_H

#include "base/arena.h"

#include <math.h>

typedef struct Box {
    double low[3], high[3]; ///< m; low > high: empty
} Box;

enum { TREE_LEAF_SIZE = 4, TREE_DEEPEST = 32 };

/// Node 1 is the root, nodes 2 i and 2 i + 1 are the children of node i, node first_leaf + l is leaf l, which holds the
/// places TREE_LEAF_SIZE l on.
typedef struct BoundingTree {
    int32_t count;      ///< of primitives
    int32_t leaf_count; ///< that are not empty
    int32_t first_leaf; ///< a power of two, at least leaf_count
    int32_t *order;     ///< the primitive at each place
    Box *boxes;         ///< of the primitive at each place
    Box *nodes;         ///< 2 first_leaf
} BoundingTree;

static inline Box box_empty(void)
{
    return (Box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline void box_join(Box *box, const Box *other)
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = other->low[k] < box->low[k] ? other->low[k] : box->low[k];
        box->high[k] = other->high[k] > box->high[k] ? other->high[k] : box->high[k];
    }
}

static inline bool boxes_meet(const Box *a, const Box *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

/// Room for `count` primitives, in their given order.
VelaResult bounding_tree_create(Arena *arena, int32_t count, BoundingTree *tree);
/// Sets the leaves `first` to `end` from `boxes`; then bounding_tree_finish sets the nodes above.
void bounding_tree_refit_leaves(BoundingTree *tree, int32_t first, int32_t end);
void bounding_tree_finish(BoundingTree *tree);

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
        int32_t node = stack[--depth];
        if (!boxes_meet(box, &b->nodes[node]))
            continue;
        if (node < b->first_leaf) {
            stack[depth++] = 2 * node + 1;
            stack[depth++] = 2 * node;
            continue;
        }
        const int32_t first_b = TREE_LEAF_SIZE * (node - b->first_leaf);
        const int32_t end_b = first_b + TREE_LEAF_SIZE < b->count ? first_b + TREE_LEAF_SIZE : b->count;
        for (int32_t i = first_a; i < end_a; ++i)
            for (int32_t j = same && i + 1 > first_b ? i + 1 : first_b; j < end_b; ++j)
                if (boxes_meet(&a->boxes[i], &b->boxes[j]))
                    visit(data, i, j);
    }
}

#endif
