// The Cholesky factor of the global step beside the dense matrix: random graphs, forests, paths, grids, cliques, nodes with no neighbour and single
// ones, in the order of little fill, in a random one and in that of the nodes; the same bytes for any number of threads.
#include "check_main.h"

#include "device/cpu/linear/cholesky.h"
#include "device/cpu/linear/factor_solve.h"
#include "device/cpu/linear/ordering.h"
#include "random_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM, FOREST, PATH, GRID, CLIQUE, APART, SINGLE, KINDS };
enum { OF_LITTLE_FILL, AT_RANDOM, AS_IT_IS, ORDERS };

typedef struct System {
    Arena arena;
    SymmetricRows rows;
    double *dense; ///< count x count
    int32_t *order;
} System;

static void fill(VelaContext *context, System *system, int kind, RandomState *random)
{
    static const int32_t counts[KINDS] = {[RANDOM] = 300, [FOREST] = 400, [PATH] = 300, [GRID] = 900,
                                          [CLIQUE] = 90,  [APART] = 50,   [SINGLE] = 1};
    const int32_t n = counts[kind];
    *system = (System){.arena = arena_make(context), .rows.count = n};
    SymmetricRows *rows = &system->rows;
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, system->dense, (size_t)n * (size_t)n));
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, rows->start, n + 1));
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, rows->columns, (size_t)n * (size_t)n));
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, rows->values, (size_t)n * (size_t)n));
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, system->order, n));
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < i; ++j) {
            const bool is_coupled[KINDS] = {
                [RANDOM] = random_between(random, 0, 1) < 0.02,
                [FOREST] = i / 5 == j / 5,
                [PATH] = i - j < 3,
                [GRID] = abs(i / 30 - j / 30) < 2 && abs(i % 30 - j % 30) < 2,
                [CLIQUE] = true,
            };
            if (is_coupled[kind])
                system->dense[i * n + j] = system->dense[j * n + i] = random_between(random, -1, 1);
        }
    for (int32_t i = 0; i < n; ++i) { // diagonally dominant, just so
        double sum = 0;
        for (int32_t j = 0; j < n; ++j)
            sum += fabs(system->dense[i * n + j]);
        system->dense[i * n + i] = sum + random_between(random, 0.01, 1.01);
    }
    int32_t next = 0;
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t j = 0; j < n; ++j)
            if (system->dense[i * n + j] != 0) {
                rows->columns[next] = j;
                rows->values[next++] = system->dense[i * n + j];
            }
        rows->start[i + 1] = next;
    }
}

static void choose_order(VelaContext *context, System *system, int kind, RandomState *random)
{
    const SymmetricRows *rows = &system->rows;
    for (int32_t i = 0; i < rows->count; ++i)
        system->order[i] = i;
    for (int32_t i = rows->count - 1; i > 0 && kind == AT_RANDOM; --i) {
        const int32_t j = (int32_t)random_between(random, 0, i + 1), other = system->order[j];
        system->order[j] = system->order[i];
        system->order[i] = other;
    }
    if (kind != OF_LITTLE_FILL)
        return;
    int32_t *row_start;
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, row_start, rows->count + 1));
    for (int32_t i = 0; i <= rows->count; ++i)
        row_start[i] = (int32_t)rows->start[i];
    ASSERT_OK(context, ordering_find(context, rows->count, row_start, rows->columns, system->order));
}

// A matrix of the kind and its plan. Ends with system_end.
static void system_begin(VelaContext *context, System *system, int kind, int order, uint64_t seed,
                         CholeskyPlan *plan)
{
    RandomState random = {seed};
    fill(context, system, kind, &random);
    choose_order(context, system, order, &random);
    ASSERT_OK(context, cholesky_plan(&system->rows, system->order, &system->arena, plan));
}

static void system_end(VelaContext *context, System *system)
{
    arena_clear(&system->arena);
    vela_context_destroy(context);
}

// Columns of the dense factor's pattern, by elimination in the plan's order.
static void check_plan(const System *system, const CholeskyPlan *plan)
{
    const int32_t n = plan->count;
    uint8_t *filled = calloc((size_t)n * (size_t)n, 1);
    for (int32_t k = 0; k < n; ++k) {
        ck_assert_int_eq(plan->places[plan->order[k]], k);
        for (int32_t i = 0; i < n; ++i)
            filled[k * n + i] = system->dense[plan->order[k] * n + plan->order[i]] != 0;
    }
    for (int32_t k = 0; k < n; ++k) {
        int64_t entries = 0;
        int32_t first = -1;
        for (int32_t i = n; i-- > k + 1;) {
            if (!filled[k * n + i])
                continue;
            ++entries;
            first = i;
            for (int32_t j = k + 1; j < n; ++j)
                filled[i * n + j] |= filled[k * n + j];
        }
        ck_assert_int_eq(plan->start[k + 1] - plan->start[k], entries);
        ck_assert_int_eq(plan->parent[k], first);
    }
    free(filled);
}

START_TEST(solves)
{
    VelaContext *context = test_context();
    System system;
    CholeskyPlan plan;
    system_begin(context, &system, _i / ORDERS, _i % ORDERS, (uint64_t)_i + 1, &plan);
    const int32_t n = system.rows.count;
    check_plan(&system, &plan);
    double *right, *first;
    ASSERT_OK(context, ARENA_ARRAY(&system.arena, right, 4 * n));
    ASSERT_OK(context, ARENA_ARRAY(&system.arena, first, 4 * n));
    for (int threads = 1; threads <= 3; ++threads) {
        Factor *factor;
        ASSERT_OK(context, cholesky_factor(context, &plan, &system.rows, kernels_choose(), threads, &factor));
        for (int32_t i = 0; i < 4 * n; ++i)
            right[i] = sin(i + 1);
        factor_solve(factor, kernels_choose(), threads, 3, right);
        if (threads == 1)
            memcpy(first, right, 4 * (size_t)n * sizeof *right);
        ck_assert_mem_eq(right, first, 4 * (size_t)n * sizeof *right);
        factor_destroy(factor);
    }
    for (int32_t i = 0; i < n; ++i)
        for (int r = 0; r < 3; ++r) {
            double residual = sin(4 * i + r + 1);
            for (int32_t j = 0; j < n; ++j)
                residual -= system.dense[i * n + j] * right[4 * j + r];
            ck_assert_double_le(fabs(residual), 1e-12);
        }
    system_end(context, &system);
}
END_TEST

// A grid's 30 lines one after the other fill 27,900 entries below the diagonal, and a single separator of it 435 already.
START_TEST(fills_little)
{
    VelaContext *context = test_context();
    System system;
    CholeskyPlan plan;
    system_begin(context, &system, GRID, OF_LITTLE_FILL, 1, &plan);
    printf("%lld entries\n", (long long)plan.start[plan.count]);
    ck_assert_int_le(plan.start[plan.count], 18000);
    system_end(context, &system);
}
END_TEST

START_TEST(tells_indefinite_matrices)
{
    VelaContext *context = test_context();
    System system;
    CholeskyPlan plan;
    system_begin(context, &system, _i, OF_LITTLE_FILL, 7, &plan);
    Factor *factor;
    for (int32_t i = 0; i < system.rows.count; i += 7)
        for (int64_t p = system.rows.start[i]; p < system.rows.start[i + 1]; ++p) {
            if (system.rows.columns[p] != i)
                continue;
            const double kept = system.rows.values[p], bad[] = {-kept, 0, NAN, INFINITY};
            for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
                system.rows.values[p] = bad[k];
                ck_assert_int_eq(cholesky_factor(context, &plan, &system.rows, kernels_choose(), 2, &factor),
                                 VELA_ERROR_NOT_CONVERGED);
                ck_assert_ptr_null(factor);
            }
            system.rows.values[p] = kept;
            ASSERT_OK(context, cholesky_factor(context, &plan, &system.rows, kernels_choose(), 2, &factor));
            factor_destroy(factor);
        }
    system_end(context, &system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cholesky");
    TCase *cases = tcase_create("factor");
    tcase_add_loop_test(cases, solves, 0, KINDS * ORDERS);
    tcase_add_test(cases, fills_little);
    tcase_add_loop_test(cases, tells_indefinite_matrices, 0, KINDS);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
