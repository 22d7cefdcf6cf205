#include "sim/enclosure.h"

#include <stdlib.h>

/// Solids are numbered: array copies of bodies in their order, then obstacles.
typedef struct Solids {
    const Simulation *simulation;
    const TriangleSet *set;
    int32_t count, body_count;
    int32_t *bodies;    ///< for each solid that is a copy: its body
    int32_t *groups;    ///< for each solid: its collision group
    int32_t *triangles; ///< for each triangle of the set: its solid, whether that is closed or not
    uint8_t *is_open;   ///< for each solid
} Solids;

static VelaResult number_solids(const Simulation *simulation, const TriangleSet *set, Arena *arena,
                                Solids *solids)
{
    const Model *model = &simulation->model;
    const SceneDef *scene = model->scene;
    *solids = (Solids){.simulation = simulation, .set = set};
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const int32_t *count = scene->bodies[b].array_count;
        solids->body_count += count[0] * count[1] * count[2];
    }
    solids->count = solids->body_count + scene->obstacle_count;
    TRY(ARENA_ARRAY(arena, solids->bodies, solids->body_count));
    TRY(ARENA_ARRAY(arena, solids->groups, solids->count));
    TRY(ARENA_ARRAY(arena, solids->is_open, solids->count));
    TRY(ARENA_ARRAY(arena, solids->triangles, set->triangle_count));
    int32_t solid = 0;
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const int32_t *array = scene->bodies[b].array_count, copies = array[0] * array[1] * array[2];
        const int32_t first = model->surface.first_triangles[b],
                      each = (model->surface.first_triangles[b + 1] - first) / copies;
        const int32_t first_segment = set->triangle_count - model->surface.segment_count +
                                      model->surface.first_segments[b],
                      segments =
                          (model->surface.first_segments[b + 1] - model->surface.first_segments[b]) / copies;
        for (int32_t copy = 0; copy < copies; ++copy, ++solid) {
            solids->bodies[solid] = b;
            solids->is_open[solid] =
                scene->bodies[b].type == BODY_SHELL || // others may lie within a closed one
                scene->bodies[b].type == BODY_CABLE;
            for (int32_t t = first + copy * each; t < first + (copy + 1) * each; ++t)
                solids->triangles[t] = solid;
            for (int32_t s = first_segment + copy * segments; s < first_segment + (copy + 1) * segments; ++s)
                solids->triangles[s] = solid;
        }
    }
    for (int32_t t = model->surface.first_triangles[model->body_count];
         t < set->triangle_count - model->surface.segment_count; ++t)
        solids->triangles[t] = solids->body_count - 1 - set->owners[t];
    for (int32_t s = 0; s < solids->count; ++s)
        solids->groups[s] =
            exclusions_group(&model->contact.exclusions, scene,
                             s < solids->body_count ? solids->bodies[s] : -1, s - solids->body_count);
    return VELA_OK;
}

/// An edge as a triangle goes along it.
typedef struct Side {
    int64_t vertices;  ///< both, in ascending order
    int32_t direction; ///< 1 upward, -1
    int32_t solid;
} Side;

static int compare_sides(const void *a, const void *b)
{
    const Side *x = a, *y = b;
    return (x->vertices > y->vertices) - (x->vertices < y->vertices);
}

// A surface is closed and oriented where every edge is gone along as often one way as the other.
static VelaResult find_open(const Solids *solids, Arena *arena)
{
    const TriangleSet *set = solids->set;
    const int64_t count = 3 * (int64_t)set->triangle_count;
    Side *sides;
    TRY(ARENA_ARRAY(arena, sides, count));
    for (int64_t s = 0; s < count; ++s) {
        const int32_t *triangle = set->triangles + s / 3 * 3;
        const int64_t a = triangle[s % 3], b = triangle[(s + 1) % 3];
        const int64_t low = a < b ? a : b, high = a < b ? b : a;
        sides[s] = (Side){low * INT32_MAX + high, a < b ? 1 : -1, solids->triangles[s / 3]};
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    for (int64_t s = 0, next; s < count; s = next) {
        int32_t sum = 0;
        for (next = s; next < count && sides[next].vertices == sides[s].vertices; ++next)
            sum += sides[next].direction;
        if (sum != 0)
            solids->is_open[sides[s].solid] = 1;
    }
    return VELA_OK;
}

static int32_t find_root(int32_t *parents, int32_t vertex)
{
    while (parents[vertex] != vertex)
        vertex = parents[vertex] = parents[parents[vertex]];
    return vertex;
}

/// What is held against solids.
typedef struct Points {
    const Solids *solids;
    int32_t count;
    double (*points)[3];
    int32_t *owners;   ///< the solid that each is of
    int32_t *vertices; ///< which one of the set it is; -1: none
} Points;

static const int32_t *vertex_zones(const Solids *solids, int32_t solid, int32_t vertex)
{
    static const int32_t none = -1;
    const ContactExclusions *exclusions = &solids->simulation->model.contact.exclusions;
    return exclusions->zone_count > 0 && solid < solids->body_count
               ? exclusions_zones(exclusions, SURFACE_VERTEX, vertex)
               : &none;
}

// Obstacles may lie in one another; what is in a joint's zone alone may lie in the body at the other side.
static bool is_held(const void *data, int32_t point, int32_t solid)
{
    const Points *points = data;
    const ContactExclusions *exclusions = &points->solids->simulation->model.contact.exclusions;
    const int32_t owner = points->owners[point], *groups = points->solids->groups;
    const int32_t bodies = points->solids->body_count;
    if (owner == solid || (owner >= bodies && solid >= bodies) ||
        !exclusions_may_meet(exclusions, groups[owner], groups[solid]))
        return false;
    for (const int32_t *zone = vertex_zones(points->solids, owner, points->vertices[point]); *zone >= 0;
         ++zone)
        if (exclusions->zone_owners[*zone ^ 1] == solid)
            return false;
    return true;
}

static VelaResult allocate_points(Arena *arena, int32_t most, Points *points)
{
    TRY(ARENA_ARRAY(arena, points->points, most));
    TRY(ARENA_ARRAY(arena, points->owners, most));
    return ARENA_ARRAY(arena, points->vertices, most);
}

// A vertex of every connected piece of a surface: nothing intersects, so it speaks for all of the piece; one outside of joints' zones, where
// the piece has one, for within them something may. And spheres' centres.
static VelaResult choose_points(const Solids *solids, Arena *arena, Points *points)
{
    const TriangleSet *set = solids->set;
    const SceneDef *scene = &solids->simulation->scene;
    int32_t *parents, *piece_owner, *spokesmen;
    *points = (Points){.solids = solids};
    TRY(ARENA_ARRAY(arena, parents, set->vertex_count));
    TRY(ARENA_ARRAY(arena, spokesmen, set->vertex_count));
    TRY(ARENA_ARRAY(arena, piece_owner, set->vertex_count));
    for (int32_t v = 0; v < set->vertex_count; ++v)
        parents[v] = v, piece_owner[v] = -1;
    for (int64_t i = 0; i < 3 * (int64_t)set->triangle_count; ++i) {
        const int32_t root = find_root(parents, set->triangles[i]);
        parents[root] = find_root(parents, set->triangles[i / 3 * 3]);
    }
    int32_t most = scene->obstacle_count;
    for (int32_t t = 0; t < set->triangle_count; ++t) {
        int32_t *owner = &piece_owner[find_root(parents, set->triangles[3 * (size_t)t])];
        most += *owner < 0;
        *owner = solids->triangles[t];
    }
    TRY(allocate_points(arena, most, points));
    for (int32_t v = 0; v < set->vertex_count; ++v)
        spokesmen[v] = v;
    for (int32_t v = 0; v < set->vertex_count; ++v) {
        int32_t *spokesman = &spokesmen[find_root(parents, v)];
        const int32_t solid = piece_owner[find_root(parents, v)];
        if (solid >= 0 && *vertex_zones(solids, solid, *spokesman) >= 0)
            *spokesman = v;
    }
    for (int32_t v = 0; v < set->vertex_count; ++v) {
        if (piece_owner[v] < 0)
            continue;
        memcpy(points->points[points->count], set->positions + 3 * (size_t)spokesmen[v],
               sizeof *points->points);
        points->vertices[points->count] = spokesmen[v];
        points->owners[points->count++] = piece_owner[v];
    }
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        if (scene->obstacles[o].kind != OBSTACLE_SPHERE)
            continue;
        motion_apply(&scene->obstacles[o].motion, simulation_time(solids->simulation),
                     scene->obstacles[o].center, points->points[points->count]);
        points->vertices[points->count] = -1;
        points->owners[points->count++] = solids->body_count + o;
    }
    return VELA_OK;
}

static const char *solid_name(const Solids *solids, int32_t solid, const char **kind)
{
    const SceneDef *scene = &solids->simulation->scene;
    const bool is_body = solid < solids->body_count;
    *kind = is_body ? "body" : "obstacle";
    return is_body ? scene->bodies[solids->bodies[solid]].name
                   : scene->obstacles[solid - solids->body_count].name;
}

static VelaResult check(const Simulation *simulation, const TriangleSet *set, Arena *arena)
{
    VelaContext *context = simulation->context;
    Solids solids;
    Points points;
    Enclosure found;
    int32_t *bounds;
    int64_t all;
    TRY(number_solids(simulation, set, arena, &solids));
    TRY(find_open(&solids, arena));
    TRY(choose_points(&solids, arena, &points));
    TRY(ARENA_ARRAY(arena, bounds, set->triangle_count));
    for (int32_t t = 0; t < set->triangle_count; ++t)
        bounds[t] = solids.is_open[solids.triangles[t]] ? -1 : solids.triangles[t];
    const PointSet held = {points.count, (const double(*)[3])points.points, is_held, &points};
    TRY(enclosures_find(context, set, solids.count, bounds, &held, 1, &found, &all));
    if (all == 0)
        return VELA_OK;
    const int32_t inner = points.owners[found.point], outer = found.solid;
    const char *inner_kind, *outer_kind, *inner_name = solid_name(&solids, inner, &inner_kind),
                                         *outer_name = solid_name(&solids, outer, &outer_kind);
    return context_fail(
        context, VELA_ERROR_VERIFICATION, "%s \"%s\" lies inside %s \"%s\", expected outside%s", inner_kind,
        inner_name, outer_kind, outer_name,
        outer >= solids.body_count
            ? " (a mesh that shall hold a body within has walls, an inner and an outer side, or is open)"
            : "");
}

VelaResult enclosure_check(const Simulation *simulation, const TriangleSet *set)
{
    Arena arena = arena_make(simulation->context);
    const VelaResult result = check(simulation, set, &arena);
    arena_clear(&arena);
    return result;
}
