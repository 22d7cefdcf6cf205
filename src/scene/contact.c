// contact, and the friction of a pair
#include "scene/sections.h"

#include "scene/suggest.h"

#include <math.h>
#include <string.h>

enum { MOST_FRICTION_ITERATIONS = 100, MOST_PAIRS = 1000 };

// ---------------------------------------------------------------- friction of a pair

/// One side of a contact: a body, or an obstacle with `body` -1.
typedef struct Side {
    int32_t body, obstacle;
} Side;

/// How well a name fits: 0 not at all, 1 as the body's material, 2 as the name of the body or obstacle itself.
static int name_fits(const SceneDef *scene, const char *name, Side side)
{
    if (side.body < 0)
        return strcmp(name, scene->obstacles[side.obstacle].name) == 0 ? 2 : 0;
    const BodyDef *body = &scene->bodies[side.body];
    if (strcmp(name, body->name) == 0)
        return 2;
    return strcmp(name, scene->materials[body->material].name) == 0 ? 1 : 0;
}

/// 0 if the pair does not name both sides, else the more the better it fits.
static int pair_fits(const SceneDef *scene, const FrictionPairDef *pair, Side a, Side b)
{
    int best = 0;
    for (int turned = 0; turned < 2; ++turned) {
        const int first = name_fits(scene, pair->names[turned], a);
        const int second = name_fits(scene, pair->names[!turned], b);
        if (first > 0 && second > 0 && first + second > best)
            best = first + second;
    }
    return best;
}

double scene_friction(const SceneDef *scene, int32_t body_a, int32_t body_b, int32_t obstacle)
{
    const Side a = {.body = body_a, .obstacle = -1}, b = {.body = body_b, .obstacle = obstacle};
    const FrictionPairDef *best = NULL;
    int best_fit = 0;
    for (int32_t i = 0; i < scene->contact.pair_count; ++i) {
        const int fit = pair_fits(scene, &scene->contact.pairs[i], a, b);
        if (scene->contact.pairs[i].has_friction && fit > 0 && fit >= best_fit) {
            best = &scene->contact.pairs[i];
            best_fit = fit;
        }
    }
    if (best)
        return best->friction;
    if (body_b < 0 && scene->obstacles[obstacle].has_friction)
        return scene->obstacles[obstacle].friction;
    const MaterialDef *first = &scene->materials[scene->bodies[body_a].material];
    const MaterialDef *second = body_b < 0 ? first : &scene->materials[scene->bodies[body_b].material];
    if (first->has_friction || second->has_friction)
        return fmax(first->friction, second->friction); // 0 where not given
    return scene->contact.friction;
}

bool scene_may_touch(const SceneDef *scene, int32_t body_a, int32_t body_b, int32_t obstacle)
{
    const Side a = {.body = body_a, .obstacle = -1}, b = {.body = body_b, .obstacle = obstacle};
    for (int32_t i = 0; i < scene->contact.pair_count; ++i)
        if (scene->contact.pairs[i].no_contact && pair_fits(scene, &scene->contact.pairs[i], a, b) > 0)
            return false;
    return true;
}

// ---------------------------------------------------------------- reading

/// Names that stand for something in contact.
typedef struct ContactNames {
    const char **all; ///< bodies, materials, then obstacles; NULL-terminated
    int32_t count;
    int32_t obstacle_start; ///< in `all`
} ContactNames;

static VelaResult list_contact_names(const Reader *reader, const SceneDef *scene, ContactNames *names)
{
    int32_t n = 0;
    names->count = scene->body_count + scene->material_count + scene->obstacle_count;
    names->obstacle_start = scene->body_count + scene->material_count;
    TRY(ARENA_ARRAY(reader->arena, names->all, names->count + 1));
    for (int32_t i = 0; i < scene->body_count; ++i)
        names->all[n++] = scene->bodies[i].name;
    for (int32_t i = 0; i < scene->material_count; ++i)
        names->all[n++] = scene->materials[i].name;
    for (int32_t i = 0; i < scene->obstacle_count; ++i)
        names->all[n++] = scene->obstacles[i].name;
    return VELA_OK;
}

/// One of the two names of a pair; `*only_obstacle`: no body and no material is called so.
static VelaResult contact_name_at(const Reader *reader, const Place *at, const ContactNames *names,
                                  const char **out, bool *only_obstacle)
{
    TRY(string_at(reader, at, out));
    for (int32_t i = 0; i < names->count; ++i)
        if (strcmp(names->all[i], *out) == 0) {
            *only_obstacle = i >= names->obstacle_start;
            return VELA_OK;
        }
    const char *near = suggest_name(*out, names->all);
    if (near)
        return place_fail(
            reader, at, "there is no body, material or obstacle \"%.64s\"; did you mean \"%s\"?", *out, near);
    return place_fail(reader, at,
                      "there is no body, material or obstacle \"%.64s\", expected the name of one, such as "
                      "\"%.64s\"",
                      *out, names->all[0]);
}

static bool same_names(const FrictionPairDef *a, const FrictionPairDef *b)
{
    return (strcmp(a->names[0], b->names[0]) == 0 && strcmp(a->names[1], b->names[1]) == 0) ||
           (strcmp(a->names[0], b->names[1]) == 0 && strcmp(a->names[1], b->names[0]) == 0);
}

static VelaResult read_pair(const Reader *reader, const Place *at, const ContactNames *names,
                            FrictionPairDef *pair)
{
    int count, i = 0;
    bool only_obstacle[2];
    TRY(check_object(reader, at, &KEYS_PAIR));
    const Place between = place_member(at, "between");
    TRY(check_list(reader, &between, 2, 2, "names", &count));
    for (const cJSON *item = between.value->child; item; item = item->next, ++i) {
        const Place name = place_item(&between, i, item);
        TRY(contact_name_at(reader, &name, names, &pair->names[i], &only_obstacle[i]));
    }
    if (only_obstacle[0] && only_obstacle[1])
        return place_fail(
            reader, &between,
            "found two obstacles, which do not collide, expected at least one body or material");
    bool contact = true;
    TRY(read_flag(reader, at, "contact", OPTIONAL, &contact));
    pair->no_contact = !contact;
    pair->has_friction = place_member(at, "friction").value != NULL;
    return read_number(reader, at, "friction", pair->no_contact ? OPTIONAL : REQUIRED, NOT_NEGATIVE,
                       &pair->friction);
}

static VelaResult read_pairs(const Reader *reader, const Place *contact, const SceneDef *scene,
                             ContactDef *out)
{
    const Place pairs = place_member(contact, "pairs");
    if (!pairs.value)
        return VELA_OK;
    ContactNames names;
    int count, i = 0;
    TRY(check_list(reader, &pairs, 0, MOST_PAIRS, "pairs", &count));
    TRY(ARENA_ARRAY(reader->arena, out->pairs, count));
    TRY(list_contact_names(reader, scene, &names));
    for (const cJSON *item = pairs.value->child; item; item = item->next, ++i) {
        const Place at = place_item(&pairs, i, item);
        TRY(read_pair(reader, &at, &names, &out->pairs[i]));
        for (int other = 0; other < i; ++other)
            if (same_names(&out->pairs[other], &out->pairs[i]))
                return place_fail(reader, &at, "found the same two names as in pairs[%d], expected others",
                                  other);
        out->pair_count = i + 1;
    }
    return VELA_OK;
}

static VelaResult read_friction(const Reader *reader, const Place *contact, const SceneDef *scene,
                                ContactDef *out)
{
    out->friction_speed = 1e-3;
    out->friction_iterations = 1;
    TRY(read_number(reader, contact, "friction", OPTIONAL, NOT_NEGATIVE, &out->friction));
    TRY(read_number(reader, contact, "friction_speed", OPTIONAL, POSITIVE, &out->friction_speed));
    TRY(read_integer(reader, contact, "friction_iterations", OPTIONAL, 1, MOST_FRICTION_ITERATIONS,
                     &out->friction_iterations));
    return read_pairs(reader, contact, scene, out);
}

static VelaResult read_barrier(const Reader *reader, const Place *contact, const SceneDef *scene,
                               ContactDef *out)
{
    int friction_model = FRICTION_LAGGED;
    out->self = true;
    if (scene->solver.type != SOLVER_NEWTON && !scene_is_explicit(scene)) {
        const Place model = place_member(contact, "model");
        const bool compliant = scene->solver.type == SOLVER_COMPLIANT;
        return place_fail(
            reader, &model,
            "found \"barrier\" with solver \"%s\", expected \"solver\": {\"type\": \"newton\"}%s",
            WORDS_SOLVER.known[scene->solver.type],
            compliant ? " and a compliance above 0, such as 1e-6, in every constraint" : "");
    }
    TRY(read_number(reader, contact, "distance", REQUIRED, POSITIVE, &out->distance));
    TRY(read_number(reader, contact, "stiffness", OPTIONAL, POSITIVE, &out->stiffness));
    TRY(read_flag(reader, contact, "self", OPTIONAL, &out->self));
    TRY(read_word(reader, contact, "friction_model", OPTIONAL, &WORDS_FRICTION_MODEL, &friction_model));
    out->friction_model = (FrictionModel)friction_model;
    TRY(read_number(reader, contact, "clearance", OPTIONAL, NOT_NEGATIVE, &out->clearance));
    return VELA_OK;
}

// ADMM splits off the places of single nodes before planes; the vertices of a skin are sums of several.
static VelaResult check_penalty_skins(const Reader *reader, const Place *root, const SceneDef *scene)
{
    const Place bodies = place_member(root, "bodies");
    for (int32_t b = 0; b < scene->body_count; ++b) {
        if (!scene->bodies[b].skin.contact || scene->solver.type != SOLVER_ADMM || scene_is_explicit(scene))
            continue;
        const Place body = place_item(&bodies, b, cJSON_GetArrayItem(bodies.value, b));
        const Place skin = place_member(&body, "skin"), at = place_member(&skin, "contact");
        return place_fail(reader, &at,
                          "found true with solver \"admm\" and penalty contact, expected false, or "
                          "\"solver\": {\"type\": \"newton\"}");
    }
    return VELA_OK;
}

static VelaResult read_penalty(const Reader *reader, const Place *root, const Place *contact,
                               const SceneDef *scene, ContactDef *out)
{
    const Place obstacles = place_member(root, "obstacles");
    for (int32_t i = 0; i < scene->obstacle_count; ++i) {
        const ObstacleKind kind = scene->obstacles[i].kind;
        if (kind != OBSTACLE_MESH)
            continue;
        const Place obstacle = place_item(&obstacles, i, cJSON_GetArrayItem(obstacles.value, i));
        const Place shape = place_member(&obstacle, "mesh");
        return place_fail(
            reader, &shape,
            "penalty contact knows planes and spheres only, expected \"plane\" or \"sphere\", or "
            "contact model \"barrier\"");
    }
    TRY(check_penalty_skins(reader, root, scene));
    return read_number(reader, contact, "stiffness", REQUIRED, POSITIVE, &out->stiffness);
}

VelaResult read_contact(const Reader *reader, const Place *root, SceneDef *scene)
{
    enum { PENALTY, BARRIER }; // of WORDS_CONTACT
    static const OwnedKey keys[] = {
        {"distance", BARRIER},
        {"self", BARRIER},
        {"friction_model", BARRIER},
        {"clearance", BARRIER},
    };
    scene->contact = (ContactDef){.model = CONTACT_NONE, .clearance = -1};
    const Place contact = place_member(root, "contact");
    if (!contact.value)
        return VELA_OK;
    int model;
    TRY(check_object(reader, &contact, &KEYS_CONTACT));
    TRY(read_word(reader, &contact, "model", REQUIRED, &WORDS_CONTACT, &model));
    TRY(check_owned_keys(reader, &contact, keys, sizeof keys / sizeof keys[0], "model", &WORDS_CONTACT,
                         model));
    ContactDef *out = &scene->contact;
    out->model = model == BARRIER ? CONTACT_BARRIER : CONTACT_PENALTY;
    TRY(model == BARRIER ? read_barrier(reader, &contact, scene, out)
                         : read_penalty(reader, root, &contact, scene, out));
    return read_friction(reader, &contact, scene, out);
}
