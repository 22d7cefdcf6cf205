// constraints: what holds points of bodies together
#include "scene/sections.h"

#include "scene/suggest.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONSTRAINTS = 100000, LONGEST_NAME = 200 };

// ---------------------------------------------------------------- names

/// A name and what has it.
typedef struct Named {
    const char *name;
    int32_t index;
} Named;

static int compare_named(const void *a, const void *b)
{
    const Named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_name(const void *name, const void *named)
{
    return strcmp(name, ((const Named *)named)->name);
}

/// The bodies by name, so that scenes of many bodies and constraints are read in no time.
typedef struct BodyNames {
    const SceneDef *scene;
    Named *sorted;
} BodyNames;

static VelaResult sort_bodies(const Reader *reader, const SceneDef *scene, BodyNames *names)
{
    names->scene = scene;
    TRY(ARENA_ARRAY(reader->arena, names->sorted, scene->body_count));
    for (int32_t b = 0; b < scene->body_count; ++b)
        names->sorted[b] = (Named){scene->bodies[b].name, b};
    qsort(names->sorted, (size_t)scene->body_count, sizeof *names->sorted, compare_named);
    return VELA_OK;
}

static const Named *find_body(const BodyNames *names, const char *name)
{
    return bsearch(name, names->sorted, (size_t)names->scene->body_count, sizeof *names->sorted,
                   compare_name);
}

/// The body that the string at `at` names; with `world` that may be -1 for "world".
static VelaResult body_at(const Reader *reader, const Place *at, const BodyNames *names, bool world,
                          int32_t *body)
{
    const char *name, **all;
    const SceneDef *scene = names->scene;
    TRY(string_at(reader, at, &name));
    const Named *found = find_body(names, name);
    if (world && strcmp(name, "world") == 0) {
        *body = -1;
        return found ? place_fail(reader, at,
                                  "\"world\" is the name of bodies[%d] and stands for the world as well, "
                                  "expected another name for that body",
                                  found->index)
                     : VELA_OK;
    }
    if (found) {
        *body = found->index;
        return VELA_OK;
    }
    TRY(ARENA_ARRAY(reader->arena, all, scene->body_count + 2));
    for (int32_t b = 0; b < scene->body_count; ++b)
        all[b] = scene->bodies[b].name;
    all[scene->body_count] = world ? "world" : NULL;
    const char *near = suggest_name(name, all);
    if (near)
        return place_fail(reader, at, "there is no body \"%.64s\"; did you mean \"%s\"?", name, near);
    return place_fail(reader, at, "there is no body \"%.64s\", expected %sthe name of one, such as \"%.64s\"",
                      name, world ? "\"world\" or " : "", all[0]);
}

static VelaResult read_name(const Reader *reader, const Place *at, const char **name)
{
    const Place given = place_member(at, "name");
    *name = "";
    if (!given.value)
        return VELA_OK;
    TRY(string_at(reader, &given, name));
    return strlen(*name) <= LONGEST_NAME
               ? VELA_OK
               : place_fail(reader, &given, "found a name of %zu bytes, expected at most %d", strlen(*name),
                            LONGEST_NAME);
}

static VelaResult check_names(const Reader *reader, const Place *list, const SceneDef *scene)
{
    Named *named;
    int32_t count = 0;
    TRY(ARENA_ARRAY(reader->arena, named, scene->constraint_count));
    for (int32_t i = 0; i < scene->constraint_count; ++i)
        if (scene->constraints[i].name[0])
            named[count++] = (Named){scene->constraints[i].name, i};
    if (count > 0)
        qsort(named, (size_t)count, sizeof *named, compare_named);
    for (int32_t i = 1; i < count; ++i)
        if (strcmp(named[i - 1].name, named[i].name) == 0) {
            const int32_t index = named[i].index;
            const Place constraint = place_item(list, index, cJSON_GetArrayItem(list->value, index));
            const Place at = place_member(&constraint, "name");
            return place_fail(reader, &at,
                              "the name \"%s\" is that of constraints[%d] already, expected another",
                              named[i].name, named[i - 1].index);
        }
    return VELA_OK;
}

// ---------------------------------------------------------------- ends

/// Exactly one of two keys; `*second`: which.
static VelaResult read_choice(const Reader *reader, const Place *at, const char *one, const char *other,
                              bool *second)
{
    const bool has_one = place_member(at, one).value != NULL,
               has_other = place_member(at, other).value != NULL;
    *second = has_other;
    return has_one != has_other ? VELA_OK
                                : place_fail(reader, at, "found %s, expected exactly one of: %s, %s",
                                             has_one ? "both" : "neither", one, other);
}

static VelaResult refuse_beside(const Reader *reader, const Place *at, const char *key, const char *beside,
                                const char *expected)
{
    const Place found = place_member(at, key);
    return found.value
               ? place_fail(reader, &found, "found with \"%s\", expected only with \"%s\"", beside, expected)
               : VELA_OK;
}

static VelaResult read_end(const Reader *reader, const Place *at, const BodyNames *names, ConstraintEnd *end)
{
    bool in_world;
    TRY(check_object(reader, at, &KEYS_END));
    TRY(place_keep_path(reader, at, &end->path));
    TRY(read_choice(reader, at, "body", "point", &in_world));
    if (in_world) {
        end->body = -1;
        TRY(refuse_beside(reader, at, "nearest", "point", "body"));
        TRY(refuse_beside(reader, at, "node", "point", "body"));
        TRY(read_vector(reader, at, "point", REQUIRED, ANY_NUMBER, end->point));
        return read_motion(reader, at, &end->motion);
    }
    const Place body = place_member(at, "body");
    TRY(body_at(reader, &body, names, false, &end->body));
    TRY(refuse_beside(reader, at, "motion", "body", "point"));
    TRY(read_choice(reader, at, "nearest", "node", &end->is_node));
    return end->is_node ? read_integer(reader, at, "node", REQUIRED, 0, INT32_MAX, &end->node)
                        : read_vector(reader, at, "nearest", REQUIRED, ANY_NUMBER, end->point);
}

// Places that are known to be the same one; whether a node and the nearest point are is known with the mesh.
static bool is_same_point(const ConstraintEnd *a, const ConstraintEnd *b)
{
    return a->body == b->body && a->is_node == b->is_node &&
           (a->is_node
                ? a->node == b->node
                : a->point[0] == b->point[0] && a->point[1] == b->point[1] && a->point[2] == b->point[2]);
}

static VelaResult read_ends(const Reader *reader, const Place *at, const BodyNames *names, ConstraintDef *out)
{
    int count, i = 0;
    bool in_world = true;
    const Place between = place_member(at, "between");
    out->end_count = out->type == CONSTRAINT_ANGLE ? 3 : 2;
    TRY(check_list(reader, &between, out->end_count, out->end_count, "ends", &count));
    for (const cJSON *item = between.value->child; item; item = item->next, ++i) {
        const Place end = place_item(&between, i, item);
        TRY(read_end(reader, &end, names, &out->ends[i]));
        in_world &= out->ends[i].body < 0;
        for (int other = 0; other < i; ++other)
            if (is_same_point(&out->ends[other], &out->ends[i]))
                return place_fail(reader, &end, "found the same point as in between[%d], expected another",
                                  other);
    }
    return in_world ? place_fail(reader, &between,
                                 "found points of the world only, expected at least one of a body")
                    : VELA_OK;
}

/// The two bodies of a ball or a hinge.
static VelaResult read_joined(const Reader *reader, const Place *at, const BodyNames *names,
                              ConstraintDef *out)
{
    int count, i = 0;
    const Place between = place_member(at, "between");
    out->end_count = 2;
    TRY(check_list(reader, &between, 2, 2, "names of bodies, or one and \"world\"", &count));
    for (const cJSON *item = between.value->child; item; item = item->next, ++i) {
        const Place end = place_item(&between, i, item);
        TRY(place_keep_path(reader, &end, &out->ends[i].path));
        TRY(body_at(reader, &end, names, true, &out->ends[i].body));
    }
    if (out->ends[0].body != out->ends[1].body)
        return VELA_OK;
    return place_fail(reader, &between, "found %s twice, expected two bodies, or one and \"world\"",
                      out->ends[0].body < 0 ? "\"world\"" : "the same body");
}

// ---------------------------------------------------------------- what a type measures

static VelaResult read_angle(const Reader *reader, const Place *constraint, ConstraintDef *out)
{
    const Place at = place_member(constraint, "angle_degrees");
    static const Range range = {0, 180, "an angle above 0 and below 180 degrees"};
    out->has_angle = at.value != NULL;
    if (!out->has_angle)
        return VELA_OK;
    TRY(number_at(reader, &at, range, &out->angle_degrees));
    return out->angle_degrees > 0 && out->angle_degrees < 180 ? VELA_OK
                                                              : place_expected(reader, &at, range.words);
}

/// Two angles, ascending. Both lie within one turn, so that what is between them does as well.
static VelaResult read_limits(const Reader *reader, const Place *constraint, ConstraintDef *out)
{
    const Place at = place_member(constraint, "limits_degrees");
    static const Range range = {-180, 180, "an angle above -180 and up to 180 degrees"};
    int count, i = 0;
    out->has_limits = at.value != NULL;
    if (!out->has_limits)
        return VELA_OK;
    TRY(check_list(reader, &at, 2, 2, "angles: [low, high]", &count));
    for (const cJSON *item = at.value->child; item; item = item->next, ++i) {
        const Place limit = place_item(&at, i, item);
        TRY(number_at(reader, &limit, range, &out->limits_degrees[i]));
        if (out->limits_degrees[i] == -180)
            return place_expected(reader, &limit, range.words);
    }
    return out->limits_degrees[0] < out->limits_degrees[1]
               ? VELA_OK
               : place_fail(reader, &at, "found %.15g up to %.15g, expected [low, high]",
                            out->limits_degrees[0], out->limits_degrees[1]);
}

static VelaResult check_keys(const Reader *reader, const Place *at, ConstraintType type)
{
    enum {
        DISTANCE = 1 << CONSTRAINT_DISTANCE,
        BALL = 1 << CONSTRAINT_BALL,
        HINGE = 1 << CONSTRAINT_HINGE,
        ANGLE = 1 << CONSTRAINT_ANGLE
    };
    static const struct {
        const char *key;
        unsigned types;
    } keys[] = {
        {"length", DISTANCE}, {"side", DISTANCE | ANGLE}, {"at", BALL | HINGE},
        {"axis", HINGE},      {"limits_degrees", HINGE},  {"angle_degrees", ANGLE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        TRY(check_key_types(reader, at, keys[i].key, keys[i].types, "type", &WORDS_CONSTRAINT, (int)type));
    return VELA_OK;
}

// What ADMM, and whatever takes constraints as potentials, cannot have.
static VelaResult check_solver(const Reader *reader, const Place *constraint, const SceneDef *scene,
                               const ConstraintDef *def)
{
    const SolverType solver = scene->solver.type;
    const bool is_explicit = scene_is_explicit(scene);
    const Place at = place_member(constraint, "compliance");
    if (solver == SOLVER_ADMM && !is_explicit)
        return place_fail(reader, constraint,
                          "constraints with solver \"admm\", expected \"solver\": {\"type\": \"compliant\"}, "
                          "or {\"type\": \"newton\"} and compliances above 0");
    if (def->compliance > 0 || solver == SOLVER_COMPLIANT)
        return VELA_OK;
    return place_fail(reader, &at,
                      "found %s with %s \"%s\", expected a compliance above 0, such as 1e-6, or \"solver\": "
                      "{\"type\": \"compliant\"}",
                      at.value ? "0" : "none, so 0,", is_explicit ? "the explicit integrator" : "solver",
                      is_explicit ? WORDS_INTEGRATOR.known[scene->integrator] : WORDS_SOLVER.known[solver]);
}

static VelaResult read_constraint(const Reader *reader, const Place *at, const BodyNames *names,
                                  ConstraintDef *out)
{
    int type = 0, side = SIDE_BOTH;
    if (cJSON_IsObject(at->value))
        TRY(read_word(reader, at, "type", REQUIRED, &WORDS_CONSTRAINT, &type));
    TRY(check_object(reader, at, &KEYS_CONSTRAINT));
    out->type = (ConstraintType)type;
    TRY(place_keep_path(reader, at, &out->path));
    TRY(check_keys(reader, at, out->type));
    TRY(read_name(reader, at, &out->name));
    TRY(read_number(reader, at, "compliance", OPTIONAL, NOT_NEGATIVE, &out->compliance));
    TRY(check_solver(reader, at, names->scene, out));
    if (out->type == CONSTRAINT_BALL || out->type == CONSTRAINT_HINGE) {
        TRY(read_joined(reader, at, names, out));
        TRY(read_vector(reader, at, "at", REQUIRED, ANY_NUMBER, out->at));
    } else
        TRY(read_ends(reader, at, names, out));
    if (out->type == CONSTRAINT_HINGE)
        TRY(read_direction(reader, at, "axis", REQUIRED, out->axis));
    out->has_length = place_member(at, "length").value != NULL;
    TRY(read_number(reader, at, "length", OPTIONAL, POSITIVE, &out->length));
    TRY(read_word(reader, at, "side", OPTIONAL, &WORDS_SIDE, &side));
    out->side = (ConstraintSide)side;
    TRY(read_angle(reader, at, out));
    return read_limits(reader, at, out);
}

VelaResult read_constraints(const Reader *reader, const Place *root, SceneDef *scene)
{
    BodyNames names;
    int count, i = 0;
    const Place constraints = place_member(root, "constraints");
    if (!constraints.value)
        return VELA_OK;
    TRY(check_list(reader, &constraints, 0, MOST_CONSTRAINTS, "constraints", &count));
    TRY(ARENA_ARRAY(reader->arena, scene->constraints, count));
    TRY(sort_bodies(reader, scene, &names));
    for (const cJSON *item = constraints.value->child; item; item = item->next, ++i) {
        const Place at = place_item(&constraints, i, item);
        TRY(read_constraint(reader, &at, &names, &scene->constraints[i]));
    }
    scene->constraint_count = count;
    return check_names(reader, &constraints, scene);
}
