// The triangular solves of the global step: a made-up factor with the structure that nested dissection gives, solved for
// a known answer, with one thread and several.
#include "check_main.h"

#include "device/cpu/linear/factor_solve.h"

#include <math.h>
#include <string.h>

/// L D L^T in compressed columns.
typedef struct Columns {
    int32_t count;
    int64_t *start;
    int32_t *parent, *rows, *permutation;
    double *values, *diagonal;
    int32_t next_column;
} Columns;

static double hashed(uint32_t seed)
{
    seed = (seed ^ 61) ^ (seed >> 16);
    seed *= 9;
    seed ^= seed >> 4;
    seed *= 0x27d4eb2d;
    return (double)(seed ^ (seed >> 15)) / 4294967296.0 - 0.5;
}

static int32_t tree_columns(int depth, int32_t width)
{
    return width * ((1 << depth) - 1);
}

// The subtree's columns in postorder: children, then a separator of `width` columns that couple with one another and with
// all of `ancestors`.
static void fill_subtree(Columns *columns, int depth, int32_t width, const int32_t *ancestors,
                         int32_t ancestor_count)
{
    int32_t mine[512];
    const int32_t first = columns->next_column + 2 * (depth > 1 ? tree_columns(depth - 1, width) : 0);
    for (int32_t k = 0; k < width; ++k)
        mine[k] = first + k;
    for (int32_t k = 0; k < ancestor_count; ++k)
        mine[width + k] = ancestors[k];
    for (int child = 0; child < 2 && depth > 1; ++child)
        fill_subtree(columns, depth - 1, width, mine, width + ancestor_count);
    for (int32_t k = 0; k < width; ++k) {
        const int32_t j = columns->next_column++;
        int64_t next = columns->start[j];
        columns->diagonal[j] = 1.5 + hashed((uint32_t)j);
        columns->parent[j] = k + 1 < width + ancestor_count ? mine[k + 1] : -1;
        for (int32_t i = k + 1; i < width + ancestor_count; ++i) {
            columns->rows[next] = mine[i];
            columns->values[next] = 0.05 * hashed((uint32_t)next);
            ++next;
        }
        columns->start[j + 1] = next;
    }
}

static Columns make_columns(Arena *arena, int trees, int depth, int32_t width)
{
    Columns columns = {.count = trees * tree_columns(depth, width)};
    const size_t n = (size_t)columns.count;
    ck_assert_int_eq(ARENA_ARRAY(arena, columns.start, n + 1), VELA_OK);
    ck_assert_int_eq(ARENA_ARRAY(arena, columns.parent, n), VELA_OK);
    ck_assert_int_eq(ARENA_ARRAY(arena, columns.diagonal, n), VELA_OK);
    ck_assert_int_eq(ARENA_ARRAY(arena, columns.permutation, n), VELA_OK);
    ck_assert_int_eq(ARENA_ARRAY(arena, columns.rows, n * (size_t)(width * depth)), VELA_OK);
    ck_assert_int_eq(ARENA_ARRAY(arena, columns.values, n * (size_t)(width * depth)), VELA_OK);
    for (int tree = 0; tree < trees; ++tree)
        fill_subtree(&columns, depth, width, NULL, 0);
    for (int32_t j = 0; j < columns.count; ++j)
        columns.permutation[j] = (int32_t)((int64_t)j * 7919 % columns.count);
    return columns;
}

// right = P^T L D L^T P x for every right-hand side; `x` and `right` are count x 4.
static void multiply(Arena *arena, const Columns *columns, const double *x, double *right)
{
    double *y;
    ck_assert_int_eq(ARENA_ARRAY(arena, y, columns->count), VELA_OK);
    for (int r = 0; r < 4; ++r) {
        for (int32_t j = 0; j < columns->count; ++j) {
            y[j] = x[4 * (size_t)columns->permutation[j] + (size_t)r];
            for (int64_t i = columns->start[j]; i < columns->start[j + 1]; ++i)
                y[j] +=
                    columns->values[i] * x[4 * (size_t)columns->permutation[columns->rows[i]] + (size_t)r];
            y[j] *= columns->diagonal[j];
        }
        for (int32_t j = columns->count - 1; j >= 0; --j)
            for (int64_t i = columns->start[j]; i < columns->start[j + 1]; ++i)
                y[columns->rows[i]] += columns->values[i] * y[j];
        for (int32_t j = 0; j < columns->count; ++j)
            right[4 * (size_t)columns->permutation[j] + (size_t)r] = y[j];
    }
}

static void check_solve(int trees, int depth, int32_t width, bool expect_subtrees)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    const Columns columns = make_columns(&arena, trees, depth, width);
    const size_t values = 4 * (size_t)columns.count;
    double *x, *right, *solved, *again;
    ASSERT_OK(context, ARENA_ARRAY(&arena, x, values));
    ASSERT_OK(context, ARENA_ARRAY(&arena, right, values));
    ASSERT_OK(context, ARENA_ARRAY(&arena, solved, values));
    ASSERT_OK(context, ARENA_ARRAY(&arena, again, values));
    for (size_t i = 0; i < values; ++i)
        x[i] = hashed((uint32_t)i + 77);
    multiply(&arena, &columns, x, right);

    Factor *factor;
    ASSERT_OK(context, factor_create(context, columns.count, columns.start, columns.parent,
                                     columns.permutation, &factor));
    const size_t entries = (size_t)columns.start[columns.count];
    memcpy(factor->rows, columns.rows, entries * sizeof *columns.rows);
    memcpy(factor->values, columns.values, entries * sizeof *columns.values);
    for (int32_t j = 0; j < columns.count; ++j)
        factor->diagonal[j] = 1 / columns.diagonal[j];
    factor_finish(factor);
    ck_assert_int_eq(factor->subtree_count >= 4, expect_subtrees);
    memcpy(solved, right, values * sizeof *right);
    factor_solve(factor, kernels_choose(), 1, 4, solved);
    for (size_t i = 0; i < values; ++i)
        ck_assert_double_eq_tol(solved[i], x[i], 1e-10);
    for (int threads = 2; threads <= 3; ++threads) {
        memcpy(again, right, values * sizeof *right);
        factor_solve(factor, kernels_choose(), threads, 4, again);
        ck_assert_int_eq(memcmp(again, solved, values * sizeof *solved), 0);
    }
    // Fewer right-hand sides: the others stay as they are.
    memcpy(again, right, values * sizeof *right);
    factor_solve(factor, kernels_choose(), 1, 2, again);
    for (size_t i = 0; i < values; ++i)
        ck_assert_double_eq_tol(again[i], i % 4 < 2 ? x[i] : right[i], 1e-10);
    factor_destroy(factor);
    arena_clear(&arena);
    vela_context_destroy(context);
}

START_TEST(large_tree_is_cut_and_solved)
{
    check_solve(1, 6, 40, true); // beyond the size from which threads are used
}
END_TEST

START_TEST(forest_is_cut_between_trees)
{
    check_solve(50, 2, 5, true);
}
END_TEST

START_TEST(one_column_is_solved)
{
    check_solve(1, 1, 1, false);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("factor");
    TCase *cases = tcase_create("solve");
    tcase_add_test(cases, large_tree_is_cut_and_solved);
    tcase_add_test(cases, forest_is_cut_between_trees);
    tcase_add_test(cases, one_column_is_solved);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
