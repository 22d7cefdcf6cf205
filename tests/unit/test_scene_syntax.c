// Broken JSON: the message says where (line and column), what is there and what should be.
#include "scene/parse.h"
#include "scene_fixture.h"

static const struct {
    const char *text, *message;
} cases[] = {
    {"", "test.json:1:1: found the end of the text, expected a value"},
    {"   ", "test.json:1:4: found the end of the text, expected a value"},
    {"{\n  \"version\": 1\n  \"time\": 2}", "test.json:3:3: found \"time\", expected ',' or '}'"},
    {"{\n  \"a\": [1, 2,]\n}",
     "test.json:2:13: found a comma before ']', expected none behind the last entry"},
    {"{\"a\": 1,\n}", "test.json:1:8: found a comma before '}'"},
    {"{\"a\" 1}", "test.json:1:6: found 1, expected ':' after the key"},
    {"{a: 1}", "test.json:1:2: found a, expected a key in double quotes"},
    {"{'a': 1}", "test.json:1:2: found ', expected a key in double quotes"},
    {"{\"a\": 'b'}", "test.json:1:7: found ', expected a value"},
    {"{\"a\": True}",
     "test.json:1:7: found True, expected a value: a number, a string in double quotes, true"},
    {"{\"a\": NaN}", "found NaN, expected a value"},
    {"{\"a\": Infinity}", "found Infinity, expected a value"},
    {"{\"a\": -Infinity}", "found -Infinity, expected a number such as"},
    {"{\"a\": truely}", "found truely, expected a value"},
    {"{\"a\": 01}", "found 01, expected a number such as 12, -0.5 or 1e-3"},
    {"{\"a\": 1.}", "found 1., expected a number"},
    {"{\"a\": .5}", "found .5, expected a value"},
    {"{\"a\": +5}", "found +5, expected a value"},
    {"{\"a\": 1e}", "found 1e, expected a number"},
    {"{\"a\": 1.2.3}", "found 1.2.3, expected a number"},
    {"{\"a\": 0x10}", "found 0x10, expected a number"},
    {"{\"a\": 1-2}", "found 1-2, expected a number"},
    {"{\"a\": 0.00000000000000000000000000000000000000000000000000000000000000001}", "at most 60 characters"},
    {"{\"a\": \"b", "test.json:1:7: this string has no end, expected \""},
    {"{\"a\": \"b\n\"}", "test.json:1:7: this string has no end on its line"},
    {"{\"a\": \"\\q\"}", "test.json:1:8: unknown escape in a string"},
    {"{\"a\": \"\\u12g4\"}", "\\u needs four hexadecimal digits"},
    {"{\"a\": \"\\u0000\"}", "\\u0000 cannot be part of a string"},
    {"{\"a\": \"\\ud800\"}", "half of a \\uXXXX\\uXXXX pair"},
    {"{\"a\": \"\\ud800\\u0041\"}", "half of a \\uXXXX\\uXXXX pair"},
    {"{\"a\": \"\\udc00\"}", "half of a \\uXXXX\\uXXXX pair"},
    {"{\"a\": \"\xff\"}", "test.json:1:8: found the byte 0xff, expected UTF-8 text"},
    {"{\"a\": \"\xc0\x80\"}", "expected UTF-8 text"},
    {"{\"a\": \"\xed\xa0\x80\"}", "expected UTF-8 text"},
    {"{\"a\": \"\t\"}", "found the byte 0x09, expected no control characters"},
    {"{\"a\": \x01}", "found the byte 0x01, expected a value"},
    {"{} {}", "test.json:1:4: found {, expected nothing more"},
    {"{}}", "test.json:1:3: found }, expected nothing more"},
    {"[1, 2}", "test.json:1:6: found }, expected ',' or ']'"},
    {"{\n/* never\nended", "test.json:2:1: this comment has no end, expected */"},
    {"{ // only a comment", "test.json:1:20: found the end of the text, expected a key"},
    {"{\"a\": / 1}", "found /, expected a value"},
    // Columns count characters, not bytes; comments keep their room.
    {"{\"\xc3\xbc\xc3\xa4\": /* \xe2\x82\xac */ ?}", "test.json:1:16: found ?, expected a value"},
    {"\xef\xbb\xbf{?}", "test.json:1:2: found ?, expected a key"},
    {"[1]", "test.json: found a list of 1, expected an object with keys of: version, name, time"},
    {"3", "test.json: found 3, expected an object"},
    {"null", "test.json: found null, expected an object"},
};

START_TEST(broken_json_is_located)
{
    expect_refusal(cases[_i].text, cases[_i].message);
}
END_TEST

START_TEST(nesting_is_bounded)
{
    enum { DEPTH = 2000000 };
    char *text = malloc(DEPTH + 1);
    memset(text, '[', DEPTH);
    text[DEPTH] = 0;
    expect_refusal(text, "test.json:1:65: nested deeper than 64 levels");
    free(text);
}
END_TEST

START_TEST(size_is_bounded)
{
    const size_t size = (16 << 20) + 1;
    char *text = malloc(size + 1);
    memset(text, ' ', size);
    text[size] = 0;
    expect_refusal(text, "16777217 bytes of text, expected at most 16777216");
    memcpy(text, "{\"a\":[", 6);
    for (size_t i = 6; i + 1 < size - 1; i += 2)
        memcpy(text + i, "1,", 2);
    text[size - 1] = 0;
    expect_refusal(text, "more than 2000000 values in one file");
    free(text);
}
END_TEST

START_TEST(long_strings_are_no_trouble)
{
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH + 32);
    strcpy(text, "{\"version\": \"");
    memset(text + 13, 'x', LENGTH);
    strcpy(text + 13 + LENGTH, "\"}");
    expect_refusal(text, "xxxxxxxx...\", expected a number");
    text[2] = 'x';
    memset(text, 'x', LENGTH);
    memcpy(text, "{\"", 2);
    strcpy(text + LENGTH, "\": 1}");
    expect_refusal(text, "xxx...: unknown key \"xxx");
    free(text);
}
END_TEST

START_TEST(memory_limit_holds)
{
    VelaContextDef def = vela_default_context_def();
    def.memory_limit = 1 << 20;
    VelaContext *context;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    Arena arena = arena_make(context);
    SceneDef scene;
    enum { SIZE = 100000 };
    char *text = malloc(SIZE + 1);
    memset(text, '[', SIZE);
    for (int i = 0; i < SIZE; ++i)
        text[i] = i == 0 ? '[' : i == SIZE - 1 ? ']' : i % 2 ? '1' : ',';
    text[SIZE] = 0;
    text[SIZE - 2] = ' ';
    text[SIZE - 3] = '1';
    const VelaResult result = scene_parse(context, "test.json", text, SIZE, 0, NULL, &arena, &scene);
    ck_assert_int_eq(result, VELA_ERROR_OUT_OF_MEMORY);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "out of memory: test.json"));
    free(text);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
    static const struct {
        const char *path, *message;
    } files[] = {
        {"does/not/exist.json", "does/not/exist.json: cannot be opened: No such file"},
        {"/dev/zero", "/dev/zero: not a regular file"},
        {SOURCE_DIR, "not a regular file"},
    };
    Reading reading;
    reading_start(&reading);
    for (int i = 0; i < 3; ++i) {
        ck_assert_int_eq(scene_read(reading.context, files[i].path, 0, NULL, &reading.arena, &reading.scene),
                         VELA_ERROR_INVALID_INPUT);
        ck_assert_msg(strstr(vela_context_message(reading.context), files[i].message), "%s",
                      vela_context_message(reading.context));
    }
    reading_end(&reading);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene syntax");
    TCase *tests = tcase_create("syntax");
    tcase_add_loop_test(tests, broken_json_is_located, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tests, nesting_is_bounded);
    tcase_add_test(tests, size_is_bounded);
    tcase_add_test(tests, long_strings_are_no_trouble);
    tcase_add_test(tests, memory_limit_holds);
    tcase_add_test(tests, what_is_no_file_is_refused);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
