#include "scene/parse.h"

#include "base/hash.h"
#include "scene/sections.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NAME = 200 };

/// The file's name without its ending, with '_' for what a name cannot have.
static VelaResult default_name(const Reader *reader, SceneDef *scene)
{
    const char *slash = strrchr(reader->file, '/'), *stem = slash ? slash + 1 : reader->file;
    while (*stem == '.')
        ++stem;
    const char *dot = strrchr(stem, '.');
    size_t length = dot && dot > stem ? (size_t)(dot - stem) : strlen(stem);
    length = length > LONGEST_NAME ? LONGEST_NAME : length;
    char *name;
    TRY(arena_string(reader->arena, length ? stem : "scene", length ? length : 5, &name));
    for (char *c = name; *c; ++c)
        if (*c <= ' ' || *c >= 0x7f)
            *c = '_';
    scene->name = name;
    return VELA_OK;
}

/// The scene's name is also the name of the folder that a run goes to.
static VelaResult read_scene_name(const Reader *reader, const Place *root, SceneDef *scene)
{
    const Place at = place_member(root, "name");
    if (!at.value)
        return default_name(reader, scene);
    TRY(string_at(reader, &at, &scene->name));
    bool usable = strlen(scene->name) <= LONGEST_NAME && scene->name[0] != '.';
    for (const char *c = scene->name; *c; ++c)
        usable = usable && (unsigned char)*c >= ' ' && *c != '/' && *c != 0x7f;
    return usable ? VELA_OK
                  : place_expected(reader, &at,
                                   "a name that can be a folder's: no '/', no control characters, no '.' "
                                   "at its start, at most 200 bytes");
}

static void warn_idle_obstacles(const Reader *reader, const SceneDef *scene)
{
    if (scene->obstacle_count > 0 && scene->contact.model == CONTACT_NONE)
        context_log(reader->context, VELA_LOG_WARNING,
                    "%s: obstacles are drawn, but bodies pass through them: there is no \"contact\"",
                    reader->file);
}

static VelaResult read_version(const Reader *reader, const Place *root)
{
    const Place at = place_member(root, "version");
    double version;
    TRY(read_number(reader, root, "version", REQUIRED, ANY_NUMBER, &version));
    return version == 1 ? VELA_OK : place_expected(reader, &at, "1, the version of the scene format");
}

static VelaResult read_air(const Reader *reader, const Place *root, SceneDef *scene)
{
    const Place air = place_member(root, "air");
    if (!air.value)
        return VELA_OK;
    TRY(check_object(reader, &air, &KEYS_AIR));
    TRY(read_number(reader, &air, "drag", REQUIRED, NOT_NEGATIVE, &scene->air.drag));
    TRY(read_vector(reader, &air, "wind", OPTIONAL, ANY_NUMBER, scene->air.wind));
    return VELA_OK;
}

static VelaResult read_root(const Reader *reader, const Place *root, SceneDef *scene)
{
    TRY(check_duplicates(reader, root));
    TRY(check_object(reader, root, &KEYS_SCENE));
    TRY(read_version(reader, root));
    TRY(read_scene_name(reader, root, scene));
    TRY(read_time(reader, root, scene));
    scene->gravity[1] = -9.81;
    TRY(read_vector(reader, root, "gravity", OPTIONAL, ANY_NUMBER, scene->gravity));
    TRY(read_integrator(reader, root, scene));
    TRY(read_solver(reader, root, scene));
    TRY(read_air(reader, root, scene));
    TRY(read_materials(reader, root, scene));
    TRY(read_bodies(reader, root, scene));
    TRY(read_obstacles(reader, root, scene));
    TRY(read_constraints(reader, root, scene));
    TRY(read_contact(reader, root, scene));
    TRY(read_render(reader, root, scene));
    TRY(read_output(reader, root, scene));
    warn_idle_obstacles(reader, scene);
    return VELA_OK;
}

static VelaResult resolve(VelaContext *context, bool recorded, Arena *arena, SceneDef *scene)
{
    size_t length;
    const char *text;
    TRY(scene_write_text(arena, scene, false, &text, &length));
    if (!recorded) {
        scene->hash = hash_bytes(HASH_START, text, length);
        TRY(scene_hash_meshes(context, scene, &scene->hash));
    }
    return scene_write_text(arena, scene, true, &scene->resolved, &length);
}

/// Takes ownership of `tree`.
static VelaResult read_tree(VelaContext *context, const char *path, cJSON *tree, bool recorded,
                            int32_t override_count, const char *const *overrides, Arena *arena,
                            SceneDef *scene)
{
    Reader reader = {.context = context,
                     .arena = arena,
                     .file = path,
                     .recorded = recorded,
                     .replaced = cJSON_CreateArray()};
    const Place root = {.value = tree};
    *scene = (SceneDef){0};
    VelaResult result =
        reader.replaced ? VELA_OK : context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "out of memory");
    if (result == VELA_OK && !cJSON_IsObject(tree))
        result = check_object(&reader, &root, &KEYS_SCENE);
    if (result == VELA_OK)
        result = overrides_apply(&reader, tree, override_count, overrides);
    if (result == VELA_OK)
        result = read_root(&reader, &root, scene);
    cJSON_Delete(tree);
    cJSON_Delete(reader.replaced);
    if (result == VELA_OK)
        result = resolve(context, recorded, arena, scene);
    return result;
}

static VelaResult copy_path(Arena *arena, const char *path, SceneDef *scene)
{
    char *copy;
    TRY(arena_string(arena, path, strlen(path), &copy));
    scene->path = copy;
    return VELA_OK;
}

VelaResult scene_parse(VelaContext *context, const char *path, const char *text, size_t length,
                       int32_t override_count, const char *const *overrides, Arena *arena, SceneDef *scene)
{
    cJSON *tree;
    TRY(json_parse(context, path, text, length, arena, &tree));
    TRY(read_tree(context, path, tree, false, override_count, overrides, arena, scene));
    return copy_path(arena, path, scene);
}

VelaResult scene_read(VelaContext *context, const char *path, int32_t override_count,
                      const char *const *overrides, Arena *arena, SceneDef *scene)
{
    cJSON *tree;
    TRY(json_read(context, path, arena, &tree));
    TRY(read_tree(context, path, tree, false, override_count, overrides, arena, scene));
    return copy_path(arena, path, scene);
}

VelaResult scene_read_recorded(VelaContext *context, const char *path, int32_t override_count,
                               const char *const *overrides, Arena *arena, SceneDef *scene)
{
    cJSON *tree;
    TRY(json_read(context, path, arena, &tree));
    TRY(read_tree(context, path, tree, true, override_count, overrides, arena, scene));
    return copy_path(arena, path, scene);
}
