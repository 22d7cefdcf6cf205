#include "sim/verify.h"

#include "sim/enclosure.h"

#include "base/matrix3.h"
#include "geometry/orientation.h"

#include <stdio.h>
#include <string.h>

enum { OWNER_TEXT = 400 };

// ---------------------------------------------------------------- what there is
static VelaResult load_surface(const SceneDef *scene, int32_t o, Arena *arena, ObstacleSurface *surface)
{
    VelaContext *context = arena->context;
    const VelaLogFunction log = context->log;
    if (scene->contact.model == CONTACT_BARRIER)
        context->log = NULL; // the model has read it too, and said what there is to say
    const VelaResult result = obstacle_surface_load(context, &scene->obstacles[o], arena, surface);
    context->log = log;
    return result == VELA_OK ? result
                             : context_fail_prefix(context, result, "%s: obstacles[%d]", scene->path, o);
}

static VelaResult load_obstacles(const Model *model, Arena *arena, Verification *verification)
{
    const SceneDef *scene = model->scene;
    TriangleSet *set = &verification->set;
    TRY(ARENA_ARRAY(arena, verification->surfaces, scene->obstacle_count));
    TRY(ARENA_ARRAY(arena, verification->first_vertices, scene->obstacle_count));
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        ObstacleSurface *surface = &verification->surfaces[o];
        if (scene->obstacles[o].kind == OBSTACLE_MESH)
            TRY(load_surface(scene, o, arena, surface));
        verification->first_vertices[o] = set->vertex_count;
        set->vertex_count += surface->vertex_count;
        set->triangle_count += surface->triangle_count;
    }
    return VELA_OK;
}

/// Bodies are owners 0, 1, ..; obstacles -1, -2, .. Triangles of bodies, those of obstacles, then the segments of cables.
static void fill_triangles(const Model *model, const Verification *verification, int32_t *triangles,
                           int32_t *owners)
{
    const ModelSurface *bodies = &model->surface;
    int32_t count = bodies->first_triangles[model->body_count];
    memcpy(triangles, bodies->triangles, 3 * (size_t)count * sizeof *triangles);
    for (int32_t b = 0; b < model->body_count; ++b)
        for (int32_t t = bodies->first_triangles[b]; t < bodies->first_triangles[b + 1]; ++t)
            owners[t] = b;
    for (int32_t o = 0; o < model->scene->obstacle_count; ++o) {
        const ObstacleSurface *surface = &verification->surfaces[o];
        for (int32_t i = 0; i < 3 * surface->triangle_count; ++i)
            triangles[3 * (size_t)count + (size_t)i] =
                verification->first_vertices[o] + surface->triangles[i];
        for (int32_t t = 0; t < surface->triangle_count; ++t)
            owners[count++] = -1 - o;
    }
    for (int32_t b = 0; b < model->body_count && bodies->segment_count > 0; ++b)
        for (int32_t s = bodies->first_segments[b]; s < bodies->first_segments[b + 1]; ++s) {
            for (int k = 0; k < 3; ++k)
                triangles[3 * (size_t)count + (size_t)k] = bodies->segments[s][k > 0];
            owners[count++] = b;
        }
}

/// Which triangles of a set are not held against each other.
typedef struct TriangleFilter {
    const ContactExclusions *exclusions;
    int32_t *groups;       ///< of every triangle
    const int32_t **zones; ///< of every triangle: its list; NULL: there are no joints
} TriangleFilter;

static bool triangles_may_meet(const void *data, int32_t triangle, int32_t other)
{
    const TriangleFilter *filter = data;
    return exclusions_may_meet(filter->exclusions, filter->groups[triangle], filter->groups[other]) &&
           !(filter->zones && exclusions_lists_join(filter->zones[triangle], filter->zones[other]));
}

/// The set's triangles are those of contact, its segments the edges of cables.
static VelaResult list_zones(const Model *model, const TriangleSet *set, Arena *arena, TriangleFilter *filter)
{
    const ModelContact *contact = &model->contact;
    int32_t count = 0;
    TRY(ARENA_ARRAY(arena, filter->zones, set->triangle_count));
    for (; count < contact->triangle_count; ++count)
        filter->zones[count] = exclusions_zones(filter->exclusions, SURFACE_TRIANGLE, count);
    for (int32_t o = 0; o < contact->owner_count; ++o)
        for (int32_t e = 0; contact->owners[o].is_cable && e < contact->owners[o].edge_count; ++e)
            filter->zones[count++] =
                exclusions_zones(filter->exclusions, SURFACE_EDGE, contact->owners[o].first_edge + e);
    return VELA_OK;
}

static VelaResult set_filter(const Model *model, Arena *arena, TriangleSet *set)
{
    const ContactExclusions *exclusions = &model->contact.exclusions;
    TriangleFilter *filter;
    if (exclusions->group_count == 0 && exclusions->zone_count == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, filter, 1));
    filter->exclusions = exclusions;
    TRY(ARENA_ARRAY(arena, filter->groups, set->triangle_count));
    for (int32_t t = 0; t < set->triangle_count; ++t)
        filter->groups[t] = exclusions_group(exclusions, model->scene, set->owners[t], -1 - set->owners[t]);
    if (exclusions->zone_count > 0)
        TRY(list_zones(model, set, arena, filter));
    set->may_meet = triangles_may_meet;
    set->data = filter;
    return VELA_OK;
}

VelaResult verification_create(Simulation *simulation, Verification *verification)
{
    const Model *model = &simulation->model;
    Arena *arena = &simulation->arena;
    int32_t *triangles, *owners;
    const ModelSurface *bodies = &model->surface;
    *verification = (Verification){.simulation = simulation,
                                   .set = {.vertex_count = bodies->first_vertices[model->body_count],
                                           .triangle_count = bodies->first_triangles[model->body_count]}};
    TriangleSet *set = &verification->set;
    TRY(load_obstacles(model, arena, verification));
    set->triangle_count += bodies->segment_count;
    TRY(ARENA_ARRAY(arena, verification->nodes, 3 * (size_t)model->node_count));
    TRY(ARENA_ARRAY(arena, verification->positions, 3 * (size_t)set->vertex_count));
    TRY(ARENA_ARRAY(arena, triangles, 3 * (size_t)set->triangle_count));
    TRY(ARENA_ARRAY(arena, owners, set->triangle_count));
    fill_triangles(model, verification, triangles, owners);
    set->positions = verification->positions, set->triangles = triangles, set->owners = owners;
    return set_filter(model, arena, set);
}

// ---------------------------------------------------------------- what may be wrong
static bool is_segment(const Verification *verification, int32_t triangle)
{
    return triangle >=
           verification->set.triangle_count - verification->simulation->model.surface.segment_count;
}

/// "triangle (4, 8, 9) of body "bar"" by the nodes; by the vertices, counted within the body, where not all of them are nodes.
/// The vertices of obstacles are counted as in their mesh.
static void describe_triangle(const Verification *verification, int32_t triangle, char text[OWNER_TEXT])
{
    const SceneDef *scene = &verification->simulation->scene;
    const ModelSurface *surface = &verification->simulation->model.surface;
    const int32_t owner = verification->set.owners[triangle],
                  *vertices = verification->set.triangles + 3 * (size_t)triangle;
    const int32_t first =
        owner < 0 ? verification->first_vertices[-1 - owner] : surface->first_vertices[owner];
    int32_t numbers[3], nodes[3] = {-1, -1, -1};
    for (int k = 0; k < 3; ++k) {
        numbers[k] = vertices[k] - first;
        if (owner >= 0)
            nodes[k] = surface_map_node(&surface->map, vertices[k]);
    }
    const bool by_nodes = nodes[0] >= 0 && nodes[1] >= 0 && nodes[2] >= 0;
    const int32_t *named = by_nodes ? nodes : numbers;
    const char *kind = by_nodes || owner < 0 ? "" : "vertices ";
    char corners[80];
    if (is_segment(verification, triangle))
        snprintf(corners, sizeof corners, "segment (%s%d, %d)", kind, named[0], named[1]);
    else
        snprintf(corners, sizeof corners, "triangle (%s%d, %d, %d)", kind, named[0], named[1], named[2]);
    snprintf(text, OWNER_TEXT, "%s of %s \"%s\"", corners, owner < 0 ? "obstacle" : "body",
             owner < 0 ? scene->obstacles[-1 - owner].name : scene->bodies[owner].name);
}

static VelaResult check_triangles(const Verification *verification)
{
    VelaContext *context = verification->simulation->context;
    IntersectionPair pair;
    int64_t count;
    TRY(intersections_find(context, &verification->set, 1, &pair, &count));
    if (count == 0)
        return VELA_OK;
    char a[OWNER_TEXT], b[OWNER_TEXT];
    describe_triangle(verification, pair.triangles[0], a);
    describe_triangle(verification, pair.triangles[1], b);
    return context_fail(context, VELA_ERROR_VERIFICATION,
                        "%s and %s intersect (by their nodes; %lld such %s in all)", a, b, (long long)count,
                        count == 1 ? "pair" : "pairs");
}

static const char *body_of_node(const Model *model, int32_t node)
{
    int32_t b = 0;
    while (b + 1 < model->body_count && node >= model->bodies[b + 1].first_node)
        ++b;
    return model->bodies[b].name;
}

/// Whether a body is held against an obstacle.
static bool obstacle_counts(const Model *model, int32_t body, const ObstacleDef *obstacle)
{
    const ContactExclusions *exclusions = &model->contact.exclusions;
    const int32_t o = (int32_t)(obstacle - model->scene->obstacles);
    return exclusions_may_meet(exclusions, exclusions_group(exclusions, model->scene, body, -1),
                               exclusions_group(exclusions, model->scene, -1, o));
}

static VelaResult check_plane(const Verification *verification, const ObstacleDef *obstacle)
{
    const Simulation *simulation = verification->simulation;
    const Model *model = &simulation->model;
    const ModelSurface *surface = &model->surface;
    double point[3], normal[3];
    motion_apply(&obstacle->motion, simulation_time(simulation), obstacle->point, point);
    motion_rotate(&obstacle->motion, simulation_time(simulation), obstacle->normal, normal);
    for (int32_t b = 0; b < model->body_count; ++b)
        for (int32_t v = surface->first_vertices[b];
             obstacle_counts(model, b, obstacle) && v < surface->first_vertices[b + 1]; ++v) {
            const double *x = verification->positions + 3 * (size_t)v;
            if (side_of_plane(normal, point, x) > 0)
                continue;
            const int32_t node = surface_map_node(&surface->map, v);
            double offset[3];
            subtract3(x, point, offset);
            return context_fail(
                simulation->context, VELA_ERROR_VERIFICATION,
                "%s %d of body \"%s\" is not outside plane \"%s\": %.3g m in front of it, expected above 0",
                node >= 0 ? "node" : "vertex", node >= 0 ? node : v - surface->first_vertices[b],
                model->bodies[b].name, obstacle->name, dot3(normal, offset));
        }
    return VELA_OK;
}

static VelaResult check_sphere(const Verification *verification, const ObstacleDef *obstacle)
{
    const Simulation *simulation = verification->simulation;
    double center[3];
    motion_apply(&obstacle->motion, simulation_time(simulation), obstacle->center, center);
    for (int32_t t = 0; t < verification->set.triangle_count; ++t) {
        const int32_t body = verification->set.owners[t];
        if (body < 0 || !obstacle_counts(&simulation->model, body, obstacle))
            continue;
        const int32_t *vertices = verification->set.triangles + 3 * (size_t)t;
        double corners[9];
        for (int i = 0; i < 3; ++i)
            memcpy(corners + 3 * i, verification->positions + 3 * (size_t)vertices[i], 3 * sizeof *corners);
        if (triangle_meets_ball(corners, center, obstacle->radius)) {
            char text[OWNER_TEXT];
            describe_triangle(verification, t, text);
            return context_fail(simulation->context, VELA_ERROR_VERIFICATION,
                                "%s (by its nodes) reaches into sphere \"%s\"", text, obstacle->name);
        }
    }
    return VELA_OK;
}

static VelaResult check_elements(const Verification *verification)
{
    const Model *model = &verification->simulation->model;
    for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t) {
        const int32_t material = model->groups[ELEMENT_TET].materials[t],
                      *nodes = model->groups[ELEMENT_TET].nodes + 4 * (size_t)t;
        const double *x[4];
        for (int i = 0; i < 4; ++i)
            x[i] = verification->nodes + 3 * (size_t)nodes[i];
        if (model->materials[material].never_inverts && orientation3(x[1], x[2], x[3], x[0]) <= 0)
            return context_fail(
                verification->simulation->context, VELA_ERROR_VERIFICATION,
                "tetrahedron %d, nodes (%d, %d, %d, %d) of body \"%s\", is inverted or flat, which its material \"%s\" "
                "excludes",
                t, nodes[0], nodes[1], nodes[2], nodes[3], body_of_node(model, nodes[0]),
                model->scene->materials[material].name);
    }
    return VELA_OK;
}

static VelaResult check_state(Verification *verification)
{
    Simulation *simulation = verification->simulation;
    const SceneDef *scene = &simulation->scene;
    const SurfaceMap *map = &simulation->model.surface.map;
    TRY(device_state_read(simulation->device, SLOT_POSITION, verification->nodes));
    for (int32_t v = 0; v < simulation->model.surface.first_vertices[simulation->model.body_count]; ++v)
        surface_map_vertex(map, v, verification->nodes, verification->positions + 3 * (size_t)v);
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        const ObstacleSurface *surface = &verification->surfaces[o];
        double *place = verification->positions + 3 * (size_t)verification->first_vertices[o];
        for (int32_t i = 0; i < surface->vertex_count; ++i)
            motion_apply(&scene->obstacles[o].motion, simulation_time(simulation),
                         surface->vertices + 3 * (size_t)i, place + 3 * (size_t)i);
    }
    TRY(check_elements(verification));
    TRY(check_triangles(verification));
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        const ObstacleDef *obstacle = &scene->obstacles[o];
        if (obstacle->kind == OBSTACLE_PLANE && scene->contact.model != CONTACT_PENALTY)
            TRY(check_plane(verification, obstacle));
        if (obstacle->kind == OBSTACLE_SPHERE)
            TRY(check_sphere(verification, obstacle));
    }
    return VELA_OK;
}

VelaResult verification_check(Verification *verification)
{
    const Simulation *simulation = verification->simulation;
    const VelaResult result = check_state(verification);
    return result != VELA_ERROR_VERIFICATION
               ? result
               : context_fail_prefix(simulation->context, result,
                                     "step %lld (time %.6g s) failed verification",
                                     (long long)simulation->step, simulation_time(simulation));
}

VelaResult verification_check_start(Simulation *simulation)
{
    Verification verification;
    const ArenaMark mark = arena_mark(&simulation->arena);
    TRY(verification_create(simulation, &verification));
    verification.set.skips_own = !simulation->scene.contact.self;
    VelaResult result = check_state(&verification);
    if (result == VELA_OK)
        result = enclosure_check(simulation, &verification.set);
    arena_release(&simulation->arena, mark);
    return result != VELA_ERROR_VERIFICATION
               ? result
               : context_fail_prefix(simulation->context, VELA_ERROR_INVALID_INPUT,
                                     "%s: barrier contact cannot start from this initial state",
                                     simulation->scene.path);
}
