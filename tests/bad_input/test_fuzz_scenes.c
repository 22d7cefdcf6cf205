// Mutated scenes: each is refused with a message that names the file, or read; what is read must read back from its
// resolved text as the same. Run with sanitizers it shows that nothing else happens. VELA_FUZZ_COUNT: how many (2000).
#include "scene_fixture.h"

#include "base/file.h"
#include "scene/parse.h"

#include <math.h>

#define FUZZ_PATH SOURCE_DIR "/tests/scenes/fuzz.json"

typedef struct Random {
    uint64_t state;
} Random;

// splitmix64
static uint64_t random_next(Random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static size_t random_below(Random *random, size_t bound)
{
    return bound ? (size_t)(random_next(random) % bound) : 0;
}

typedef struct Text {
    char *bytes;
    size_t length, capacity;
} Text;

/// Replaces `removed` bytes at `at` by `count` bytes of `fresh`.
static void splice(Text *text, size_t at, size_t removed, const char *fresh, size_t count)
{
    if (at > text->length || text->length + count > text->capacity)
        return;
    removed = removed < text->length - at ? removed : text->length - at;
    memmove(text->bytes + at + count, text->bytes + at + removed, text->length - at - removed);
    memcpy(text->bytes + at, fresh, count);
    text->length = text->length - removed + count;
}

static const char *const tokens[] = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "//",
    "/*",
    "*/",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "\"\"",
    "0",
    "-0",
    "-1",
    "1e999",
    "-1e999",
    "1e308",
    "1e30",
    "1e-30",
    "5e-324",
    "2147483647",
    "2147483648",
    "-2147483649",
    "9007199254740993",
    "1e15",
    "0.5",
    "\"1/0\"",
    "\"0/1\"",
    "\"1/3\"",
    "\"1e300/1e-300\"",
    "nan",
    "inf",
    "\"all\"",
    "\"mesh\"",
    "\"/\"",
    "\"two_tets.mesh\"",
    "\"/dev/zero\"",
    "[[[[[[[[",
    "]]]]",
    "\xff",
    "\xc3\xbc",
    "\x00",
    "\n",
    "\r\n",
    "\t",
    "[0,0,0]",
    "[1,1,1]",
    "\"version\":1",
    "\"time\"",
    "\"spin\"",
    "\"rk4\"",
    "\"a_search\"",
    "\"newton\"",
    "\"compliant\"",
    "\"world\"",
    "\"constraints\"",
    "[{\"time\":0,\"value\":null}]",
    "\"arap\"",
};
enum { TOKEN_COUNT = sizeof tokens / sizeof tokens[0] };

/// Start and length of a number, a string or a single character at or after a random place.
static size_t random_token(const Text *text, Random *random, size_t *length)
{
    static const char number[] = "0123456789+-.eE";
    size_t at = random_below(random, text->length);
    while (at < text->length && (text->bytes[at] == ' ' || text->bytes[at] == '\n'))
        ++at;
    *length = at < text->length;
    if (at >= text->length)
        return at;
    if (text->bytes[at] == '"') {
        while (at + *length < text->length && text->bytes[at + *length] != '"')
            ++*length;
        ++*length;
    } else if (memchr(number, text->bytes[at], sizeof number - 1)) {
        while (at > 0 && memchr(number, text->bytes[at - 1], sizeof number - 1))
            --at;
        while (at + *length < text->length && memchr(number, text->bytes[at + *length], sizeof number - 1))
            ++*length;
    }
    return at;
}

static void mutate(Text *text, Random *random)
{
    char copy[256];
    size_t length, other_length;
    const size_t at = random_token(text, random, &length);
    const char *token = tokens[random_below(random, TOKEN_COUNT)];
    switch (random_below(random, 8)) {
    case 0: // a flipped bit
        if (at < text->length)
            text->bytes[at] = (char)(text->bytes[at] ^ (1 << random_below(random, 8)));
        break;
    case 1: // another token in place of one
        splice(text, at, length, token, strlen(token) + (*token == 0));
        break;
    case 2: // a token more
        splice(text, at, 0, token, strlen(token) + (*token == 0));
        break;
    case 3: // a range less
        splice(text, at, random_below(random, 60), "", 0);
        break;
    case 4: { // a range twice
        const size_t count = random_below(random, sizeof copy);
        if (at + count > text->length)
            break;
        memcpy(copy, text->bytes + at, count);
        splice(text, random_below(random, text->length), 0, copy, count);
        break;
    }
    case 5: { // one token in place of another
        const size_t other = random_token(text, random, &other_length);
        other_length = other_length < sizeof copy ? other_length : sizeof copy;
        other_length = other_length < text->length - other ? other_length : text->length - other;
        memcpy(copy, text->bytes + other, other_length);
        splice(text, at, length, copy, other_length);
        break;
    }
    case 6: // another number in place of one
        if (length > 0 && text->bytes[at] >= '0' && text->bytes[at] <= '9') {
            const double number =
                ldexp((double)random_next(random) / 1e19, (int)random_below(random, 24) - 8);
            const int written =
                snprintf(copy, sizeof copy, random_below(random, 2) ? "%.17g" : "%.0f", number);
            splice(text, at, length, copy, (size_t)written);
        }
        break;
    default: // cut off
        if (random_below(random, 8) == 0)
            text->length = at;
    }
}

static void check_motion(const Motion *motion)
{
    const double point[3] = {1, 2, 3};
    for (int i = -1; i < 4; ++i) {
        double out[3];
        motion_apply(motion, i * 0.7, point, out);
        motion_rotate(motion, i * 0.7, point, out);
        for (int k = 0; k < 3; ++k)
            ck_assert(isfinite(out[k]));
    }
}

/// What was read: in range, and the same again from its resolved text.
static void check_accepted(Reading *reading)
{
    const SceneDef *scene = &reading->scene;
    SceneDef again;
    ck_assert(scene->step > 0 && isfinite(scene->duration) && scene->step_count >= 0);
    ck_assert(scene->body_count > 0 && scene->material_count > 0);
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const BodyDef *body = &scene->bodies[b];
        ck_assert(body->material >= 0 && body->material < scene->material_count);
        ck_assert_double_eq_tol(sqrt(body->rotate_axis[0] * body->rotate_axis[0] +
                                     body->rotate_axis[1] * body->rotate_axis[1] +
                                     body->rotate_axis[2] * body->rotate_axis[2]),
                                1, 1e-14);
        for (int32_t p = 0; p < body->pin_count; ++p)
            check_motion(&body->pins[p].motion);
    }
    for (int32_t c = 0; c < scene->constraint_count; ++c) {
        const ConstraintDef *constraint = &scene->constraints[c];
        ck_assert(constraint->compliance >= 0 && constraint->end_count >= 2);
        ck_assert(constraint->compliance > 0 || scene->solver.type == SOLVER_COMPLIANT);
        for (int32_t e = 0; e < constraint->end_count; ++e) {
            ck_assert(constraint->ends[e].body >= -1 && constraint->ends[e].body < scene->body_count);
            check_motion(&constraint->ends[e].motion);
        }
    }
    for (int32_t m = 0; m < scene->material_count; ++m)
        ck_assert(isfinite(scene->materials[m].kappa) && scene->materials[m].kappa > 0 &&
                  isfinite(scene->materials[m].lambda));
    ASSERT_OK(reading->context, scene_parse(reading->context, "again.json", scene->resolved,
                                            strlen(scene->resolved), 0, NULL, &reading->arena, &again));
    ck_assert_str_eq(again.resolved, scene->resolved);
    ck_assert(again.hash == scene->hash);
}

/// A `--set` out of the scene's own names and the tokens.
static const char *random_override(Random *random, char out[256])
{
    static const char *const names[] = {"bodies",    "0",      "1",      "time",   "step",     "solver",
                                        "materials", "rubber", "pins",   "motion", "geometry", "translate",
                                        "",          "render", "camera", "eye"};
    out[0] = 0;
    for (size_t i = 0, count = 1 + random_below(random, 4); i < count; ++i) {
        strcat(out, i ? "." : "");
        strcat(out, names[random_below(random, sizeof names / sizeof names[0])]);
    }
    strcat(out, random_below(random, 20) ? "=" : "");
    strcat(out, tokens[random_below(random, TOKEN_COUNT)]);
    return out;
}

static bool try_text(const Text *text, Random *random)
{
    Reading reading;
    char overrides[2][256];
    const char *sets[2] = {random_override(random, overrides[0]), random_override(random, overrides[1])};
    const int32_t set_count = random_below(random, 4) ? 0 : 1 + (int32_t)random_below(random, 2);
    reading_start(&reading);
    // A block of exactly this size, so that reading beyond its end is noticed.
    char *exact = malloc(text->length ? text->length : 1);
    memcpy(exact, text->bytes, text->length);
    const VelaResult result = scene_parse(reading.context, FUZZ_PATH, exact, text->length, set_count, sets,
                                          &reading.arena, &reading.scene);
    const char *message = vela_context_message(reading.context);
    ck_assert_msg(result == VELA_OK || result == VELA_ERROR_INVALID_INPUT, "result %d (%s) for\n%.*s", result,
                  message, (int)text->length, text->bytes);
    if (result == VELA_OK)
        check_accepted(&reading);
    else
        ck_assert_msg(strncmp(message, FUZZ_PATH ":", sizeof FUZZ_PATH) == 0 ||
                          strncmp(message, "--set ", 6) == 0,
                      "the message names no file: %s", message);
    free(exact);
    reading_end(&reading);
    return result == VELA_OK;
}

START_TEST(mutated_scenes)
{
    const char *wanted = getenv("VELA_FUZZ_COUNT");
    const long count = wanted ? strtol(wanted, NULL, 10) : 2000;
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    static const char *const paths[] = {SOURCE_DIR "/tests/scenes/every_key.json",
                                        SOURCE_DIR "/tests/scenes/every_key_newton.json",
                                        SOURCE_DIR "/tests/scenes/every_key_compliant.json"};
    enum { SEEDS = 1 + sizeof paths / sizeof *paths };
    char *seeds[SEEDS] = {BASIC_SCENE};
    size_t sizes[SEEDS] = {strlen(BASIC_SCENE)};
    for (int i = 0; i + 1 < SEEDS; ++i)
        ASSERT_OK(context, file_read(context, paths[i], &arena, &seeds[1 + i], &sizes[1 + i]));
    Text text = {.capacity = 4 * sizes[1]};
    text.bytes = malloc(text.capacity);
    long accepted = 0;
    for (long i = 0; i < count; ++i) {
        Random random = {.state = (uint64_t)i};
        const size_t seed = random_below(&random, SEEDS);
        text.length = 0;
        splice(&text, 0, 0, seeds[seed], sizes[seed]);
        for (size_t m = 0, mutations = 1 + random_below(&random, 1 + random_below(&random, 8)); m < mutations;
             ++m)
            mutate(&text, &random);
        accepted += try_text(&text, &random);
    }
    printf("%ld mutated scenes: %ld read, %ld refused\n", count, accepted, count - accepted);
    ck_assert_int_gt(accepted, count / 100); // else the mutations are too coarse to get anywhere
    ck_assert_int_lt(accepted, count);
    free(text.bytes);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fuzzed scenes");
    TCase *tests = tcase_create("fuzz");
    tcase_add_test(tests, mutated_scenes);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
