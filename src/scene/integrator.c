// integrator
#include "scene/sections.h"

#include <math.h>

enum { MOST_KEYFRAMES = 100000 };

// A number, or null for no decay.
static VelaResult decay_value_at(const Reader *reader, const Place *at, const char *words, double *value)
{
    *value = INFINITY;
    return cJSON_IsNull(at->value)
               ? VELA_OK
               : number_at(reader, at, (Range){POSITIVE.low, POSITIVE.high, words}, value);
}

static VelaResult read_decay_keyframe(const Reader *reader, const Place *at, DecayDef *keyframe)
{
    TRY(check_object(reader, at, &KEYS_DECAY));
    TRY(read_number(reader, at, "time", REQUIRED, ANY_NUMBER, &keyframe->time));
    const Place value = place_member(at, "value");
    return decay_value_at(reader, &value, "a number above 0 (s), or null for no decay", &keyframe->value);
}

static VelaResult read_decay(const Reader *reader, const Place *integrator, EnergyDef *energy)
{
    const Place at = place_member(integrator, "decay_time");
    if (!at.value)
        return VELA_OK;
    if (!cJSON_IsArray(at.value)) {
        energy->decay_count = 1;
        TRY(ARENA_ARRAY(reader->arena, energy->decay, 1));
        return decay_value_at(reader, &at, "a number above 0 (s), null for no decay, or a list of keyframes",
                              &energy->decay[0].value);
    }
    int i = 0;
    TRY(check_list(reader, &at, 1, MOST_KEYFRAMES, "keyframes", &energy->decay_count));
    TRY(ARENA_ARRAY(reader->arena, energy->decay, energy->decay_count));
    for (const cJSON *item = at.value->child; item; item = item->next, ++i) {
        const Place keyframe = place_item(&at, i, item);
        TRY(read_decay_keyframe(reader, &keyframe, &energy->decay[i]));
        if (i > 0)
            TRY(check_ascending(reader, &keyframe, energy->decay[i - 1].time, energy->decay[i].time));
    }
    return VELA_OK;
}

static VelaResult read_energy_control(const Reader *reader, const Place *integrator, EnergyDef *energy)
{
    int variant = 0;
    TRY(read_number(reader, integrator, "alpha_min", OPTIONAL, ANY_NUMBER, &energy->alpha_min));
    TRY(read_number(reader, integrator, "alpha_max", OPTIONAL, ANY_NUMBER, &energy->alpha_max));
    if (energy->alpha_min > energy->alpha_max)
        return place_fail(reader, integrator,
                          "found alpha_min %.15g above alpha_max %.15g, expected at most that",
                          energy->alpha_min, energy->alpha_max);
    TRY(read_number(reader, integrator, "initial_energy", OPTIONAL, NOT_NEGATIVE, &energy->initial_energy));
    TRY(read_number(reader, integrator, "ground_energy", OPTIONAL, ANY_NUMBER, &energy->ground_energy));
    TRY(read_word(reader, integrator, "variant", OPTIONAL, &WORDS_VARIANT, &variant));
    energy->sparse = variant == 1;
    return read_decay(reader, integrator, energy);
}

static IntegratorType default_integrator(const Place *root)
{
    if (chosen_solver(root) == SOLVER_COMPLIANT)
        return INTEGRATOR_IMPLICIT_EULER;
    return default_solver(root) == SOLVER_ADMM ? INTEGRATOR_VARIATIONAL : INTEGRATOR_BDF2;
}

VelaResult read_integrator(const Reader *reader, const Place *root, SceneDef *scene)
{
    static const OwnedKey keys[] = {
        {"alpha", INTEGRATOR_VARIATIONAL},      {"alpha_min", INTEGRATOR_A_SEARCH},
        {"alpha_max", INTEGRATOR_A_SEARCH},     {"initial_energy", INTEGRATOR_A_SEARCH},
        {"ground_energy", INTEGRATOR_A_SEARCH}, {"decay_time", INTEGRATOR_A_SEARCH},
        {"variant", INTEGRATOR_A_SEARCH},
    };
    int type = (int)default_integrator(root);
    scene->integrator = (IntegratorType)type;
    scene->alpha = 0.5;
    scene->energy = (EnergyDef){.alpha_min = 0, .alpha_max = 1.1, .initial_energy = 1};
    const Place integrator = place_member(root, "integrator");
    if (!integrator.value)
        return VELA_OK;
    // The type first: a type of a later version has keys of its own.
    TRY(read_word(reader, &integrator, "type", OPTIONAL, &WORDS_INTEGRATOR, &type));
    TRY(check_object(reader, &integrator, &KEYS_INTEGRATOR));
    TRY(check_owned_keys(reader, &integrator, keys, sizeof keys / sizeof keys[0], "type", &WORDS_INTEGRATOR,
                         type));
    scene->integrator = (IntegratorType)type;
    TRY(read_number(reader, &integrator, "alpha", OPTIONAL, ZERO_TO_ONE, &scene->alpha));
    return read_energy_control(reader, &integrator, &scene->energy);
}

bool scene_is_explicit(const SceneDef *scene)
{
    return scene->integrator == INTEGRATOR_RK4 ||
           (scene->integrator == INTEGRATOR_VARIATIONAL && (scene->alpha == 0 || scene->alpha == 1));
}
