// bodies and obstacles
#include "scene/sections.h"

#include "scene/suggest.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_BODIES = 10000,
    MOST_OBSTACLES = 1000,
    MOST_COPIES = 1000000,
    MOST_REGIONS = 1000,
    LONGEST_NAME = 200
};
// Elements of the built-in shapes are counted here already, six tetrahedra a cell.
static const double MOST_ELEMENTS = 300e6;

/// Colours of bodies that do not say theirs, by index: sRGB-encoded, of similar lightness, told apart by most
/// eyes.
static const double PALETTE[][3] = {{0.86, 0.37, 0.31}, {0.27, 0.53, 0.79}, {0.93, 0.69, 0.26},
                                    {0.36, 0.66, 0.48}, {0.60, 0.45, 0.72}, {0.32, 0.69, 0.72},
                                    {0.88, 0.53, 0.63}, {0.61, 0.55, 0.46}};
enum { PALETTE_SIZE = sizeof PALETTE / sizeof PALETTE[0] };

VelaResult read_look(const Reader *reader, const Place *owner, LookDef *look)
{
    const Place at = place_member(owner, "look");
    if (!at.value)
        return VELA_OK;
    TRY(check_object(reader, &at, &KEYS_LOOK));
    TRY(read_vector(reader, &at, "color", OPTIONAL, ZERO_TO_ONE, look->color));
    return read_number(reader, &at, "roughness", OPTIONAL, ZERO_TO_ONE, &look->roughness);
}

/// The name given, or `kind` and the index.
static VelaResult read_name(const Reader *reader, const Place *at, const char *kind, const char **name)
{
    char automatic[32], *copy;
    const Place given = place_member(at, "name");
    if (given.value) {
        TRY(string_at(reader, &given, name));
        if (strlen(*name) > LONGEST_NAME)
            return place_fail(reader, &given, "found a name of %zu bytes, expected at most %d", strlen(*name),
                              LONGEST_NAME);
        return VELA_OK;
    }
    const int length = snprintf(automatic, sizeof automatic, "%s%d", kind, (int)at->index);
    TRY(arena_string(reader->arena, automatic, (size_t)length, &copy));
    *name = copy;
    return VELA_OK;
}

static VelaResult fail_taken(const Reader *reader, const Place *at, const char *list, int32_t other,
                             const char *name)
{
    const Place given = place_member(at, "name");
    return place_fail(reader, given.value ? &given : at,
                      "the name \"%s\"%s is that of %s[%d] already, expected another", name,
                      given.value ? "" : " (chosen because none is given)", list, other);
}

static VelaResult find_material(const Reader *reader, const Place *body, const SceneDef *scene,
                                int32_t *index)
{
    const Place at = place_member(body, "material");
    const char *name, **names;
    TRY(string_at(reader, &at, &name));
    for (*index = 0; *index < scene->material_count; ++*index)
        if (strcmp(scene->materials[*index].name, name) == 0)
            return VELA_OK;
    TRY(ARENA_ARRAY(reader->arena, names, scene->material_count + 1));
    for (int32_t i = 0; i < scene->material_count; ++i)
        names[i] = scene->materials[i].name;
    const char *near = suggest_name(name, names);
    if (near)
        return place_fail(reader, &at, "there is no material \"%.64s\"; did you mean \"%s\"?", name, near);
    return place_fail(
        reader, &at,
        "there is no material \"%.64s\", expected one of the %d in \"materials\", such as \"%.64s\"", name,
        scene->material_count, names[0]);
}

static VelaResult read_regions(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out)
{
    const Place regions = place_member(body, "regions");
    if (!regions.value)
        return VELA_OK;
    int i = 0;
    TRY(check_list(reader, &regions, 0, MOST_REGIONS, "regions", &out->region_count));
    TRY(ARENA_ARRAY(reader->arena, out->regions, out->region_count));
    for (const cJSON *item = regions.value->child; item; item = item->next, ++i) {
        const Place region = place_item(&regions, i, item);
        TRY(check_object(reader, &region, &KEYS_REGION));
        TRY(read_select(reader, &region, &out->regions[i].select));
        TRY(find_material(reader, &region, scene, &out->regions[i].material));
    }
    return VELA_OK;
}

static VelaResult read_array(const Reader *reader, const Place *body, BodyDef *out)
{
    for (int i = 0; i < 3; ++i)
        out->array_count[i] = 1;
    const Place at = place_member(body, "array");
    if (!at.value)
        return VELA_OK;
    TRY(check_object(reader, &at, &KEYS_ARRAY));
    TRY(read_integers(reader, &at, "count", REQUIRED, 1, MOST_COPIES, 3, out->array_count));
    TRY(read_vector(reader, &at, "spacing", OPTIONAL, ANY_NUMBER, out->array_spacing));
    const Place count = place_member(&at, "count"), spacing = place_member(&at, "spacing");
    const double copies = (double)out->array_count[0] * out->array_count[1] * out->array_count[2];
    if (copies > MOST_COPIES)
        return place_fail(reader, &count, "found %.0f copies, expected at most %d", copies, MOST_COPIES);
    const GeometryDef *shape = &out->geometry;
    const double elements = out->type == BODY_AFFINE        ? 1
                            : shape->kind == GEOMETRY_CABLE ? shape->segments
                            : shape->kind == GEOMETRY_SHEET ? 2.0 * shape->cells[0] * shape->cells[1]
                            : shape->kind == GEOMETRY_DISK  ? 2.0 * shape->resolution * shape->resolution
                            : shape->kind == GEOMETRY_BOX
                                ? 6.0 * shape->cells[0] * shape->cells[1] * shape->cells[2]
                                : 3.0 * shape->resolution * shape->resolution * shape->resolution;
    if (copies * elements > MOST_ELEMENTS)
        return place_fail(reader, &count, "found about %.3g elements in all copies, expected at most %.0f",
                          copies * elements, MOST_ELEMENTS);
    for (int i = 0; i < 3; ++i)
        if (out->array_count[i] > 1 && out->array_spacing[i] == 0) {
            const int32_t along = out->array_count[i];
            return place_fail(reader, spacing.value ? &spacing : &at,
                              "found no spacing along %c for %d copies, which would lie in the same place",
                              "xyz"[i], along);
        }
    return VELA_OK;
}

/// Three rows of three numbers; what is not given stays 0.
static VelaResult read_matrix(const Reader *reader, const Place *body, const char *key, double out[9])
{
    int count, i = 0;
    const Place at = place_member(body, key);
    if (!at.value)
        return VELA_OK;
    TRY(check_list(reader, &at, 3, 3, "rows of three numbers each", &count));
    for (const cJSON *item = at.value->child; item; item = item->next, ++i) {
        const Place row = place_item(&at, i, item);
        TRY(vector_at(reader, &row, ANY_NUMBER, out + 3 * (size_t)i));
    }
    return VELA_OK;
}

static VelaResult read_body(const Reader *reader, const Place *at, const SceneDef *scene, BodyDef *body)
{
    int type = 0;
    // The type first: a type of a later version has keys of its own.
    if (cJSON_IsObject(at->value))
        TRY(read_word(reader, at, "type", OPTIONAL, &WORDS_BODY, &type));
    TRY(check_object(reader, at, &KEYS_BODY));
    body->scale = 1;
    body->rotate_axis[1] = body->twist_axis[1] = 1;
    body->look.roughness = 0.5;
    memcpy(body->look.color, PALETTE[at->index % PALETTE_SIZE], sizeof body->look.color);
    TRY(read_name(reader, at, "body", &body->name));
    body->type = (BodyType)type;
    TRY(read_geometry(reader, at, &body->geometry));
    TRY(find_material(reader, at, scene, &body->material));
    TRY(read_type_keys(reader, at, scene, body));
    TRY(read_regions(reader, at, scene, body));
    TRY(read_formulation(reader, at, scene, body));
    TRY(read_number(reader, at, "scale", OPTIONAL, POSITIVE, &body->scale));
    TRY(read_turn(reader, at, &KEYS_ROTATE, body->rotate_axis, &body->rotate_degrees));
    TRY(read_vector(reader, at, "translate", OPTIONAL, ANY_NUMBER, body->translate));
    TRY(read_turn(reader, at, &KEYS_TWIST, body->twist_axis, &body->twist_degrees));
    TRY(read_vector(reader, at, "velocity", OPTIONAL, ANY_NUMBER, body->velocity));
    TRY(read_vector(reader, at, "angular_velocity", OPTIONAL, ANY_NUMBER, body->angular_velocity));
    TRY(read_matrix(reader, at, "velocity_gradient", body->velocity_gradient));
    TRY(read_array(reader, at, body));
    TRY(read_pins(reader, at, body));
    TRY(read_loads(reader, at, scene, body));
    return read_look(reader, at, &body->look);
}

VelaResult read_bodies(const Reader *reader, const Place *root, SceneDef *scene)
{
    int count, i = 0;
    const Place bodies = place_member(root, "bodies");
    TRY(check_list(reader, &bodies, 1, MOST_BODIES, "bodies", &count));
    TRY(ARENA_ARRAY(reader->arena, scene->bodies, count));
    for (const cJSON *item = bodies.value->child; item; item = item->next, ++i) {
        const Place at = place_item(&bodies, i, item);
        TRY(read_body(reader, &at, scene, &scene->bodies[i]));
        for (int32_t other = 0; other < i; ++other)
            if (strcmp(scene->bodies[other].name, scene->bodies[i].name) == 0)
                return fail_taken(reader, &at, "bodies", other, scene->bodies[i].name);
        scene->body_count = i + 1;
    }
    return VELA_OK;
}

static VelaResult read_plane(const Reader *reader, const Place *at, ObstacleDef *obstacle)
{
    TRY(check_object(reader, at, &KEYS_PLANE));
    TRY(read_vector(reader, at, "point", REQUIRED, ANY_NUMBER, obstacle->point));
    return read_direction(reader, at, "normal", REQUIRED, obstacle->normal);
}

static VelaResult read_sphere(const Reader *reader, const Place *at, ObstacleDef *obstacle)
{
    TRY(check_object(reader, at, &KEYS_SPHERE));
    TRY(read_vector(reader, at, "center", REQUIRED, ANY_NUMBER, obstacle->center));
    return read_number(reader, at, "radius", REQUIRED, POSITIVE, &obstacle->radius);
}

/// What the obstacle is: exactly one of `plane`, `sphere`, `mesh`; only a mesh is placed by scale, rotate, translate.
static VelaResult read_obstacle_shape(const Reader *reader, const Place *at, ObstacleDef *obstacle)
{
    static const char *const kinds[] = {
        [OBSTACLE_PLANE] = "plane", [OBSTACLE_SPHERE] = "sphere", [OBSTACLE_MESH] = "mesh"};
    static const char *const transforms[] = {"scale", "rotate", "translate"};
    int found = 0;
    for (int kind = 0; kind < 3; ++kind)
        if (place_member(at, kinds[kind]).value) {
            obstacle->kind = (ObstacleKind)kind;
            ++found;
        }
    if (found != 1)
        return place_fail(reader, at, "found %s, expected exactly one of: plane, sphere, mesh",
                          found == 0   ? "no shape"
                          : found == 2 ? "two shapes"
                                       : "three shapes");
    const Place shape = place_member(at, kinds[obstacle->kind]);
    obstacle->mesh = "";
    obstacle->scale = 1;
    obstacle->rotate_axis[1] = 1;
    for (int i = 0; i < 3 && obstacle->kind != OBSTACLE_MESH; ++i) {
        const Place transform = place_member(at, transforms[i]);
        if (transform.value)
            return place_fail(reader, &transform, "found with \"%s\", expected only with \"mesh\"",
                              shape.key);
    }
    if (obstacle->kind == OBSTACLE_PLANE)
        return read_plane(reader, &shape, obstacle);
    if (obstacle->kind == OBSTACLE_SPHERE)
        return read_sphere(reader, &shape, obstacle);
    TRY(mesh_path_at(reader, &shape, &obstacle->mesh));
    TRY(read_number(reader, at, "scale", OPTIONAL, POSITIVE, &obstacle->scale));
    TRY(read_turn(reader, at, &KEYS_ROTATE, obstacle->rotate_axis, &obstacle->rotate_degrees));
    return read_vector(reader, at, "translate", OPTIONAL, ANY_NUMBER, obstacle->translate);
}

static VelaResult read_obstacle(const Reader *reader, const Place *at, ObstacleDef *obstacle)
{
    static const double gray[3] = {0.87, 0.88, 0.895}; // a floor that melts into the background
    TRY(check_object(reader, at, &KEYS_OBSTACLE));
    memcpy(obstacle->look.color, gray, sizeof gray);
    obstacle->look.roughness = 0.8;
    TRY(read_name(reader, at, "obstacle", &obstacle->name));
    TRY(read_obstacle_shape(reader, at, obstacle));
    TRY(read_number(reader, at, "friction", OPTIONAL, NOT_NEGATIVE, &obstacle->friction));
    obstacle->has_friction = place_member(at, "friction").value != NULL;
    TRY(read_motion(reader, at, &obstacle->motion));
    return read_look(reader, at, &obstacle->look);
}

VelaResult read_obstacles(const Reader *reader, const Place *root, SceneDef *scene)
{
    int count, i = 0;
    const Place obstacles = place_member(root, "obstacles");
    if (!obstacles.value)
        return VELA_OK;
    TRY(check_list(reader, &obstacles, 0, MOST_OBSTACLES, "obstacles", &count));
    TRY(ARENA_ARRAY(reader->arena, scene->obstacles, count));
    for (const cJSON *item = obstacles.value->child; item; item = item->next, ++i) {
        const Place at = place_item(&obstacles, i, item);
        TRY(read_obstacle(reader, &at, &scene->obstacles[i]));
        for (int32_t other = 0; other < i; ++other)
            if (strcmp(scene->obstacles[other].name, scene->obstacles[i].name) == 0)
                return fail_taken(reader, &at, "obstacles", other, scene->obstacles[i].name);
        scene->obstacle_count = i + 1;
    }
    return VELA_OK;
}
