#include "model/tet_search.h"

#include "geometry/closest_points.h"
#include "model/locality.h"

#include <math.h>
#include <string.h>

enum { TETS_PER_LEAF = 4, STACK_MOST = 64 };

static void leaf_range(const TetSearch *search, int32_t leaf, int32_t *first, int32_t *end)
{
    const int64_t count = search->mesh->tet_count;
    *first = (int32_t)(count * leaf / search->leaf_count);
    *end = (int32_t)(count * (leaf + 1) / search->leaf_count);
}

static const double *corner(const TetMesh *mesh, int32_t tet, int a)
{
    return mesh->nodes + 3 * (size_t)mesh->tets[4 * (size_t)tet + (size_t)a];
}

static void box_add(double box[6], const double point[3])
{
    for (int k = 0; k < 3; ++k) {
        box[k] = fmin(box[k], point[k]);
        box[3 + k] = fmax(box[3 + k], point[k]);
    }
}

static void fill_boxes(TetSearch *search)
{
    for (int32_t i = 2 * search->leaf_count - 1; i > 0; --i) {
        double *box = search->boxes[i];
        int32_t first = 0, end = 0;
        for (int k = 0; k < 3; ++k) {
            box[k] = INFINITY;
            box[3 + k] = -INFINITY;
        }
        if (i >= search->leaf_count)
            leaf_range(search, i - search->leaf_count, &first, &end);
        for (int32_t place = first; place < end; ++place)
            for (int a = 0; a < 4; ++a)
                box_add(box, corner(search->mesh, search->order[place], a));
        for (int child = 0; child < 2 && i < search->leaf_count; ++child)
            for (int side = 0; side < 2; ++side)
                box_add(box, search->boxes[2 * i + child] + 3 * side);
    }
}

VelaResult tet_search_create(VelaContext *context, const TetMesh *mesh, Arena *arena, TetSearch *search)
{
    double *centers, reach = 0;
    *search = (TetSearch){.mesh = mesh, .leaf_count = 1};
    while ((int64_t)TETS_PER_LEAF * search->leaf_count < mesh->tet_count)
        search->leaf_count *= 2;
    TRY(ARENA_ARRAY(arena, search->order, mesh->tet_count));
    TRY(ARENA_ARRAY(arena, search->boxes, 2 * (size_t)search->leaf_count));
    TRY(ARENA_ARRAY(arena, centers, 3 * (size_t)mesh->tet_count));
    for (int32_t t = 0; t < mesh->tet_count; ++t)
        for (int a = 0; a < 4; ++a) {
            double *center = centers + 3 * (size_t)t;
            add_scaled3(center, 0.25, corner(mesh, t, a), center);
        }
    TRY(locality_order(context, centers, mesh->tet_count, search->order));
    fill_boxes(search);
    for (int k = 0; k < 3; ++k)
        reach = fmax(reach, fmax(fabs(search->boxes[1][k]), fabs(search->boxes[1][3 + k])));
    search->tolerance = 1e-12 * reach;
    return VELA_OK;
}

static double box_distance_sq(const double box[6], const double point[3])
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double beyond = fmax(fmax(box[k] - point[k], point[k] - box[3 + k]), 0);
        sum += beyond * beyond;
    }
    return sum;
}

// Returns the least of the weights.
static double find_weights(const TetMesh *mesh, int32_t tet, const double point[3], double weights[4])
{
    double edges[9], inverse[9], offset[3];
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k)
            edges[3 * k + a] = corner(mesh, tet, a + 1)[k] - corner(mesh, tet, 0)[k];
    matrix3_inverse(edges, inverse);
    subtract3(point, corner(mesh, tet, 0), offset);
    weights[0] = 1;
    for (int a = 1; a < 4; ++a) {
        weights[a] = dot3(inverse + 3 * (a - 1), offset);
        weights[0] -= weights[a];
    }
    return fmin(fmin(weights[0], weights[1]), fmin(weights[2], weights[3]));
}

// The nearest point of a tetrahedron around it is on a face that the point is beyond: where the corner opposite has a negative weight.
static double tet_distance_sq(const TetMesh *mesh, int32_t tet, const double point[3])
{
    double weights[4], nearest = INFINITY;
    if (find_weights(mesh, tet, point, weights) >= 0)
        return 0;
    for (int face = 0; face < 4; ++face) {
        double x[12];
        if (weights[face] >= 0)
            continue;
        memcpy(x, point, 3 * sizeof *x);
        for (int i = 0; i < 3; ++i)
            memcpy(x + 3 * (i + 1), corner(mesh, tet, (face + i + 1) % 4), 3 * sizeof *x);
        nearest = fmin(nearest, closest_points(x, PAIR_POINT_TRIANGLE).distance_sq);
    }
    return nearest;
}

/// What a walk looks for: first how near the nearest tetrahedron is, then the best one among those.
typedef struct Walk {
    const TetSearch *search;
    const double *point;
    double radius_sq; ///< nothing beyond counts
    bool finds_best;
    double least; ///< the largest least weight so far
    TetPlace best;
} Walk;

// Whether the box of a tetrahedron is near enough.
static bool may_be_near(const Walk *walk, int32_t tet)
{
    double box[6];
    for (int k = 0; k < 3; ++k)
        box[k] = box[3 + k] = corner(walk->search->mesh, tet, 0)[k];
    for (int a = 1; a < 4; ++a)
        box_add(box, corner(walk->search->mesh, tet, a));
    return box_distance_sq(box, walk->point) <= walk->radius_sq;
}

static void visit_tet(Walk *walk, int32_t tet)
{
    double weights[4];
    if (!may_be_near(walk, tet))
        return;
    const double distance_sq = tet_distance_sq(walk->search->mesh, tet, walk->point);
    if (distance_sq > walk->radius_sq)
        return;
    if (!walk->finds_best) {
        walk->radius_sq = distance_sq;
        return;
    }
    const double least = find_weights(walk->search->mesh, tet, walk->point, weights);
    if (!(least > walk->least || (least == walk->least && tet < walk->best.tet)))
        return;
    walk->least = least;
    walk->best = (TetPlace){.tet = tet, .distance = sqrt(distance_sq)};
    memcpy(walk->best.weights, weights, sizeof weights);
}

// Depth first, the nearer child first.
static void walk_tree(Walk *walk)
{
    const TetSearch *search = walk->search;
    int32_t stack[STACK_MOST], depth = 0;
    stack[depth++] = 1;
    while (depth > 0) {
        const int32_t i = stack[--depth];
        if (box_distance_sq(search->boxes[i], walk->point) > walk->radius_sq)
            continue;
        if (i < search->leaf_count) {
            const bool swap = box_distance_sq(search->boxes[2 * i], walk->point) <
                              box_distance_sq(search->boxes[2 * i + 1], walk->point);
            stack[depth++] = 2 * i + swap;
            stack[depth++] = 2 * i + !swap;
            continue;
        }
        int32_t first, end;
        leaf_range(search, i - search->leaf_count, &first, &end);
        for (int32_t place = first; place < end; ++place)
            visit_tet(walk, search->order[place]);
    }
}

TetPlace tet_search_find(const TetSearch *search, const double point[3], int32_t guess)
{
    Walk walk = {.search = search,
                 .point = point,
                 .radius_sq = tet_distance_sq(search->mesh, guess, point),
                 .least = -INFINITY};
    walk_tree(&walk);
    const double radius = sqrt(walk.radius_sq) * (1 + 1e-12) + search->tolerance;
    walk.radius_sq = radius * radius;
    walk.finds_best = true;
    walk_tree(&walk);
    return walk.best;
}
