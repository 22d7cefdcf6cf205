// Arenas: what is allocated, what grows and keeps what it has, marks, and what a limit refuses.
#include "check_main.h"

#include "base/arena.h"

#include <string.h>

enum { SHARED_MOST = 4096, LARGE = 1 << 20 };

static VelaContext *context;

static void setup(void)
{
    context = test_context();
}

static void teardown(void)
{
    ck_assert_uint_eq(context->memory_used, 0);
    vela_context_destroy(context);
}

static void check_zeros(const char *memory, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        ck_assert_msg(memory[i] == 0, "byte %zu of %zu is %d", i, size, memory[i]);
}

START_TEST(memory_is_zeroed_and_aligned)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000, SHARED_MOST, 65535, 65536, 65537, LARGE};
    Arena arena = arena_make(context);
    for (int round = 0; round < 3; ++round) {
        const ArenaMark mark = arena_mark(&arena);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
            char *memory;
            ASSERT_OK(context, ARENA_ARRAY(&arena, memory, sizes[i]));
            ck_assert_uint_eq((uintptr_t)memory % 64, 0);
            check_zeros(memory, sizes[i]);
            memset(memory, -1, sizes[i]); // the next round is given the same again
        }
        arena_release(&arena, mark);
    }
    arena_clear(&arena);
}
END_TEST

// One number at a time, beside others that share their blocks, to arrays that have theirs alone.
START_TEST(arrays_keep_what_they_have)
{
    enum { ARRAYS = 3, COUNT = 200000 };
    Arena arena = arena_make(context);
    int32_t *arrays[ARRAYS] = {NULL};
    size_t capacities[ARRAYS] = {0};
    for (int32_t i = 0; i < COUNT; ++i)
        for (int a = 0; a < ARRAYS; ++a) {
            if (a == 1 && i % 100 != 0)
                continue;
            const size_t place = a == 1 ? (size_t)i / 100 : (size_t)i;
            ASSERT_OK(context, ARENA_GROW(&arena, arrays[a], &capacities[a], place + 1));
            ck_assert_uint_gt(capacities[a], place);
            ck_assert_uint_eq((uintptr_t)arrays[a] % 64, 0);
            arrays[a][place] = i + a;
        }
    for (int a = 0; a < ARRAYS; ++a)
        for (int32_t i = 0; i < (a == 1 ? COUNT / 100 : COUNT); ++i)
            ck_assert_int_eq(arrays[a][i], (a == 1 ? 100 * i : i) + a);
    const size_t most = sizeof **arrays * (capacities[0] + capacities[2]);
    ck_assert_uint_lt(context->memory_used,
                      most + (1 << 20)); // nothing of what they were is left but what shares blocks
    arena_clear(&arena);
}
END_TEST

// What is older than a mark stays, wherever it has grown to since; what is younger goes.
START_TEST(marks_hold_where_arrays_grow)
{
    Arena arena = arena_make(context);
    int32_t *older = NULL, *younger = NULL;
    size_t older_capacity = 0, younger_capacity = 0;
    ASSERT_OK(context, ARENA_GROW(&arena, older, &older_capacity, LARGE));
    for (int32_t i = 0; i < LARGE; ++i)
        older[i] = i;
    const ArenaMark mark = arena_mark(&arena); // its block is the one that grows
    const size_t before = context->memory_used;
    ASSERT_OK(context, ARENA_GROW(&arena, younger, &younger_capacity, LARGE));
    ASSERT_OK(context, ARENA_GROW(&arena, older, &older_capacity, 8 * LARGE));
    ASSERT_OK(context, ARENA_GROW(&arena, younger, &younger_capacity, 2 * LARGE));
    memset(younger, -1, 2 * LARGE * sizeof *younger);
    arena_release(&arena, mark);
    ck_assert_uint_lt(context->memory_used, before + 8 * LARGE * sizeof *older);
    for (int32_t i = LARGE; i < 8 * LARGE; ++i)
        older[i] = i;
    for (size_t size = 1000; size <= LARGE; size *= 32) { // what is given next lies in none of it
        char *other;
        ASSERT_OK(context, ARENA_ARRAY(&arena, other, size));
        check_zeros(other, size);
        memset(other, -1, size);
    }
    for (int32_t i = 0; i < 8 * LARGE; ++i)
        ck_assert_int_eq(older[i], i);
    arena_clear(&arena);
}
END_TEST

// An array that is filled grows as any does, by a quarter more than is needed.
START_TEST(what_is_filled_grows)
{
    Arena arena = arena_make(context);
    int32_t *numbers = NULL;
    size_t capacity = 0, count = 0;
    for (size_t needed = 1; needed <= 8 * LARGE; needed = 3 * needed + 7) {
        ASSERT_OK(context, ARENA_GROW_FILLED(&arena, numbers, &capacity, needed));
        ck_assert_uint_ge(capacity, needed);
        ck_assert_uint_le(capacity, needed + needed / 4 + 16);
        for (; count < needed; ++count)
            numbers[count] = (int32_t)count;
        ASSERT_OK(context, ARENA_GROW_FILLED(&arena, numbers, &capacity, needed / 2));
        ck_assert_uint_ge(capacity, needed);
    }
    for (size_t i = 0; i < count; ++i)
        ck_assert_int_eq(numbers[i], (int32_t)i);
    arena_clear(&arena);
}
END_TEST

// An array that may not grow is what it was.
START_TEST(a_limit_leaves_arrays_as_they_are)
{
    Arena arena = arena_make(context);
    int32_t *array = NULL;
    size_t capacity = 0;
    context->memory_limit = 10 * LARGE;
    ASSERT_OK(context, ARENA_GROW(&arena, array, &capacity, LARGE));
    for (int32_t i = 0; i < LARGE; ++i)
        array[i] = i;
    const size_t used = context->memory_used;
    const int32_t *const where = array;
    ck_assert_int_eq(ARENA_GROW(&arena, array, &capacity, 2 * LARGE), VELA_ERROR_OUT_OF_MEMORY);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "out of memory: 8388608 bytes"));
    ck_assert_int_eq(ARENA_GROW(&arena, array, &capacity, SIZE_MAX / 2), VELA_ERROR_OUT_OF_MEMORY);
    ck_assert_ptr_eq(array, where);
    ck_assert_uint_eq(capacity, LARGE);
    ck_assert_uint_eq(context->memory_used, used);
    for (int32_t i = 0; i < LARGE; ++i)
        ck_assert_int_eq(array[i], i);
    context->memory_limit = 0;
    arena_clear(&arena);
}
END_TEST

/// An arena that is used alike time after time has its memory in one piece, which is zeroed each time.
START_TEST(what_is_rewound_stays)
{
    Arena arena = arena_make(context);
    size_t used = 0;
    for (int round = 0; round < 5; ++round) {
        unsigned char *memory[3];
        static const size_t sizes[3] = {1000, 300000,
                                        50000}; // less than a block, more, and what fits no more
        for (int k = 0; k < 3; ++k) {
            ASSERT_OK(context, ARENA_ARRAY(&arena, memory[k], sizes[k]));
            for (size_t i = 0; i < sizes[k]; ++i)
                ck_assert(memory[k][i] == 0);
            memset(memory[k], 0xff, sizes[k]);
        }
        if (round > 1) // the second round is the first one that knows
            ck_assert_uint_eq(context->memory_used, used);
        used = context->memory_used;
        arena_rewind(&arena);
        if (round > 0)
            ck_assert_uint_eq(context->memory_used, used);
    }
    arena_clear(&arena);
    ck_assert_uint_lt(context->memory_used, used);
}
END_TEST

START_TEST(blocks_keep_what_fits)
{
    static const size_t sizes[] = {1, 100, 70000, 3, 5000000, 40, 40, 64, 1 << 22, 1000};
    size_t kept = 1;
    char *block = context_allocate(context, kept);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        block = context_reallocate(context, block, sizes[i]);
        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % 64, 0);
        const size_t least = kept < sizes[i] ? kept : sizes[i];
        for (size_t b = 0; i > 0 && b < least; ++b)
            ck_assert_int_eq((uint8_t)block[b], (uint8_t)(b * 7));
        for (size_t b = 0; b < sizes[i]; ++b)
            block[b] = (char)(b * 7);
        kept = sizes[i];
        ck_assert_uint_lt(context->memory_used, kept + 256);
    }
    ck_assert_ptr_null(context_reallocate(context, block, SIZE_MAX - 64));
    context_free(context, block);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arenas");
    TCase *tests = tcase_create("memory");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, memory_is_zeroed_and_aligned);
    tcase_add_test(tests, arrays_keep_what_they_have);
    tcase_add_test(tests, marks_hold_where_arrays_grow);
    tcase_add_test(tests, what_is_filled_grows);
    tcase_add_test(tests, a_limit_leaves_arrays_as_they_are);
    tcase_add_test(tests, what_is_rewound_stays);
    tcase_add_test(tests, blocks_keep_what_fits);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
