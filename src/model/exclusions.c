#include "model/exclusions.h"

#include <stdlib.h>
#include <string.h>

/// Names that an entry with "contact": false has, each once, in their order.
typedef struct NameList {
    int32_t count;
    const char **names;
} NameList;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static VelaResult list_names(const SceneDef *scene, Arena *scratch, NameList *list)
{
    int32_t count = 0;
    TRY(ARENA_ARRAY(scratch, list->names, 2 * (size_t)scene->contact.pair_count));
    for (int32_t p = 0; p < scene->contact.pair_count; ++p)
        for (int side = 0; side < 2 && scene->contact.pairs[p].no_contact; ++side)
            list->names[count++] = scene->contact.pairs[p].names[side];
    list->count = 0;
    if (count > 0)
        qsort(list->names, (size_t)count, sizeof *list->names, compare_names);
    for (int32_t i = 0; i < count; ++i)
        if (i == 0 || strcmp(list->names[i], list->names[list->count - 1]) != 0)
            list->names[list->count++] = list->names[i];
    return VELA_OK;
}

/// The place of a name in the list, -1: it has it not.
static int32_t find_name(const NameList *list, const char *name)
{
    const char **found = bsearch(&name, list->names, (size_t)list->count, sizeof *list->names, compare_names);
    return found ? (int32_t)(found - list->names) : -1;
}

/// What a group's bodies or obstacle are called in entries: by their own name, and by their material's; -1: not at all.
typedef struct GroupNames {
    int32_t own, material;
} GroupNames;

/// Bodies that an entry names have a group each, the others one for each material that an entry names.
static VelaResult number_groups(const SceneDef *scene, const NameList *list, Arena *arena, Arena *scratch,
                                ContactExclusions *exclusions, GroupNames **names)
{
    const int32_t things = scene->body_count + scene->obstacle_count;
    int32_t *of_materials;
    size_t capacity = 0;
    *names = NULL;
    TRY(ARENA_ARRAY(arena, exclusions->groups, things));
    TRY(ARENA_ARRAY(scratch, of_materials, scene->material_count));
    TRY(ARENA_GROW(scratch, *names, &capacity, 1));
    (*names)[0] = (GroupNames){-1, -1};
    exclusions->group_count = 1;
    for (int32_t i = 0; i < things; ++i) {
        const BodyDef *body = i < scene->body_count ? &scene->bodies[i] : NULL;
        const GroupNames of = {
            find_name(list, body ? body->name : scene->obstacles[i - scene->body_count].name),
            body ? find_name(list, scene->materials[body->material].name) : -1};
        if (of.own < 0 && of.material < 0)
            continue;
        if (of.own < 0)
            exclusions->groups[i] = of_materials[body->material];
        if (exclusions->groups[i] > 0)
            continue;
        TRY(ARENA_GROW(scratch, *names, &capacity, (size_t)exclusions->group_count + 1));
        (*names)[exclusions->group_count] = of;
        exclusions->groups[i] = exclusions->group_count++;
        if (of.own < 0)
            of_materials[body->material] = exclusions->groups[i];
    }
    return VELA_OK;
}

/// Writes the groups that a name stands for; returns how many.
static int32_t list_groups(const ContactExclusions *exclusions, const GroupNames *names, int32_t name,
                           int32_t *groups)
{
    int32_t count = 0;
    for (int32_t g = 1; g < exclusions->group_count; ++g)
        if (names[g].own == name || names[g].material == name)
            groups[count++] = g;
    return count;
}

static void block(ContactExclusions *exclusions, int32_t group, int32_t other)
{
    exclusions->blocked[(size_t)group * (size_t)exclusions->row_words + (size_t)(other / 32)] |=
        UINT32_C(1) << (other % 32);
}

static VelaResult build(const SceneDef *scene, Arena *arena, Arena *scratch, ContactExclusions *exclusions)
{
    NameList list;
    GroupNames *names;
    int32_t *groups[2];
    TRY(list_names(scene, scratch, &list));
    if (list.count == 0)
        return VELA_OK;
    TRY(number_groups(scene, &list, arena, scratch, exclusions, &names));
    exclusions->row_words = (exclusions->group_count + 31) / 32;
    TRY(ARENA_ARRAY(arena, exclusions->blocked,
                    (size_t)exclusions->group_count * (size_t)exclusions->row_words));
    for (int side = 0; side < 2; ++side)
        TRY(ARENA_ARRAY(scratch, groups[side], exclusions->group_count));
    for (int32_t p = 0; p < scene->contact.pair_count; ++p) {
        const FrictionPairDef *pair = &scene->contact.pairs[p];
        int32_t counts[2];
        for (int side = 0; side < 2 && pair->no_contact; ++side)
            counts[side] = list_groups(exclusions, names, find_name(&list, pair->names[side]), groups[side]);
        for (int32_t i = 0; pair->no_contact && i < counts[0]; ++i)
            for (int32_t j = 0; j < counts[1]; ++j) {
                block(exclusions, groups[0][i], groups[1][j]);
                block(exclusions, groups[1][j], groups[0][i]);
            }
    }
    return VELA_OK;
}

VelaResult exclusions_build(VelaContext *context, const SceneDef *scene, Arena *arena,
                            ContactExclusions *exclusions)
{
    Arena scratch = arena_make(context);
    *exclusions = (ContactExclusions){0};
    const VelaResult result = build(scene, arena, &scratch, exclusions);
    arena_clear(&scratch);
    return result;
}
