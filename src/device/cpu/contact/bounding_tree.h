/// A bounding-volume hierarchy of axis-aligned boxes, four of which lie together and are tested at once: a complete tree over
/// primitives sorted along a space-filling curve. Its shape depends on the sorting alone; boxes are refitted whenever the
/// primitives move.
#ifndef DEVICE_CPU_CONTACT_BOUNDING_TREE_H
#define DEVICE_CPU_CONTACT_BOUNDING_TREE_H

#include "base/arena.h"

#include <math.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef float Float4 __attribute__((vector_size(16)));
typedef int32_t Int4 __attribute__((vector_size(16)));

/// The fourth lanes are equal in all boxes.
typedef struct Box {
    Float4 low, high; ///< m, rounded outward; low > high: empty
} Box;

/// Four boxes, one a lane.
typedef struct BoxQuad {
    Float4 low[3], high[3];
} BoxQuad;

enum { TREE_LEAF_SIZE = 4, TREE_DEEPEST = 17 };

/// Quads of level 0 are the leaves: leaf l holds the boxes of places 4 l on. Lane i % 4 of quad i / 4 of a level above is the box
/// around quad i of the level below. The last level has one quad.
typedef struct BoundingTree {
    int32_t count;               ///< of primitives
    int32_t leaf_count;          ///< that are not empty
    int32_t levels;              ///< at least 2
    int32_t first[TREE_DEEPEST]; ///< quad of each level, and behind the last one their number
    const int32_t *order;        ///< the primitive at each place; borrowed
    BoxQuad *quads;
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

/// Which lanes' boxes meet one that is in all lanes of `box`: a bit each.
static inline unsigned quads_meet(const BoxQuad *box, const BoxQuad *quad)
{
    const Int4 meet = (box->low[0] <= quad->high[0]) & (quad->low[0] <= box->high[0]) &
                      (box->low[1] <= quad->high[1]) & (quad->low[1] <= box->high[1]) &
                      (box->low[2] <= quad->high[2]) & (quad->low[2] <= box->high[2]);
#ifdef __SSE2__
    return (unsigned)_mm_movemask_ps((__m128)meet);
#else
    return (meet[0] & 1) | (meet[1] & 2) | (meet[2] & 4) | (meet[3] & 8);
#endif
}

static inline BoxQuad quad_of_box(const Box *box)
{
    BoxQuad quad;
    for (int k = 0; k < 3; ++k) {
        quad.low[k] = (Float4){box->low[k], box->low[k], box->low[k], box->low[k]};
        quad.high[k] = (Float4){box->high[k], box->high[k], box->high[k], box->high[k]};
    }
    return quad;
}

static inline Box quad_lane(const BoxQuad *quad, int lane)
{
    return (Box){{quad->low[0][lane], quad->low[1][lane], quad->low[2][lane], 0},
                 {quad->high[0][lane], quad->high[1][lane], quad->high[2][lane], 0}};
}

static inline void quad_set_lane(BoxQuad *quad, int lane, const Box *box)
{
    for (int k = 0; k < 3; ++k) {
        quad->low[k][lane] = box->low[k];
        quad->high[k][lane] = box->high[k];
    }
}

/// The box around the four.
static inline Box quad_join(const BoxQuad *quad)
{
    Box box = quad_lane(quad, 0);
    for (int lane = 1; lane < TREE_LEAF_SIZE; ++lane) {
        const Box other = quad_lane(quad, lane);
        box_join(&box, &other);
    }
    return box;
}

/// Shape of a tree over `count` primitives, without arrays.
void bounding_tree_shape(int32_t count, BoundingTree *tree);
/// Room for `count` primitives in an order that may still change.
VelaResult bounding_tree_create(Arena *arena, int32_t count, const int32_t *order, BoundingTree *tree);
/// Bytes of the boxes of a tree.
size_t bounding_tree_memory(int32_t count);
/// Makes the boxes that do not exist empty; once for every tree.
void bounding_tree_clear(BoundingTree *tree);
/// Sets what lies above the leaves `first` to `end`, whose boxes are there, in the level above them; both are multiples of 4, or
/// the end of the leaves. Then bounding_tree_finish sets the levels above that.
void bounding_tree_refit_leaves(BoundingTree *tree, int32_t first, int32_t end);
void bounding_tree_finish(BoundingTree *tree);

static inline void bounding_tree_set(BoundingTree *tree, int32_t place, const Box *box)
{
    quad_set_lane(&tree->quads[place / TREE_LEAF_SIZE], place % TREE_LEAF_SIZE, box);
}

/// The box around everything.
static inline Box bounding_tree_root(const BoundingTree *tree)
{
    return quad_join(&tree->quads[tree->first[tree->levels - 1]]);
}

/// The first leaf from `leaf` on that meets a box; leaf_count: none does. Adds the number of quads looked at to *steps.
static inline int32_t bounding_tree_next_leaf(const BoundingTree *tree, int32_t leaf, const Box *box,
                                              int64_t *steps)
{
    const BoxQuad wanted = quad_of_box(box);
    int32_t level = 1, i = leaf; // box i of the level is the next to be looked at
    while (level < tree->levels && i < tree->first[level] - tree->first[level - 1]) {
        const int32_t quad = i / TREE_LEAF_SIZE;
        const unsigned met = quads_meet(&wanted, &tree->quads[tree->first[level] + quad]) >>
                             (i % TREE_LEAF_SIZE) << (i % TREE_LEAF_SIZE);
        ++*steps;
        if (met == 0) {
            i = quad + 1;
            ++level;
            continue;
        }
        i = TREE_LEAF_SIZE * quad + __builtin_ctz(met);
        if (level == 1)
            return i;
        i *= TREE_LEAF_SIZE;
        --level;
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
    const Box box = quad_join(&a->quads[leaf]);
    const BoxQuad wanted = quad_of_box(&box);
    BoxQuad own[TREE_LEAF_SIZE];
    for (int lane = 0; lane < TREE_LEAF_SIZE; ++lane) {
        const Box one = quad_lane(&a->quads[leaf], lane);
        own[lane] = quad_of_box(&one);
    }
    struct {
        int32_t level, quad;
    } stack[TREE_LEAF_SIZE * TREE_DEEPEST];
    int depth = 0;
    stack[depth].level = b->levels - 1;
    stack[depth++].quad = 0;
    while (depth > 0) {
        const int32_t level = stack[--depth].level, quad = stack[depth].quad;
        const BoxQuad *boxes = &b->quads[b->first[level] + quad];
        if (level > 0) {
            unsigned met = quads_meet(&wanted, boxes);
            // What lies before the leaf meets it from its own side.
            const int32_t before = same ? (leaf >> 2 * (level - 1)) - TREE_LEAF_SIZE * quad : 0;
            if (before > 0)
                met = before < TREE_LEAF_SIZE ? met >> before << before : 0;
            while (met != 0) { // the last is looked at first when it comes from the stack
                const int lane = 31 - __builtin_clz(met);
                met ^= 1u << lane;
                stack[depth].level = level - 1;
                stack[depth++].quad = TREE_LEAF_SIZE * quad + lane;
            }
            continue;
        }
        for (int lane = 0; lane < TREE_LEAF_SIZE; ++lane) {
            unsigned met = quads_meet(&own[lane], boxes);
            if (same && quad == leaf)
                met &= 14u << lane;
            for (; met != 0; met &= met - 1)
                visit(data, TREE_LEAF_SIZE * leaf + lane, TREE_LEAF_SIZE * quad + __builtin_ctz(met));
        }
    }
}

#endif
