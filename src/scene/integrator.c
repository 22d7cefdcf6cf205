// integrator, solver
#include "scene/sections.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 100000000, MOST_KEYFRAMES = 100000, MOST_LAG_ITERATIONS = 1000 };

// ---------------------------------------------------------------- integrator

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

static bool has_colliding_skin(const cJSON *body)
{
    const cJSON *skin = cJSON_IsObject(body) ? cJSON_GetObjectItemCaseSensitive(body, "skin") : NULL;
    return cJSON_IsObject(skin) && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(skin, "contact"));
}

/// Newton's method and BDF2 are the defaults of scenes with barrier contact, an affine body, a skin in contact, or a shell of
/// discrete_shells.
static bool wants_newton(const Place *root)
{
    const Place contact = place_member(root, "contact"), bodies = place_member(root, "bodies");
    if (cJSON_IsObject(contact.value)) {
        const Place model = place_member(&contact, "model");
        if (cJSON_IsString(model.value) && strcmp(model.value->valuestring, "barrier") == 0)
            return true;
    }
    for (const cJSON *body = cJSON_IsArray(bodies.value) ? bodies.value->child : NULL; body;
         body = body->next) {
        const cJSON *type = cJSON_IsObject(body) ? cJSON_GetObjectItemCaseSensitive(body, "type") : NULL;
        if (cJSON_IsString(type) && strcmp(type->valuestring, "affine") == 0)
            return true;
        if (contact.value && has_colliding_skin(body))
            return true;
        const cJSON *bending =
            cJSON_IsObject(body) ? cJSON_GetObjectItemCaseSensitive(body, "bending") : NULL;
        if (cJSON_IsString(type) && strcmp(type->valuestring, "shell") == 0 &&
            (!cJSON_IsString(bending) || strcmp(bending->valuestring, "discrete_shells") == 0))
            return true;
    }
    return false;
}

VelaResult read_integrator(const Reader *reader, const Place *root, SceneDef *scene)
{
    static const OwnedKey keys[] = {
        {"alpha", INTEGRATOR_VARIATIONAL},      {"alpha_min", INTEGRATOR_A_SEARCH},
        {"alpha_max", INTEGRATOR_A_SEARCH},     {"initial_energy", INTEGRATOR_A_SEARCH},
        {"ground_energy", INTEGRATOR_A_SEARCH}, {"decay_time", INTEGRATOR_A_SEARCH},
        {"variant", INTEGRATOR_A_SEARCH},
    };
    int type = wants_newton(root) ? INTEGRATOR_BDF2 : INTEGRATOR_VARIATIONAL;
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

// ---------------------------------------------------------------- solver

static VelaResult read_linear(const Reader *reader, const Place *solver, SolverDef *out)
{
    const Place linear = place_member(solver, "linear");
    if (!linear.value)
        return VELA_OK;
    int preconditioner = PRECONDITIONER_TWO_LEVEL;
    TRY(check_object(reader, &linear, &KEYS_LINEAR));
    TRY(read_number(reader, &linear, "tolerance", OPTIONAL, POSITIVE, &out->linear_tolerance));
    TRY(read_integer(reader, &linear, "max_iterations", OPTIONAL, 1, MOST_ITERATIONS,
                     &out->linear_max_iterations));
    TRY(read_word(reader, &linear, "preconditioner", OPTIONAL, &WORDS_PRECONDITIONER, &preconditioner));
    out->preconditioner = (Preconditioner)preconditioner;
    return VELA_OK;
}

VelaResult read_solver(const Reader *reader, const Place *root, SceneDef *scene)
{
    static const OwnedKey keys[] = {
        {"linear", SOLVER_NEWTON},     {"penalty", SOLVER_ADMM}, {"adapt_penalty", SOLVER_ADMM},
        {"acceleration", SOLVER_ADMM}, {"depth", SOLVER_ADMM},
    };
    static const SolverDef defaults[] = {
        [SOLVER_NEWTON] = {.type = SOLVER_NEWTON,
                           .tolerance = 0.01,
                           .max_iterations = 100,
                           .linear_tolerance = 1e-4,
                           .linear_max_iterations = 2000,
                           .lag_iterations = LAG_ITERATIONS},
        [SOLVER_ADMM] = {.type = SOLVER_ADMM,
                         .tolerance = 1e-5,
                         .max_iterations = 500,
                         .anderson = true,
                         .depth = 5,
                         .lag_iterations = LAG_ITERATIONS},
    };
    SolverDef *out = &scene->solver;
    int type = wants_newton(root) ? SOLVER_NEWTON : SOLVER_ADMM, acceleration = 1;
    *out = defaults[type];
    const Place solver = place_member(root, "solver");
    if (!solver.value)
        return VELA_OK;
    TRY(read_word(reader, &solver, "type", OPTIONAL, &WORDS_SOLVER, &type));
    TRY(check_object(reader, &solver, &KEYS_SOLVER));
    TRY(check_owned_keys(reader, &solver, keys, sizeof keys / sizeof keys[0], "type", &WORDS_SOLVER, type));
    *out = defaults[type];
    TRY(read_number(reader, &solver, "tolerance", OPTIONAL, POSITIVE, &out->tolerance));
    TRY(read_integer(reader, &solver, "max_iterations", OPTIONAL, 1, MOST_ITERATIONS, &out->max_iterations));
    TRY(read_flag(reader, &solver, "strict", OPTIONAL, &out->strict));
    TRY(read_linear(reader, &solver, out));
    TRY(read_integer(reader, &solver, "lag_iterations", OPTIONAL, 1, MOST_LAG_ITERATIONS,
                     &out->lag_iterations));
    TRY(read_number(reader, &solver, "penalty", OPTIONAL, POSITIVE, &out->penalty));
    TRY(read_flag(reader, &solver, "adapt_penalty", OPTIONAL, &out->adapt_penalty));
    TRY(read_word(reader, &solver, "acceleration", OPTIONAL, &WORDS_ACCELERATION, &acceleration));
    TRY(read_integer(reader, &solver, "depth", OPTIONAL, 1, 8, &out->depth));
    out->anderson = out->type == SOLVER_ADMM && acceleration == 1;
    return VELA_OK;
}
