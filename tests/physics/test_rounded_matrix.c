#define _POSIX_C_SOURCE 200809L // setenv
// The copy of Newton's matrix in single precision: its product against that of the matrix, what it leaves exact, and directions found with it.
#include "preconditioned.h"

#include "device/cpu/linear/rounded_matrix.h"
#include "device/cpu/newton/newton.h"

static void make(Simulation *simulation, int threads, const char *youngs_modulus)
{
    simulation_make(threads_context(threads), simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
                    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
                    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
                    "\"youngs_modulus\": %s, \"poissons_ratio\": 0.4}}, \"bodies\": [{\"name\": \"a\", "
                    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [16, 4, 4]}}, "
                    "\"material\": \"m\"}]}",
                    youngs_modulus);
    stage_begin_near(simulation);
}

static NewtonData *newton_of(const Simulation *simulation)
{
    return &((CpuDevice *)simulation->device)->newton;
}

static double *vector_of(const BlockMatrix *matrix)
{
    double *x = calloc(3 * (size_t)matrix->column_count + 1, sizeof *x);
    ck_assert_ptr_nonnull(x);
    return x;
}

static double dot_rows(const BlockMatrix *matrix, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)matrix->row_count; ++i)
        sum += x[i] * y[i];
    return sum;
}

/// Products are off by the rounding of floats, the copy is symmetric, and a translation costs what it did: the inertia, beside stiffness a million times as large.
START_TEST(products)
{
    Simulation simulation;
    make(&simulation, 1, "1e9");
    CpuDevice *device = (CpuDevice *)simulation.device;
    const BlockMatrix *matrix = &device->newton.matrix;
    const size_t n = 3 * (size_t)matrix->row_count;
    ASSERT_OK(simulation.context, cpu_newton_assemble(device, true));
    Arena arena = arena_make(simulation.context);
    RoundedMatrix rounded;
    Quad *ahead;
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, ahead, matrix->row_count));
    ASSERT_OK(simulation.context, rounded_matrix_create(&arena, matrix, 0, 1, &rounded));
    rounded_matrix_update(&rounded, 1);
    double *x[3], *exact[3], *y[3], largest = 0, off = 0;
    for (int v = 0; v < 3; ++v) {
        x[v] = vector_of(matrix);
        exact[v] = vector_of(matrix);
        y[v] = vector_of(matrix);
        for (size_t i = 0; i < n; ++i) // the last is a translation
            x[v][i] = v < 2 ? sin((double)((i + 1) * (size_t)(v + 1))) : (double)(i % 3) - 0.5;
        device->kernels->multiply(matrix, 0, matrix->row_count, x[v], exact[v]);
        const double product =
                         device->kernels->multiply_rounded(&rounded, 0, matrix->row_count, ahead, x[v], y[v]),
                     sum = dot_rows(matrix, x[v], y[v]);
        ck_assert_double_eq_tol(product, sum, 1e-12 * fabs(sum));
    }
    for (size_t i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(exact[0][i]));
        off = fmax(off, fabs(y[0][i] - exact[0][i]));
    }
    ck_assert_double_le(off, 1e-7 * largest);
    ck_assert_double_gt(off, 0);
    const double across = dot_rows(matrix, x[0], y[1]);
    ck_assert_double_eq_tol(across, dot_rows(matrix, x[1], y[0]), 1e-12 * largest * (double)n);
    // m/h^2 |t|^2 and no more; without the remainders the rounding of stiffness comes to 1e-3 of it.
    const double energy = dot_rows(matrix, x[2], exact[2]);
    printf("a translation: %g, rounded off by %.2g\n", energy, dot_rows(matrix, x[2], y[2]) - energy);
    ck_assert_double_eq_tol(dot_rows(matrix, x[2], y[2]), energy, 1e-7 * energy);
    for (int v = 0; v < 3; ++v) {
        free(x[v]);
        free(exact[v]);
        free(y[v]);
    }
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

/// Blocks within a part and between parts, and those that change, which the copy has not: a part after the other, as one thread or several take
/// them, gives the same bytes as all at once, and every set of instructions gives them.
START_TEST(parts)
{
    Simulation simulation;
    make(&simulation, 1, "1e6");
    CpuDevice *device = (CpuDevice *)simulation.device;
    BlockMatrix *matrix = &device->newton.matrix;
    const int32_t rows = matrix->row_count, last = rows - 1;
    ASSERT_OK(simulation.context, cpu_newton_assemble(device, true));
    Arena arena = arena_make(simulation.context);
    RoundedMatrix rounded;
    Quad *ahead;
    static const char *const instruction_sets[] = {"baseline", "avx2", "avx512"};
    int32_t *start, *end, within = 0, between = 0, columns[2] = {last, 0};
    double block[3][9] = {{1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6, 8e6, 9e6},
                          {1e6, 4e6, 7e6, 2e6, 5e6, 8e6, 3e6, 6e6, 9e6}};
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, start, rows));
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, end, rows));
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, ahead, rows));
    end[0] = start[last] = 1, end[last] = 2;
    matrix->changing = (ChangingBlocks){start, end, columns, block};
    ASSERT_OK(simulation.context, rounded_matrix_create(&arena, matrix, 0, 1, &rounded));
    rounded_matrix_update(&rounded, 2);
    double *x = vector_of(matrix), *exact = vector_of(matrix), *y = vector_of(matrix),
           *again = vector_of(matrix), largest = 0, off = 0, product = 0;
    for (size_t i = 0; i < 3 * (size_t)rows; ++i)
        x[i] = cos((double)i);
    device->kernels->multiply(matrix, 0, rows, x, exact);
    const double all = device->kernels->multiply_rounded(&rounded, 0, rows, ahead, x, y);
    for (int32_t part = matrix->part_count; part-- > 0;)
        product += device->kernels->multiply_rounded(&rounded, matrix->part_start[part],
                                                     matrix->part_start[part + 1],
                                                     rounded_matrix_room(&rounded), x, again);
    ck_assert_mem_eq(again, y, 3 * (size_t)rows * sizeof *y);
    for (size_t s = 0; s < sizeof instruction_sets / sizeof *instruction_sets; ++s) {
        ck_assert_int_eq(setenv("VELA_ISA", instruction_sets[s], 1), 0);
        ck_assert_double_eq(kernels_choose()->multiply_rounded(&rounded, 0, rows, ahead, x, again), all);
        ck_assert_mem_eq(again, y, 3 * (size_t)rows * sizeof *y);
    }
    ck_assert_int_eq(unsetenv("VELA_ISA"), 0);
    ck_assert_double_eq_tol(product, all, 1e-12 * fabs(all));
    for (size_t i = 0; i < 3 * (size_t)rows; ++i) {
        largest = fmax(largest, fabs(exact[i]));
        off = fmax(off, fabs(y[i] - exact[i]));
    }
    ck_assert_double_le(off, 1e-7 * largest);
    for (int32_t row = 0; row < rows; ++row) {
        within += rounded.other_start[row] - rounded.row_start[row];
        between += rounded.row_start[row + 1] - rounded.other_start[row];
    }
    ck_assert_int_gt(matrix->part_count, 1);
    ck_assert(within > 0 && between > 0 && between % 2 == 0);
    ck_assert_int_le(rows + 2 * within + between, matrix->row_start[rows]); // the rest is fixed nodes'
    free(x);
    free(exact);
    free(y);
    free(again);
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

/// Conjugate gradients take as many iterations with the copy, to a direction as good; with two threads to the same bits. Solves to less than
/// single precision allows take the matrix itself.
START_TEST(directions)
{
    static const char *const moduli[] = {"1e4", "1e6", "1e9"};
    Simulation simulation;
    make(&simulation, 1 + _i % 2, moduli[_i / 2]);
    CpuDevice *device = (CpuDevice *)simulation.device;
    NewtonData *newton = newton_of(&simulation);
    Arena arena = arena_make(simulation.context);
    const size_t n = 3 * (size_t)newton->matrix.row_count;
    double *solutions[4];
    LinearReport reports[4];
    ck_assert_ptr_null(newton->linear.rounded.values); // the matrix is small
    newton->linear.alternative = INT32_MAX;
    for (int solve = 0; solve < 4; ++solve) {
        NewtonDirection direction = {0};
        const NewtonSettings settings = {.linear_tolerance = solve % 2 == 0 ? 1e-5 : 1e-11,
                                         .linear_max_iterations = 5000};
        newton->linear.threads = 1 + _i % 2;
        if (solve == 2)
            ASSERT_OK(simulation.context,
                      rounded_matrix_create(&arena, &newton->matrix, 0, newton->linear.threads,
                                            &newton->linear.rounded));
        ASSERT_OK(simulation.context, cpu_newton_assemble(device, true));
        preconditioner_update(newton->linear.preconditioner, device->slots[SLOT_STAGE], false);
        cpu_newton_right(device, &direction);
        ASSERT_OK(simulation.context,
                  conjugate_gradients(&newton->linear, &settings, newton->solution, &reports[solve]));
        ck_assert_int_eq(newton->linear.is_rounded, solve == 2);
        ck_assert(reports[solve].is_exact && !reports[solve].indefinite);
        solutions[solve] = malloc(n * sizeof(double));
        memcpy(solutions[solve], newton->solution, n * sizeof(double));
    }
    double largest = 0, off[2] = {0};
    for (size_t i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(solutions[1][i]));
        for (int k = 0; k < 2; ++k)
            off[k] = fmax(off[k], fabs(solutions[2 * k][i] - solutions[1][i]));
    }
    printf("%s Pa: %d and %d iterations, off by %.2g and %.2g of the direction\n", moduli[_i / 2],
           reports[0].iterations, reports[2].iterations, off[0] / largest, off[1] / largest);
    ck_assert_int_le(abs(reports[0].iterations - reports[2].iterations), 1);
    ck_assert_double_le(off[1], 1.5 * off[0] + 1e-6 * largest);
    ck_assert_mem_eq(solutions[1], solutions[3], n * sizeof(double));
    for (int solve = 0; solve < 4; ++solve)
        free(solutions[solve]);
    newton->linear.rounded = (RoundedMatrix){0};
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rounded matrix");
    TCase *tests = tcase_create("rounded matrix");
    tcase_add_test(tests, products);
    tcase_add_test(tests, parts);
    tcase_add_loop_test(tests, directions, 0, 6);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
