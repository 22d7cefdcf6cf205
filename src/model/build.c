#include "model/build.h"

#include "base/matrix3.h"
#include "geometry/tangent.h"
#include "model/affine.h"
#include "model/cables.h"
#include "model/constraints.h"
#include "model/contact_build.h"
#include "model/contact_joints.h"
#include "model/lists.h"
#include "model/loads.h"
#include "model/node_order.h"
#include "model/obstacles.h"
#include "model/plan.h"
#include "model/shell_pressure.h"
#include "model/shells.h"
#include "model/skins.h"
#include "model/solids.h"
#include "model/surface_build.h"
#include "physics/energy/energy.h"
#include "scene/select.h"

static bool has_partial_pins(const BodyDef *def)
{
    for (int32_t p = 0; p < def->pin_count; ++p)
        if (def->pins[p].axes != AXES_ALL)
            return true;
    return false;
}

// Totals first, so that every array is allocated once.
static VelaResult allocate(VelaContext *context, const SceneDef *scene, const BodyMesh *meshes,
                           int32_t obstacle_nodes, Arena *arena, Model *model)
{
    int64_t nodes = obstacle_nodes + model_anchor_count(scene), triangles = 0,
            elements[ELEMENT_KIND_COUNT] = {0}, all = 0, blocks = 0, partial = 0, forces = 0, skins = 0;
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const BodyMesh *mesh = &meshes[b];
        nodes += (int64_t)mesh->node_count * mesh->copy_count;
        triangles += (int64_t)mesh->triangle_count * mesh->copy_count;
        if (mesh->skin) {
            triangles += (int64_t)mesh->skin->triangle_count * mesh->copy_count;
            skins += (int64_t)(mesh->skin->vertex_count + mesh->skin->triangle_count) * mesh->copy_count;
        }
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
            elements[kind] += (int64_t)mesh->element_counts[kind] * mesh->copy_count;
        blocks += mesh->affine ? mesh->copy_count : 0;
        forces += scene->bodies[b].load_count;
        partial += has_partial_pins(&scene->bodies[b]) ? (int64_t)mesh->node_count * mesh->copy_count : 0;
    }
    model_count_links(scene, elements);
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        all += elements[kind];
    TRY(plan_check_memory(context, scene, (double)all));
    FAIL_IF(context, skins > INT32_MAX / 16, VELA_ERROR_INVALID_INPUT,
            "%s: %lld vertices and triangles of skins, expected at most %d", scene->path, (long long)skins,
            INT32_MAX / 16);
    FAIL_IF(context, nodes > INT32_MAX / 16 || all > INT32_MAX / 16, VELA_ERROR_INVALID_INPUT,
            "%s: %lld nodes and %lld elements, expected at most %d", scene->path, (long long)nodes,
            (long long)all, INT32_MAX / 16);
    TRY(ARENA_ARRAY(arena, model->bodies, scene->body_count));
    TRY(ARENA_ARRAY(arena, model->rest_positions, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->initial_positions, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->initial_velocities, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->masses, nodes));
    TRY(ARENA_ARRAY(arena, model->gravity_weights, nodes));
    TRY(ARENA_ARRAY(arena, model->mass_blocks, blocks));
    TRY(ARENA_ARRAY(arena, model->node_is_free, nodes));
    TRY(ARENA_ARRAY(arena, model->pin_nodes, nodes));
    TRY(ARENA_ARRAY(arena, model->pin_motions, nodes));
    TRY(ARENA_ARRAY(arena, model->pin_bases, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->pin_offsets, 3 * nodes));
    TRY(ARENA_ARRAY(arena, model->pin_sources, nodes));
    TRY(ARENA_ARRAY(arena, model->partial_pins, partial));
    if (partial > 0)
        TRY(ARENA_ARRAY(arena, model->node_partial_pins, nodes));
    for (int64_t i = 0; partial > 0 && i < nodes; ++i)
        model->node_partial_pins[i] = -1;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementGroup *group = &model->groups[kind];
        group->first_element = kind > 0 ? group[-1].first_element + (int32_t)elements[kind - 1] : 0;
        TRY(ARENA_ARRAY(arena, group->nodes, group->kind->corners * elements[kind]));
        TRY(ARENA_ARRAY(arena, group->shapes, element_shape_size(group->kind) * elements[kind]));
        TRY(ARENA_ARRAY(arena, group->volumes, elements[kind]));
        TRY(ARENA_ARRAY(arena, group->materials, elements[kind]));
        if (element_has_rest(kind))
            TRY(ARENA_ARRAY(arena, group->rests, elements[kind]));
    }
    TRY(ARENA_ARRAY(arena, model->forces, forces));
    TRY(ARENA_ARRAY(arena, model->pressures, scene->body_count));
    TRY(ARENA_ARRAY(arena, model->triangles, 3 * triangles));
    TRY(ARENA_ARRAY(arena, model->triangle_elements, triangles));
    return VELA_OK;
}

static VelaResult set_materials(Arena *arena, Model *model)
{
    const SceneDef *scene = model->scene;
    model->is_damped = scene->air.drag > 0;
    // At most two of a body's own, a pressure, and one without stiffness for what constraints stand for; the formulas of constraints.
    TRY(ARENA_ARRAY(arena, model->materials,
                    2 * (size_t)scene->material_count + 4 * (size_t)scene->body_count + 16));
    for (int32_t m = 0; m < scene->material_count; ++m) {
        const MaterialDef *def = &scene->materials[m];
        model->materials[model->material_count++] =
            (ModelMaterial){.formula = {def->model, def->kappa, def->lambda},
                            .poissons_ratio = def->poissons_ratio,
                            .never_inverts = energy_is_barrier(def->model) || def->prevent_inversion,
                            .damping = def->damping.count > 0 ? &def->damping : NULL};
        model->is_damped |= def->damping.count > 0;
    }
    return VELA_OK;
}

static void center_of_mass(const Model *model, int32_t first, int32_t count, double center[3])
{
    double mass = 0;
    memset(center, 0, 3 * sizeof *center);
    for (int32_t i = first; i < first + count; ++i) {
        add_scaled3(center, model->gravity_weights[i], model->initial_positions + 3 * (size_t)i, center);
        mass += model->gravity_weights[i];
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

// A material that the scene does not name: kappa alone, and what damps another. Bodies share it.
static int32_t material_with(double kappa, const DampingList *damping, Model *model)
{
    int32_t m = model->scene->material_count;
    while (m < model->material_count &&
           (model->materials[m].formula.kappa != kappa || model->materials[m].damping != damping))
        ++m;
    model->materials[m].formula.kappa = kappa;
    model->materials[m].damping = damping;
    model->material_count = m < model->material_count ? model->material_count : m + 1;
    return m;
}

static VelaResult add_type(VelaContext *context, const BodyDef *def, const BodyMesh *loaded, Arena *arena,
                           const ModelBody *body, Model *model)
{
    const DampingList *damping = model->materials[def->material].damping;
    switch (def->type) {
    case BODY_SOLID:
        return model_add_solid(context, def, loaded, arena, body, model);
    case BODY_CABLE:
        model_add_cable(def, loaded,
                        material_with(model->scene->materials[def->material].youngs_modulus, damping, model),
                        material_with(def->bending_modulus, damping, model), body, model);
        break;
    case BODY_AFFINE:
        model_add_affine(def, loaded, material_with(def->stiffness, NULL, model), body, model);
        break;
    case BODY_SHELL: {
        const double ratio = def->bending_ratio;
        model_add_shell(def, loaded,
                        material_with(def->bending_modulus / (1 - ratio * ratio), damping, model), body,
                        model);
        break;
    }
    }
    return VELA_OK;
}

// Every selected node of every copy gets the mass.
static VelaResult add_point_masses(VelaContext *context, const BodyDef *def, const ModelBody *body,
                                   const BodyMesh *loaded, Arena *arena, Model *model)
{
    for (int32_t p = 0; p < def->point_mass_count; ++p) {
        const PointMassDef *point = &def->point_masses[p];
        int32_t count, *selected;
        TRY(select_nodes(context, &point->select, loaded->node_count,
                         model->initial_positions + 3 * (size_t)body->first_node, loaded->mesh.group_count,
                         loaded->mesh.groups, arena, &count, &selected));
        for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
            for (int32_t i = 0; i < count; ++i) {
                const int32_t node = body->first_node + copy * loaded->node_count + selected[i];
                FAIL_IF(context, !(model->masses[node] > 0), VELA_ERROR_INVALID_INPUT,
                        "%s: selects node %d, which no element uses, expected others", point->select.path,
                        selected[i]);
                model->masses[node] += point->mass;
                model->gravity_weights[node] += point->mass;
            }
    }
    return VELA_OK;
}

static VelaResult add_body(VelaContext *context, const SceneDef *scene, int32_t index, const BodyMesh *loaded,
                           Arena *arena, Model *model)
{
    const BodyDef *def = &scene->bodies[index];
    ModelBody *body = &model->bodies[index];
    *body = (ModelBody){
        .name = def->name,
        .copy_count = loaded->copy_count,
        .first_node = model->node_count,
        .node_count = loaded->node_count * loaded->copy_count,
        .first_vertex = model->vertex_count,
        .vertex_count = loaded->vertex_count * loaded->copy_count,
        .vertices = loaded->affine ? &loaded->affine->vertices : NULL,
        .first_triangle = model->triangle_count,
        .triangle_count = loaded->triangle_count * loaded->copy_count,
        .skin = loaded->skin,
        .skin_collides = loaded->skin && def->skin.contact,
        .skin_vertex_count = loaded->skin ? loaded->skin->vertex_count * loaded->copy_count : 0,
        .skin_triangle_count = loaded->skin ? loaded->skin->triangle_count * loaded->copy_count : 0,
        .piece_count = loaded->piece_count};
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        body->first_elements[kind] = model->groups[kind].count;
    TRY(add_type(context, def, loaded, arena, body, model));
    if (loaded->skin)
        model_add_skin(loaded, body, model);
    if (def->type == BODY_SHELL && loaded->element_counts[ELEMENT_PRESSURE] > 0)
        model_add_shell_pressure(loaded, body, model);
    else
        model_add_pressure_elements(loaded, body, model);
    model->node_count += body->node_count;
    model->vertex_count += body->vertex_count + body->skin_vertex_count;
    model->triangle_count += body->triangle_count + body->skin_triangle_count;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        body->element_counts[kind] = loaded->element_counts[kind] * loaded->copy_count;
        model->groups[kind].count += body->element_counts[kind];
    }
    memcpy(model->initial_positions + 3 * (size_t)body->first_node,
           model->rest_positions + 3 * (size_t)body->first_node,
           3 * (size_t)body->node_count * sizeof(double));
    for (int32_t copy = 0; copy < loaded->copy_count && def->twist_degrees != 0; ++copy)
        twist_copy(def, body->first_node + copy * loaded->node_count, loaded->node_count, model);
    TRY(add_point_masses(context, def, body, loaded, arena, model));
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
        set_velocities(def, body->first_node + copy * loaded->node_count, loaded->node_count, model);
    return VELA_OK;
}

// Initial places of the vertices of copy 0, which selections look at.
static VelaResult vertex_places(const ModelBody *body, const BodyMesh *loaded, Arena *arena,
                                const Model *model, const double **places)
{
    double *own;
    *places = model->initial_positions + 3 * (size_t)body->first_node;
    if (!body->vertices)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, own, 3 * (size_t)loaded->vertex_count));
    model_body_vertices(body, loaded->vertex_count, model->initial_positions, own);
    *places = own;
    return VELA_OK;
}

/// What holds a node of a body's mesh.
typedef struct HeldNode {
    const PinDef *pin;   ///< what holds all of it, or NULL
    PartialPin *partial; ///< NULL: none
} HeldNode;

static VelaResult hold_in_part(VelaContext *context, const BodyDef *def, int32_t p, int32_t node,
                               Arena *arena, HeldNode *held)
{
    const PinDef *pin = &def->pins[p];
    if (!held->partial)
        TRY(ARENA_ARRAY(arena, held->partial, 1));
    for (int k = 0; k < 3; ++k) {
        double axis[3];
        pin_axis(pin, k, axis);
        FAIL_IF(context, pin->axes >> k & 1 && !partial_pin_add(held->partial, axis, &pin->motion, p),
                VELA_ERROR_INVALID_INPUT,
                "%s: selects node %d, which another pin holds along an axis that is neither the same as nor "
                "perpendicular to %c of this one, expected pins of a node whose frames agree",
                pin->select.path, node, "xyz"[k]);
    }
    return VELA_OK;
}

// Finds what holds each node of the body's mesh. The first pin wins, for the whole node as for each direction.
static VelaResult mark_pins(VelaContext *context, const BodyDef *def, const ModelBody *body,
                            const BodyMesh *loaded, Arena *arena, const Model *model, HeldNode *held)
{
    const double *places;
    TRY(vertex_places(body, loaded, arena, model, &places));
    for (int32_t p = 0; p < def->pin_count; ++p) {
        const SelectDef *select = &def->pins[p].select;
        int32_t count, *selected;
        TRY(select_nodes(context, select, loaded->vertex_count, places, loaded->mesh.group_count,
                         loaded->mesh.groups, arena, &count, &selected));
        FAIL_IF(
            context, body->vertices && count < loaded->vertex_count, VELA_ERROR_INVALID_INPUT,
            "%s: selects %d of the %d vertices of an affine body, expected all: a pin holds the whole body",
            select->path, count, loaded->vertex_count);
        for (int32_t i = 0; i < (body->vertices ? loaded->node_count : count); ++i) {
            const int32_t node = body->vertices ? i : selected[i];
            if (def->pins[p].axes != AXES_ALL)
                TRY(hold_in_part(context, def, p, node, arena, &held[node]));
            else if (!held[node].pin)
                held[node].pin = &def->pins[p];
        }
    }
    return VELA_OK;
}

static void add_pin(const Motion *motion, int32_t source, int32_t node, const double base[3],
                    const double offset[3], Model *model)
{
    const int32_t pin = model->pin_count++;
    model->pin_nodes[pin] = node;
    model->pin_motions[pin] = motion;
    model->pin_sources[pin] = source;
    memcpy(model->pin_offsets + 3 * (size_t)pin, offset, 3 * sizeof *offset);
    memcpy(model->pin_bases + 3 * (size_t)pin, base, 3 * sizeof *base);
}

static void add_partial_pin(const PartialPin *like, int32_t node, const double base[3],
                            const double offset[3], Model *model)
{
    PartialPin *pin = &model->partial_pins[model->partial_pin_count];
    *pin = *like;
    pin->node = node;
    memcpy(pin->base, base, sizeof pin->base);
    memcpy(pin->offset, offset, sizeof pin->offset);
    model->node_partial_pins[node] = model->partial_pin_count++;
}

static VelaResult add_loads(VelaContext *context, const BodyDef *def, const ModelBody *body,
                            const BodyMesh *loaded, Arena *arena, Model *model)
{
    const double *places;
    TRY(vertex_places(body, loaded, arena, model, &places));
    return model_add_forces(context, def, body, loaded, places, arena, model);
}

// Appends the pins of every copy. What a pin holds wholly no other one holds in part; a node that no element uses moves with
// none.
static VelaResult add_pins(VelaContext *context, const BodyDef *def, const ModelBody *body,
                           const BodyMesh *loaded, Arena *arena, Model *model)
{
    const int32_t count = loaded->node_count;
    HeldNode *held;
    TRY(ARENA_ARRAY(arena, held, count));
    TRY(mark_pins(context, def, body, loaded, arena, model, held));
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy) {
        double offset[3], base[3];
        body_copy_offset(def, copy, offset);
        for (int32_t i = 0; i < count; ++i) {
            const int32_t node = body->first_node + copy * count + i;
            subtract3(model->initial_positions + 3 * (size_t)node, offset, base);
            if (held[i].pin)
                add_pin(&held[i].pin->motion, (int32_t)(held[i].pin - def->pins), node, base, offset, model);
            else if (held[i].partial && model->masses[node] > 0)
                add_partial_pin(held[i].partial, node, base, offset, model);
        }
    }
    return VELA_OK;
}

// Pinned nodes start with the velocity of their motion, unused ones at rest.
static void settle_constrained_nodes(Model *model)
{
    for (int32_t i = 0; i < model->node_count; ++i) {
        model->node_is_free[i] = model->masses[i] > 0;
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
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        const PartialPin *pin = &model->partial_pins[p];
        double start[3], end[3], velocity[3];
        partial_pin_place(pin, 0, start);
        partial_pin_place(pin, step, end);
        for (int k = 0; k < 3; ++k)
            velocity[k] = (end[k] - start[k]) / step;
        partial_pin_set(pin, velocity, model->initial_velocities + 3 * (size_t)pin->node);
    }
}

static VelaResult add_penalty_obstacles(Arena *arena, Model *model)
{
    const SceneDef *scene = model->scene;
    if (scene->contact.model != CONTACT_PENALTY)
        return VELA_OK;
    model->penalty_count = scene->obstacle_count;
    TRY(ARENA_ARRAY(arena, model->penalty_obstacles, model->penalty_count));
    for (int32_t o = 0; o < model->penalty_count; ++o) {
        const ObstacleDef *def = &scene->obstacles[o];
        PenaltyObstacle *obstacle = &model->penalty_obstacles[o];
        *obstacle = (PenaltyObstacle){.motion = &def->motion};
        if (def->kind == OBSTACLE_SPHERE) {
            memcpy(obstacle->point, def->center, sizeof def->center);
            obstacle->radius = def->radius;
            continue;
        }
        memcpy(obstacle->point, def->point, sizeof def->point);
        memcpy(obstacle->normal, def->normal, sizeof def->normal);
        tangent_basis(def->normal, obstacle->tangents);
    }
    return VELA_OK;
}

static VelaResult load_body(VelaContext *context, const BodyDef *body, Arena *arena, BodyMesh *loaded)
{
    static VelaResult (*const loads[])(VelaContext *, const BodyDef *, Arena *,
                                       BodyMesh *) = {[BODY_SOLID] = solid_load,
                                                      [BODY_CABLE] = cable_load,
                                                      [BODY_AFFINE] = affine_load,
                                                      [BODY_SHELL] = shell_load};
    *loaded = (BodyMesh){.copy_count = body->array_count[0] * body->array_count[1] * body->array_count[2]};
    TRY(loads[body->type](context, body, arena, loaded));
    if (body->skin.mesh)
        TRY(skin_load(context, body, arena, loaded));
    if (body_has_pressure(body) && body->type == BODY_SHELL)
        TRY(shell_pressure_load(context, body, loaded));
    else if (body_has_pressure(body))
        loaded->element_counts[ELEMENT_PRESSURE] =
            loaded->element_counts[ELEMENT_TET] + loaded->element_counts[ELEMENT_AFFINE];
    return VELA_OK;
}

static VelaResult exclude_joints(VelaContext *context, Arena *arena, Model *model)
{
    if (model->scene->contact.model != CONTACT_BARRIER)
        return VELA_OK;
    Arena scratch = arena_make(context);
    ContactJoint *joints;
    int32_t count;
    VelaResult result = contact_joints_find(model, &scratch, &count, &joints);
    if (result == VELA_OK)
        result = contact_joints_exclude(context, arena, count, joints, model);
    arena_clear(&scratch);
    return result;
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
        const VelaResult result = load_body(context, &scene->bodies[b], arena, &meshes[b]);
        if (result != VELA_OK)
            return context_fail_prefix(context, result, "%s: bodies[%d]", scene->path, b);
    }
    ObstacleSurface *surfaces;
    int32_t obstacle_nodes;
    TRY(model_load_obstacles(context, scene, arena, &surfaces, &obstacle_nodes));
    TRY(allocate(context, scene, meshes, obstacle_nodes, arena, model));
    TRY(set_materials(arena, model));
    VelaResult result = VELA_OK;
    for (int32_t b = 0; result == VELA_OK && b < scene->body_count; ++b)
        result = add_body(context, scene, b, &meshes[b], arena, model);
    for (int32_t b = 0; result == VELA_OK && b < scene->body_count; ++b)
        result = add_pins(context, &scene->bodies[b], &model->bodies[b], &meshes[b], arena, model);
    for (int32_t b = 0; result == VELA_OK && b < scene->body_count; ++b)
        result = add_loads(context, &scene->bodies[b], &model->bodies[b], &meshes[b], arena, model);
    if (result != VELA_OK)
        return context_fail_prefix(context, result, "%s", scene->path);
    model_add_pressures(model);
    model->body_node_count = model->node_count;
    model->obstacle_surfaces = surfaces;
    model_append_obstacles(scene, surfaces, model);
    TRY(model_add_constraints(context, meshes, arena, model));
    settle_constrained_nodes(model);
    TRY(add_penalty_obstacles(arena, model));
    TRY(model_build_lists(context, arena, model));
    TRY(node_order_build(context, model, arena, &model->order));
    TRY(model_build_surface(context, arena, surfaces, model));
    TRY(model_build_contact(context, arena, surfaces, model));
    return exclude_joints(context, arena, model);
}
