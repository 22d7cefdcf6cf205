// scenes/schema.json, docs/scene-reference.md and the reader know the same names.
#include "scene_fixture.h"

#include "base/file.h"
#include "base/json.h"
#include "scene/keys.h"
#include "scene/parse.h"

static Reading reading;
static cJSON *schema;

static void begin(void)
{
    reading_start(&reading);
    ASSERT_OK(reading.context,
              json_read(reading.context, SOURCE_DIR "/scenes/schema.json", &reading.arena, &schema));
}

static void stop(void)
{
    cJSON_Delete(schema);
    reading_end(&reading);
}

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static int count_names(const char *const *names)
{
    int count = 0;
    while (names[count])
        ++count;
    return count;
}

static bool is_known(const NameTable *table, const char *name)
{
    for (int i = 0; table->known[i]; ++i)
        if (strcmp(table->known[i], name) == 0)
            return true;
    return false;
}

/// The list of words or the object of keys in the schema that belongs to a table.
static const cJSON *counterpart(const NameTable *table)
{
    char object[64];
    const char *dot = strchr(table->where, '.');
    snprintf(object, sizeof object, "%.*s", dot ? (int)(dot - table->where) : 63, table->where);
    const cJSON *properties = member(member(member(schema, "$defs"), object), "properties");
    return dot ? member(member(properties, dot + 1), "enum") : properties;
}

START_TEST(reader_and_schema_know_the_same_names)
{
    for (int t = 0; SCENE_NAME_TABLES[t]; ++t) {
        const NameTable *table = SCENE_NAME_TABLES[t];
        const cJSON *names = counterpart(table);
        ck_assert_msg(names != NULL, "%s is not in the schema", table->where);
        ck_assert_msg(cJSON_GetArraySize(names) == count_names(table->known),
                      "%s: %d names in the schema, %d in the reader", table->where, cJSON_GetArraySize(names),
                      count_names(table->known));
        for (const cJSON *name = names->child; name; name = name->next) {
            const char *text = cJSON_IsArray(names) ? name->valuestring : name->string;
            ck_assert_msg(is_known(table, text), "%s: the reader does not know \"%s\"", table->where, text);
        }
    }
}
END_TEST

static bool has_table(const char *object)
{
    for (int t = 0; SCENE_NAME_TABLES[t]; ++t)
        if (strcmp(SCENE_NAME_TABLES[t]->where, object) == 0)
            return true;
    return false;
}

START_TEST(every_object_of_the_schema_is_read)
{
    int objects = 0;
    for (const cJSON *def = member(schema, "$defs")->child; def; def = def->next) {
        const cJSON *properties = member(def, "properties");
        if (!properties)
            continue;
        ++objects;
        ck_assert_msg(has_table(def->string), "the reader has no object \"%s\"", def->string);
        ck_assert_msg(cJSON_IsFalse(member(def, "additionalProperties")), "%s allows unknown keys",
                      def->string);
        for (const cJSON *property = properties->child; property; property = property->next)
            ck_assert_msg(member(property, "description") || member(property, "$ref") ||
                              member(property, "anyOf"),
                          "%s.%s is not described", def->string, property->string);
    }
    ck_assert_int_gt(objects, 20);
}
END_TEST

/// Whether `name` is a key or a string anywhere in the tree.
static bool occurs(const cJSON *tree, const char *name)
{
    if ((tree->string && strcmp(tree->string, name) == 0) ||
        (cJSON_IsString(tree) && strcmp(tree->valuestring, name) == 0))
        return true;
    for (const cJSON *item = tree->child; item; item = item->next)
        if (occurs(item, name))
            return true;
    return false;
}

START_TEST(every_known_key_is_tried)
{
    // test_scene_reader reads these files: so every key that the reader says it knows, it takes. There are three
    // because some keys exclude one another.
    static const char *const paths[] = {SOURCE_DIR "/tests/scenes/every_key.json",
                                        SOURCE_DIR "/tests/scenes/every_key_newton.json",
                                        SOURCE_DIR "/tests/scenes/every_key_compliant.json"};
    cJSON *scenes[3];
    for (int i = 0; i < 3; ++i)
        ASSERT_OK(reading.context, json_read(reading.context, paths[i], &reading.arena, &scenes[i]));
    for (int t = 0; SCENE_NAME_TABLES[t]; ++t) {
        const NameTable *table = SCENE_NAME_TABLES[t];
        for (int i = 0; table->known[i]; ++i)
            ck_assert_msg(strchr(table->where, '.') || occurs(scenes[0], table->known[i]) ||
                              occurs(scenes[1], table->known[i]) || occurs(scenes[2], table->known[i]),
                          "%s.%s does not occur", table->where, table->known[i]);
    }
    for (int i = 0; i < 3; ++i)
        cJSON_Delete(scenes[i]);
}
END_TEST

START_TEST(every_name_is_documented)
{
    char *text;
    size_t size;
    ASSERT_OK(reading.context, file_read(reading.context, SOURCE_DIR "/docs/scene-reference.md",
                                         &reading.arena, &text, &size));
    for (int t = 0; SCENE_NAME_TABLES[t]; ++t) {
        const NameTable *table = SCENE_NAME_TABLES[t];
        for (int later = 0; later < 2; ++later)
            for (const char *const *name = later ? table->later : table->known; *name; ++name) {
                char quoted[64];
                snprintf(quoted, sizeof quoted, "`%s`", *name);
                ck_assert_msg(strstr(text, quoted) != NULL, "%s: %s is not in the scene reference",
                              table->where, quoted);
            }
    }
}
END_TEST

// The example at the top of the scene reference is a scene.
START_TEST(the_documented_example_is_right)
{
    char *text;
    size_t size;
    ASSERT_OK(reading.context, file_read(reading.context, SOURCE_DIR "/docs/scene-reference.md",
                                         &reading.arena, &text, &size));
    const char *start = strstr(text, "```jsonc\n"), *end = start ? strstr(start, "\n```\n") : NULL;
    ck_assert(start && end);
    start += strlen("```jsonc\n");
    ASSERT_OK(reading.context, scene_parse(reading.context, "example.json", start, (size_t)(end - start), 0,
                                           NULL, &reading.arena, &reading.scene));
    ck_assert_str_eq(reading.scene.name, "drop");
    ck_assert_int_eq(reading.scene.step_count, 240);
    ck_assert_str_eq(reading.warnings, "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene schema");
    TCase *tests = tcase_create("schema");
    tcase_add_checked_fixture(tests, begin, stop);
    tcase_add_test(tests, reader_and_schema_know_the_same_names);
    tcase_add_test(tests, every_object_of_the_schema_is_read);
    tcase_add_test(tests, every_known_key_is_tried);
    tcase_add_test(tests, every_name_is_documented);
    tcase_add_test(tests, the_documented_example_is_right);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
