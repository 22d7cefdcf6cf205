#include "scene/sections.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SEGMENT = 256 };

/// One `--set path.to.key=value` on its way into the tree.
typedef struct Edit {
    Reader *reader;
    const char *text;  ///< the whole of it
    const char *equal; ///< its '='
    const cJSON *added;
} Edit;

/// All digits: an index where a list stands. -1 if it is not, or too large for one.
static int parse_index(const char *segment)
{
    const size_t length = strlen(segment);
    if (length == 0 || length > 9 || strspn(segment, "0123456789") != length)
        return -1;
    return (int)strtol(segment, NULL, 10);
}

/// "bodies.0" of "--set bodies.0.scale=2": the path up to `end`.
#define EDIT_FAIL(edit, end, format, ...)                                                                    \
    context_fail((edit)->reader->context, VELA_ERROR_INVALID_INPUT, "--set %.200s: %.*s " format,            \
                 (edit)->text, (int)((end) - (edit)->text > 200 ? 200 : (end) - (edit)->text), (edit)->text, \
                 __VA_ARGS__)

static VelaResult out_of_memory(const Edit *edit)
{
    return context_fail(edit->reader->context, VELA_ERROR_OUT_OF_MEMORY, "out of memory: --set %.200s",
                        edit->text);
}

/// What lies under `segment` of `parent`; NULL if the key is not there. `end`: where the parent's path ends.
static VelaResult find_child(const Edit *edit, cJSON *parent, const char *segment, const char *end,
                             cJSON **child)
{
    *child = NULL;
    if (cJSON_IsObject(parent)) {
        *child = cJSON_GetObjectItemCaseSensitive(parent, segment);
        return VELA_OK;
    }
    if (!cJSON_IsArray(parent))
        return EDIT_FAIL(edit, end, "is neither an object nor a list, expected one to hold \"%s\"", segment);
    const int index = parse_index(segment), size = cJSON_GetArraySize(parent);
    if (index < 0)
        return EDIT_FAIL(edit, end, "is a list, found \"%s\", expected an index", segment);
    if (index >= size)
        return EDIT_FAIL(edit, end, "has %d entries, found index %d, expected one below that number", size,
                         index);
    *child = cJSON_GetArrayItem(parent, index);
    return VELA_OK;
}

/// Exchanges what two values hold; their places in lists and objects stay.
static void exchange(cJSON *a, cJSON *b)
{
    const cJSON old = *a;
    a->type = b->type, a->child = b->child, a->valuestring = b->valuestring;
    a->valueint = b->valueint, a->valuedouble = b->valuedouble;
    b->type = old.type, b->child = old.child, b->valuestring = old.valuestring;
    b->valueint = old.valueint, b->valuedouble = old.valuedouble;
}

/// Puts `value`, which the tree owns from then on, in the place of `old`, or under the new key `segment` of an object.
static VelaResult put_child(Edit *edit, cJSON *parent, const char *segment, cJSON *old, cJSON *value)
{
    // What is replaced is not freed yet: an earlier override may point into it.
    const bool good = old ? cJSON_AddItemToArray(edit->reader->replaced, value)
                          : cJSON_AddItemToObject(parent, segment, value);
    if (!good) {
        cJSON_Delete(value);
        return out_of_memory(edit);
    }
    if (old)
        exchange(old, value);
    if (!edit->added)
        edit->added = old ? old : value;
    return VELA_OK;
}

/// The next piece of the path, and where it ends.
static VelaResult next_segment(const Edit *edit, const char *at, char segment[LONGEST_SEGMENT],
                               const char **end)
{
    *end = at;
    while (**end != '.' && *end < edit->equal)
        ++*end;
    const size_t length = (size_t)(*end - at);
    if (length == 0 || length >= LONGEST_SEGMENT)
        return EDIT_FAIL(edit, *end, "has an empty or overlong name in its path, expected path.to.key=%s",
                         "value");
    memcpy(segment, at, length);
    segment[length] = 0;
    return VELA_OK;
}

static VelaResult apply_value(Edit *edit, cJSON *root, cJSON *value)
{
    char segment[LONGEST_SEGMENT];
    cJSON *node = root;
    const char *at = edit->text, *end;
    int depth = 0;
    for (;; at = end + 1) {
        cJSON *child = NULL;
        VelaResult result = next_segment(edit, at, segment, &end);
        if (result == VELA_OK)
            result = find_child(edit, node, segment, at > edit->text ? at - 1 : at, &child);
        if (result == VELA_OK && ++depth > JSON_DEEPEST / 2)
            result = EDIT_FAIL(edit, end, "is deeper than %d levels", JSON_DEEPEST / 2);
        if (result == VELA_OK && end == edit->equal)
            return put_child(edit, node, segment, child, value);
        if (result == VELA_OK && !child) {
            char next[LONGEST_SEGMENT];
            const char *next_end;
            child = cJSON_CreateObject();
            result = next_segment(edit, end + 1, next, &next_end);
            if (result == VELA_OK && parse_index(next) >= 0)
                result = EDIT_FAIL(edit, end, "is not in the scene, so it has no entry %s", next);
            if (result == VELA_OK && child)
                result = put_child(edit, node, segment, NULL, child);
            else if (result == VELA_OK)
                result = out_of_memory(edit);
            else
                cJSON_Delete(child);
        }
        if (result != VELA_OK) {
            cJSON_Delete(value);
            return result;
        }
        node = child;
    }
}

/// The text behind '=': JSON, else a string.
static VelaResult parse_value(const Edit *edit, cJSON **value)
{
    const Reader *reader = edit->reader;
    const char *text = edit->equal + 1;
    char name[256];
    snprintf(name, sizeof name, "--set %.200s", edit->text);
    const VelaResult result = json_parse(reader->context, name, text, strlen(text), reader->arena, value);
    if (result != VELA_ERROR_INVALID_INPUT || (text[0] && strchr("{[\"", text[0])))
        return result; // what begins like a list, an object or a string is meant to be one
    *value = cJSON_CreateString(text);
    return *value ? VELA_OK : out_of_memory(edit);
}

/// What goes into the tree goes into scene.json, which must be readable again.
static VelaResult check_text(const Reader *reader, const char *text)
{
    const size_t good = json_utf8_prefix(text);
    FAIL_IF(reader->context, text[good], VELA_ERROR_INVALID_INPUT,
            "--set %.*s: found the byte 0x%02x behind that, expected UTF-8 text",
            (int)(good > 200 ? 200 : good), text, (unsigned char)text[good]);
    return VELA_OK;
}

/// Whether the path begins with the names in `pattern`, where # stands for an index, and goes on below them or ends.
static bool path_is_under(const char *path, const char *pattern)
{
    for (; *pattern; ++pattern)
        if (*pattern != '#') {
            if (*path++ != *pattern)
                return false;
        } else {
            const size_t digits = strspn(path, "0123456789");
            if (digits == 0)
                return false;
            path += digits;
        }
    return *path == '.' || *path == '=';
}

/// What has been simulated stays as it is; how it is drawn may change.
static VelaResult check_drawing(const Reader *reader, const char *text)
{
    const bool draws = path_is_under(text, "render") || path_is_under(text, "bodies.#.look") ||
                       path_is_under(text, "obstacles.#.look");
    FAIL_IF(
        reader->context, reader->recorded && !draws, VELA_ERROR_INVALID_INPUT,
        "--set %.200s: found a key that drawing a finished run does not use, expected one under render, bodies.N.look "
        "or obstacles.N.look",
        text);
    return VELA_OK;
}

VelaResult overrides_apply(Reader *reader, cJSON *root, int32_t count, const char *const *texts)
{
    TRY(ARENA_ARRAY(reader->arena, reader->overrides, count));
    for (int32_t i = 0; i < count; ++i) {
        Edit edit = {.reader = reader, .text = texts[i], .equal = strchr(texts[i], '=')};
        cJSON *value;
        FAIL_IF(reader->context, !edit.equal || edit.equal == texts[i], VELA_ERROR_INVALID_INPUT,
                "--set %.200s: expected path.to.key=value", texts[i]);
        TRY(check_text(reader, texts[i]));
        TRY(check_drawing(reader, texts[i]));
        TRY(parse_value(&edit, &value));
        TRY(apply_value(&edit, root, value));
        reader->overrides[i] = (Override){.text = texts[i], .added = edit.added};
        reader->override_count = i + 1;
    }
    return VELA_OK;
}
