// Threads of a region that wait for each other, and loops that they share.
#include "check_main.h"

#include "base/team.h"

#include <string.h>

// More than there are cores, and more than a loop has shares.
static const int thread_counts[] = {1, 2, 3, 7, TEAM_SHARES_MOST + 3};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts, MOST = TEAM_SHARES_MOST + 3 };

START_TEST(nobody_goes_on_before_all_have_come)
{
    const int threads = thread_counts[_i], phases = threads > 3 ? 5 : 2000;
    int done[MOST] = {0}, wrong = 0;
    Team team = {0};
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    for (int phase = 1; phase <= phases; ++phase) {
        done[omp_get_thread_num()] = phase;
        team_wait(&team);
        for (int t = 0; t < omp_get_num_threads(); ++t)
            wrong += done[t] != phase;
        team_wait(&team);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(atomic_load(&team.come), 0); // ready for another region
}
END_TEST

START_TEST(every_iteration_is_taken_once)
{
    static const int32_t counts[] = {0, 1, 5, 64, 1000}, sizes[] = {1, 3, 16, 2000};
    const int threads = thread_counts[_i];
    for (size_t c = threads > 7 ? 3 : 0; c < sizeof counts / sizeof *counts; ++c)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
            atomic_int taken[1000] = {0}, wrong = 0;
            TeamLoop loop;
            team_loop_set(&loop, counts[c], sizes[s], threads);
#pragma omp parallel num_threads(threads)
            for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);) {
                wrong += walk.first % sizes[s] != 0 || walk.end > walk.first + sizes[s];
                for (int32_t i = walk.first; i < walk.end; ++i)
                    taken[i] += 1;
            }
            ck_assert_int_eq(wrong, 0);
            for (int32_t i = 0; i < counts[c]; ++i)
                ck_assert_int_eq(taken[i], 1);
        }
}
END_TEST

/// How often iterations were done, and by how many calls.
typedef struct Ranges {
    atomic_int done[1000], calls;
} Ranges;

static void note_range(void *data, int32_t first, int32_t end)
{
    Ranges *ranges = data;
    ++ranges->calls;
    for (int32_t i = first; i < end; ++i)
        ++ranges->done[i];
}

START_TEST(ranges_are_all_there_is)
{
    static const int32_t counts[] = {0, 1, 5, 64, 1000};
    const int threads = thread_counts[_i];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
        for (int few = 0; few <= 64; few += 64) {
            Ranges ranges = {0};
            team_ranges(threads, counts[c], few, note_range, &ranges);
            ck_assert_int_eq(atomic_load(&ranges.calls), counts[c] <= few ? 1 : threads);
            for (int32_t i = 0; i < 1000; ++i)
                ck_assert_int_eq(atomic_load(&ranges.done[i]), i < counts[c]);
        }
}
END_TEST

START_TEST(threads_begin_with_their_own_share)
{
    int32_t first[4] = {-1, -1, -1, -1};
    TeamLoop loop;
    Team team = {0};
    team_loop_set(&loop, 400, 10, 4);
#pragma omp parallel num_threads(4)
    {
        TeamWalk walk = {0};
        if (team_loop_next(&loop, &walk))
            first[omp_get_thread_num()] = walk.first;
        team_wait(&team);
    }
    for (int t = 0; t < 4; ++t)
        ck_assert_int_eq(first[t], 100 * t);
}
END_TEST

START_TEST(one_thread_goes_through_in_order)
{
    int32_t next = 0;
    TeamLoop loop;
    team_loop_set(&loop, 1003, 8, 5); // five shares, one thread
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk); next = walk.end)
        ck_assert_int_eq(walk.first, next);
    ck_assert_int_eq(next, 1003);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("team");
    TCase *cases = tcase_create("team");
    tcase_add_loop_test(cases, nobody_goes_on_before_all_have_come, 0, THREAD_COUNTS);
    tcase_add_loop_test(cases, every_iteration_is_taken_once, 0, THREAD_COUNTS);
    tcase_add_loop_test(cases, ranges_are_all_there_is, 0, THREAD_COUNTS);
    tcase_add_test(cases, threads_begin_with_their_own_share);
    tcase_add_test(cases, one_thread_goes_through_in_order);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
