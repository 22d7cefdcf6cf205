// Directions of a patch, the nodes that a direction of all moves most, against the whole matrix, all elements and all pairs; what stages
// end at with patches and without.
#include "physics_fixture.h"

#include "device/cpu/cpu_device.h"
#include "device/cpu/newton/newton.h"
#include "device/cpu/newton/patch.h"

enum { KINDS = 8 };

/// Two soft boxes, one on the other, an affine one on top, all in contact with what is below: `friction` twice, and the boxes' fineness.
static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"implicit_euler\"}, "
    "\"gravity\": [0, -9.81, 0], \"solver\": {\"type\": \"newton\", \"tolerance\": %g, \"linear\": "
    "{\"preconditioner\": \"%s\"}}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
    "\"youngs_modulus\": 2e4, \"poissons_ratio\": 0.4, \"friction\": %g}}, \"bodies\": ["
    "{\"name\": \"low\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [7, 7, 7]}}, \"material\": \"m\", "
    "\"translate\": [0, 0.101, 0]}, "
    "{\"name\": \"high\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [7, 7, 7]}}, \"material\": \"m\", "
    "\"translate\": [0.03, 0.3025, 0.02], \"pins\": [{\"select\": {\"box\": [[-1, 0.3, -1], [-0.06, 0.33, 1]]}, "
    "\"axes\": \"z\"}]}, "
    "{\"name\": \"lid\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.1, 0.03, 0.1], \"cells\": [2, 1, 2]}}, "
    "\"material\": \"m\", \"rotate\": {\"axis\": [0, 1, 0], \"degrees\": 30}, \"translate\": [0.07, 0.4195, 0.06]}], "
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}, \"friction\": %g}], "
    "\"contact\": {\"model\": \"barrier\", \"distance\": 5e-3, \"stiffness\": 1e4, \"self\": true}}";

typedef struct Bench {
    Simulation simulation;
    CpuDevice *device;
    NewtonSettings settings;
    const Model *model;
    double *solution, *gradient; ///< of the patch's direction, by place
} Bench;

// Most of what moves is a corner of the upper box.
static void bench_start(Bench *bench, int kind)
{
    const double friction = kind % 2 ? 0.02 : 0;
    simulation_make(threads_context(kind / 4 + 1), &bench->simulation, scene, 1e-2,
                    kind / 2 % 2 ? "block_jacobi" : "two_level", friction, friction);
    for (int step = 0; step < 3; ++step)
        step_once(&bench->simulation);
    Device *device = bench->simulation.device;
    VelaContext *context = device->context;
    bench->device = (CpuDevice *)device;
    bench->model = &bench->simulation.model;
    double *x = slot_values(&bench->simulation, SLOT_POSITION);
    ASSERT_OK(context, device_state_write(device, SLOT_STAGE, x));
    ASSERT_OK(context, device_state_write(device, SLOT_BASE_POSITION, x));
    for (int32_t i = 0; i < bench->model->node_count; ++i) {
        double *at = x + 3 * (size_t)i, apart[3];
        subtract3(at, (double[]){0.13, 0.22, 0.12}, apart);
        const double near = dot3(apart, apart) < 0.08 * 0.08;
        for (int k = 0; k < 3 && !model_partial_pin(bench->model, i); ++k) // a stage has these in place
            at[k] +=
                1e-5 * sin(3.0 * i + k) + near * (double[]){4e-3, -3e-3, 1e-3}[k] * (1 + 0.3 * sin(7.0 * i));
    }
    ASSERT_OK(context, device_state_write(device, SLOT_TARGET, x));
    ASSERT_OK(context, device_stage_set(device, &(Stage){.a = 0.003, .time = 0.033}));
    bench->settings =
        (NewtonSettings){.linear_tolerance = 1e-12, .linear_max_iterations = 5000, .project = true};
    const size_t n = 3 * (size_t)bench->model->node_count;
    ASSERT_OK(context, ARENA_ARRAY(&bench->simulation.arena, bench->solution, n));
    ASSERT_OK(context, ARENA_ARRAY(&bench->simulation.arena, bench->gradient, n));
}

static NewtonDirection find_direction(Bench *bench, bool patch)
{
    NewtonDirection direction;
    Device *device = &bench->device->base;
    bench->settings.patch = patch;
    ASSERT_OK(device->context, device_newton_direction(device, &bench->settings, &direction));
    return direction;
}

static void keep_patch(Bench *bench)
{
    const size_t bytes = 3 * (size_t)bench->model->order.node_count * sizeof(double);
    memcpy(bench->solution, bench->device->newton.solution, bytes);
    memcpy(bench->gradient, bench->device->newton.gradient, bytes);
}

/// What the patch's direction is against gradient and matrix of everything.
static void compare_with_whole(Bench *bench, bool has_matrix)
{
    const NewtonPatch *patch = bench->device->newton.patch;
    const int32_t *index = patch_solver_index(patch->solver);
    CpuDevice *device = bench->device;
    const size_t n = 3 * (size_t)bench->model->order.free_count;
    ASSERT_OK(device->base.context, cpu_newton_assemble(device, bench->settings.project));
    NewtonDirection scratch = {0};
    cpu_newton_right(device, &scratch); // held components leave the matrix
    double *product = device->newton.linear.product, size = 0, off = 0, left = 0;
    cpu_newton_multiply(device, bench->solution, product);
    for (size_t i = 0; i < n; ++i) {
        if (index[i / 3] < 0) {
            ck_assert_double_eq(bench->solution[i], 0);
            continue;
        }
        size = fmax(size, fabs(device->newton.gradient[i]));
        off = fmax(off, fabs(device->newton.gradient[i] - bench->gradient[i]));
        left = fmax(left, fabs(device->newton.linear.residual[i] - product[i]));
    }
    printf("patch of %d of %d nodes: gradient off by %.1e, residual %.1e of it\n", patch->count,
           bench->model->order.free_count, off / size, left / size);
    ck_assert_double_gt(size, 0);
    ck_assert_double_le(off, 1e-12 * size);
    if (has_matrix)
        ck_assert_double_le(left, 1e-9 * size);
}

static int32_t candidate_count(const CpuDevice *device)
{
    return candidate_list_spans(device->barrier->list).count;
}

/// Trials of the patch's direction that look at what moves, against those that look at everything.
static double compare_trials(Bench *bench)
{
    CpuDevice *device = bench->device;
    NewtonTrials some, all;
    ASSERT_OK(device->base.context, device_newton_trials(&device->base, 0, &some));
    const int32_t few = candidate_count(device);
    device->newton.patch->is_under_way = false;
    ASSERT_OK(device->base.context,
              cpu_newton_assemble(device, true)); // energies of elements before the motion
    device->newton.bound_part = 0;
    ASSERT_OK(device->base.context, device_newton_trials(&device->base, 0, &all));
    ck_assert_int_gt(candidate_count(device), few);
    device->newton.patch->is_under_way = true;
    device->newton.bound_part = 0;
    ASSERT_OK(device->base.context, device_newton_trials(&device->base, 0, &some));
    printf("step %g of %g, difference %g of %g, slope %g of %g\n", some.longest, all.longest,
           some.difference[0], all.difference[0], some.slope[0], all.slope[0]);
    ck_assert_double_eq(some.longest, all.longest);
    ck_assert_double_eq_tol(some.difference[0], all.difference[0], 1e-9 * fabs(all.difference[0]));
    ck_assert_double_eq_tol(some.slope[0], all.slope[0],
                            1e-9 * (fabs(all.slope[0]) + fabs(all.difference[0])));
    ck_assert_double_le(some.noise[0], all.noise[0]);
    return some.longest;
}

/// After a patch the list of candidates is complete again without a search.
static void compare_lists(Bench *bench)
{
    CpuDevice *device = bench->device;
    VelaContext *context = device->base.context;
    const size_t n = 3 * (size_t)bench->model->order.node_count;
    ASSERT_OK(context, cpu_newton_assemble(device, true));
    memcpy(bench->gradient, device->newton.gradient, n * sizeof *bench->gradient);
    const int32_t within = device->barrier->within_count;
    memset(device->motion, 0, n * sizeof *device->motion);
    ASSERT_OK(context, barrier_sweep(device->barrier, device->slots[SLOT_STAGE], device->motion));
    ASSERT_OK(context, cpu_newton_assemble(device, true));
    double size = 0;
    for (size_t i = 0; i < n; ++i)
        size = fmax(size, fabs(bench->gradient[i]));
    ck_assert_int_gt(within, 0);
    ck_assert_int_eq(within, device->barrier->within_count);
    ck_assert_double_le(largest_difference(bench->gradient, device->newton.gradient, n), 1e-12 * size);
}

START_TEST(directions_are_those_of_what_moves)
{
    Bench bench;
    bench_start(&bench, _i);
    Device *device = &bench.device->base;
    for (int turn = 0; turn < 2; ++turn) {
        bench.settings.project = turn == 0;
        const NewtonDirection whole = find_direction(&bench, false);
        if (turn > 0 && whole.patch_nodes == 0)
            break;
        ck_assert_int_gt(whole.patch_nodes, 0);
        ck_assert_int_le(4 * whole.patch_nodes, bench.model->order.free_count);
        NewtonTrials trials;
        ASSERT_OK(device->context, device_newton_trials(device, 0, &trials));
        ASSERT_OK(device->context, device_newton_accept(device, 0.3 * trials.longest));
        for (int k = 0; k < 2; ++k) {
            const NewtonDirection direction = find_direction(&bench, true);
            ck_assert_int_eq(direction.patch_nodes, 0);
            ck_assert_int_gt(direction.contact_pairs, 0);
            if (direction.indefinite)
                break;
            keep_patch(&bench);
            ck_assert_double_lt(direction.slope, 0);
            const double longest = compare_trials(&bench);
            // Friction follows its slip with every gradient, and its matrix with it.
            ASSERT_OK(device->context, device_newton_accept(device, 0.4 * longest));
        }
    }
    compare_lists(&bench);
    simulation_stop(&bench.simulation);
}
END_TEST

START_TEST(blocks_and_forces_are_the_whole_ones)
{
    Bench bench;
    bench_start(&bench, _i);
    for (int k = 0; k < 2; ++k) {
        bench.settings.project = k == 0;
        ck_assert_int_gt(find_direction(&bench, false).patch_nodes, 0);
        if (find_direction(&bench, true).indefinite)
            continue;
        keep_patch(&bench);
        compare_with_whole(&bench, _i % 2 == 0);
    }
    simulation_stop(&bench.simulation);
}
END_TEST

/// The same steps of a landing with patches or without, one or two threads.
static void land(int threads, bool patches, Simulation *simulation, SolverReport *sum)
{
    simulation_make(threads_context(threads), simulation, scene, 1e-4, "two_level", 0.3, 0.3);
    NewtonPatch *patch = ((CpuDevice *)simulation->device)->newton.patch;
    ck_assert_ptr_nonnull(patch);
    if (!patches)
        patch->most = 0;
    *sum = (SolverReport){0};
    for (int step = 0; step < 12; ++step) {
        const StepReport report = step_once(simulation);
        ck_assert_int_eq(report.solver.stop, STOP_CONVERGED);
        solver_report_add(sum, &report.solver);
    }
}

START_TEST(stages_end_at_the_same_place)
{
    Simulation with, without, threads;
    SolverReport reports[3];
    land(1, true, &with, &reports[0]);
    land(1, false, &without, &reports[1]);
    land(2, true, &threads, &reports[2]);
    const size_t n = 3 * (size_t)with.model.node_count;
    const double *x = slot_values(&with, SLOT_POSITION), *y = slot_values(&without, SLOT_POSITION),
                 *z = slot_values(&threads, SLOT_POSITION);
    printf("%d iterations and %d of patches, %d without; %.1e m apart\n", reports[0].iterations,
           reports[0].patch_iterations, reports[1].iterations, largest_difference(x, y, n));
    ck_assert_int_gt(reports[0].patch_iterations, 0);
    ck_assert_int_eq(reports[1].patch_iterations, 0);
    ck_assert_int_lt(reports[0].iterations, reports[1].iterations);
    // The tolerance is 1e-6 m a step.
    ck_assert_double_le(largest_difference(x, y, n), 1e-5);
    ck_assert_int_eq(memcmp(x, z, n * sizeof *x), 0);
    ck_assert_int_eq(reports[0].patch_iterations, reports[2].patch_iterations);
    simulation_stop(&with);
    simulation_stop(&without);
    simulation_stop(&threads);
}
END_TEST

/// A small model has no patches.
START_TEST(small_models_have_none)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, \"materials\": {\"m\": {\"model\": "
        "\"arap\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": "
        "[{\"name\": \"b\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [3, 3, 3]}}, "
        "\"material\": \"m\"}]}");
    ck_assert_ptr_null(((CpuDevice *)simulation.device)->newton.patch);
    ck_assert_int_eq(step_once(&simulation).solver.patch_iterations, 0);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("patches");
    TCase *patches = tcase_create("patches");
    tcase_set_timeout(patches, 120);
    tcase_add_loop_test(patches, directions_are_those_of_what_moves, 0, KINDS);
    tcase_add_loop_test(patches, blocks_and_forces_are_the_whole_ones, 0, KINDS);
    tcase_add_test(patches, stages_end_at_the_same_place);
    tcase_add_test(patches, small_models_have_none);
    suite_add_tcase(suite, patches);
    return test_run(suite);
}
