// The sparse Cholesky factor beside a dense one: random graphs, forests, paths, grids and cliques, with and without changing blocks, in an
// order of their own and in that of another graph; the same bytes for any number of threads.
#include "check_main.h"

#include "device/cpu/kernels.h"
#include "device/cpu/linear/sparse_factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 240 };

static VelaContext *make_context(void)
{
    const VelaContextDef def = vela_default_context_def();
    VelaContext *context;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    return context;
}

typedef struct Random {
    uint64_t state;
} Random;

static double uniform(Random *random)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random->state >> 11) * 0x1p-53;
}

static int32_t pick(Random *random, int32_t count)
{
    return (int32_t)(uniform(random) * count);
}

/// A matrix whose fixed and changing blocks stand in a dense one.
typedef struct System {
    Arena arena;
    BlockMatrix matrix;
    uint8_t *fixed, *changing; ///< [count][count]: which blocks there are
    double *dense;             ///< 3 count x 3 count
    Graph graph;               ///< of all blocks
} System;

static void couple(System *system, uint8_t *pattern, int32_t i, int32_t j)
{
    pattern[i * system->matrix.row_count + j] = pattern[j * system->matrix.row_count + i] = 1;
}

// Shares a block's number between fixed and changing blocks, where it has both.
static void put_block(const System *system, int32_t i, int32_t j, double share, double *values)
{
    const int32_t n = 3 * system->matrix.row_count;
    for (int k = 0; k < 9; ++k)
        values[k] = share * system->dense[(3 * i + k % 3) * n + 3 * j + k / 3];
}

static void fill(VelaContext *context, System *system, Random *random)
{
    const int32_t count = system->matrix.row_count, n = 3 * count;
    BlockMatrix *matrix = &system->matrix;
    ChangingBlocks *changing = &matrix->changing;
    Arena *arena = &system->arena;
    ASSERT_OK(context, ARENA_ARRAY(arena, system->dense, (size_t)n * (size_t)n));
    ASSERT_OK(context, ARENA_ARRAY(arena, matrix->row_start, count + 1));
    ASSERT_OK(context, ARENA_ARRAY(arena, matrix->columns, (size_t)count * (size_t)(count + 1)));
    ASSERT_OK(context, ARENA_ARRAY(arena, matrix->values, 9 * (size_t)count * (size_t)(count + 1) + 1));
    ASSERT_OK(context, ARENA_ARRAY(arena, system->graph.row_start, count + 1));
    ASSERT_OK(context, ARENA_ARRAY(arena, system->graph.columns, (size_t)count * (size_t)count));
    ASSERT_OK(context, ARENA_ARRAY(arena, changing->row_start, count));
    ASSERT_OK(context, ARENA_ARRAY(arena, changing->row_end, count));
    ASSERT_OK(context, ARENA_ARRAY(arena, changing->columns, (size_t)count * (size_t)count));
    ASSERT_OK(context, ARENA_ARRAY(arena, changing->values, (size_t)count * (size_t)count + 1));
    matrix->column_count = count + 1;
    system->graph.count = count;
    for (int32_t i = 0; i < count; ++i) {
        couple(system, system->fixed, i, i);
        for (int32_t j = 0; j <= i; ++j)
            for (int k = 0; k < 9 && (system->fixed[i * count + j] || system->changing[i * count + j]); ++k) {
                const double value = 2 * uniform(random) - 1;
                const int32_t row = 3 * i + k / 3, column = 3 * j + k % 3;
                system->dense[row * n + column] = system->dense[column * n + row] = value;
            }
    }
    for (int32_t row = 0; row < n; ++row) { // diagonally dominant, just so
        double sum = 0;
        for (int32_t column = 0; column < n; ++column)
            sum += column == row ? 0 : fabs(system->dense[row * n + column]);
        system->dense[row * n + row] = sum + 0.01 + uniform(random);
    }
    int32_t next = 0, next_changing = 0, next_graph = 0;
    for (int32_t i = 0; i < count; ++i) {
        changing->row_start[i] = next_changing;
        for (int32_t j = 0; j < count; ++j) {
            const bool is_fixed = system->fixed[i * count + j], changes = system->changing[i * count + j];
            const double share = is_fixed && changes ? 0.25 : 1;
            if (is_fixed || changes)
                system->graph.columns[next_graph++] = j;
            if (is_fixed) {
                put_block(system, i, j, share, matrix->values + 9 * next);
                matrix->columns[next++] = j;
            }
            if (changes) {
                put_block(system, i, j, is_fixed ? 1 - share : 1, changing->values[next_changing]);
                changing->columns[next_changing++] = j;
            }
        }
        if (i % 3 == 0) { // a fixed node's, which does not count
            for (int k = 0; k < 9; ++k)
                matrix->values[9 * next + k] = NAN;
            matrix->columns[next++] = count;
        }
        changing->row_end[i] = next_changing;
        matrix->row_start[i + 1] = next;
        system->graph.row_start[i + 1] = next_graph;
    }
}

enum { RANDOM, FOREST, PATH, GRID, CLIQUE, SINGLE, KINDS };

static void make(VelaContext *context, System *system, int kind, Random *random)
{
    static const int32_t counts[KINDS] = {
        [RANDOM] = 150, [FOREST] = 240, [PATH] = 200, [GRID] = 225, [CLIQUE] = 45, [SINGLE] = 1};
    const int32_t count = counts[kind];
    *system = (System){.arena = arena_make(context), .matrix.row_count = count};
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, system->fixed, (size_t)count * (size_t)count));
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, system->changing, (size_t)count * (size_t)count));
    for (int32_t i = 0; i < count; ++i)
        for (int32_t j = 0; j < i; ++j) {
            const bool is_coupled[KINDS] = {
                [RANDOM] = uniform(random) < 0.08,
                [FOREST] = i / 4 == j / 4,
                [PATH] = i - j < 3,
                [GRID] = abs(i / 15 - j / 15) < 2 && abs(i % 15 - j % 15) < 2,
                [CLIQUE] = true,
            };
            if (is_coupled[kind])
                couple(system, system->fixed, i, j);
        }
    for (int32_t k = 0; k < count / 12; ++k)
        couple(system, system->changing, pick(random, count), pick(random, count));
    fill(context, system, random);
}

// The residual of A x = b beside b, by the dense matrix.
static double residual(const System *system, const double *x, const double *right)
{
    const int32_t n = 3 * system->matrix.row_count;
    double most = 0, size = 0;
    for (int32_t row = 0; row < n; ++row) {
        double sum = right[row];
        for (int32_t column = 0; column < n; ++column)
            sum -= system->dense[row * n + column] * x[column];
        most = fmax(most, fabs(sum));
        size = fmax(size, fabs(right[row]));
    }
    return most / size;
}

static void dissect(VelaContext *context, System *system, const Graph *graph, Dissection *sets)
{
    ASSERT_OK(context, dissection_create(context, graph->count, graph->row_start, graph->columns,
                                         &system->arena, sets));
}

// The fixed blocks' graph.
static Graph fixed_graph(VelaContext *context, System *system)
{
    Graph graph = {.count = system->matrix.row_count};
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, graph.row_start, graph.count + 1));
    ASSERT_OK(context, ARENA_ARRAY(&system->arena, graph.columns, (size_t)graph.count * (size_t)graph.count));
    for (int32_t i = 0; i < graph.count; ++i) {
        graph.row_start[i + 1] = graph.row_start[i];
        for (int32_t j = 0; j < graph.count; ++j)
            if (system->fixed[i * graph.count + j])
                graph.columns[graph.row_start[i + 1]++] = j;
    }
    return graph;
}

START_TEST(solves)
{
    const int kind = _i / 2;
    const bool of_fixed = _i % 2 == 1;
    VelaContext *context = make_context();
    Random random = {(uint64_t)_i + 1};
    System system;
    make(context, &system, kind, &random);
    const int32_t n = 3 * system.matrix.row_count;
    const Graph fixed = fixed_graph(context, &system);
    Dissection sets;
    dissect(context, &system, of_fixed ? &fixed : &system.graph, &sets);
    Elimination elimination;
    Arena scratch = arena_make(context);
    ASSERT_OK(context,
              elimination_create(&system.graph, &sets, INFINITY, &scratch, &system.arena, &elimination));
    double largest = 0; // of the fronts that several threads share, if they are large enough
    for (int32_t t = 0; t < elimination.top_count; ++t)
        largest = fmax(largest, elimination_operations(&elimination.fronts[elimination.top[t]]));
    printf("%d fronts, %d of them the top, of %.1e multiplications at most\n", elimination.front_count,
           elimination.top_count, largest);
    ck_assert(kind != RANDOM || largest > 1e6);
    double right[3 * NODES_MOST], solutions[3][3 * NODES_MOST];
    for (int32_t i = 0; i < n; ++i)
        right[i] = 2 * uniform(&random) - 1;
    for (int threads = 1; threads <= 3; ++threads) {
        SparseFactor factor = sparse_factor_make(context, kernels_choose()->fronts, threads);
        ASSERT_OK(context, sparse_factor_set(&factor, &elimination));
        for (int again = 0; again < 10;
             ++again) { // what was before leaves no trace, nor which thread comes first
            ck_assert(sparse_factor_solve(&factor, &system.matrix, right, solutions[threads - 1]));
            ck_assert_mem_eq(solutions[threads - 1], solutions[0], (size_t)n * sizeof **solutions);
        }
        sparse_factor_clear(&factor);
    }
    ck_assert_double_le(residual(&system, solutions[0], right), 1e-12);
    arena_clear(&system.arena);
    arena_clear(&scratch);
    vela_context_destroy(context);
}
END_TEST

/// Every node has one place, children stand before their parents, and the border of a child lies within its parent; what is more work than it may
/// be is told.
START_TEST(eliminates_each_once)
{
    VelaContext *context = make_context();
    Random random = {(uint64_t)_i + 1};
    System system;
    make(context, &system, _i, &random);
    Dissection sets;
    Elimination elimination;
    Arena scratch = arena_make(context);
    dissect(context, &system, &system.graph, &sets);
    ASSERT_OK(context,
              elimination_create(&system.graph, &sets, INFINITY, &scratch, &system.arena, &elimination));
    int32_t place = 0, in_subtrees = 0;
    for (int32_t f = 0; f < elimination.front_count; ++f) {
        const EliminationFront *front = &elimination.fronts[f];
        ck_assert_int_eq(front->first, place);
        for (; place < front->end; ++place)
            ck_assert_int_eq(elimination.places[elimination.nodes[place]], place);
        const int32_t *border = elimination.borders + front->border_start;
        for (int32_t k = 0; k < front->border_count; ++k) {
            ck_assert_int_ge(border[k], k > 0 ? border[k - 1] + 1 : front->end);
            const EliminationFront *parent = &elimination.fronts[front->parent];
            ck_assert_int_gt(front->parent, f);
            bool found = border[k] >= parent->first && border[k] < parent->end;
            for (int32_t p = 0; p < parent->border_count; ++p)
                found = found || elimination.borders[parent->border_start + p] == border[k];
            ck_assert(found);
        }
    }
    ck_assert_int_eq(place, system.matrix.row_count);
    for (int32_t k = 0; k < elimination.subtree_count; ++k) {
        const EliminationSubtree *subtree = &elimination.subtrees[k];
        const int32_t parent = elimination.fronts[subtree->end - 1].parent;
        in_subtrees += subtree->end - subtree->first;
        ck_assert_double_gt(subtree->cost, 0); // a path ends at a root, and longer ones come first
        ck_assert(parent < 0 ? subtree->path == subtree->cost : subtree->path > subtree->cost);
        ck_assert(k == 0 || subtree->path <= elimination.subtrees[k - 1].path);
        for (int32_t f = subtree->first; f < subtree->end; ++f)
            for (int32_t c = elimination.fronts[f].first_child; c >= 0;
                 c = elimination.fronts[c].next_sibling)
                ck_assert_int_ge(c, subtree->first);
    }
    ck_assert_int_eq(in_subtrees + elimination.top_count, elimination.front_count);
    for (int enough = 0; enough < 2; ++enough) {
        Elimination bounded;
        ASSERT_OK(context, elimination_create(&system.graph, &sets,
                                              elimination.operations * (enough ? 1 + 1e-9 : 1 - 1e-9),
                                              &scratch, &system.arena, &bounded));
        ck_assert_double_eq(bounded.operations, enough ? elimination.operations : INFINITY);
    }
    arena_clear(&system.arena);
    arena_clear(&scratch);
    vela_context_destroy(context);
}
END_TEST

START_TEST(tells_indefinite_matrices)
{
    VelaContext *context = make_context();
    Random random = {5};
    System system;
    make(context, &system, GRID, &random);
    Dissection sets;
    Elimination elimination;
    Arena scratch = arena_make(context);
    dissect(context, &system, &system.graph, &sets);
    ASSERT_OK(context,
              elimination_create(&system.graph, &sets, INFINITY, &scratch, &system.arena, &elimination));
    double right[3 * NODES_MOST] = {1}, solution[3 * NODES_MOST];
    SparseFactor factor = sparse_factor_make(context, kernels_choose()->fronts, 2);
    ASSERT_OK(context, sparse_factor_set(&factor, &elimination));
    for (int32_t p = 0; p < system.matrix.row_start[system.matrix.row_count]; ++p) {
        const double kept = system.matrix.values[9 * p + 8];
        int32_t row = 0;
        while (system.matrix.row_start[row + 1] <= p)
            ++row;
        if (system.matrix.columns[p] != row || row % 20)
            continue;
        system.matrix.values[9 * p + 8] = row % 40 ? -kept : NAN;
        ck_assert(!sparse_factor_solve(&factor, &system.matrix, right, solution));
        system.matrix.values[9 * p + 8] = kept;
        ck_assert(sparse_factor_solve(&factor, &system.matrix, right, solution));
    }
    sparse_factor_clear(&factor);
    arena_clear(&system.arena);
    arena_clear(&scratch);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sparse factor");
    TCase *tests = tcase_create("factor");
    tcase_add_loop_test(tests, solves, 0, 2 * KINDS);
    tcase_add_loop_test(tests, eliminates_each_once, 0, KINDS);
    tcase_add_test(tests, tells_indefinite_matrices);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
