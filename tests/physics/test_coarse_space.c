// P^-1 of the CPU path with the clusters of its coarse space and without: symmetric and positive definite, its product as it tells; fewer
// iterations with them to the same solution.
#include "preconditioned.h"

#include "device/cpu/linear/coarse_factor.h"

#include "device/cpu/newton/newton.h"

static void make(Simulation *simulation, const char *bodies)
{
    simulation_make(threads_context(1), simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
                    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
                    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
                    "\"youngs_modulus\": 1e6, \"poissons_ratio\": 0.4}}, \"bodies\": [%s]}",
                    bodies);
}

static const char *const bodies[] = {
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.4, 0.02, 0.4], \"cells\": [12, 2, 12]}}, "
    "\"material\": \"m\", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.199, 1, 1]]}}]}",
    // Groups of one node, of a body's four, and of some of either.
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [4, 4, 4]}}, "
    "\"material\": \"m\"}, "
    "{\"name\": \"b\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"translate\": [0.3, 0, 0], \"array\": {\"count\": [3, 1, 1], \"spacing\": [0.3, 0.3, 0.3]}}",
    // Many small bodies.
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"array\": {\"count\": [7, 6, 5], \"spacing\": [0.3, 0.3, 0.3]}}",
    // Cells as high as wide: stacks of flat ones take on some of what clusters do.
    "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.4, 0.02, 0.4], \"cells\": [40, 2, 40]}}, "
    "\"material\": \"m\", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.199, 1, 1]]}}]}",
};

START_TEST(symmetric_and_positive)
{
    Simulation simulation;
    make(&simulation, bodies[_i]);
    stage_begin_near(&simulation);
    NewtonData *newton = &((CpuDevice *)simulation.device)->newton;
    ASSERT_OK(simulation.context, cpu_newton_assemble((CpuDevice *)simulation.device, true));
    for (int without = 0; without < 2; ++without) {
        if (without)
            preconditioner_leave_out_clusters(newton->linear.preconditioner);
        preconditioner_update(newton->linear.preconditioner,
                              ((CpuDevice *)simulation.device)->slots[SLOT_STAGE], false);
        check_symmetric_and_positive(&simulation);
    }
    simulation_stop(&simulation);
}
END_TEST

/// Of a sheet, and of small bodies.
START_TEST(fewer_iterations)
{
    Simulation simulation;
    make(&simulation, bodies[_i == 0 ? 3 : 2]);
    stage_begin_near(&simulation);
    CpuDevice *device = (CpuDevice *)simulation.device;
    NewtonData *newton = &device->newton;
    newton->linear.alternative = INT32_MAX;
    const NewtonSettings settings = {.linear_tolerance = 1e-8, .linear_max_iterations = 5000};
    int32_t iterations[2];
    double *solutions[2];
    for (int without = 0; without < 2; ++without) {
        NewtonDirection direction = {0};
        LinearReport report;
        if (without)
            preconditioner_leave_out_clusters(newton->linear.preconditioner);
        ASSERT_OK(simulation.context, cpu_newton_assemble(device, true));
        preconditioner_update(newton->linear.preconditioner, device->slots[SLOT_STAGE], false);
        cpu_newton_right(device, &direction);
        ASSERT_OK(simulation.context,
                  conjugate_gradients(&newton->linear, &settings, newton->solution, &report));
        iterations[without] = report.iterations;
        const size_t size = 3 * (size_t)newton->matrix.row_count * sizeof(double);
        solutions[without] = malloc(size);
        ck_assert_ptr_nonnull(solutions[without]);
        memcpy(solutions[without], newton->solution, size);
    }
    printf("%d iterations with clusters, %d without\n", iterations[0], iterations[1]);
    ck_assert_int_lt(iterations[0], 0.85 * iterations[1]);
    double off = 0, largest = 0;
    for (int32_t i = 0; i < 3 * newton->matrix.row_count; ++i) {
        off = fmax(off, fabs(solutions[0][i] - solutions[1][i]));
        largest = fmax(largest, fabs(solutions[1][i]));
    }
    ck_assert_double_le(off, 1e-5 * largest);
    free(solutions[0]);
    free(solutions[1]);
    simulation_stop(&simulation);
}
END_TEST

/// The last cluster of a group may be a node or two, which hardly differ in two of three coordinates: along what other motions make up
/// already, P^-1 is not to be what rounding has left.
START_TEST(lines_and_points_are_clusters_too)
{
    int few = 0;
    for (int angle = 0; angle < 6; ++angle) {
        char sheet[512];
        snprintf(
            sheet, sizeof sheet,
            "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.4, 0.01, 0.4], \"cells\": [%d, 1, %d]}}, "
            "\"material\": \"m\", \"rotate\": {\"axis\": [1, 1, 1], \"degrees\": %g}}",
            36 + angle, 42 - angle, pow(10, -2 - angle));
        Simulation simulation;
        make(&simulation, sheet);
        stage_begin_near(&simulation);
        CpuDevice *device = (CpuDevice *)simulation.device;
        const BlockMatrix *matrix = &device->newton.matrix;
        ASSERT_OK(simulation.context, cpu_newton_assemble(device, true));
        preconditioner_update(device->newton.linear.preconditioner, device->slots[SLOT_STAGE], false);
        check_symmetric_and_positive(&simulation);
        for (int32_t part = 0; part < matrix->part_count; ++part) {
            const int32_t left = (matrix->part_start[part + 1] - matrix->part_start[part]) % CLUSTER_NODES;
            few += left == 1 || left == 2;
        }
        simulation_stop(&simulation);
    }
    printf("%d clusters of one node or two\n", few);
    ck_assert_int_gt(few, 0);
}
END_TEST

static void factor(const Kernels *kernels, CoarseSpace *space)
{
    for (int32_t part = 0; part < space->matrix->part_count; ++part)
        kernels->coarse_assemble(space, part);
    coarse_factor(kernels, space, &(Team){0});
}

/// Blocks of parts that have nothing to do with each other are neither written nor read: whatever was there changes nothing.
START_TEST(blocks_left_out_are_not_read)
{
    Simulation simulation;
    make(&simulation,
         "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.4, 0.01, 0.4], \"cells\": [36, 1, 36]}}, "
         "\"material\": \"m\"}");
    stage_begin_near(&simulation);
    CpuDevice *device = (CpuDevice *)simulation.device;
    const BlockMatrix *matrix = &device->newton.matrix;
    const int32_t *nodes = simulation.model.order.nodes;
    ASSERT_OK(simulation.context, cpu_newton_assemble(device, true));
    Arena arena = arena_make(simulation.context);
    double *places;
    CoarseSpace spaces[2];
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, places, 3 * (size_t)matrix->row_count));
    for (int32_t i = 0; i < matrix->row_count; ++i)
        memcpy(places + 3 * (size_t)i, simulation.model.initial_positions + 3 * (size_t)nodes[i],
               3 * sizeof *places);
    double products[2];
    for (int k = 0; k < 2; ++k) {
        CoarseSpace *space = &spaces[k];
        ASSERT_OK(simulation.context,
                  coarse_space_create(&arena, matrix, places, coarse_space_clusters(matrix), space));
        for (size_t i = 0; k == 1 && i < (size_t)space->size * (size_t)space->size; ++i)
            space->values[i] = NAN;
        factor(device->kernels, space);
        for (int32_t i = 0; i < space->size; ++i)
            space->right[i] = sin(i);
        coarse_begin_solve(device->kernels, space);
        coarse_end_solve(device->kernels, space);
        products[k] = coarse_product(space);
    }
    int left_out = 0;
    for (size_t i = 0; i < (size_t)spaces[1].size * (size_t)spaces[1].size; ++i)
        left_out += isnan(spaces[1].values[i]);
    printf("%d parts, %d of %d numbers left out, r.P^-1 r %g\n", matrix->part_count, left_out,
           spaces[1].size * spaces[1].size, products[0]);
    ck_assert_int_gt(left_out,
                     spaces[1].size * spaces[1].size * 2 / 3); // below the diagonal is half of them
    ck_assert_double_gt(products[0], 0);
    ck_assert_double_eq(products[0], products[1]);
    for (int32_t i = 0; i < spaces[0].size; ++i)
        ck_assert_double_eq(spaces[0].right[i], spaces[1].right[i]);
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

/// But for those that a part's end cuts.
START_TEST(small_bodies_are_clusters)
{
    Simulation simulation;
    make(&simulation, bodies[2]);
    CpuDevice *device = (CpuDevice *)simulation.device;
    const BlockMatrix *matrix = &device->newton.matrix;
    Arena arena = arena_make(simulation.context);
    CoarseSpace space;
    double *places;
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, places, 3 * (size_t)matrix->row_count));
    ASSERT_OK(simulation.context,
              coarse_space_create(&arena, matrix, places, coarse_space_clusters(matrix), &space));
    int whole = 0, cut = 0;
    for (int32_t part = 0, row = 0; part < matrix->part_count; ++part)
        for (int32_t c = space.first_cluster[part]; c < space.first_cluster[part + 1]; ++c) {
            const ClusterMotions *cluster = &space.clusters[c];
            ck_assert_int_eq(cluster->first, row);
            row = cluster->end;
            if (cluster->first % 8 == 0 && cluster->end == cluster->first + 8)
                ++whole;
            else {
                ck_assert(cluster->first == matrix->part_start[part] ||
                          cluster->end == matrix->part_start[part + 1]);
                ck_assert_int_lt(cluster->end - cluster->first, 8);
                ++cut;
            }
        }
    printf("%d bodies of %d are clusters, in %d parts\n", whole, matrix->row_count / 8, matrix->part_count);
    ck_assert_int_ge(whole, matrix->row_count / 8 - matrix->part_count);
    ck_assert_int_le(cut, 2 * matrix->part_count);
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coarse space");
    TCase *tests = tcase_create("clusters");
    tcase_add_loop_test(tests, symmetric_and_positive, 0, 3);
    tcase_add_loop_test(tests, fewer_iterations, 0, 2);
    tcase_add_test(tests, blocks_left_out_are_not_read);
    tcase_add_test(tests, small_bodies_are_clusters);
    tcase_add_test(tests, lines_and_points_are_clusters_too);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
