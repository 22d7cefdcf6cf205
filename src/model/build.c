#include "model/build.h"

#include "base/matrix3.h"
#include "model/bodies.h"
#include "model/contact_build.h"
#include "model/lists.h"
#include "model/obstacles.h"
#include "model/plan.h"
#include "model/surface_build.h"
#include "physics/energy/energy.h"
#include "scene/select.h"

// Totals first, so that every array is allocated once.
static VelaResult allocate(VelaContext *context, const SceneDef *scene, const BodyMesh *meshes,
                           int32_t obstacle_nodes, Arena *arena, Model *model)
{
    int64_t nodes = obstacle_nodes, tets = 0, triangles = 0;
    for (int32_t b = 0; b < scene->body_count; ++b) {
        nodes += (int64_t)meshes[b].mesh.node_count * meshes[b].copy_count;
        tets += (int64_t)meshes[b].mesh.tet_count * meshes[b].copy_count;
        triangles += (int64_t)meshes[b].triangle_count * meshes[b].copy_count;
    }
    TRY(plan_check_memory(context, scene, (double)tets));
    FAIL_IF(context, nodes > INT32_MAX / 16 || tets > INT32_MAX / 16, VELA_ERROR_INVALID_INPUT,
            "%s: %lld nodes and %lld tetrahedra, expected at most %d", scene->path, (long long)nodes,
            (long long)tets, INT32_MAX / 16);
    TRY(ARENA_ARRAY(arena, model->bodies, scene->body_count));
    TRY(ARENA_ARRAY(arena, model->rest_positions, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->initial_positions, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->initial_velocities, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->masses, nodes));
    TRY(ARENA_ARRAY(arena, model->gravity_weights, nodes));
    TRY(ARENA_ARRAY(arena, model->node_is_free, nodes));
    TRY(ARENA_ARRAY(arena, model->pin_nodes, nodes));
    TRY(ARENA_ARRAY(arena, model->pin_motions, nodes));
    TRY(ARENA_ARRAY(arena, model->pin_bases, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->pin_offsets, 3 * nodes));
    ElementGroup *group = &model->groups[ELEMENT_TET];
    TRY(ARENA_ARRAY(arena, group->nodes, 4 * tets));
    TRY(ARENA_ARRAY(arena, group->shapes, 9 * tets));
    TRY(ARENA_ARRAY(arena, group->volumes, tets));
    TRY(ARENA_ARRAY(arena, group->materials, tets));
    TRY(ARENA_ARRAY(arena, model->triangles, 3 * triangles));
    TRY(ARENA_ARRAY(arena, model->triangle_elements, triangles));
    return VELA_OK;
}

// Appends one array copy of a body to nodes, tets and triangles.
static void append_copy(const BodyDef *body, const BodyMesh *loaded, int32_t copy, Model *model)
{
    const TetMesh *mesh = &loaded->mesh;
    ElementGroup *tets = &model->groups[ELEMENT_TET];
    const int32_t first_node = model->node_count, first_tet = tets->count;
    double offset[3];
    body_copy_offset(body, copy, offset);
    for (int32_t i = 0; i < mesh->node_count; ++i)
        add_scaled3(mesh->nodes + 3 * (size_t)i, 1, offset,
                    model->rest_positions + 3 * (size_t)(first_node + i));
    for (size_t i = 0; i < 4 * (size_t)mesh->tet_count; ++i)
        tets->nodes[4 * (size_t)first_tet + i] = mesh->tets[i] + first_node;
    for (int32_t i = 0; i < mesh->tet_count; ++i)
        tets->materials[first_tet + i] = body->material;
    for (size_t i = 0; i < 3 * (size_t)loaded->triangle_count; ++i)
        model->triangles[3 * (size_t)model->triangle_count + i] = loaded->triangles[i] + first_node;
    for (int32_t i = 0; i < loaded->triangle_count; ++i)
        model->triangle_elements[model->triangle_count + i] = loaded->triangle_tets[i] + first_tet;
    model->node_count += mesh->node_count;
    tets->count += mesh->tet_count;
    model->triangle_count += loaded->triangle_count;
}

// Gives the tets of a region, those with all corners selected, its material, in every copy.
static VelaResult set_region(VelaContext *context, const RegionDef *region, const ModelBody *body,
                             const BodyMesh *loaded, Arena *arena, Model *model)
{
    const TetMesh *mesh = &loaded->mesh;
    int32_t selected_count, *selected, tets = 0;
    bool *inside;
    TRY(ARENA_ARRAY(arena, inside, mesh->node_count));
    TRY(select_nodes(context, &region->select, mesh->node_count,
                     model->rest_positions + 3 * (size_t)body->first_node, mesh->group_count, mesh->groups,
                     arena, &selected_count, &selected));
    for (int32_t i = 0; i < selected_count; ++i)
        inside[selected[i]] = true;
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        const int32_t *corners = mesh->tets + 4 * (size_t)t;
        if (!(inside[corners[0]] && inside[corners[1]] && inside[corners[2]] && inside[corners[3]]))
            continue;
        ++tets;
        for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
            model->groups[ELEMENT_TET].materials[body->first_tet + copy * mesh->tet_count + t] =
                region->material;
    }
    FAIL_IF(context, tets == 0, VELA_ERROR_INVALID_INPUT,
            "%s: selects %d nodes and no whole tetrahedron, expected at least one with all its corners",
            region->select.path, selected_count);
    return VELA_OK;
}

// Volumes, shape gradients (rows of Dm^-1, theory.md section 1) and lumped masses of a range of tets.
static VelaResult measure_tets(VelaContext *context, const ModelBody *body, Model *model)
{
    const ElementGroup *tets = &model->groups[ELEMENT_TET];
    for (int32_t t = body->first_tet; t < body->first_tet + body->tet_count; ++t) {
        const int32_t *nodes = tets->nodes + 4 * (size_t)t;
        const double *x = model->rest_positions;
        double dm[9];
        for (int a = 0; a < 3; ++a)
            for (int k = 0; k < 3; ++k)
                dm[3 * k + a] = x[3 * (size_t)nodes[a + 1] + k] - x[3 * (size_t)nodes[0] + k];
        const double volume = matrix3_inverse(dm, tets->shapes + 9 * (size_t)t) / 6;
        FAIL_IF(context, !(volume > 0) || !isfinite(1 / volume), VELA_ERROR_INVALID_INPUT,
                "body \"%s\": tetrahedron %d has the volume %g m^3, expected a positive one", body->name,
                t - body->first_tet, volume);
        const double density = model->scene->materials[tets->materials[t]].density;
        tets->volumes[t] = volume;
        for (int a = 0; a < 4; ++a)
            model->masses[nodes[a]] += density * volume / 4;
    }
    return VELA_OK;
}

static void center_of_mass(const Model *model, int32_t first, int32_t count, double center[3])
{
    double mass = 0;
    memset(center, 0, 3 * sizeof *center);
    for (int32_t i = first; i < first + count; ++i) {
        add_scaled3(center, model->masses[i], model->initial_positions + 3 * (size_t)i, center);
        mass += model->masses[i];
    }
    for (int k = 0; k < 3; ++k)
        center[k] /= mass;
}

// Turns each node of a copy about the axis through the centre of mass, by an angle that grows evenly along the axis.
static void twist_copy(const BodyDef *body, int32_t first, int32_t count, Model *model)
{
    double center[3], low = INFINITY, high = -INFINITY;
    center_of_mass(model, first, count, center);
    for (int pass = 0; pass < 2; ++pass)
        for (int32_t i = first; i < first + count; ++i) {
            double *x = model->initial_positions + 3 * (size_t)i, arm[3], turn[9];
            subtract3(x, center, arm);
            const double along = dot3(arm, body->twist_axis);
            if (pass == 0) {
                low = fmin(low, along);
                high = fmax(high, along);
                continue;
            }
            const double degrees = body->twist_degrees * ((along - low) / (high - low) - 0.5);
            matrix3_rotation(body->twist_axis, degrees * (3.14159265358979323846 / 180), turn);
            matrix3_apply(turn, arm, arm);
            add_scaled3(center, 1, arm, x);
        }
}

// v + omega x (x - c) + L (x - c) about the centre of mass c of the copy.
static void set_velocities(const BodyDef *body, int32_t first, int32_t count, Model *model)
{
    double center[3];
    center_of_mass(model, first, count, center);
    for (int32_t i = first; i < first + count; ++i) {
        double *velocity = model->initial_velocities + 3 * (size_t)i, arm[3], turning[3], deforming[3];
        subtract3(model->initial_positions + 3 * (size_t)i, center, arm);
        cross3(body->angular_velocity, arm, turning);
        matrix3_apply(body->velocity_gradient, arm, deforming);
        add_scaled3(body->velocity, 1, turning, velocity);
        add_scaled3(velocity, 1, deforming, velocity);
    }
}

static VelaResult add_body(VelaContext *context, const SceneDef *scene, int32_t index, const BodyMesh *loaded,
                           Arena *arena, Model *model)
{
    const BodyDef *def = &scene->bodies[index];
    ModelBody *body = &model->bodies[index];
    *body = (ModelBody){def->name,
                        def->material,
                        model->node_count,
                        loaded->mesh.node_count * loaded->copy_count,
                        model->groups[ELEMENT_TET].count,
                        loaded->mesh.tet_count * loaded->copy_count,
                        model->triangle_count,
                        loaded->triangle_count * loaded->copy_count,
                        loaded->piece_count};
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
        append_copy(def, loaded, copy, model);
    for (int32_t r = 0; r < def->region_count; ++r)
        TRY(set_region(context, &def->regions[r], body, loaded, arena, model));
    TRY(measure_tets(context, body, model));
    memcpy(model->initial_positions + 3 * (size_t)body->first_node,
           model->rest_positions + 3 * (size_t)body->first_node,
           3 * (size_t)body->node_count * sizeof(double));
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy) {
        const int32_t first = body->first_node + copy * loaded->mesh.node_count;
        if (def->twist_degrees != 0)
            twist_copy(def, first, loaded->mesh.node_count, model);
        set_velocities(def, first, loaded->mesh.node_count, model);
    }
    return VELA_OK;
}

// Marks which pin holds each node of the body's mesh (its first pin wins) and appends the pins of every copy.
static VelaResult add_pins(VelaContext *context, const BodyDef *def, const ModelBody *body,
                           const BodyMesh *loaded, Arena *arena, Model *model)
{
    const int32_t count = loaded->mesh.node_count;
    const Motion **held;
    TRY(ARENA_ARRAY(arena, held, count));
    for (int32_t p = 0; p < def->pin_count; ++p) {
        int32_t selected_count, *selected;
        TRY(select_nodes(context, &def->pins[p].select, count,
                         model->initial_positions + 3 * (size_t)body->first_node, loaded->mesh.group_count,
                         loaded->mesh.groups, arena, &selected_count, &selected));
        for (int32_t i = 0; i < selected_count; ++i)
            if (!held[selected[i]])
                held[selected[i]] = &def->pins[p].motion;
    }
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy) {
        double offset[3];
        body_copy_offset(def, copy, offset);
        for (int32_t i = 0; i < count; ++i) {
            if (!held[i])
                continue;
            const int32_t pin = model->pin_count++;
            model->pin_nodes[pin] = body->first_node + copy * count + i;
            model->pin_motions[pin] = held[i];
            memcpy(model->pin_offsets + 3 * (size_t)pin, offset, sizeof offset);
            subtract3(model->initial_positions + 3 * (size_t)model->pin_nodes[pin], offset,
                      model->pin_bases + 3 * (size_t)pin);
        }
    }
    return VELA_OK;
}

// Pinned nodes start with the velocity of their motion, unused ones at rest.
static void settle_constrained_nodes(Model *model)
{
    for (int32_t i = 0; i < model->node_count; ++i) {
        model->node_is_free[i] = model->masses[i] > 0;
        model->gravity_weights[i] = model->masses[i];
        if (!model->node_is_free[i])
            memset(model->initial_velocities + 3 * (size_t)i, 0, 3 * sizeof(double));
    }
    const double step = model->scene->step;
    for (int32_t p = 0; p < model->pin_count; ++p) {
        const int32_t node = model->pin_nodes[p];
        const double *base = model->pin_bases + 3 * (size_t)p;
        double start[3], end[3];
        motion_apply(model->pin_motions[p], 0, base, start);
        motion_apply(model->pin_motions[p], step, base, end);
        for (int k = 0; k < 3; ++k)
            model->initial_velocities[3 * (size_t)node + k] = (end[k] - start[k]) / step;
        model->node_is_free[node] = 0;
    }
}

static VelaResult set_never_inverts(Arena *arena, Model *model)
{
    const SceneDef *scene = model->scene;
    TRY(ARENA_ARRAY(arena, model->never_inverts, scene->material_count));
    for (int32_t m = 0; m < scene->material_count; ++m)
        model->never_inverts[m] =
            energy_is_barrier(scene->materials[m].model) || scene->materials[m].prevent_inversion;
    return VELA_OK;
}

static VelaResult add_planes(Arena *arena, Model *model)
{
    const SceneDef *scene = model->scene;
    if (scene->contact.model != CONTACT_PENALTY)
        return VELA_OK;
    model->plane_count = scene->obstacle_count;
    TRY(ARENA_ARRAY(arena, model->planes, model->plane_count));
    for (int32_t i = 0; i < model->plane_count; ++i) {
        const ObstacleDef *obstacle = &scene->obstacles[i];
        model->planes[i] = (ModelPlane){.motion = &obstacle->motion};
        memcpy(model->planes[i].point, obstacle->point, sizeof obstacle->point);
        memcpy(model->planes[i].normal, obstacle->normal, sizeof obstacle->normal);
    }
    return VELA_OK;
}

VelaResult model_build(VelaContext *context, const SceneDef *scene, Arena *arena, Model *model)
{
    *model = (Model){.scene = scene, .body_count = scene->body_count};
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        model->groups[kind].kind = &element_kinds[kind];
    BodyMesh *meshes;
    double planned = 0;
    for (int32_t b = 0; b < scene->body_count; ++b)
        planned += plan_tets(&scene->bodies[b]);
    TRY(plan_check_memory(context, scene, planned));
    TRY(ARENA_ARRAY(arena, meshes, scene->body_count));
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const VelaResult result = body_mesh_load(context, &scene->bodies[b], arena, &meshes[b]);
        if (result != VELA_OK)
            return context_fail_prefix(context, result, "%s: bodies[%d]", scene->path, b);
    }
    ObstacleSurface *surfaces;
    int32_t obstacle_nodes;
    TRY(model_load_obstacles(context, scene, arena, &surfaces, &obstacle_nodes));
    TRY(allocate(context, scene, meshes, obstacle_nodes, arena, model));
    VelaResult result = VELA_OK;
    for (int32_t b = 0; result == VELA_OK && b < scene->body_count; ++b)
        result = add_body(context, scene, b, &meshes[b], arena, model);
    for (int32_t b = 0; result == VELA_OK && b < scene->body_count; ++b)
        result = add_pins(context, &scene->bodies[b], &model->bodies[b], &meshes[b], arena, model);
    if (result != VELA_OK)
        return context_fail_prefix(context, result, "%s", scene->path);
    model->body_node_count = model->node_count;
    model->obstacle_surfaces = surfaces;
    model_append_obstacles(scene, surfaces, model);
    settle_constrained_nodes(model);
    TRY(set_never_inverts(arena, model));
    TRY(add_planes(arena, model));
    TRY(model_build_lists(context, arena, model));
    TRY(model_build_surface_nodes(context, arena, model));
    TRY(model_build_surface(context, arena, surfaces, model));
    return model_build_contact(context, arena, surfaces, model);
}
