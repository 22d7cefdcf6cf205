#include "scene/reader.h"

#include "base/matrix3.h"
#include "scene/suggest.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_TEXT = 48 };

#define SMALLEST 1e-30
#define LARGEST 1e30
const Range ANY_NUMBER = {-LARGEST, LARGEST, "a number (magnitude at most 1e30)"};
const Range POSITIVE = {SMALLEST, LARGEST, "a number above 0 (1e-30 to 1e30)"};
const Range NOT_NEGATIVE = {0, LARGEST, "a number of at least 0 (at most 1e30)"};
const Range ZERO_TO_ONE = {0, 1, "a number from 0 to 1"};

// ---------------------------------------------------------------- places and messages

Place place_member(const Place *object, const char *key)
{
    return (Place){
        .parent = object, .key = key, .value = cJSON_GetObjectItemCaseSensitive(object->value, key)};
}

Place place_item(const Place *list, int64_t index, const cJSON *value)
{
    return (Place){.parent = list, .index = index, .value = value};
}

/// Text of the user's as it can stand in a message: no control characters, at most SHOWN_TEXT bytes, whole
/// characters.
static void shown_text(const char *text, char out[SHOWN_TEXT + 4])
{
    size_t length = strlen(text), kept = length;
    if (length > SHOWN_TEXT) {
        kept = SHOWN_TEXT;
        while (kept > 0 && ((unsigned char)text[kept] & 0xC0) == 0x80)
            --kept;
    }
    for (size_t i = 0; i < kept; ++i)
        out[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
    snprintf(out + kept, SHOWN_TEXT + 4 - kept, "%s", kept < length ? "..." : "");
}

void place_path(const Place *place, char *out, size_t size)
{
    const Place *chain[JSON_DEEPEST + 2];
    int count = 0;
    for (; place->parent && count < JSON_DEEPEST + 2; place = place->parent)
        chain[count++] = place;
    size_t at = 0;
    out[0] = 0;
    while (count-- > 0 && at < size) {
        char key[SHOWN_TEXT + 4];
        int written;
        if (chain[count]->key) {
            shown_text(chain[count]->key, key);
            written = snprintf(out + at, size - at, "%s%s", at ? "." : "", key);
        } else {
            written = snprintf(out + at, size - at, "[%lld]", (long long)chain[count]->index);
        }
        at += (size_t)written;
    }
}

VelaResult place_keep_path(const Reader *reader, const Place *place, const char **out)
{
    char path[512], *copy;
    place_path(place, path, sizeof path);
    TRY(arena_string(reader->arena, path, strlen(path), &copy));
    *out = copy;
    return VELA_OK;
}

static const char *override_of(const Reader *reader, const Place *place)
{
    for (; place; place = place->parent)
        for (int32_t i = reader->override_count - 1; place->value && i >= 0; --i)
            if (reader->overrides[i].added == place->value)
                return reader->overrides[i].text;
    return NULL;
}

VelaResult place_fail(const Reader *reader, const Place *place, const char *format, ...)
{
    char message[1024], path[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    place_path(place, path, sizeof path);
    const char *source = override_of(reader, place);
    char shown[SHOWN_TEXT + 4] = "";
    if (source)
        shown_text(source, shown);
    return context_fail(reader->context, VELA_ERROR_INVALID_INPUT, "%s: %s%s%s%s%s%s", reader->file, path,
                        path[0] ? ": " : "", message, source ? " (from --set " : "", shown,
                        source ? ")" : "");
}

static void describe(const cJSON *value, char out[SHOWN_TEXT + 32])
{
    char text[SHOWN_TEXT + 4];
    if (!value)
        snprintf(out, SHOWN_TEXT + 32, "nothing");
    else if (cJSON_IsString(value)) {
        shown_text(value->valuestring, text);
        snprintf(out, SHOWN_TEXT + 32, "\"%s\"", text);
    } else if (cJSON_IsNumber(value) && isfinite(value->valuedouble))
        snprintf(out, SHOWN_TEXT + 32, "%.15g", value->valuedouble);
    else if (cJSON_IsNumber(value))
        snprintf(out, SHOWN_TEXT + 32, "a number too large for a double");
    else if (cJSON_IsBool(value))
        snprintf(out, SHOWN_TEXT + 32, "%s", cJSON_IsTrue(value) ? "true" : "false");
    else if (cJSON_IsArray(value))
        snprintf(out, SHOWN_TEXT + 32, "a list of %d", cJSON_GetArraySize(value));
    else if (cJSON_IsObject(value))
        snprintf(out, SHOWN_TEXT + 32, "an object");
    else
        snprintf(out, SHOWN_TEXT + 32, "null");
}

VelaResult place_expected(const Reader *reader, const Place *place, const char *expected)
{
    char found[SHOWN_TEXT + 32];
    if (!place->value)
        return place_fail(reader, place, "missing, expected %s", expected);
    describe(place->value, found);
    return place_fail(reader, place, "found %s, expected %s", found, expected);
}

// ---------------------------------------------------------------- names

static bool is_listed(const char *name, const char *const *names)
{
    for (; *names; ++names)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static void list_names(const char *const *names, char *out, size_t size)
{
    size_t at = 0;
    out[0] = 0;
    for (; *names && at < size; ++names)
        at += (size_t)snprintf(out + at, size - at, "%s%s", at ? ", " : "", *names);
}

/// Refuses a name that is not in the table: as one of a later version, with the nearest known one, or with
/// all of them.
static VelaResult refuse_name(const Reader *reader, const Place *place, const char *name, const char *what,
                              const NameTable *table)
{
    char shown[SHOWN_TEXT + 4], all[512];
    shown_text(name, shown);
    list_names(table->known, all, sizeof all);
    if (is_listed(name, table->later))
        return place_fail(reader, place, "%s \"%s\": not in this version, which has: %s", what, shown, all);
    const char *near = suggest_name(name, table->known);
    if (near)
        return place_fail(reader, place, "unknown %s \"%s\"; did you mean \"%s\"?", what, shown, near);
    const char *later = suggest_name(name, table->later);
    if (later)
        return place_fail(reader, place, "unknown %s \"%s\"; \"%s\" is not in this version, which has: %s",
                          what, shown, later, all);
    return place_fail(reader, place, "unknown %s \"%s\", expected one of: %s", what, shown, all);
}

VelaResult check_object(const Reader *reader, const Place *place, const NameTable *keys)
{
    if (!cJSON_IsObject(place->value)) {
        char all[512], expected[600];
        list_names(keys->known, all, sizeof all);
        snprintf(expected, sizeof expected, "an object with keys of: %s", all);
        return place_expected(reader, place, expected);
    }
    for (const cJSON *member = place->value->child; member; member = member->next) {
        if (is_listed(member->string, keys->known))
            continue;
        const Place at = {.parent = place, .key = member->string, .value = member};
        return refuse_name(reader, &at, member->string, "key", keys);
    }
    return VELA_OK;
}

VelaResult check_list(const Reader *reader, const Place *place, int least, int most, const char *items,
                      int *count)
{
    char expected[160];
    *count = cJSON_IsArray(place->value) ? cJSON_GetArraySize(place->value) : -1;
    if (*count >= least && *count <= most)
        return VELA_OK;
    if (least == most)
        snprintf(expected, sizeof expected, "a list of %d %s", least, items);
    else
        snprintf(expected, sizeof expected, "a list of %d to %d %s", least, most, items);
    return place_expected(reader, place, expected);
}

VelaResult check_key_types(const Reader *reader, const Place *object, const char *key, unsigned types,
                           const char *type_key, const NameTable *words, int type)
{
    const Place at = place_member(object, key);
    if (!at.value || types >> type & 1)
        return VELA_OK;
    char list[160] = "";
    size_t length = 0;
    for (int t = 0; words->known[t] && length < sizeof list; ++t)
        if (types >> t & 1)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s\"%s\"",
                                       length > 0 ? " or " : "", words->known[t]);
    return place_fail(reader, &at, "found with %s \"%s\", expected only with %s", type_key,
                      words->known[type], list);
}

VelaResult check_owned_keys(const Reader *reader, const Place *object, const OwnedKey *keys, int count,
                            const char *type_key, const NameTable *types, int type)
{
    for (int i = 0; i < count; ++i)
        TRY(check_key_types(reader, object, keys[i].key, 1u << keys[i].type, type_key, types, type));
    return VELA_OK;
}

VelaResult check_ascending(const Reader *reader, const Place *place, double before, double time)
{
    const Place at = place_member(place, "time");
    return time > before
               ? VELA_OK
               : place_fail(reader, &at, "found %.15g, expected more than the %.15g of the keyframe before",
                            time, before);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static VelaResult check_duplicate_keys(const Reader *reader, const Place *place)
{
    const size_t count = (size_t)cJSON_GetArraySize(place->value);
    const char **names;
    TRY(ARENA_ARRAY(reader->arena, names, count));
    size_t i = 0;
    for (const cJSON *member = place->value->child; member; member = member->next)
        names[i++] = member->string;
    qsort(names, count, sizeof *names, compare_names);
    for (i = 1; i < count; ++i)
        if (strcmp(names[i - 1], names[i]) == 0) {
            char shown[SHOWN_TEXT + 4];
            shown_text(names[i], shown);
            return place_fail(reader, place, "the key \"%s\" appears twice, expected once", shown);
        }
    return VELA_OK;
}

VelaResult check_duplicates(const Reader *reader, const Place *place)
{
    const bool object = cJSON_IsObject(place->value);
    if (object) {
        const ArenaMark mark = arena_mark(reader->arena);
        const VelaResult result = check_duplicate_keys(reader, place);
        arena_release(reader->arena, mark);
        TRY(result);
    }
    int64_t index = 0;
    for (const cJSON *item = place->value->child; item; item = item->next, ++index) {
        if (!item->child)
            continue;
        const Place at = {
            .parent = place, .key = object ? item->string : NULL, .index = index, .value = item};
        TRY(check_duplicates(reader, &at));
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- values

/// A decimal number that is all of text[0..length), blanks around it allowed.
static bool parse_decimal(const char *text, size_t length, double *out)
{
    while (length > 0 && *text == ' ')
        ++text, --length;
    while (length > 0 && text[length - 1] == ' ')
        --length;
    char digits[64];
    if (length == 0 || length >= sizeof digits || strspn(text, "0123456789+-.eE") < length)
        return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    const char *end = NULL;
    // cJSON knows about the decimal point of other locales, strtod alone does not.
    cJSON *number = cJSON_ParseWithOpts(digits, &end, true);
    const bool good = cJSON_IsNumber(number);
    if (good)
        *out = number->valuedouble;
    cJSON_Delete(number);
    return good;
}

bool number_found(const cJSON *value, double *out)
{
    if (cJSON_IsNumber(value)) {
        *out = value->valuedouble;
        return true;
    }
    if (!cJSON_IsString(value))
        return false;
    const char *text = value->valuestring, *slash = strchr(text, '/');
    double above, below;
    if (!slash || !parse_decimal(text, (size_t)(slash - text), &above) ||
        !parse_decimal(slash + 1, strlen(slash + 1), &below) || below == 0)
        return false;
    *out = above / below;
    return true;
}

VelaResult number_at(const Reader *reader, const Place *place, Range range, double *out)
{
    double number;
    if (!place->value || !number_found(place->value, &number) ||
        !(number >= range.low && number <= range.high)) {
        char expected[160];
        const bool string = cJSON_IsString(place->value);
        snprintf(expected, sizeof expected, "%s%s", range.words,
                 string ? ", or a fraction such as \"1/120\"" : "");
        return place_expected(reader, place, expected);
    }
    *out = number;
    return VELA_OK;
}

VelaResult integer_at(const Reader *reader, const Place *place, int32_t low, int32_t high, int32_t *out)
{
    double number;
    if (!place->value || !number_found(place->value, &number) || !(number >= low && number <= high) ||
        number != floor(number)) {
        char expected[96];
        snprintf(expected, sizeof expected, "a whole number from %d to %d", low, high);
        return place_expected(reader, place, expected);
    }
    *out = (int32_t)number;
    return VELA_OK;
}

VelaResult string_at(const Reader *reader, const Place *place, const char **out)
{
    if (!cJSON_IsString(place->value) || place->value->valuestring[0] == 0)
        return place_expected(reader, place, "a string that is not empty");
    char *copy;
    TRY(arena_string(reader->arena, place->value->valuestring, strlen(place->value->valuestring), &copy));
    *out = copy;
    return VELA_OK;
}

VelaResult vector_at(const Reader *reader, const Place *place, Range range, double out[3])
{
    int count;
    TRY(check_list(reader, place, 3, 3, "numbers", &count));
    int i = 0;
    for (const cJSON *item = place->value->child; item; item = item->next, ++i) {
        const Place at = place_item(place, i, item);
        TRY(number_at(reader, &at, range, &out[i]));
    }
    return VELA_OK;
}

VelaResult direction_at(const Reader *reader, const Place *place, double out[3])
{
    TRY(vector_at(reader, place, ANY_NUMBER, out));
    // Rounding of a normalised vector's squared length stays within 5 epsilon; those are not touched again,
    // so that a resolved scene reads back the same.
    const double length_sq = dot3(out, out);
    if (fabs(length_sq - 1) <= 8 * DBL_EPSILON)
        return VELA_OK;
    if (!(length_sq >= SMALLEST))
        return place_fail(reader, place, "found a direction of length 0, expected one that points somewhere");
    normalize3(out);
    return VELA_OK;
}

// ---------------------------------------------------------------- members

/// Whether there is nothing to read.
static bool is_absent(const Place *place, Need need)
{
    return !place->value && need == OPTIONAL;
}

VelaResult read_number(const Reader *reader, const Place *object, const char *key, Need need, Range range,
                       double *out)
{
    const Place at = place_member(object, key);
    return is_absent(&at, need) ? VELA_OK : number_at(reader, &at, range, out);
}

VelaResult read_integer(const Reader *reader, const Place *object, const char *key, Need need, int32_t low,
                        int32_t high, int32_t *out)
{
    const Place at = place_member(object, key);
    return is_absent(&at, need) ? VELA_OK : integer_at(reader, &at, low, high, out);
}

VelaResult read_string(const Reader *reader, const Place *object, const char *key, Need need,
                       const char **out)
{
    const Place at = place_member(object, key);
    return is_absent(&at, need) ? VELA_OK : string_at(reader, &at, out);
}

VelaResult read_flag(const Reader *reader, const Place *object, const char *key, Need need, bool *out)
{
    const Place at = place_member(object, key);
    if (is_absent(&at, need))
        return VELA_OK;
    if (!cJSON_IsBool(at.value))
        return place_expected(reader, &at, "true or false");
    *out = cJSON_IsTrue(at.value);
    return VELA_OK;
}

VelaResult read_vector(const Reader *reader, const Place *object, const char *key, Need need, Range range,
                       double out[3])
{
    const Place at = place_member(object, key);
    return is_absent(&at, need) ? VELA_OK : vector_at(reader, &at, range, out);
}

VelaResult read_direction(const Reader *reader, const Place *object, const char *key, Need need,
                          double out[3])
{
    const Place at = place_member(object, key);
    return is_absent(&at, need) ? VELA_OK : direction_at(reader, &at, out);
}

VelaResult read_integers(const Reader *reader, const Place *object, const char *key, Need need, int32_t low,
                         int32_t high, int count, int32_t *out)
{
    const Place at = place_member(object, key);
    if (is_absent(&at, need))
        return VELA_OK;
    int found, i = 0;
    TRY(check_list(reader, &at, count, count, "whole numbers", &found));
    for (const cJSON *item = at.value->child; item; item = item->next, ++i) {
        const Place item_at = place_item(&at, i, item);
        TRY(integer_at(reader, &item_at, low, high, &out[i]));
    }
    return VELA_OK;
}

VelaResult read_word(const Reader *reader, const Place *object, const char *key, Need need,
                     const NameTable *words, int *out)
{
    const Place at = place_member(object, key);
    if (is_absent(&at, need))
        return VELA_OK;
    if (!cJSON_IsString(at.value)) {
        char all[512], expected[600];
        list_names(words->known, all, sizeof all);
        snprintf(expected, sizeof expected, "one of: %s", all);
        return place_expected(reader, &at, expected);
    }
    for (int i = 0; words->known[i]; ++i)
        if (strcmp(words->known[i], at.value->valuestring) == 0) {
            *out = i;
            return VELA_OK;
        }
    return refuse_name(reader, &at, at.value->valuestring, key, words);
}
