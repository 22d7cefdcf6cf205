#include "physics/energy/energy.h"
#include "scene/sections.h"

#include <stdio.h>
#include <string.h>

enum { MOST_MATERIALS = 1000, MOST_DAMPING = 16, MOST_POINTS = 1000 };

/// What the model's lambda is above Lame's at rest, Pa.
static double lambda_offset(const MaterialDef *material)
{
    return material->model == ENERGY_STABLE_NEO_HOOKEAN ? material->kappa : 0;
}

/// Model parameters that match the small-strain response of Young's modulus and Poisson's ratio (theory.md
/// section 3).
static void convert_moduli(MaterialDef *material)
{
    const double e = material->youngs_modulus, nu = material->given_ratio;
    const double mu = e / (2 * (1 + nu)); // Lame
    material->kappa = mu;
    switch (material->model) {
    case ENERGY_ARAP:
        material->kappa = 2 * mu;
        break;
    case ENERGY_SYMMETRIC_DIRICHLET:
        material->kappa = mu / 2;
        break;
    default:
        break;
    }
    if (energy_has_lambda(material->model)) {
        material->lambda = e * nu / ((1 + nu) * (1 - 2 * nu)) + lambda_offset(material);
        material->poissons_ratio = nu;
    }
}

static VelaResult read_moduli(const Reader *reader, const Place *at, MaterialDef *material)
{
    // Negative ratios make Lame's lambda negative, and some energies then fall below that at rest, or without bound.
    const bool from_zero = energy_has_lambda(material->model);
    char words[96] = "a number above -1 and below 0.5";
    if (from_zero)
        snprintf(words, sizeof words, "a number from 0 to below 0.5 (for %s)",
                 WORDS_MODEL.known[material->model]);
    const Range ratio = {from_zero ? 0 : -0.9999999, 0.4999999, words};
    TRY(read_number(reader, at, "youngs_modulus", REQUIRED, POSITIVE, &material->youngs_modulus));
    TRY(read_number(reader, at, "poissons_ratio", REQUIRED, ratio, &material->given_ratio));
    convert_moduli(material);
    return VELA_OK;
}

static VelaResult read_raw_stiffness(const Reader *reader, const Place *at, MaterialDef *material)
{
    TRY(read_number(reader, at, "kappa", REQUIRED, POSITIVE, &material->kappa));
    TRY(read_number(reader, at, "lambda", OPTIONAL, NOT_NEGATIVE, &material->lambda));
    const Place place = place_member(at, "lambda");
    if (!energy_has_lambda(material->model)) {
        if (material->lambda > 0)
            return place_fail(reader, &place, "found %.15g, expected 0 or nothing: \"%s\" has no lambda",
                              material->lambda, WORDS_MODEL.known[material->model]);
        return VELA_OK;
    }
    const double lame = material->lambda - lambda_offset(material);
    if (lame < 0)
        return place_fail(reader, &place, "found %.15g, expected at least kappa (for %s)", material->lambda,
                          WORDS_MODEL.known[material->model]);
    material->poissons_ratio = lame / (2 * (lame + material->kappa));
    return VELA_OK;
}

static VelaResult read_points(const Reader *reader, const Place *entry, Spline *spline)
{
    const Place list = place_member(entry, "points");
    TRY(check_list(reader, &list, 1, MOST_POINTS, "points [principal stretch, factor]", &spline->count));
    TRY(ARENA_ARRAY(reader->arena, spline->points, spline->count));
    int32_t p = 0;
    for (const cJSON *item = list.value->child; item; item = item->next, ++p) {
        const Place at = place_item(&list, p, item);
        int count;
        TRY(check_list(reader, &at, 2, 2, "numbers [principal stretch, factor]", &count));
        const Place stretch = place_item(&at, 0, item->child), factor = place_item(&at, 1, item->child->next);
        TRY(number_at(reader, &stretch, NOT_NEGATIVE, &spline->points[p][0]));
        TRY(number_at(reader, &factor, NOT_NEGATIVE, &spline->points[p][1]));
        if (p > 0 && !(spline->points[p][0] > spline->points[p - 1][0]))
            return place_fail(reader, &stretch,
                              "found %.15g, expected more than the %.15g of the point before",
                              spline->points[p][0], spline->points[p - 1][0]);
    }
    spline_set_slopes(spline);
    return VELA_OK;
}

static VelaResult read_damping_entry(const Reader *reader, const Place *at, Damping *entry)
{
    static const OwnedKey keys[] = {{"shear", DAMPING_STRAIN_RATE},  {"bulk", DAMPING_STRAIN_RATE},
                                    {"mass", DAMPING_RAYLEIGH},      {"coefficient", DAMPING_POWER_LAW},
                                    {"exponent", DAMPING_POWER_LAW}, {"points", DAMPING_SPLINE}};
    int type = 0, correction = CORRECTION_NONE, form = FORM_LAGGED;
    if (cJSON_IsObject(at->value))
        TRY(read_word(reader, at, "type", REQUIRED, &WORDS_DAMPING, &type));
    TRY(check_object(reader, at, &KEYS_DAMPING));
    TRY(read_word(reader, at, "correction", OPTIONAL, &WORDS_CORRECTION, &correction));
    TRY(read_word(reader, at, "form", OPTIONAL, &WORDS_FORM, &form));
    entry->correction = correction;
    entry->form = form;
    TRY(check_owned_keys(reader, at, keys, sizeof keys / sizeof keys[0], "type", &WORDS_DAMPING, type));
    entry->type = type;
    const Place time = place_member(at, "time");
    if (type == DAMPING_POWER_LAW) {
        if (time.value)
            return place_fail(reader, &time,
                              "\"power_law\" has no time, expected \"coefficient\" and \"exponent\"");
        TRY(read_number(reader, at, "coefficient", REQUIRED, NOT_NEGATIVE, &entry->coefficient));
        return read_number(reader, at, "exponent", REQUIRED, (Range){0, 100, "a number from 0 to 100"},
                           &entry->exponent);
    }
    if (type == DAMPING_STRAIN_RATE) {
        if (time.value)
            return place_fail(reader, &time, "\"strain_rate\" has no time, expected \"shear\" and \"bulk\"");
        TRY(read_number(reader, at, "shear", REQUIRED, NOT_NEGATIVE, &entry->shear));
        return read_number(reader, at, "bulk", OPTIONAL, NOT_NEGATIVE, &entry->bulk);
    }
    TRY(read_number(reader, at, "time", type == DAMPING_RAYLEIGH ? OPTIONAL : REQUIRED, NOT_NEGATIVE,
                    &entry->time));
    TRY(read_number(reader, at, "mass", OPTIONAL, NOT_NEGATIVE, &entry->mass));
    return type == DAMPING_SPLINE ? read_points(reader, at, &entry->factor) : VELA_OK;
}

// The impulse of the alpha family's own damping, which knows no other integrator, no form and no correction.
static VelaResult check_variational(const Reader *reader, const Place *at, const SceneDef *scene,
                                    const Damping *entry)
{
    static const char *const foreign[] = {"correction", "form"};
    const Place type = place_member(at, "type");
    if (entry->type != DAMPING_VARIATIONAL)
        return VELA_OK;
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; ++k) {
        const Place key = place_member(at, foreign[k]);
        if (key.value)
            return place_fail(reader, &key, "\"variational\" has no %s, expected \"time\" alone", foreign[k]);
    }
    if (scene->integrator != INTEGRATOR_VARIATIONAL)
        return place_fail(reader, &type,
                          "found \"variational\", expected it with integrator \"variational\" only");
    return VELA_OK;
}

static VelaResult read_damping(const Reader *reader, const Place *material, const SceneDef *scene,
                               DampingList *damping)
{
    const Place list = place_member(material, "damping");
    if (!list.value)
        return VELA_OK;
    TRY(check_list(reader, &list, 0, MOST_DAMPING, "damping models", &damping->count));
    TRY(ARENA_ARRAY(reader->arena, damping->entries, damping->count));
    int32_t i = 0;
    for (const cJSON *item = list.value->child; item; item = item->next, ++i) {
        const Place at = place_item(&list, i, item);
        TRY(read_damping_entry(reader, &at, &damping->entries[i]));
        TRY(check_variational(reader, &at, scene, &damping->entries[i]));
    }
    return VELA_OK;
}

static VelaResult read_material(const Reader *reader, const Place *at, const SceneDef *scene,
                                MaterialDef *material)
{
    int model = 0;
    if (cJSON_IsObject(at->value))
        TRY(read_word(reader, at, "model", REQUIRED, &WORDS_MODEL, &model));
    TRY(check_object(reader, at, &KEYS_MATERIAL));
    material->model = model;
    TRY(read_number(reader, at, "density", REQUIRED, POSITIVE, &material->density));
    const Place kappa = place_member(at, "kappa"), lambda = place_member(at, "lambda");
    const Place young = place_member(at, "youngs_modulus"), ratio = place_member(at, "poissons_ratio");
    const bool raw = kappa.value || lambda.value, moduli = young.value || ratio.value;
    if (raw == moduli)
        return place_fail(reader, at,
                          "%s, expected either kappa (and lambda) or youngs_modulus and poissons_ratio",
                          raw ? "found stiffness in two forms" : "no stiffness");
    TRY(raw ? read_raw_stiffness(reader, at, material) : read_moduli(reader, at, material));
    TRY(read_number(reader, at, "friction", OPTIONAL, NOT_NEGATIVE, &material->friction));
    material->has_friction = place_member(at, "friction").value != NULL;
    TRY(read_damping(reader, at, scene, &material->damping));
    return read_flag(reader, at, "prevent_inversion", OPTIONAL, &material->prevent_inversion);
}

VelaResult read_materials(const Reader *reader, const Place *root, SceneDef *scene)
{
    const Place materials = place_member(root, "materials");
    const int count = cJSON_IsObject(materials.value) ? cJSON_GetArraySize(materials.value) : 0;
    if (count < 1 || count > MOST_MATERIALS)
        return place_expected(reader, &materials, "an object of 1 to 1000 named materials");
    TRY(ARENA_ARRAY(reader->arena, scene->materials, count));
    for (const cJSON *member = materials.value->child; member; member = member->next) {
        const Place at = {.parent = &materials, .key = member->string, .value = member};
        MaterialDef *material = &scene->materials[scene->material_count];
        char *name;
        TRY(arena_string(reader->arena, member->string, strlen(member->string), &name));
        material->name = name;
        TRY(read_material(reader, &at, scene, material));
        ++scene->material_count;
    }
    return VELA_OK;
}
