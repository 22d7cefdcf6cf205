// what goes with a body's type
#include "abi/energy_model.h"
#include "scene/sections.h"

#include <string.h>

enum { MOST_POINT_MASSES = 1000 };

static VelaResult check_keys(const Reader *reader, const Place *body, BodyType type)
{
    enum {
        SOLID = 1 << BODY_SOLID,
        CABLE = 1 << BODY_CABLE,
        AFFINE = 1 << BODY_AFFINE,
        SHELL = 1 << BODY_SHELL
    };
    static const struct {
        const char *key;
        unsigned types;
    } keys[] = {
        {"radius", CABLE},
        {"bending_modulus", CABLE | SHELL},
        {"rest_scale", CABLE | SHELL},
        {"thickness", SHELL},
        {"bending", SHELL},
        {"stiffness", AFFINE},
        {"regions", SOLID},
        {"twist", SOLID},
        {"point_masses", SOLID | CABLE | SHELL},
        {"skin", SOLID | AFFINE},
        {"formulation", SOLID | CABLE | SHELL},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        TRY(check_key_types(reader, body, keys[i].key, keys[i].types, "type", &WORDS_BODY, (int)type));
    return VELA_OK;
}

static VelaResult check_geometry(const Reader *reader, const Place *body, const BodyDef *def)
{
    const GeometryKind kind = def->geometry.kind;
    const bool surface = kind == GEOMETRY_SHEET || kind == GEOMETRY_DISK;
    if (def->type == BODY_SHELL   ? surface || kind == GEOMETRY_MESH
        : def->type == BODY_CABLE ? kind == GEOMETRY_CABLE
                                  : kind != GEOMETRY_CABLE && !surface)
        return VELA_OK;
    const Place at = place_member(body, "geometry");
    return place_fail(reader, &at, "found \"%s\" with type \"%s\", expected %s", KEYS_GEOMETRY.known[kind],
                      WORDS_BODY.known[def->type],
                      def->type == BODY_CABLE   ? "\"cable\""
                      : def->type == BODY_SHELL ? "\"sheet\", \"disk\" or \"mesh\""
                      : surface                 ? "another, or type \"shell\""
                                                : "another, or type \"cable\"");
}

static VelaResult read_point_masses(const Reader *reader, const Place *body, BodyDef *out)
{
    const Place masses = place_member(body, "point_masses");
    if (!masses.value)
        return VELA_OK;
    int i = 0;
    TRY(check_list(reader, &masses, 0, MOST_POINT_MASSES, "point masses", &out->point_mass_count));
    TRY(ARENA_ARRAY(reader->arena, out->point_masses, out->point_mass_count));
    for (const cJSON *item = masses.value->child; item; item = item->next, ++i) {
        const Place at = place_item(&masses, i, item);
        TRY(check_object(reader, &at, &KEYS_POINT_MASS));
        TRY(read_select(reader, &at, &out->point_masses[i].select));
        TRY(read_number(reader, &at, "mass", REQUIRED, NOT_NEGATIVE, &out->point_masses[i].mass));
    }
    return VELA_OK;
}

static VelaResult read_cable_keys(const Reader *reader, const Place *body, const SceneDef *scene,
                                  BodyDef *out)
{
    const MaterialDef *material = &scene->materials[out->material];
    TRY(read_number(reader, body, "radius", REQUIRED, POSITIVE, &out->radius));
    TRY(read_number(reader, body, "bending_modulus", OPTIONAL, NOT_NEGATIVE, &out->bending_modulus));
    TRY(read_number(reader, body, "rest_scale", OPTIONAL, POSITIVE, &out->rest_scale[0]));
    out->contact_thickness = 2 * out->radius;
    const Place at = place_member(body, "material");
    if (material->youngs_modulus == 0)
        return place_fail(
            reader, &at,
            "\"%.64s\" gives its stiffness as kappa, expected youngs_modulus and poissons_ratio: "
            "a cable takes Young's modulus",
            material->name);
    return VELA_OK;
}

// A number, or two: along x and along z of a sheet or disk.
static VelaResult read_rest_scale(const Reader *reader, const Place *body, BodyDef *out)
{
    const Place at = place_member(body, "rest_scale");
    int count, i = 0;
    if (!cJSON_IsArray(at.value)) {
        TRY(read_number(reader, body, "rest_scale", OPTIONAL, POSITIVE, &out->rest_scale[0]));
        out->rest_scale[1] = out->rest_scale[0];
        return VELA_OK;
    }
    if (out->geometry.kind == GEOMETRY_MESH)
        return place_fail(reader, &at,
                          "found a list with \"mesh\", expected one number: only a sheet and a disk lie "
                          "along x and z");
    TRY(check_list(reader, &at, 2, 2, "numbers, along x and along z", &count));
    for (const cJSON *item = at.value->child; item; item = item->next, ++i) {
        const Place number = place_item(&at, i, item);
        TRY(number_at(reader, &number, POSITIVE, &out->rest_scale[i]));
    }
    return VELA_OK;
}

// E, or what matches kappa and lambda at rest.
static double youngs_modulus(const MaterialDef *material)
{
    return material->youngs_modulus > 0 ? material->youngs_modulus
                                        : 2 * material->kappa * (1 + material->poissons_ratio);
}

static VelaResult read_shell_keys(const Reader *reader, const Place *body, const SceneDef *scene,
                                  BodyDef *out)
{
    const MaterialDef *material = &scene->materials[out->material];
    const Place given = place_member(body, "material"), bending_at = place_member(body, "bending");
    int bending = BENDING_DISCRETE_SHELLS;
    if (material->model != ENERGY_STVK && material->model != ENERGY_NEO_HOOKEAN)
        return place_fail(reader, &given, "\"%.64s\" is %s, expected stvk or neo_hookean for a shell",
                          material->name, WORDS_MODEL.known[material->model]);
    TRY(read_number(reader, body, "thickness", REQUIRED, POSITIVE, &out->thickness));
    TRY(read_word(reader, body, "bending", OPTIONAL, &WORDS_BENDING, &bending));
    out->bending = (BendingModel)bending;
    out->bending_ratio = material->poissons_ratio;
    out->bending_modulus = youngs_modulus(material);
    TRY(read_number(reader, body, "bending_modulus", OPTIONAL, NOT_NEGATIVE, &out->bending_modulus));
    TRY(read_rest_scale(reader, body, out));
    out->contact_thickness = out->thickness;
    if (out->bending == BENDING_DISCRETE_SHELLS && out->bending_modulus > 0 &&
        scene->solver.type == SOLVER_ADMM && !scene_is_explicit(scene))
        return place_fail(
            reader, bending_at.value ? &bending_at : body,
            "bending \"discrete_shells\"%s with solver \"admm\", expected \"quadratic\", \"plate\" or \"none\", or "
            "\"solver\": {\"type\": \"newton\"}",
            bending_at.value ? "" : " (the default)");
    return VELA_OK;
}

static VelaResult read_skin(const Reader *reader, const Place *body, SkinDef *skin)
{
    const Place at = place_member(body, "skin");
    if (!at.value)
        return VELA_OK;
    TRY(check_object(reader, &at, &KEYS_SKIN));
    const Place mesh = place_member(&at, "mesh");
    TRY(mesh_path_at(reader, &mesh, &skin->mesh));
    return read_flag(reader, &at, "contact", OPTIONAL, &skin->contact);
}

// What a body's material is damped by goes with its type.
static VelaResult check_damping(const Reader *reader, const Place *body, const SceneDef *scene,
                                const BodyDef *out)
{
    const MaterialDef *material = &scene->materials[out->material];
    const Place at = place_member(body, "material");
    if (out->type == BODY_AFFINE && material->damping.count > 0)
        return place_fail(reader, &at,
                          "\"%.64s\" has damping, expected a material without: affine bodies have none",
                          material->name);
    for (int32_t i = 0; i < material->damping.count; ++i)
        if (out->type != BODY_SOLID &&
            material->damping.entries[i].correction == CORRECTION_VELOCITY_GRADIENT)
            return place_fail(
                reader, &at,
                "damping %d of \"%.64s\" has the correction \"velocity_gradient\", expected it in "
                "materials of solids only",
                i, material->name);
    return VELA_OK;
}

VelaResult read_formulation(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out)
{
    enum { FORCE, CONSTRAINT }; // of WORDS_FORMULATION
    const Place material = place_member(body, "material"), regions = place_member(body, "regions");
    int formulation = FORCE;
    TRY(read_word(reader, body, "formulation", OPTIONAL, &WORDS_FORMULATION, &formulation));
    out->in_constraint_form = formulation == CONSTRAINT;
    if (!out->in_constraint_form || out->type == BODY_CABLE)
        return VELA_OK;
    for (int32_t r = -1; r < out->region_count; ++r) {
        const MaterialDef *given = &scene->materials[r < 0 ? out->material : out->regions[r].material];
        if (given->model == ENERGY_STVK)
            continue;
        const Place region = r < 0 ? *body : place_item(&regions, r, cJSON_GetArrayItem(regions.value, r));
        const Place at = r < 0 ? material : place_member(&region, "material");
        return place_fail(reader, &at,
                          "\"%.64s\" is %s, expected stvk with formulation \"constraint\", or formulation "
                          "\"force\"",
                          given->name, WORDS_MODEL.known[given->model]);
    }
    return VELA_OK;
}

VelaResult read_type_keys(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out)
{
    TRY(check_keys(reader, body, out->type));
    TRY(check_geometry(reader, body, out));
    TRY(check_damping(reader, body, scene, out));
    out->rest_scale[0] = out->rest_scale[1] = 1;
    if (out->type == BODY_CABLE)
        TRY(read_cable_keys(reader, body, scene, out));
    if (out->type == BODY_SHELL)
        TRY(read_shell_keys(reader, body, scene, out));
    if (out->type == BODY_AFFINE) {
        const Place type = place_member(body, "type");
        if (scene->solver.type == SOLVER_ADMM && !scene_is_explicit(scene))
            return place_fail(
                reader, &type,
                "found \"affine\" with solver \"admm\", expected \"solver\": {\"type\": \"newton\"}");
        out->stiffness = 1e8;
        TRY(read_number(reader, body, "stiffness", OPTIONAL, POSITIVE, &out->stiffness));
    }
    TRY(read_number(reader, body, "contact_thickness", OPTIONAL, NOT_NEGATIVE, &out->contact_thickness));
    TRY(read_skin(reader, body, &out->skin));
    return read_point_masses(reader, body, out);
}
