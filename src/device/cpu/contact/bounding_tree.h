/// A bounding-volume hierarchy of axis-aligned boxes that move from where a motion starts to where it ends, four of which lie together and
/// are tested at once: a complete tree over primitives sorted along a space-filling curve. Its shape depends on the sorting alone; boxes
/// are refitted whenever the primitives move.
///
/// What moves along straight lines is at every time within the box that is as far on its way from the start's to the end's. So two such
/// boxes stay apart if on some axis one is above the other at both ends: bodies that move alike are as far apart as they are, however far
/// they go.
#ifndef DEVICE_CPU_CONTACT_BOUNDING_TREE_H
#define DEVICE_CPU_CONTACT_BOUNDING_TREE_H

#include "base/arena.h"

#include <float.h>
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

/// Where a motion starts and where it ends.
typedef struct SweptBox {
    Box start, end;
} SweptBox;

/// Four boxes, one a lane.
typedef struct BoxQuad {
    Float4 low[3], high[3];
} BoxQuad;

typedef struct SweptQuad {
    BoxQuad start, end;
} SweptQuad;

enum { TREE_LEAF_SIZE = 4, TREE_DEEPEST = 17 };

/// The vertices of a leaf's primitives, a primitive a lane; of those that have fewer than three the last once more, of none -1.
typedef struct LeafCorners {
    Int4 of[3];
} LeafCorners;

/// Quads of level 0 are the leaves: leaf l holds the boxes of places 4 l on. Lane i % 4 of quad i / 4 of a level above is the box
/// around quad i of the level below. The last level has one quad.
typedef struct BoundingTree {
    int32_t count;               ///< of primitives
    int32_t leaf_count;          ///< that are not empty
    int32_t levels;              ///< at least 2
    int32_t first[TREE_DEEPEST]; ///< quad of each level, and behind the last one their number
    const int32_t *order;        ///< the primitive at each place; borrowed
    const LeafCorners
        *corners; ///< of every leaf, by that order; borrowed; NULL where primitives have no vertices
    SweptQuad *quads;
} BoundingTree;

static inline Box box_empty(void)
{
    return (Box){{INFINITY, INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, -INFINITY, 0}};
}

/// Finite, so that nothing meets a box that is empty: motions of a step that is far too long overflow.
static inline float box_bound(double value)
{
    return (float)(value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value);
}

/// The box from `low` to `high`, a little larger for the rounding to single precision.
static inline Box box_around(const double low[3], const double high[3])
{
    Box box = box_empty();
    for (int k = 0; k < 3; ++k) {
        box.low[k] = box_bound(low[k] - fabs(low[k]) * 0x1p-23);
        box.high[k] = box_bound(high[k] + fabs(high[k]) * 0x1p-23);
    }
    return box;
}

static inline void box_join(Box *box, const Box *other)
{
    const Int4 lower = other->low<box->low, higher = other->high> box->high;
    box->low = (Float4)(((Int4)other->low & lower) | ((Int4)box->low & ~lower));
    box->high = (Float4)(((Int4)other->high & higher) | ((Int4)box->high & ~higher));
}

static inline SweptBox swept_box_empty(void)
{
    return (SweptBox){box_empty(), box_empty()};
}

static inline void swept_box_join(SweptBox *box, const SweptBox *other)
{
    box_join(&box->start, &other->start);
    box_join(&box->end, &other->end);
}

/// Whether two boxes may meet on their ways.
static inline bool swept_boxes_meet(const SweptBox *a, const SweptBox *b)
{
    const Int4 meet = ((a->start.low <= b->start.high) | (a->end.low <= b->end.high)) &
                      ((b->start.low <= a->start.high) | (b->end.low <= a->end.high));
    typedef int64_t Int2 __attribute__((vector_size(16)));
    return ((((Int2)meet)[0] & ((Int2)meet)[1])) == -1;
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

static inline SweptQuad swept_quad_of(const SweptBox *box)
{
    return (SweptQuad){quad_of_box(&box->start), quad_of_box(&box->end)};
}

/// A bit for each lane of what a comparison gives.
static inline unsigned lane_bits(Int4 lanes)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_ps((__m128)lanes);
#else
    return (unsigned)((lanes[0] & 1) | (lanes[1] & 2) | (lanes[2] & 4) | (lanes[3] & 8));
#endif
}

/// Which lanes' boxes may meet one that is in all lanes of `box`: a bit each.
static inline unsigned quads_meet(const SweptQuad *box, const SweptQuad *quad)
{
    Int4 meet = {-1, -1, -1, -1};
    for (int k = 0; k < 3; ++k)
        meet &= ((box->start.low[k] <= quad->start.high[k]) | (box->end.low[k] <= quad->end.high[k])) &
                ((quad->start.low[k] <= box->start.high[k]) | (quad->end.low[k] <= box->end.high[k]));
    return lane_bits(meet);
}

static inline Box box_lane(const BoxQuad *quad, int lane)
{
    return (Box){{quad->low[0][lane], quad->low[1][lane], quad->low[2][lane], 0},
                 {quad->high[0][lane], quad->high[1][lane], quad->high[2][lane], 0}};
}

static inline SweptBox quad_lane(const SweptQuad *quad, int lane)
{
    return (SweptBox){box_lane(&quad->start, lane), box_lane(&quad->end, lane)};
}

static inline void quad_set_lane(SweptQuad *quad, int lane, const SweptBox *box)
{
    for (int k = 0; k < 3; ++k) {
        quad->start.low[k][lane] = box->start.low[k];
        quad->start.high[k][lane] = box->start.high[k];
        quad->end.low[k][lane] = box->end.low[k];
        quad->end.high[k][lane] = box->end.high[k];
    }
}

/// The box around the four.
static inline SweptBox quad_join(const SweptQuad *quad)
{
    SweptBox box = quad_lane(quad, 0);
    for (int lane = 1; lane < TREE_LEAF_SIZE; ++lane) {
        const SweptBox other = quad_lane(quad, lane);
        swept_box_join(&box, &other);
    }
    return box;
}

/// Which lanes' primitives have no vertex that the one in `lane` of `own` has; `count` and `other_count`: vertices of a primitive.
static inline unsigned lanes_apart(const LeafCorners *own, int lane, int count, const LeafCorners *others,
                                   int other_count)
{
    Int4 shared = {0, 0, 0, 0};
    for (int i = 0; i < count; ++i) {
        const int32_t vertex = own->of[i][lane];
        for (int j = 0; j < other_count; ++j)
            shared |= others->of[j] == (Int4){vertex, vertex, vertex, vertex};
    }
    return ~lane_bits(shared);
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

static inline void bounding_tree_set(BoundingTree *tree, int32_t place, const SweptBox *box)
{
    quad_set_lane(&tree->quads[place / TREE_LEAF_SIZE], place % TREE_LEAF_SIZE, box);
}

/// The box around everything.
static inline SweptBox bounding_tree_root(const BoundingTree *tree)
{
    return quad_join(&tree->quads[tree->first[tree->levels - 1]]);
}

/// The first leaf from `leaf` on that meets a box; leaf_count: none does. Adds the number of quads looked at to *steps.
static inline int32_t bounding_tree_next_leaf(const BoundingTree *tree, int32_t leaf, const SweptBox *box,
                                              int64_t *steps)
{
    const SweptQuad wanted = swept_quad_of(box);
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
/// order that the trees alone decide. Where both are one tree, each pair comes once, with place_a < place_b. `one_surface`: pairs that
/// have a vertex in common are none; primitives of `a` have `count_a` vertices, those of `b` `count_b`.
static inline __attribute__((always_inline)) void
bounding_tree_pairs(const BoundingTree *a, int count_a, int32_t leaf, const BoundingTree *b, int count_b,
                    bool one_surface, void (*visit)(void *data, int32_t place_a, int32_t place_b), void *data)
{
    const bool same = a == b;
    const SweptBox box = quad_join(&a->quads[leaf]);
    const SweptQuad wanted = swept_quad_of(&box);
    SweptQuad own[TREE_LEAF_SIZE];
    for (int lane = 0; lane < TREE_LEAF_SIZE; ++lane) {
        const SweptBox one = quad_lane(&a->quads[leaf], lane);
        own[lane] = swept_quad_of(&one);
    }
    struct {
        int32_t level, quad;
    } stack[TREE_LEAF_SIZE * TREE_DEEPEST];
    int depth = 0;
    stack[depth].level = b->levels - 1;
    stack[depth++].quad = 0;
    while (depth > 0) {
        const int32_t level = stack[--depth].level, quad = stack[depth].quad;
        const SweptQuad *boxes = &b->quads[b->first[level] + quad];
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
            if (one_surface && met != 0)
                met &= lanes_apart(&a->corners[leaf], lane, count_a, &b->corners[quad], count_b);
            for (; met != 0; met &= met - 1)
                visit(data, TREE_LEAF_SIZE * leaf + lane, TREE_LEAF_SIZE * quad + __builtin_ctz(met));
        }
    }
}

#endif
