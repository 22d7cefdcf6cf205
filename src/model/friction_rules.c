#include "model/friction_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t pair_key(int32_t a, int32_t b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

static int32_t material_number(const SceneDef *scene, int32_t body)
{
    return scene->body_count + scene->bodies[body].material;
}

static int32_t obstacle_number(const SceneDef *scene, int32_t obstacle)
{
    return scene->body_count + scene->material_count + obstacle;
}

// ---------------------------------------------------------------- names

typedef struct Named {
    const char *name;
    int32_t number;
} Named;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const Named *)a)->name, ((const Named *)b)->name);
}

static int32_t list_names(const SceneDef *scene, Named *names)
{
    int32_t count = 0;
    for (int32_t b = 0; b < scene->body_count; ++b, ++count)
        names[count] = (Named){scene->bodies[b].name, count};
    for (int32_t m = 0; m < scene->material_count; ++m, ++count)
        names[count] = (Named){scene->materials[m].name, count};
    for (int32_t o = 0; o < scene->obstacle_count; ++o, ++count)
        names[count] = (Named){scene->obstacles[o].name, count};
    qsort(names, (size_t)count, sizeof *names, compare_names);
    return count;
}

// The range of `names` with this name.
static void find_name(const Named *names, int32_t count, const char *name, int32_t range[2])
{
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (strcmp(names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    range[0] = range[1] = low;
    while (range[1] < count && strcmp(names[range[1]].name, name) == 0)
        ++range[1];
}

// ---------------------------------------------------------------- rules

static int compare_rules(const void *a, const void *b)
{
    const FrictionRule *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static VelaResult add_rules(Arena *arena, const Named *names, int32_t count, int32_t entry, size_t *capacity,
                            FrictionRules *rules)
{
    const FrictionPairDef *pair = &rules->scene->contact.pairs[entry];
    int32_t first[2], second[2];
    if (!pair->has_friction)
        return VELA_OK;
    find_name(names, count, pair->names[0], first);
    find_name(names, count, pair->names[1], second);
    for (int32_t i = first[0]; i < first[1]; ++i)
        for (int32_t j = second[0]; j < second[1]; ++j) {
            TRY(ARENA_GROW(arena, rules->rules, capacity, (size_t)rules->rule_count + 1));
            rules->rules[rules->rule_count++] =
                (FrictionRule){pair_key(names[i].number, names[j].number), entry, pair->friction};
        }
    return VELA_OK;
}

VelaResult friction_rules_build(VelaContext *context, const SceneDef *scene, Arena *arena,
                                FrictionRules *rules)
{
    *rules = (FrictionRules){.scene = scene};
    const int32_t most = scene->body_count + scene->material_count + scene->obstacle_count;
    Arena scratch = arena_make(context);
    size_t capacity = 0;
    Named *names;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, names, most), done);
    const int32_t count = list_names(scene, names);
    for (int32_t entry = 0; entry < scene->contact.pair_count; ++entry)
        TRY_GOTO(result, add_rules(arena, names, count, entry, &capacity, rules), done);
    if (rules->rule_count > 0)
        qsort(rules->rules, (size_t)rules->rule_count, sizeof *rules->rules, compare_rules);
    int32_t kept = 0; // the last of each key
    for (int32_t i = 0; i < rules->rule_count; ++i)
        if (i + 1 == rules->rule_count || rules->rules[i].key != rules->rules[i + 1].key)
            rules->rules[kept++] = rules->rules[i];
    rules->rule_count = kept;
done:
    arena_clear(&scratch);
    return result;
}

static const FrictionRule *find_rule(const FrictionRules *rules, int32_t a, int32_t b)
{
    const uint64_t key = pair_key(a, b);
    int32_t low = 0, high = rules->rule_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (rules->rules[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rules->rule_count && rules->rules[low].key == key ? &rules->rules[low] : NULL;
}

// The later of two, either of which may be missing.
static const FrictionRule *later(const FrictionRule *a, const FrictionRule *b)
{
    return !a || (b && b->entry > a->entry) ? b : a;
}

// What holds where no entry of contact.pairs does.
static double default_friction(const SceneDef *scene, int32_t body_a, int32_t body_b, int32_t obstacle)
{
    if (body_b < 0 && scene->obstacles[obstacle].has_friction)
        return scene->obstacles[obstacle].friction;
    const MaterialDef *first = &scene->materials[scene->bodies[body_a].material];
    const MaterialDef *second = body_b < 0 ? first : &scene->materials[scene->bodies[body_b].material];
    if (first->has_friction || second->has_friction)
        return fmax(first->friction, second->friction);
    return scene->contact.friction;
}

double friction_rules_find(const FrictionRules *rules, int32_t body_a, int32_t body_b, int32_t obstacle)
{
    const SceneDef *scene = rules->scene;
    const FrictionRule *rule = NULL;
    if (rules->rule_count > 0) {
        const int32_t other = body_b < 0 ? obstacle_number(scene, obstacle) : body_b,
                      material = material_number(scene, body_a);
        rule = find_rule(rules, body_a, other);
        if (body_b < 0) {
            rule = rule ? rule : find_rule(rules, material, other);
        } else {
            const int32_t other_material = material_number(scene, body_b);
            rule = rule ? rule
                        : later(find_rule(rules, material, body_b), find_rule(rules, body_a, other_material));
            rule = rule ? rule : find_rule(rules, material, other_material);
        }
    }
    return rule ? rule->friction : default_friction(scene, body_a, body_b, obstacle);
}

// ---------------------------------------------------------------- whether there is any

static bool says_friction(const SceneDef *scene)
{
    bool any = scene->contact.friction > 0;
    for (int32_t i = 0; i < scene->contact.pair_count; ++i)
        any |= scene->contact.pairs[i].friction > 0;
    for (int32_t m = 0; m < scene->material_count; ++m)
        any |= scene->materials[m].friction > 0;
    for (int32_t o = 0; o < scene->obstacle_count; ++o)
        any |= scene->obstacles[o].friction > 0;
    return any;
}

// Bodies that no entry names are alike if their materials are: one of them stands for all.
static VelaResult find_representatives(Arena *scratch, const FrictionRules *rules, int32_t *count,
                                       int32_t **bodies)
{
    const SceneDef *scene = rules->scene;
    uint8_t *is_named, *has_one;
    TRY(ARENA_ARRAY(scratch, is_named, scene->body_count));
    TRY(ARENA_ARRAY(scratch, has_one, scene->material_count));
    TRY(ARENA_ARRAY(scratch, *bodies, scene->body_count));
    for (int32_t r = 0; r < rules->rule_count; ++r)
        for (int side = 0; side < 2; ++side) {
            const int32_t number = (int32_t)(rules->rules[r].key >> (32 * side) & UINT32_MAX);
            if (number < scene->body_count)
                is_named[number] = 1;
        }
    *count = 0;
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const int32_t material = scene->bodies[b].material;
        if (!is_named[b] && has_one[material])
            continue;
        has_one[material] |= !is_named[b];
        (*bodies)[(*count)++] = b;
    }
    return VELA_OK;
}

VelaResult friction_rules_any(VelaContext *context, const FrictionRules *rules, bool *any)
{
    const SceneDef *scene = rules->scene;
    *any = false;
    if (!says_friction(scene))
        return VELA_OK;
    Arena scratch = arena_make(context);
    int32_t count = 0, *bodies = NULL;
    const VelaResult result = find_representatives(&scratch, rules, &count, &bodies);
    for (int32_t i = 0; i < count && !*any; ++i) {
        for (int32_t j = i; j < count && !*any && scene->contact.model == CONTACT_BARRIER; ++j)
            *any = friction_rules_find(rules, bodies[i], bodies[j], -1) > 0;
        for (int32_t o = 0; o < scene->obstacle_count && !*any; ++o)
            *any = friction_rules_find(rules, bodies[i], -1, o) > 0;
    }
    arena_clear(&scratch);
    return result;
}
