// Motions of the CPU path's coarse space that give way to contact: where a group's nodes go, what they cost in the coarse matrix, and what solves gain by them.
#include "preconditioned.h"

#include "base/matrix3.h"
#include "device/cpu/linear/contact_motions.h"
#include "device/cpu/newton/newton.h"

// Boxes of one cell, several of them in a part, and thin sheets, whose parts move as plates do, beside an affine body, whose nodes are in no group; 1 mm apart under a
// barrier of 3 mm.
static const char *const bodies[] = {
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.02, 0.02, 0.02], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"array\": {\"count\": [5, 4, 4], \"spacing\": [0.021, 0.021, 0.021]}}",
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.4, 0.005, 0.4], \"cells\": [16, 1, 16]}}, "
    "\"material\": \"m\", \"array\": {\"count\": [1, 3, 1], \"spacing\": [0.1, 0.006, 0.1]}}, "
    "{\"name\": \"b\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"translate\": [0, 0.0655, 0]}",
};
enum { CROWD, SHEETS, SCENES };

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

// ---------------------------------------------------------------- a coarse space of its own

typedef struct Motions {
    Simulation simulation;
    const BlockMatrix *matrix;
    const Kernels *kernels;
    Arena arena;
    ContactGroups groups;
    CoarseSpace space;
    ContactMotions contact;
} Motions;

static void begin(Motions *motions, int which)
{
    make(&motions->simulation, which, 1);
    const CpuDevice *device = (const CpuDevice *)motions->simulation.device;
    const Model *model = &motions->simulation.model;
    VelaContext *context = motions->simulation.context;
    const BlockMatrix *matrix = motions->matrix = &device->newton.matrix;
    motions->kernels = device->kernels;
    motions->arena = arena_make(context);
    double(*inverses)[9], *places;
    ASSERT_OK(context, ARENA_ARRAY(&motions->arena, inverses, matrix->row_count + 1));
    ASSERT_OK(context, ARENA_ARRAY(&motions->arena, places, 3 * (size_t)matrix->row_count));
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        memcpy(places + 3 * (size_t)row, model->initial_positions + 3 * (size_t)model->order.nodes[row],
               3 * sizeof *places);
        matrix3_inverse(matrix->values + 9 * (size_t)matrix->diagonal[row], inverses[row]);
    }
    ASSERT_OK(context, contact_groups_create(&motions->arena, matrix, 1, &motions->groups));
    ASSERT_OK(context, contact_groups_update(&motions->groups, motions->kernels->invert_group, inverses));
    ASSERT_OK(context, coarse_space_create(&motions->arena, matrix, places, coarse_space_clusters(matrix),
                                           &motions->space));
    for (int32_t part = 0; part < matrix->part_count; ++part)
        coarse_space_turn(&motions->space, part, device->slots[SLOT_STAGE], model->order.nodes);
    ASSERT_OK(context, contact_motions_create(&motions->arena, &motions->groups, &motions->space, 1,
                                              &motions->contact));
    ASSERT_OK(context, contact_motions_update(&motions->contact, motions->kernels->deviate_group));
}

static void end(Motions *motions)
{
    contact_motions_clear(&motions->contact);
    contact_groups_clear(&motions->groups);
    arena_clear(&motions->arena);
    simulation_stop(&motions->simulation);
}

static double *vector_of(const Motions *motions)
{
    double *x = calloc(3 * (size_t)motions->matrix->column_count + 1, sizeof *x);
    ck_assert_ptr_nonnull(x);
    return x;
}

// Where rows go by the motions t of all parts, COARSE_MODES each.
static void move(Motions *motions, const double *t, bool deviate, double *u)
{
    CoarseSpace *space = &motions->space;
    space->deviations = deviate ? &motions->contact.deviations : NULL;
    memcpy(space->right, t, (size_t)space->size * sizeof *t);
    for (int32_t c = 0; c < space->first_cluster[motions->matrix->part_count]; ++c)
        memset(space->clusters[c].motion, 0, sizeof space->clusters[c].motion);
    memset(u, 0, 3 * (size_t)motions->matrix->row_count * sizeof *u);
    for (int32_t part = 0; part < motions->matrix->part_count; ++part)
        motions->kernels->coarse_turn(space, part, u, 0, u);
}

static void wave(const CoarseSpace *space, int number, double *t)
{
    for (int32_t k = 0; k < space->size; ++k)
        t[k] = sin(1.0 + (1 + number) * k);
}

// ---------------------------------------------------------------- what moves

// right = G u of a group's row, and `size` of its terms; with `u` of three numbers a row.
static void multiply_in_group(const Motions *motions, const ContactGroup *group, int own, const double *u,
                              double right[3], double *size)
{
    const BlockMatrix *matrix = motions->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    const int32_t row = group->rows[own];
    memset(right, 0, 3 * sizeof *right);
    *size = 0;
    for (int32_t p = changing->row_start[row] - 1; p < changing->row_end[row]; ++p) {
        const bool is_fixed = p < changing->row_start[row];
        const double *block =
            is_fixed ? matrix->values + 9 * (size_t)matrix->diagonal[row] : changing->values[p];
        const int32_t column = is_fixed ? row : changing->columns[p];
        bool is_member = false;
        for (int n = 0; n < group->count; ++n)
            is_member |= group->rows[n] == column;
        for (int k = 0; is_member && k < 9; ++k) {
            right[k % 3] += block[k] * u[3 * (size_t)column + (size_t)(k / 3)];
            *size += fabs(block[k] * u[3 * (size_t)column + (size_t)(k / 3)]);
        }
    }
}

// Contact and what pulls nodes to where their parts have them balance: G u = F t, but for W's rounding and that of deviations.
START_TEST(balance)
{
    Motions motions;
    begin(&motions, _i);
    const int32_t rows = motions.matrix->row_count;
    double *t = calloc((size_t)motions.space.size, sizeof *t), *u = vector_of(&motions),
           *plain = vector_of(&motions), *one = vector_of(&motions), off = 0, changed = 0;
    ck_assert_ptr_nonnull(t);
    wave(&motions.space, 0, t);
    move(&motions, t, true, u);
    move(&motions, t, false, plain);
    for (int32_t i = 0; i < 3 * rows; ++i)
        changed = fmax(changed, fabs(u[i] - plain[i]));
    for (int32_t g = 0; g < motions.groups.count; ++g) {
        const ContactGroup *group = &motions.groups.groups[g];
        for (int n = 0; n < group->count; ++n) {
            double left[3], right[3] = {0}, size, same;
            multiply_in_group(&motions, group, n, u, left, &size);
            for (int axis = 0; axis < 3; ++axis) { // F times the row's own t
                double sums[3];
                for (int m = 0; m < group->count; ++m)
                    for (int k = 0; k < 3; ++k)
                        one[3 * (size_t)group->rows[m] + (size_t)k] = k == axis;
                multiply_in_group(&motions, group, n, one, sums, &same);
                for (int k = 0; k < 3; ++k)
                    right[k] += sums[k] * plain[3 * (size_t)group->rows[n] + (size_t)axis];
            }
            for (int k = 0; k < 3; ++k)
                off = fmax(off, fabs(left[k] - right[k]) / size);
        }
    }
    printf("%d groups, nodes go up to %.2g elsewhere, out of balance by %.2g\n", motions.groups.count,
           changed, off);
    ck_assert_int_gt(motions.groups.count, 8);
    ck_assert_double_gt(changed, 0.1);
    ck_assert_double_lt(off, 1e-5);
    free(t);
    free(u);
    free(plain);
    free(one);
    end(&motions);
}
END_TEST

// All parts go one way, and so do all rows.
START_TEST(translations)
{
    Motions motions;
    begin(&motions, _i);
    int thin = 0;
    for (int32_t part = 0; part < motions.matrix->part_count; ++part)
        thin += motions.space.motions[part].kind != MOTIONS_AFFINE;
    ck_assert_int_eq(thin > 0, _i == SHEETS);
    double *t = calloc((size_t)motions.space.size, sizeof *t), *u = vector_of(&motions), off = 0;
    const double way[3] = {0.3, -1, 0.5};
    ck_assert_ptr_nonnull(t);
    for (int32_t part = 0; part < motions.matrix->part_count; ++part) {
        const GroupMotions *own = &motions.space.motions[part];
        for (int k = 0; k < 3; ++k)
            t[COARSE_MODES * part + 4 * k] =
                own->kind == MOTIONS_AFFINE ? way[k]
                                            : own->frame[3 * k] * way[0] + own->frame[3 * k + 1] * way[1] +
                                                  own->frame[3 * k + 2] * way[2];
    }
    move(&motions, t, true, u);
    for (int32_t i = 0; i < 3 * motions.matrix->row_count; ++i)
        off = fmax(off, fabs(u[i] - way[i % 3]));
    printf("off by %.2g\n", off);
    ck_assert_double_lt(off, 1e-5);
    free(t);
    free(u);
    end(&motions);
}
END_TEST

// ---------------------------------------------------------------- what it costs

// s^T K t of the coarse matrix, which is there on its diagonal and above.
static double coarse_product(const Motions *motions, const double *s, const double *t)
{
    const CoarseSpace *space = &motions->space;
    const int32_t parts = motions->matrix->part_count;
    double sum = 0;
    for (int32_t part = 0; part < parts; ++part)
        for (int32_t other = part; other < parts; ++other)
            for (int32_t k = 0; space->couples[parts * part + other] && k < COARSE_MODES; ++k)
                for (int32_t l = 0; l < COARSE_MODES; ++l) {
                    const int32_t i = COARSE_MODES * part + k, j = COARSE_MODES * other + l;
                    const double value = coarse_block(space, part, other)[COARSE_MODES * k + l];
                    sum += value * s[i] * t[j];
                    if (other > part)
                        sum += value * s[j] * t[i];
                }
    return sum;
}

// The coarse matrix is that of the motions, those of rows beside groups and of other groups included, and its r.z what restricting tells.
START_TEST(coarse_matrix)
{
    Motions motions;
    begin(&motions, _i);
    const BlockMatrix *matrix = motions.matrix;
    double *t[2], *u[2], *Au = vector_of(&motions), energies[2];
    for (int k = 0; k < 2; ++k) {
        t[k] = calloc((size_t)motions.space.size, sizeof **t);
        u[k] = vector_of(&motions);
        ck_assert_ptr_nonnull(t[k]);
        wave(&motions.space, k, t[k]);
    }
    for (int deviate = 0; deviate < 2; ++deviate) {
        for (int k = 0; k < 2; ++k)
            move(&motions, t[k], deviate, u[k]);
        for (int32_t part = 0; part < matrix->part_count; ++part)
            motions.kernels->coarse_assemble(&motions.space, part);
        motions.kernels->multiply(matrix, 0, matrix->row_count, u[1], Au);
        double expected = 0, size = 0, own = 0, restricted = 0;
        for (int32_t i = 0; i < 3 * matrix->row_count; ++i) {
            expected += u[0][i] * Au[i];
            size += fabs(u[0][i] * Au[i]);
            own += u[1][i] * Au[i];
        }
        ck_assert_double_eq_tol(coarse_product(&motions, t[0], t[1]), expected, 1e-10 * size);
        ck_assert_double_eq_tol(coarse_product(&motions, t[1], t[0]), expected, 1e-10 * size);
        ck_assert_double_eq_tol(coarse_product(&motions, t[1], t[1]), own, 1e-10 * own);
        energies[deviate] = own;
        for (int32_t part = 0; part < matrix->part_count; ++part)
            motions.kernels->coarse_restrict(&motions.space, part, Au);
        for (int32_t part = 0; deviate && part < matrix->part_count; ++part)
            motions.kernels->coarse_restrict_deviations(&motions.space, part, Au);
        for (int32_t k = 0; k < motions.space.size; ++k)
            restricted += motions.space.right[k] * t[0][k];
        ck_assert_double_eq_tol(restricted, expected, 1e-10 * size);
    }
    printf("%.3g of the energy\n", energies[1] / energies[0]);
    ck_assert_double_lt(energies[1], 0.1 * energies[0]);
    for (int k = 0; k < 2; ++k) {
        free(t[k]);
        free(u[k]);
    }
    free(Au);
    end(&motions);
}
END_TEST

// ---------------------------------------------------------------- what it gains

static CpuPreconditioner *preconditioner_of(const Simulation *simulation)
{
    return ((CpuDevice *)simulation->device)->newton.linear.preconditioner;
}

START_TEST(symmetric_and_positive)
{
    Simulation simulation;
    make(&simulation, _i, 1);
    preconditioner_give_way_always(preconditioner_of(&simulation));
    ASSERT_OK(simulation.context,
              preconditioner_update(preconditioner_of(&simulation),
                                    ((CpuDevice *)simulation.device)->slots[SLOT_STAGE], true));
    ck_assert(preconditioner_has_contact(preconditioner_of(&simulation)));
    check_symmetric_and_positive(&simulation);
    simulation_stop(&simulation);
}
END_TEST

// A crowd needs far fewer iterations to the same solution, the same for any number of threads. By itself so small a matrix goes without.
START_TEST(fewer_iterations)
{
    Simulation simulation, threaded;
    make(&simulation, CROWD, 1);
    make(&threaded, CROWD, 3);
    const int32_t n = 3 * ((CpuDevice *)simulation.device)->newton.matrix.row_count;
    double *solutions[3], off = 0, largest = 0;
    int32_t iterations[3];
    for (int k = 0; k < 3; ++k) {
        const Simulation *which = k == 2 ? &threaded : &simulation;
        solutions[k] = calloc((size_t)n, sizeof **solutions);
        ck_assert_ptr_nonnull(solutions[k]);
        if (k > 0)
            preconditioner_give_way_always(preconditioner_of(which));
        iterations[k] = solve_direction(which, true, solutions[k]);
        ck_assert_int_eq(preconditioner_has_contact(preconditioner_of(which)), k > 0);
    }
    for (int32_t i = 0; i < n; ++i) {
        off = fmax(off, fabs(solutions[0][i] - solutions[1][i]));
        largest = fmax(largest, fabs(solutions[1][i]));
    }
    printf("%d iterations, %d with deviations; off by %.1e\n", iterations[0], iterations[1], off / largest);
    ck_assert_int_lt(iterations[1], iterations[0] * 2 / 3);
    ck_assert_double_lt(off, 1e-5 * largest);
    ck_assert_int_eq(iterations[2], iterations[1]);
    ck_assert_mem_eq(solutions[1], solutions[2], (size_t)n * sizeof **solutions);
    for (int k = 0; k < 3; ++k)
        free(solutions[k]);
    simulation_stop(&threaded);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("motions that give way to contact");
    TCase *tests = tcase_create("motions");
    tcase_add_loop_test(tests, balance, 0, SCENES);
    tcase_add_loop_test(tests, translations, 0, SCENES);
    tcase_add_loop_test(tests, coarse_matrix, 0, SCENES);
    tcase_add_loop_test(tests, symmetric_and_positive, 0, SCENES);
    tcase_add_test(tests, fewer_iterations);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
