/// What the tests of scenes share: a scene that is right, edits of it, and a log that can be looked at.
#ifndef TESTS_SCENE_FIXTURE_H
#define TESTS_SCENE_FIXTURE_H

#include "check_main.h"

#include "scene/parse.h"
#include "scene/scene.h"

#include <string.h>

#define BASIC_SCENE                                                                                          \
    "{\n"                                                                                                    \
    "  \"version\": 1,\n"                                                                                    \
    "  \"time\": {\"step\": 0.01, \"duration\": 1},\n"                                                       \
    "  \"materials\": {\"rubber\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 100}},\n"      \
    "  \"bodies\": [{\"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [1, 1, 1]}}, \"material\": "   \
    "\"rubber\"}]\n"                                                                                         \
    "}\n"

typedef struct Reading {
    VelaContext *context;
    Arena arena;
    SceneDef scene;
    char warnings[4096];
} Reading;

static inline void reading_log(void *user, VelaLogLevel level, const char *message)
{
    Reading *reading = user;
    const size_t used = strlen(reading->warnings);
    if (level <= VELA_LOG_WARNING)
        snprintf(reading->warnings + used, sizeof reading->warnings - used, "%s\n", message);
}

static inline void reading_start(Reading *reading)
{
    *reading = (Reading){0};
    VelaContextDef def = vela_default_context_def();
    def.log = reading_log;
    def.log_user = reading;
    ck_assert_int_eq(vela_context_create(&def, &reading->context), VELA_OK);
    reading->arena = arena_make(reading->context);
}

static inline void reading_end(Reading *reading)
{
    arena_clear(&reading->arena);
    ck_assert_uint_eq(reading->context->memory_used, 0);
    vela_context_destroy(reading->context);
}

static inline VelaResult reading_parse(Reading *reading, const char *text)
{
    return scene_parse(reading->context, "test.json", text, strlen(text), 0, NULL, &reading->arena,
                       &reading->scene);
}

/// BASIC_SCENE with one piece of its text replaced. The caller frees it.
static inline char *edited_scene(const char *old, const char *fresh)
{
    const char *at = strstr(BASIC_SCENE, old);
    ck_assert_msg(at != NULL, "'%s' is not in the basic scene", old);
    char *text = malloc(strlen(BASIC_SCENE) + strlen(fresh) + 1);
    ck_assert_ptr_nonnull(text);
    sprintf(text, "%.*s%s%s", (int)(at - BASIC_SCENE), BASIC_SCENE, fresh, at + strlen(old));
    return text;
}

/// Reads BASIC_SCENE with more keys at its top level.
static inline void reading_settings(Reading *reading, const char *settings)
{
    char fresh[800];
    snprintf(fresh, sizeof fresh, "\"version\": 1, %s,", settings);
    char *text = edited_scene("\"version\": 1,", fresh);
    ASSERT_OK(reading->context, reading_parse(reading, text));
    free(text);
}

/// The reading must fail with a message that contains `message`.
static inline void expect_refusal(const char *text, const char *message)
{
    Reading reading;
    reading_start(&reading);
    const VelaResult result = reading_parse(&reading, text);
    ck_assert_msg(result == VELA_ERROR_INVALID_INPUT, "result %d for %s", result, text);
    ck_assert_msg(strstr(vela_context_message(reading.context), message) != NULL, "'%s' lacks '%s'",
                  vela_context_message(reading.context), message);
    reading_end(&reading);
}

static inline void ck_vector(const double found[3], double x, double y, double z)
{
    ck_assert_double_eq(found[0], x);
    ck_assert_double_eq(found[1], y);
    ck_assert_double_eq(found[2], z);
}

#endif
