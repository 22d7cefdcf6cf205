// The factor of the coarse matrix on graphs of all kinds: what it solves, in which order, whatever the number of threads.
#include "check_main.h"

#include "device/cpu/linear/coarse_factor.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MOST = 4 };

typedef enum Shape { CHAIN, RING, SHEET, STAR, APART, SCATTERED, CLIQUE, SHAPES } Shape;

static const char *const names[SHAPES] = {"chain", "ring", "sheet", "star", "apart", "scattered", "clique"};

/// Parts of each shape; a sheet has rows of six.
static const int32_t counts[] = {1, 2, 7, 32, 60, 128};
enum { COUNTS = sizeof counts / sizeof *counts };

static bool are_coupled(Shape shape, int32_t parts, int32_t a, int32_t b)
{
    switch (shape) {
    case CHAIN:
        return b == a + 1;
    case RING:
        return b == a + 1 || (a == 0 && b == parts - 1);
    case SHEET:
        return (b == a + 1 && b % 6 != 0) || b == a + 6;
    case STAR:
        return b == parts - 1;
    case SCATTERED:
        return (a * 7919 + b * 104729) % 11 == 0;
    case CLIQUE:
        return true;
    default:
        return false;
    }
}

/// A coarse space that has nothing but a matrix, and the matrix whole, size x size.
typedef struct System {
    BlockMatrix matrix;
    CoarseSpace space;
    double *dense;
} System;

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static void make(System *system, int32_t parts)
{
    const size_t n = (size_t)parts, size = COARSE_MODES * n;
    *system = (System){.matrix.part_count = parts, .dense = room(size * size, sizeof(double))};
    system->space = (CoarseSpace){.matrix = &system->matrix,
                                  .size = (int32_t)size,
                                  .values = room(size * size, sizeof(double)),
                                  .couples = room(n * n, 1),
                                  .order.parts = room(n, sizeof(int32_t)),
                                  .order.turns = room(n, sizeof(int32_t)),
                                  .later = room(n * n, sizeof(int32_t)),
                                  .later_count = room(n, sizeof(int32_t)),
                                  .inverse_pivots = room(size, sizeof(double)),
                                  .right = room(size, sizeof(double)),
                                  .carry = room(size, sizeof(double))};
}

static void destroy(System *system)
{
    CoarseSpace *space = &system->space;
    void *const memory[] = {system->dense,      space->values, space->couples,     space->order.parts,
                            space->order.turns, space->later,  space->later_count, space->inverse_pivots,
                            space->right,       space->carry};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k)
        free(memory[k]);
}

// As the assembly leaves it: blocks on the diagonal and above; those that are not there hold what nobody may read. A motion of the first part
// has nothing at all.
static void assemble(System *system, Shape shape, uint64_t seed)
{
    CoarseSpace *space = &system->space;
    const int32_t parts = system->matrix.part_count, size = space->size;
    memset(system->dense, 0, (size_t)size * (size_t)size * sizeof(double));
    memset(space->couples, 0, (size_t)parts * (size_t)parts);
    for (int32_t i = 0; i < size * size; ++i)
        space->values[i] = NAN;
    for (int32_t a = 0; a < parts; ++a)
        for (int32_t b = a; b < parts; ++b) {
            if (a != b && !are_coupled(shape, parts, a, b))
                continue;
            space->couples[parts * a + b] = 1;
            for (int32_t k = 0; k < COARSE_MODES; ++k)
                for (int32_t l = 0; l < COARSE_MODES; ++l) {
                    const int32_t i = COARSE_MODES * a + k, j = COARSE_MODES * b + l;
                    seed = seed * 6364136223846793005u + 1442695040888963407u;
                    double value = (double)(seed >> 11) * 0x1p-52 - 1;
                    if (i > j)
                        value = system->dense[j * size + i];
                    else if (i == j)
                        value = 20.0 * parts;
                    if (i == 5 || j == 5)
                        value = 0;
                    system->dense[i * size + j] = system->dense[j * size + i] = value;
                    coarse_block(space, a, b)[COARSE_MODES * k + l] = value;
                }
        }
    for (int32_t i = 0; i < size; ++i)
        space->inverse_pivots[i] = system->dense[i * size + i];
}

// Twice, for what was solved before leaves no trace. Returns the product it tells.
static double solve(System *system, int threads, const double *right)
{
    const Kernels *kernels = kernels_choose();
    CoarseSpace *space = &system->space;
    const size_t bytes = (size_t)space->size * sizeof *right;
    double products[2];
    Team team = {0};
    for (int again = 0; again < 2; ++again) {
        memcpy(space->right, right, bytes);
#pragma omp parallel num_threads(threads)
        {
            if (again == 0)
                coarse_factor(kernels, space, &team);
#pragma omp barrier
            coarse_begin_solve(kernels, space);
            coarse_end_solve(kernels, space);
        }
        products[again] = coarse_product(space);
    }
    ck_assert_double_eq(products[0], products[1]);
    return products[0];
}

/// Every part has a turn, and what the first half is coupled to is itself and what comes behind the second.
static void check_order(const CoarseSpace *space, Shape shape)
{
    const int32_t parts = space->matrix->part_count, *ends = space->order.ends;
    ck_assert(0 <= ends[0] && ends[0] <= ends[1] && ends[1] <= parts);
    for (int32_t turn = 0; turn < parts; ++turn) {
        const int32_t part = space->order.parts[turn];
        ck_assert(part >= 0 && part < parts);
        ck_assert_int_eq(space->order.turns[part], turn);
        for (int32_t p = 0; p < space->later_count[part]; ++p) {
            const int32_t later = space->order.turns[coarse_later(space, part)[p]];
            ck_assert_int_gt(later, p > 0 ? space->order.turns[coarse_later(space, part)[p - 1]] : turn);
            ck_assert(turn >= ends[0] || later < ends[0] || later >= ends[1]);
        }
    }
    if (shape == CLIQUE)
        ck_assert_int_eq(ends[1], 0);
    if (parts >= 32 && (shape == CHAIN || shape == RING || shape == SHEET || shape == APART)) {
        ck_assert_int_ge(ends[0], parts / 4);
        ck_assert_int_ge(ends[1] - ends[0], parts / 4);
    }
}

START_TEST(solves)
{
    const Shape shape = (Shape)(_i / COUNTS);
    const int32_t parts = counts[_i % COUNTS], size = COARSE_MODES * parts;
    System system;
    make(&system, parts);
    double *right = room((size_t)size, sizeof *right), *solution = room((size_t)size, sizeof *solution);
    for (int32_t i = 0; i < size; ++i)
        right[i] = sin(1 + i);
    double off = 0, product = 0;
    for (int threads = 1; threads <= THREADS_MOST; ++threads) {
        assemble(&system, shape, 1 + (uint64_t)_i);
        const double told = solve(&system, threads, right);
        check_order(&system.space, shape);
        if (threads == 1)
            memcpy(solution, system.space.right, (size_t)size * sizeof *solution);
        ck_assert_mem_eq(solution, system.space.right, (size_t)size * sizeof *solution);
        ck_assert(threads == 1 || told == product);
        product = told;
    }
    double expected = 0;
    for (int32_t i = 0; i < size; ++i) {
        double sum = 0;
        for (int32_t j = 0; j < size; ++j)
            sum += system.dense[i * size + j] * solution[j];
        if (i != 5)
            off = fmax(off, fabs(sum - right[i]));
        expected += right[i] * solution[i];
    }
    ck_assert_double_eq(solution[5], 0);
    ck_assert_double_le(off, 1e-13);
    ck_assert_double_eq_tol(product, expected, 1e-13 * expected);
    printf("%s of %d parts: halves of %d and %d, off by %.1e\n", names[shape], parts,
           system.space.order.ends[0], system.space.order.ends[1] - system.space.order.ends[0], off);
    free(right);
    free(solution);
    destroy(&system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coarse factor");
    TCase *tests = tcase_create("factor");
    tcase_add_loop_test(tests, solves, 0, SHAPES * COUNTS);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
