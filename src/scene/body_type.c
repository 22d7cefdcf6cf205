// what goes with a body's type
#include "scene/sections.h"

#include <string.h>

enum { MOST_POINT_MASSES = 1000 };

// The key stands only where the body is of one of the types (bits).
static VelaResult check_key(const Reader *reader, const Place *body, const char *key, unsigned types,
                            BodyType type)
{
    const Place at = place_member(body, key);
    if (!at.value || types >> type & 1)
        return VELA_OK;
    char words[96] = "";
    for (unsigned t = 0; t <= BODY_AFFINE; ++t)
        if (types >> t & 1) {
            strcat(words, *words ? " or \"" : "\"");
            strcat(words, WORDS_BODY.known[t]);
            strcat(words, "\"");
        }
    return place_fail(reader, &at, "found with type \"%s\", expected only with %s", WORDS_BODY.known[type],
                      words);
}

static VelaResult check_keys(const Reader *reader, const Place *body, BodyType type)
{
    enum { SOLID = 1 << BODY_SOLID, CABLE = 1 << BODY_CABLE, AFFINE = 1 << BODY_AFFINE };
    static const struct {
        const char *key;
        unsigned types;
    } keys[] = {
        {"radius", CABLE},
        {"bending_modulus", CABLE},
        {"rest_scale", CABLE},
        {"stiffness", AFFINE},
        {"regions", SOLID},
        {"twist", SOLID},
        {"point_masses", SOLID | CABLE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        TRY(check_key(reader, body, keys[i].key, keys[i].types, type));
    return VELA_OK;
}

static VelaResult check_geometry(const Reader *reader, const Place *body, const BodyDef *def)
{
    if ((def->type == BODY_CABLE) == (def->geometry.kind == GEOMETRY_CABLE))
        return VELA_OK;
    const Place at = place_member(body, "geometry");
    return place_fail(reader, &at, "found \"%s\" with type \"%s\", expected %s",
                      KEYS_GEOMETRY.known[def->geometry.kind], WORDS_BODY.known[def->type],
                      def->type == BODY_CABLE ? "\"cable\"" : "another, or type \"cable\"");
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
    out->rest_scale = 1;
    TRY(read_number(reader, body, "rest_scale", OPTIONAL, POSITIVE, &out->rest_scale));
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

VelaResult read_type_keys(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out)
{
    TRY(check_keys(reader, body, out->type));
    TRY(check_geometry(reader, body, out));
    if (out->type == BODY_CABLE)
        TRY(read_cable_keys(reader, body, scene, out));
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
    return read_point_masses(reader, body, out);
}
