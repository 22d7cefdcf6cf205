// The context: the message of a failure, also where several threads fail at once.
#include "base/arena.h"
#include "base/clock.h"
#include "base/context.h"
#include "check_main.h"

#include <string.h>

static VelaContext *context;

enum { THREADS = 2, ROUNDS = 4000, LENGTH = 1500 };

/// As where memory runs out in a parallel region: every thread writes a message, and one of them is there at the end, whole.
START_TEST(messages_of_threads_do_not_mix)
{
    char texts[THREADS][LENGTH + 1];
    for (int t = 0; t < THREADS; ++t) {
        memset(texts[t], 'a' + t, LENGTH);
        texts[t][LENGTH] = 0;
    }
    for (int round = 0; round < ROUNDS; ++round) {
        // The last writes of the threads are the closer together the sooner all know of the end.
        atomic_int left = 20;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
        for (int t = 0; t < THREADS; ++t)
            while (atomic_fetch_sub(&left, 1) > 0)
                context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "%s", texts[t]);
        const char *message = vela_context_message(context);
        ck_assert_uint_eq(strlen(message), LENGTH);
        ck_assert_msg(strspn(message, (char[2]){message[0], 0}) == LENGTH, "two messages in one: %s",
                      message);
    }
}
END_TEST

/// Resident memory of this process, bytes; 0 where the system does not say.
static size_t resident(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return 4096 * (size_t)pages;
}

START_TEST(large_arrays_are_zero_and_untouched)
{
    enum { SIZE = 64 << 20 };
    Arena arena = arena_make(context);
    void *memory;
    const size_t before = resident();
    ASSERT_OK(context, arena_allocate(&arena, SIZE, 1, &memory));
    ck_assert_uint_eq((uintptr_t)memory % 64, 0);
    if (before > 0)
        ck_assert_uint_lt(resident(), before + SIZE / 4);
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < SIZE; i += 509)
        ck_assert_uint_eq(bytes[i], 0);
    arena_clear(&arena);
    ck_assert_uint_eq(context->memory_used, 0);
}
END_TEST

// What was released is given out again, in parts of other sizes.
START_TEST(released_memory_is_zero_again)
{
    Arena arena = arena_make(context);
    unsigned char *first, *second, *third;
    ASSERT_OK(context, ARENA_ARRAY(&arena, first, 100));
    const ArenaMark mark = arena_mark(&arena);
    for (size_t round = 1; round < 6; ++round) {
        ASSERT_OK(context, ARENA_ARRAY(&arena, second, 3000 / round));
        ASSERT_OK(context, ARENA_ARRAY(&arena, third, 500 * round));
        for (size_t i = 0; i < 3000 / round; ++i)
            ck_assert_uint_eq(second[i], 0);
        for (size_t i = 0; i < 500 * round; ++i)
            ck_assert_uint_eq(third[i], 0);
        memset(second, 0xff, 3000 / round);
        memset(third, 0xff, 500 * round);
        arena_release(&arena, mark);
    }
    arena_clear(&arena);
}
END_TEST

static VelaResult with_requirement(int count)
{
    REQUIRE(context, count > 3);
    return VELA_OK;
}

START_TEST(a_mistake_is_an_error_with_its_condition)
{
    ASSERT_OK(context, with_requirement(4));
    ck_assert_int_eq(with_requirement(3), VELA_ERROR_INTERNAL);
    ck_assert_str_eq(vela_context_message(context),
                     "with_requirement: expected count > 3; this is a mistake in vela, please report it");
}
END_TEST

START_TEST(the_clock_goes_on)
{
    const double start = clock_seconds();
    double last = start;
    while (last < start + 1e-3) {
        const double now = clock_seconds();
        ck_assert_double_ge(now, last);
        last = now;
    }
}
END_TEST

int main(void)
{
    const VelaContextDef def = vela_default_context_def();
    if (vela_context_create(&def, &context) != VELA_OK)
        return EXIT_FAILURE;
    Suite *suite = suite_create("context");
    TCase *tests = tcase_create("messages");
    tcase_add_test(tests, messages_of_threads_do_not_mix);
    tcase_add_test(tests, large_arrays_are_zero_and_untouched);
    tcase_add_test(tests, released_memory_is_zero_again);
    tcase_add_test(tests, a_mistake_is_an_error_with_its_condition);
    tcase_add_test(tests, the_clock_goes_on);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    vela_context_destroy(context);
    return failed;
}
