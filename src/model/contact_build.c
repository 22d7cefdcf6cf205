#include "model/contact_build.h"

#include "base/matrix3.h"
#include "model/obstacles.h"
#include "physics/energy/energy.h"

#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------- obstacles as nodes

int32_t model_obstacle_nodes(const ObstacleDef *obstacle, const ObstacleSurface *surface)
{
    switch (obstacle->kind) {
    case OBSTACLE_PLANE:
        return 2;
    case OBSTACLE_SPHERE:
        return 1;
    case OBSTACLE_MESH:
        return surface->vertex_count;
    }
    return 0;
}

VelaResult model_load_obstacles(VelaContext *context, const SceneDef *scene, Arena *arena,
                                ObstacleSurface **surfaces, int32_t *node_count)
{
    *node_count = 0;
    *surfaces = NULL;
    ObstacleSurface *loaded;
    TRY(ARENA_ARRAY(arena, loaded, scene->obstacle_count));
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        if (scene->obstacles[o].kind == OBSTACLE_MESH) {
            const VelaResult result = obstacle_surface_load(context, &scene->obstacles[o], arena, &loaded[o]);
            if (result != VELA_OK)
                return context_fail_prefix(context, result, "%s: obstacles[%d]", scene->path, o);
        }
        if (scene->contact.model == CONTACT_BARRIER)
            *node_count += model_obstacle_nodes(&scene->obstacles[o], &loaded[o]);
    }
    *surfaces = loaded;
    return VELA_OK;
}

static void append_node(const ObstacleDef *obstacle, const double place[3], Model *model)
{
    const int32_t node = model->node_count++, pin = model->pin_count++;
    memcpy(model->rest_positions + 3 * (size_t)node, place, 3 * sizeof *place);
    motion_apply(&obstacle->motion, 0, place, model->initial_positions + 3 * (size_t)node);
    model->pin_nodes[pin] = node;
    model->pin_motions[pin] = &obstacle->motion;
    model->pin_sources[pin] = (int32_t)(obstacle - model->scene->obstacles);
    memcpy(model->pin_bases + 3 * (size_t)pin, place, 3 * sizeof *place);
}

void model_append_obstacles(const SceneDef *scene, const ObstacleSurface *surfaces, Model *model)
{
    if (scene->contact.model != CONTACT_BARRIER)
        return;
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        const ObstacleDef *obstacle = &scene->obstacles[o];
        double tip[3];
        switch (obstacle->kind) {
        case OBSTACLE_PLANE:
            add_scaled3(obstacle->point, 1, obstacle->normal, tip);
            append_node(obstacle, obstacle->point, model);
            append_node(obstacle, tip, model);
            break;
        case OBSTACLE_SPHERE:
            append_node(obstacle, obstacle->center, model);
            break;
        case OBSTACLE_MESH:
            for (int32_t i = 0; i < surfaces[o].vertex_count; ++i)
                append_node(obstacle, surfaces[o].vertices + 3 * (size_t)i, model);
            break;
        }
    }
}

// ---------------------------------------------------------------- surfaces

// The larger of the moduli that count, of all materials: E itself, or what matches kappa and lambda at rest.
static double largest_youngs_modulus(const SceneDef *scene)
{
    double largest = 0;
    for (int32_t m = 0; m < scene->material_count; ++m) {
        const MaterialDef *material = &scene->materials[m];
        double modulus = material->youngs_modulus;
        if (modulus == 0) {
            const double shear = energy_shear_modulus(material->model, material->kappa, material->lambda);
            modulus = 2 * shear * (1 + material->poissons_ratio);
        }
        largest = fmax(largest, modulus);
    }
    return largest;
}

static int compare_edges(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

// Edges of the owner's triangles, each once with a third of the areas of its triangles. `sides`: room for three a triangle
// of {low vertex, high vertex, triangle}.
static void add_edges(ContactOwner *owner, int32_t (*sides)[3], ModelContact *contact)
{
    int32_t count = 0;
    for (int32_t t = owner->first_triangle; t < owner->first_triangle + owner->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int32_t a = contact->triangles[t][k], b = contact->triangles[t][(k + 1) % 3];
            sides[count][0] = a < b ? a : b;
            sides[count][1] = a < b ? b : a;
            sides[count++][2] = t;
        }
    qsort(sides, (size_t)count, sizeof *sides, compare_edges);
    owner->first_edge = contact->edge_count;
    for (int32_t s = 0; s < count; ++s) {
        if (s == 0 || compare_edges(sides[s - 1], sides[s]) != 0)
            memcpy(contact->edges[contact->edge_count++], sides[s], 2 * sizeof **sides);
        contact->edge_areas[contact->edge_count - 1] += contact->triangle_areas[sides[s][2]] / 3;
    }
    owner->edge_count = contact->edge_count - owner->first_edge;
}

// A cable's segments are its edges: A_e = 2 r l, half of it for the vertex at each end. `rest` as in measure_owner.
static void measure_cable(const Model *model, int32_t copy, const double *rest, ContactOwner *owner,
                          ModelContact *contact)
{
    const ModelSurface *surface = &model->surface;
    const BodyDef *def = &model->scene->bodies[owner->body];
    const int32_t *array = def->array_count, copies = array[0] * array[1] * array[2];
    const int32_t first = surface->first_segments[owner->body];
    owner->first_edge = contact->edge_count;
    owner->edge_count = (surface->first_segments[owner->body + 1] - first) / copies;
    for (int32_t s = 0; s < owner->edge_count; ++s) {
        const int32_t *ends = surface->segments[first + copy * owner->edge_count + s],
                      edge = contact->edge_count++;
        double along[3];
        subtract3(rest + 3 * (size_t)ends[1], rest + 3 * (size_t)ends[0], along);
        contact->edge_areas[edge] = 2 * def->radius * norm3(along);
        for (int k = 0; k < 2; ++k) {
            contact->edges[edge][k] = ends[(ends[0] < ends[1]) == (k == 0) ? 0 : 1];
            contact->vertex_areas[ends[k]] += 0.5 * contact->edge_areas[edge];
        }
    }
}

// Areas and edges of the owner's triangles. `rest`: the vertices' places in the rest shape.
static void measure_owner(ContactOwner *owner, const double *rest, int32_t (*sides)[3], ModelContact *contact)
{
    for (int32_t t = owner->first_triangle; t < owner->first_triangle + owner->triangle_count; ++t) {
        const int32_t *triangle = contact->triangles[t];
        double u[3], v[3], n[3];
        subtract3(rest + 3 * (size_t)triangle[1], rest + 3 * (size_t)triangle[0], u);
        subtract3(rest + 3 * (size_t)triangle[2], rest + 3 * (size_t)triangle[0], v);
        cross3(u, v, n);
        contact->triangle_areas[t] = 0.5 * norm3(n);
        for (int k = 0; k < 3; ++k)
            contact->vertex_areas[triangle[k]] += contact->triangle_areas[t] / 3;
    }
    add_edges(owner, sides, contact);
}

// Copies of a body have the same number of vertices and triangles, one copy after the other.
static void add_bodies(const Model *model, ModelContact *contact)
{
    const ModelSurface *surface = &model->surface;
    for (int32_t b = 0; b < model->body_count; ++b) {
        const BodyDef *def = &model->scene->bodies[b];
        const int32_t *count = def->array_count, copies = count[0] * count[1] * count[2];
        const int32_t vertices = (surface->first_vertices[b + 1] - surface->first_vertices[b]) / copies,
                      triangles = (surface->first_triangles[b + 1] - surface->first_triangles[b]) / copies;
        for (int32_t copy = 0; copy < copies; ++copy)
            contact->owners[contact->owner_count++] =
                (ContactOwner){.body = b,
                               .obstacle = -1,
                               .separation = 0.5 * def->contact_thickness,
                               .is_cable = def->type == BODY_CABLE,
                               .first_vertex = surface->first_vertices[b] + copy * vertices,
                               .vertex_count = vertices,
                               .first_triangle = surface->first_triangles[b] + copy * triangles,
                               .triangle_count = triangles};
    }
}

static void add_obstacles(const Model *model, const ObstacleSurface *surfaces, ModelContact *contact)
{
    int32_t vertex = model->surface.first_vertices[model->body_count],
            triangle = model->surface.first_triangles[model->body_count];
    for (int32_t o = 0; o < model->scene->obstacle_count; ++o) {
        const ObstacleDef *def = &model->scene->obstacles[o];
        const int32_t vertices = model_obstacle_nodes(def, &surfaces[o]);
        ContactOwner owner = {.body = -1,
                              .obstacle = o,
                              .first_vertex = vertex,
                              .vertex_count = vertices,
                              .first_triangle = triangle,
                              .triangle_count = surfaces[o].triangle_count};
        if (def->kind == OBSTACLE_PLANE) {
            owner.vertex_count = 0;
            contact->planes[contact->plane_count++] =
                (ContactPlane){contact->owner_count, vertex, vertex + 1};
        }
        if (def->kind == OBSTACLE_SPHERE)
            owner.separation = def->radius;
        contact->owners[contact->owner_count++] = owner;
        vertex += vertices;
        triangle += surfaces[o].triangle_count;
    }
}

static void set_groups(const SceneDef *scene, ModelContact *contact)
{
    for (int32_t o = 0; o < contact->owner_count; ++o) {
        ContactOwner *owner = &contact->owners[o];
        owner->collision_group = exclusions_group(&contact->exclusions, scene, owner->body, owner->obstacle);
        owner->meets_itself = owner->body >= 0 && scene->contact.self &&
                              scene->bodies[owner->body].type != BODY_AFFINE &&
                              model_contact_may_meet(contact, o, o);
    }
}

static VelaResult find_friction(VelaContext *context, Arena *arena, Model *model)
{
    const SceneDef *scene = model->scene;
    ModelContact *contact = &model->contact;
    TRY(friction_rules_build(context, scene, arena, &contact->friction));
    TRY(friction_rules_any(context, &contact->friction, &contact->has_friction));
    if (contact->has_friction && scene_is_explicit(scene))
        context_log(
            context, VELA_LOG_WARNING,
            "%s: friction has no effect: it acts in the stages of implicit integrators, and this one is explicit",
            scene->path);
    return VELA_OK;
}

// Under penalty contact obstacles push back, and nothing else is needed of what barrier contact looks at.
static VelaResult find_penalty_friction(VelaContext *context, Arena *arena, Model *model)
{
    for (int32_t p = 0; p < model->scene->contact.pair_count; ++p)
        FAIL_IF(
            context, model->scene->contact.pairs[p].no_contact, VELA_ERROR_INVALID_INPUT,
            "%s: contact.pairs[%d].contact: found false with model \"penalty\": not in this version; expected "
            "\"model\": \"barrier\"",
            model->scene->path, p);
    TRY(find_friction(context, arena, model));
    model->contact.has_friction = model->contact.has_friction && !scene_is_explicit(model->scene);
    for (int32_t o = 0; o < model->penalty_count; ++o)
        for (int32_t b = 0; b < model->body_count && model->contact.has_friction; ++b)
            model->penalty_obstacles[o].rubs |= friction_rules_find(&model->contact.friction, b, -1, o) > 0;
    return VELA_OK;
}

VelaResult model_build_contact(VelaContext *context, Arena *arena, const ObstacleSurface *surfaces,
                               Model *model)
{
    const SceneDef *scene = model->scene;
    ModelContact *contact = &model->contact;
    if (scene->contact.model == CONTACT_PENALTY)
        return find_penalty_friction(context, arena, model);
    if (scene->contact.model != CONTACT_BARRIER)
        return VELA_OK;
    const SurfaceMap *map = &model->surface.map;
    const int32_t triangles = model->surface.triangle_count;
    int64_t owners = scene->obstacle_count;
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const int32_t *count = scene->bodies[b].array_count;
        owners += (int64_t)count[0] * count[1] * count[2];
    }
    TRY(ARENA_ARRAY(arena, contact->owners, owners));
    TRY(ARENA_ARRAY(arena, contact->planes, scene->obstacle_count));
    TRY(ARENA_ARRAY(arena, contact->vertex_areas, map->vertex_count));
    const size_t edges = 3 * (size_t)triangles + (size_t)model->surface.segment_count;
    TRY(ARENA_ARRAY(arena, contact->edges, edges));
    TRY(ARENA_ARRAY(arena, contact->edge_areas, edges));
    TRY(ARENA_ARRAY(arena, contact->triangle_areas, triangles));
    contact->triangles = model->surface.triangles;
    contact->triangle_count = triangles;
    contact->stiffness = scene->contact.stiffness > 0
                             ? scene->contact.stiffness
                             : scene->contact.distance * largest_youngs_modulus(scene);
    add_bodies(model, contact);
    add_obstacles(model, surfaces, contact);
    TRY(exclusions_build(context, scene, arena, &contact->exclusions));
    set_groups(scene, contact);
    Arena scratch = arena_make(context);
    double *rest;
    int32_t(*sides)[3];
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, rest, 3 * (size_t)map->vertex_count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, sides, 3 * (size_t)triangles), done);
    surface_map_apply(map, model->rest_positions, rest);
    for (int32_t o = 0, copy = 0; o < contact->owner_count; ++o) {
        ContactOwner *owner = &contact->owners[o];
        copy = o > 0 && owner[-1].body == owner->body ? copy + 1 : 0;
        if (owner->is_cable)
            measure_cable(model, copy, rest, owner, contact);
        else
            measure_owner(owner, rest, sides, contact);
    }
    result = find_friction(context, arena, model);
done:
    arena_clear(&scratch);
    return result;
}
