#include "sim/intersections.h"

#include "base/matrix3.h"
#include "geometry/orientation.h"
#include "geometry/triangle_intersection.h"

#include <math.h>
#include <stdbool.h>

enum { LEAF_TRIANGLES = 4 };

typedef struct Box {
    double low[3], high[3];
} Box;

/// A node of the tree of boxes, in the order of a walk: its children follow, `skip` is what comes behind all of them.
typedef struct TreeNode {
    Box box;
    int32_t skip;
    int32_t first, count; ///< of a leaf: its range of `order`; count 0 for the others
} TreeNode;

typedef struct Tree {
    const TriangleSet *set;
    double (*corners)[9]; ///< of every triangle
    Box *boxes;           ///< of every triangle
    int32_t *order;       ///< triangles, those of a leaf together
    int32_t node_count;
    TreeNode *nodes;
} Tree;

// ---------------------------------------------------------------- tree of boxes
static Box box_join(const Box *a, const Box *b)
{
    Box box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = fmin(a->low[k], b->low[k]);
        box.high[k] = fmax(a->high[k], b->high[k]);
    }
    return box;
}

static bool boxes_meet(const Box *a, const Box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static double box_center(const Box *box, int axis)
{
    return 0.5 * box->low[axis] + 0.5 * box->high[axis];
}

/// Sorts the range by the centres of the boxes as far as that the smaller half comes first (Hoare's selection).
static void split_range(const Tree *tree, int32_t begin, int32_t end, int axis)
{
    const int32_t middle = begin + (end - begin) / 2;
    int32_t *order = tree->order;
    while (end - begin > 1) {
        const double pivot = box_center(&tree->boxes[order[begin + (end - begin) / 2]], axis);
        int32_t i = begin, j = end - 1;
        while (i <= j) {
            while (box_center(&tree->boxes[order[i]], axis) < pivot)
                ++i;
            while (box_center(&tree->boxes[order[j]], axis) > pivot)
                --j;
            if (i <= j) {
                const int32_t triangle = order[i];
                order[i++] = order[j], order[j--] = triangle;
            }
        }
        if (middle <= j)
            end = j + 1;
        else if (middle >= i)
            begin = i;
        else
            return;
    }
}

static void build_range(Tree *tree, int32_t begin, int32_t end)
{
    TreeNode *node = &tree->nodes[tree->node_count++];
    Box centers = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    node->box = tree->boxes[tree->order[begin]];
    for (int32_t i = begin; i < end; ++i) {
        const Box *box = &tree->boxes[tree->order[i]];
        node->box = box_join(&node->box, box);
        for (int k = 0; k < 3; ++k) {
            centers.low[k] = fmin(centers.low[k], box_center(box, k));
            centers.high[k] = fmax(centers.high[k], box_center(box, k));
        }
    }
    if (end - begin <= LEAF_TRIANGLES) {
        node->first = begin, node->count = end - begin;
    } else {
        int axis = 0;
        for (int k = 1; k < 3; ++k)
            if (centers.high[k] - centers.low[k] > centers.high[axis] - centers.low[axis])
                axis = k;
        split_range(tree, begin, end, axis);
        const int32_t middle = begin + (end - begin) / 2;
        build_range(tree, begin, middle);
        build_range(tree, middle, end);
    }
    node->skip = tree->node_count;
}

static VelaResult build_tree(const TriangleSet *set, Arena *arena, Tree *tree)
{
    const int32_t count = set->triangle_count;
    *tree = (Tree){.set = set};
    TRY(ARENA_ARRAY(arena, tree->corners, count));
    TRY(ARENA_ARRAY(arena, tree->boxes, count));
    TRY(ARENA_ARRAY(arena, tree->order, count));
    TRY(ARENA_ARRAY(arena, tree->nodes, 2 * (size_t)count));
    for (int32_t t = 0; t < count; ++t) {
        double *corners = tree->corners[t];
        for (int i = 0; i < 9; ++i) {
            const double x =
                set->positions[3 * (size_t)set->triangles[3 * (size_t)t + (size_t)(i / 3)] + (size_t)(i % 3)];
            corners[i] = fabs(x) < 1e-60 ? 0 : x;
        }
        for (int k = 0; k < 3; ++k) {
            tree->boxes[t].low[k] = fmin(corners[k], fmin(corners[3 + k], corners[6 + k]));
            tree->boxes[t].high[k] = fmax(corners[k], fmax(corners[3 + k], corners[6 + k]));
        }
        tree->order[t] = t;
    }
    if (count > 0)
        build_range(tree, 0, count);
    return VELA_OK;
}

// ---------------------------------------------------------------- pairs
/// Copies the corners of t to p, the one at `first` in front, then `second`.
static void copy_corners(const double t[9], int first, int second, double p[9])
{
    const int order[3] = {first, second, 3 - first - second};
    for (int i = 0; i < 9; ++i)
        p[i] = t[3 * order[i / 3] + i % 3];
}

static bool pair_intersects(const Tree *tree, int32_t a, int32_t b)
{
    const int32_t *vertices_a = tree->set->triangles + 3 * (size_t)a,
                  *vertices_b = tree->set->triangles + 3 * (size_t)b;
    const double *corners_a = tree->corners[a], *corners_b = tree->corners[b];
    if (vertices_a[1] == vertices_a[2] ||
        vertices_b[1] == vertices_b[2]) // a segment shares no vertex with a triangle
        return !(vertices_a[1] == vertices_a[2] && vertices_b[1] == vertices_b[2]) &&
               triangles_meet(corners_a, corners_b);
    int shared = 0, at_a[3], at_b[3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (vertices_a[i] == vertices_b[j])
                at_a[shared] = i, at_b[shared++] = j;
    if (shared == 0)
        return triangles_meet(corners_a, corners_b);
    if (shared == 3)
        return false; // the same triangle: nothing beyond its edges
    double p[9], q[9];
    copy_corners(corners_a, at_a[0], shared == 2 ? at_a[1] : (at_a[0] + 1) % 3, p);
    copy_corners(corners_b, at_b[0], shared == 2 ? at_b[1] : (at_b[0] + 1) % 3, q);
    return shared == 2 ? triangles_meet_beyond_edge(p, q) : triangles_meet_beyond_corner(p, q);
}

/// Intersections of a triangle with those of higher index.
static void find_partners(const Tree *tree, int32_t triangle, int32_t most, IntersectionPair *pairs,
                          int64_t *count)
{
    const Box *box = &tree->boxes[triangle];
    const int32_t *owners = tree->set->owners;
    for (int32_t n = 0; n < tree->node_count;) {
        const TreeNode *node = &tree->nodes[n];
        const bool near = boxes_meet(box, &node->box);
        n = near ? n + 1 : node->skip;
        for (int32_t i = node->first; near && i < node->first + node->count; ++i) {
            const int32_t other = tree->order[i];
            if (other <= triangle || (owners[triangle] < 0 && owners[other] < 0) ||
                (tree->set->skips_own && owners[triangle] == owners[other]) ||
                !boxes_meet(box, &tree->boxes[other]) ||
                (tree->set->may_meet && !tree->set->may_meet(tree->set->data, triangle, other)) ||
                !pair_intersects(tree, triangle, other))
                continue;
            if (*count < most)
                pairs[*count] = (IntersectionPair){{triangle, other}};
            ++*count;
        }
    }
}

VelaResult intersections_find(VelaContext *context, const TriangleSet *set, int32_t most,
                              IntersectionPair *pairs, int64_t *count)
{
    Arena arena = arena_make(context);
    Tree tree;
    *count = 0;
    int64_t *counts = NULL; // of every triangle
    VelaResult result = build_tree(set, &arena, &tree);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&arena, counts, set->triangle_count);
    if (result == VELA_OK) {
#pragma omp parallel for schedule(dynamic, 64) num_threads(context->threads)
        for (int32_t t = 0; t < set->triangle_count; ++t)
            find_partners(&tree, t, 0, NULL, &counts[t]);
        for (int32_t t = 0; t < set->triangle_count; ++t) {
            int64_t written = *count;
            if (counts[t] > 0 && written < most)
                find_partners(&tree, t, most, pairs, &written);
            *count += counts[t];
        }
    }
    arena_clear(&arena);
    return result;
}

// ---------------------------------------------------------------- points in solids
/// How often the triangle's outline, seen along x, turns about the point: 1 counterclockwise (its normal points along x), -1, or
/// 0. A point on an edge that two triangles share is counted with one of them (half-open intervals in z, and "to the right of"
/// for "on").
static int outline_turns(const double corners[9], const double point[3])
{
    int turns = 0;
    for (int i = 0; i < 3; ++i) {
        const double *a = corners + 3 * i, *b = corners + 3 * ((i + 1) % 3);
        const bool rises = a[2] <= point[2] && point[2] < b[2], falls = b[2] <= point[2] && point[2] < a[2];
        if (!rises && !falls)
            continue;
        const int side = orientation2(a + 1, b + 1, point + 1);
        turns += rises && side > 0;
        turns -= falls && side < 0;
    }
    return turns;
}

/// Adds up what the ray from the point along x crosses, one number for each solid; `met` lists those it meets.
static int32_t wind(const Tree *tree, const int32_t *solids, const double point[3], int32_t *turns,
                    uint8_t *is_met, int32_t *met)
{
    int32_t met_count = 0;
    for (int32_t n = 0; n < tree->node_count;) {
        const TreeNode *node = &tree->nodes[n];
        const Box *box = &node->box;
        const bool near = point[0] <= box->high[0] && box->low[1] <= point[1] && point[1] <= box->high[1] &&
                          box->low[2] <= point[2] && point[2] <= box->high[2];
        n = near ? n + 1 : node->skip;
        for (int32_t i = node->first; near && i < node->first + node->count; ++i) {
            const int32_t triangle = tree->order[i], solid = solids[triangle];
            const double *c = tree->corners[triangle];
            const int outline = solid < 0 ? 0 : outline_turns(c, point);
            if (outline == 0 || orientation3(c, c + 3, c + 6, point) != outline)
                continue;
            if (!is_met[solid])
                is_met[solid] = 1, met[met_count++] = solid;
            turns[solid] += outline;
        }
    }
    return met_count;
}

VelaResult enclosures_find(VelaContext *context, const TriangleSet *set, int32_t solid_count,
                           const int32_t *solids, const PointSet *points, int32_t most, Enclosure *found,
                           int64_t *count)
{
    Arena arena = arena_make(context);
    Tree tree;
    int32_t *turns, *met;
    uint8_t *is_met;
    VelaResult result;
    *count = 0;
    TRY_GOTO(result, build_tree(set, &arena, &tree), done);
    TRY_GOTO(result, ARENA_ARRAY(&arena, turns, solid_count), done);
    TRY_GOTO(result, ARENA_ARRAY(&arena, met, solid_count), done);
    TRY_GOTO(result, ARENA_ARRAY(&arena, is_met, solid_count), done);
    for (int32_t p = 0; p < points->count; ++p) {
        const int32_t met_count = wind(&tree, solids, points->points[p], turns, is_met, met);
        for (int32_t i = 0; i < met_count; ++i) {
            const int32_t solid = met[i];
            if (turns[solid] != 0 && points->is_held(points->data, p, solid) && (*count)++ < most)
                found[*count - 1] = (Enclosure){p, solid};
            turns[solid] = 0, is_met[solid] = 0;
        }
    }
done:
    arena_clear(&arena);
    return result;
}

// ---------------------------------------------------------------- balls
/// Distance of the origin from the segment a b.
static double segment_distance(const double a[3], const double b[3])
{
    double edge[3], nearest[3];
    subtract3(b, a, edge);
    const double length_sq = dot3(edge, edge);
    const double t = length_sq > 0 ? fmax(0, fmin(1, -dot3(a, edge) / length_sq)) : 0;
    add_scaled3(a, t, edge, nearest);
    return norm3(nearest);
}

bool triangle_meets_ball(const double triangle[9], const double center[3], double radius)
{
    double y[3][3], edge[3], other[3], normal[3], side[3], distance = INFINITY, extent = 0;
    for (int i = 0; i < 3; ++i) {
        subtract3(triangle + 3 * i, center, y[i]);
        extent = fmax(extent, norm3(y[i]));
    }
    subtract3(y[1], y[0], edge);
    subtract3(y[2], y[0], other);
    cross3(edge, other, normal);
    bool inside = normalize3(normal) > 0; // whether the foot of the centre is in the triangle
    for (int i = 0; i < 3; ++i) {
        distance = fmin(distance, segment_distance(y[i], y[(i + 1) % 3]));
        cross3(y[i], y[(i + 1) % 3], side);
        inside = inside && dot3(side, normal) >= 0;
    }
    if (inside)
        distance = fmin(distance, fabs(dot3(y[0], normal)));
    return distance <= radius + 1e-14 * extent;
}
