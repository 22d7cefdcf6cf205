#define _POSIX_C_SOURCE 200809L // setenv
// What contact holds together in the preconditioner of the CPU path: groups within their size, the roots of their inverses those of the matrix, P^-1
// symmetric and positive definite, far fewer iterations to the same solution, the same for any number of threads.
#include "preconditioned.h"

#include "base/matrix3.h"
#include "device/cpu/newton/newton.h"

// Boxes of one cell, eight corners near each other at most, or two finer ones whose faces are; 1 mm apart under a barrier of 3 mm, one node pinned.
static const char *const bodies[] = {
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.02, 0.02, 0.02], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"array\": {\"count\": [3, 3, 3], \"spacing\": [0.021, 0.021, 0.021]}}",
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [6, 6, 6]}}, \"material\": \"m\", "
    "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.049, 1, -0.049]]}}]}, "
    "{\"name\": \"b\", \"geometry\": {\"box\": {\"size\": [0.08, 0.1, 0.08], \"cells\": [5, 6, 5]}}, \"material\": \"m\", "
    "\"translate\": [0.003, 0.101, -0.004]}",
};

static void make(Simulation *simulation, int which, int threads)
{
    simulation_make(threads_context(threads), simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 1}, "
                    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
                    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
                    "\"youngs_modulus\": 1e5, \"poissons_ratio\": 0.4}}, \"bodies\": [%s], "
                    "\"contact\": {\"model\": \"barrier\", \"distance\": 3e-3, \"friction\": 0.5}}",
                    bodies[which]);
    stage_begin_near(simulation);
    ASSERT_OK(simulation->context, cpu_newton_assemble((CpuDevice *)simulation->device, true));
}

// The block of two rows, by rows: contact's, and on the diagonal all that is there.
static void read_block(const BlockMatrix *matrix, int32_t row, int32_t column, double block[9])
{
    const ChangingBlocks *changing = &matrix->changing;
    memset(block, 0, 9 * sizeof *block);
    for (int k = 0; row == column && k < 9; ++k)
        block[3 * (k % 3) + k / 3] = matrix->values[9 * (size_t)matrix->diagonal[row] + (size_t)k];
    for (int32_t p = changing->row_start[row]; p < changing->row_end[row]; ++p)
        for (int k = 0; changing->columns[p] == column && k < 9; ++k)
            block[3 * (k % 3) + k / 3] += changing->values[p][k];
}

// W, row-major, from a group's columns.
static void read_root(const ContactGroup *group, double root[CONTACT_GROUP_SIZE][CONTACT_GROUP_SIZE])
{
    const int size = 3 * group->count, end = (size + GROUP_BLOCK - 1) / GROUP_BLOCK * GROUP_BLOCK;
    const float *next = group->root;
    for (int j = 0; j < end; ++j)
        for (int i = j - j % GROUP_BLOCK; i < end; ++i, ++next) {
            ck_assert((i >= j && i < size && j < size) || *next == 0);
            if (i < size && j < size)
                root[i][j] = (double)*next;
        }
}

// How far W K W^T, K being the matrix restricted to a group, is from 1, as a part of what rounding W to single precision may make of
// it: 2^-24 (|W| |K| |W|^T) for either W.
static double root_error(const BlockMatrix *matrix, const ContactGroup *group)
{
    const int size = 3 * group->count;
    double root[CONTACT_GROUP_SIZE][CONTACT_GROUP_SIZE] = {{0}},
           dense[CONTACT_GROUP_SIZE][CONTACT_GROUP_SIZE], off = 0;
    read_root(group, root);
    for (int n = 0; n < group->count; ++n)
        for (int m = 0; m < group->count; ++m) {
            double block[9];
            read_block(matrix, group->rows[n], group->rows[m], block);
            for (int k = 0; k < 9; ++k)
                dense[3 * n + k / 3][3 * m + k % 3] = block[k];
        }
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            double product = 0, most = 0;
            for (int a = 0; a < size; ++a)
                for (int b = 0; b < size; ++b) {
                    product += root[i][a] * dense[a][b] * root[j][b];
                    most += fabs(root[i][a] * dense[a][b] * root[j][b]);
                }
            off = fmax(off, fabs(product - (i == j)) / (2 * 0x1p-24 * most));
        }
    return off;
}

// z = W^T W r of every group, whatever the instruction set.
static void check_solves(const ContactGroups *groups, int32_t rows)
{
    static const char *const instructions[3] = {"baseline", "avx2", NULL};
    double *r = calloc(3 * (size_t)rows, sizeof *r), *z[3], products[3];
    ck_assert(r);
    for (int32_t i = 0; i < 3 * rows; ++i)
        r[i] = sin(1 + 7 * i);
    for (int k = 0; k < 3; ++k) {
        z[k] = calloc(3 * (size_t)rows, sizeof **z);
        ck_assert(z[k]);
        if (instructions[k])
            ck_assert_int_eq(setenv("VELA_ISA", instructions[k], 1), 0);
        else
            ck_assert_int_eq(unsetenv("VELA_ISA"), 0);
        products[k] = kernels_choose()->solve_groups(groups, 0, rows / 2, r, z[k]) +
                      kernels_choose()->solve_groups(groups, rows / 2, rows, r, z[k]);
        ck_assert(products[k] == products[0]);
        ck_assert_mem_eq(z[k], z[0], 3 * (size_t)rows * sizeof **z);
    }
    double product = 0;
    for (int32_t g = 0; g < groups->count; ++g) {
        const ContactGroup *group = &groups->groups[g];
        double root[CONTACT_GROUP_SIZE][CONTACT_GROUP_SIZE] = {{0}}, t[CONTACT_GROUP_SIZE] = {0};
        read_root(group, root);
        for (int i = 0; i < 3 * group->count; ++i)
            for (int j = 0; j < 3 * group->count; ++j)
                t[i] += root[i][j] * r[3 * group->rows[j / 3] + j % 3];
        for (int j = 0; j < 3 * group->count; ++j) {
            double sum = 0, size = 0;
            for (int i = 0; i < 3 * group->count; ++i) {
                sum += root[i][j] * t[i];
                size += fabs(root[i][j] * t[i]);
            }
            ck_assert_double_eq_tol(z[0][3 * group->rows[j / 3] + j % 3], sum, 1e-13 * size);
            product += t[j] * t[j];
        }
    }
    ck_assert_double_eq_tol(products[0], product, 1e-13 * product);
    free(r);
    for (int k = 0; k < 3; ++k)
        free(z[k]);
}

START_TEST(roots_of_the_inverses)
{
    Simulation simulation;
    make(&simulation, _i, 1);
    CpuDevice *device = (CpuDevice *)simulation.device;
    const BlockMatrix *matrix = &device->newton.matrix;
    Arena arena = arena_make(simulation.context);
    ContactGroups groups;
    double(*inverses)[9];
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, inverses, matrix->row_count + 1));
    ASSERT_OK(simulation.context, contact_groups_create(&arena, matrix, 1, &groups));
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        double block[9];
        read_block(matrix, row, row, block);
        matrix3_inverse(block, inverses[row]);
    }
    ASSERT_OK(simulation.context, contact_groups_update(&groups, device->kernels->invert_group, inverses));
    double off = 0;
    int32_t in_groups = 0, largest = 0;
    for (int32_t g = 0; g < groups.count; ++g) {
        const ContactGroup *group = &groups.groups[g];
        ck_assert(group->count > 1 && group->count <= CONTACT_GROUP_ROWS);
        for (int n = 0; n < group->count; ++n) {
            ck_assert(n == 0 || group->rows[n] > group->rows[n - 1]);
            ck_assert_int_eq(groups.members[group->rows[n]], CONTACT_GROUP_ROWS * g + n);
            for (int k = 0; k < 9; ++k)
                ck_assert(inverses[group->rows[n]][k] == 0);
        }
        in_groups += group->count;
        largest = group->count > largest ? group->count : largest;
        off = fmax(off, root_error(matrix, group));
    }
    printf(
        "%d of %d rows in %d groups of at most %d; their roots are off by %.2g of what rounding explains\n",
        in_groups, matrix->row_count, groups.count, largest, off);
    ck_assert_int_gt(groups.count, 8);
    ck_assert_double_lt(off, 1.001);
    ck_assert_double_gt(off, 0.01);
    check_solves(&groups, matrix->row_count);
    for (int32_t row = 0; row < matrix->row_count; ++row)
        in_groups += groups.members[row] < 0;
    ck_assert_int_eq(in_groups, matrix->row_count);
    contact_groups_clear(&groups);
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(symmetric_and_positive)
{
    Simulation simulation;
    make(&simulation, _i, 1);
    NewtonData *newton = &((CpuDevice *)simulation.device)->newton;
    ASSERT_OK(simulation.context,
              preconditioner_update(newton->linear.preconditioner,
                                    ((CpuDevice *)simulation.device)->slots[SLOT_STAGE], true));
    check_symmetric_and_positive(&simulation);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(fewer_iterations)
{
    Simulation simulation, threaded;
    make(&simulation, _i, 1);
    make(&threaded, _i, 3);
    const int32_t n = 3 * ((CpuDevice *)simulation.device)->newton.matrix.row_count;
    double *solutions[3], off = 0, largest = 0;
    int32_t iterations[3];
    for (int k = 0; k < 3; ++k) {
        solutions[k] = calloc((size_t)n, sizeof **solutions);
        ck_assert_ptr_nonnull(solutions[k]);
        iterations[k] = solve_direction(k == 2 ? &threaded : &simulation, k != 1, solutions[k]);
    }
    for (int32_t i = 0; i < n; ++i) {
        off = fmax(off, fabs(solutions[0][i] - solutions[1][i]));
        largest = fmax(largest, fabs(solutions[1][i]));
    }
    printf("%d iterations with groups, %d without; off by %.1e\n", iterations[0], iterations[1],
           off / largest);
    ck_assert_int_lt(iterations[0], iterations[1] * 2 / 3);
    ck_assert_double_lt(off, 1e-5 * largest);
    ck_assert_int_eq(iterations[2], iterations[0]);
    ck_assert(memcmp(solutions[0], solutions[2], (size_t)n * sizeof **solutions) == 0);
    for (int k = 0; k < 3; ++k)
        free(solutions[k]);
    simulation_stop(&threaded);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact groups");
    TCase *tests = tcase_create("groups");
    tcase_add_loop_test(tests, roots_of_the_inverses, 0, 2);
    tcase_add_loop_test(tests, symmetric_and_positive, 0, 2);
    tcase_add_loop_test(tests, fewer_iterations, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
