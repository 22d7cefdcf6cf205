// Newton's directions by a sparse factor: the same as by conjugate gradients, contact's blocks included, and taken at once where bodies are
// long and thin, late where iterations turn out to be many, and not where they are few or contact makes a factor dear.
#include "physics_fixture.h"

#include "device/cpu/cpu_device.h"
#include "device/cpu/newton/newton.h"

#include <math.h>
#include <stdlib.h>

enum { COMPACT, CROSSED, SHEET, APART, CROWD, BODIES };

// Two rods across each other, 0.4 mm apart under a barrier of 1 mm and on their way towards each other; a cube; a sheet; 125 boxes, 10 mm
// apart or 0.5 mm.
static const char *const bodies[BODIES] = {
    [COMPACT] =
        "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [8, 8, 8]}}, "
        "\"material\": \"m\"}",
    [CROSSED] =
        "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.5, 0.008, 0.008], \"cells\": [24, 1, 1]}}, "
        "\"material\": \"m\", \"velocity\": [0, -0.05, 0], "
        "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.249, 1, 1]]}, "
        "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, -0.1, 0]}]}]}, "
        "{\"name\": \"b\", \"geometry\": {\"box\": {\"size\": [0.008, 0.008, 0.5], \"cells\": [1, 1, 24]}}, "
        "\"material\": \"m\", \"translate\": [0.03, -0.0084, 0.02]}",
    [SHEET] = "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [1, 0.005, 1], \"cells\": [24, 1, 24]}}, "
              "\"material\": \"m\", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.499, 1, 1]]}}]}",
    [APART] = "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
              "\"array\": {\"count\": [5, 5, 5], \"spacing\": [0.11, 0.11, 0.11]}, \"material\": \"m\"}",
    [CROWD] =
        "{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
        "\"array\": {\"count\": [5, 5, 5], \"spacing\": [0.1005, 0.1005, 0.1005]}, \"material\": \"m\"}",
};

static void make(Simulation *simulation, int which, const char *preconditioner)
{
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
        "\"integrator\": {\"type\": \"implicit_euler\"}, "
        "\"solver\": {\"type\": \"newton\", \"linear\": {\"preconditioner\": \"%s\"}}, "
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e7, "
        "\"poissons_ratio\": 0.4, \"friction\": 0.3}}, "
        "\"bodies\": [%s], \"contact\": {\"model\": \"barrier\", \"distance\": 1e-3}}",
        preconditioner, bodies[which]);
}

static CpuDevice *device_of(const Simulation *simulation)
{
    return (CpuDevice *)simulation->device;
}

/// The same direction, of the rods at once, of the sheet where conjugate gradients were given up.
START_TEST(same_direction)
{
    const bool project = _i % 2 == 1, at_once = _i < 2;
    Simulation by_factor, by_iterations;
    make(&by_factor, at_once ? CROSSED : SHEET, "two_level");
    make(&by_iterations, at_once ? CROSSED : SHEET, "block_jacobi");
    ck_assert_ptr_nonnull(device_of(&by_factor)->newton.direct);
    ck_assert_ptr_null(device_of(&by_iterations)->newton.direct);
    const NewtonSettings settings = {
        .linear_tolerance = 1e-13, .linear_max_iterations = 20000, .project = project};
    NewtonDirection direction[2];
    Simulation *const both[2] = {&by_factor, &by_iterations};
    for (int k = 0; k < 2; ++k) {
        stage_begin_near(both[k]);
        ASSERT_OK(both[k]->context, device_newton_direction(both[k]->device, &settings, &direction[k]));
    }
    ck_assert(device_of(&by_factor)->newton.by_factor);
    const double *d[2] = {device_of(&by_factor)->newton.direction,
                          device_of(&by_iterations)->newton.direction};
    double off = 0;
    for (size_t i = 0; i < 3 * (size_t)by_factor.model.node_count; ++i)
        off = fmax(off, fabs(d[0][i] - d[1][i]));
    printf(
        "%d pairs in contact, %d iterations and a factor, %d without; off by %.1e of the longest way, slope by %.1e\n",
        direction[0].contact_pairs, direction[0].linear_iterations - 1, direction[1].linear_iterations,
        off / direction[1].largest, direction[0].slope / direction[1].slope - 1);
    ck_assert_int_eq(direction[0].contact_pairs > 0, at_once);
    ck_assert_int_eq(direction[0].linear_iterations == 1, at_once);
    ck_assert_int_lt(direction[0].linear_iterations, direction[1].linear_iterations / 3);
    ck_assert_double_le(off, 1e-7 * direction[1].largest);
    ck_assert_double_eq_tol(direction[0].slope, direction[1].slope, 1e-9 * fabs(direction[1].slope));
    ck_assert(direction[0].is_exact && direction[0].linear_residual == 0);
    simulation_stop(&by_iterations);
    simulation_stop(&by_factor);
}
END_TEST

/// A matrix that is not positive definite is told from others, and none is solved.
START_TEST(indefinite_matrix)
{
    Simulation simulation;
    make(&simulation, CROSSED, "two_level");
    stage_begin_near(&simulation);
    const NewtonSettings settings = {.linear_tolerance = 1e-2, .linear_max_iterations = 1, .project = true};
    NewtonDirection direction;
    ASSERT_OK(simulation.context, device_newton_direction(simulation.device, &settings, &direction));
    NewtonData *newton = &device_of(&simulation)->newton;
    double *right = newton->linear.direction, *solution = newton->solution;
    ck_assert(direct_solver_analyse(newton->direct, 1000) < INFINITY &&
              direct_solver_solve(newton->direct, right, solution));
    newton->matrix.values[9 * (size_t)newton->matrix.diagonal[7] + 4] *= -1;
    ck_assert(direct_solver_analyse(newton->direct, 1000) < INFINITY &&
              !direct_solver_solve(newton->direct, right, solution));
    simulation_stop(&simulation);
}
END_TEST

/// At first; what a solve took is what a factor may be worth after it, until the stage is over.
START_TEST(compact_bodies_take_none)
{
    Simulation simulation;
    make(&simulation, COMPACT, "two_level");
    stage_begin_near(&simulation);
    const NewtonSettings settings = {
        .linear_tolerance = 1e-8, .linear_max_iterations = 2000, .project = true};
    NewtonDirection direction;
    ASSERT_OK(simulation.context, device_newton_direction(simulation.device, &settings, &direction));
    const NewtonData *newton = &device_of(&simulation)->newton;
    const double least = direct_solver_least(newton->direct),
                 took = direction.linear_iterations + direct_solver_preparation(newton->direct);
    ck_assert(!newton->by_factor);
    ck_assert_double_gt(took, least);
    ck_assert_double_eq(newton->direct_most, took);
    stage_begin_near(&simulation);
    ck_assert_double_eq(newton->direct_most, least);
    simulation_stop(&simulation);
}
END_TEST

/// A factor's worth is the same however much was asked for before, and is found if it is no more than that.
START_TEST(worth_depends_on_the_pattern_alone)
{
    static const int which[] = {CROSSED, CROWD};
    const NewtonSettings settings = {.linear_tolerance = 1e-2, .linear_max_iterations = 1, .project = true};
    double worth = INFINITY;
    for (int order = 0; order < 3; ++order) {
        Simulation simulation;
        make(&simulation, which[_i], "two_level");
        stage_begin_near(&simulation);
        NewtonDirection direction;
        ASSERT_OK(simulation.context, device_newton_direction(simulation.device, &settings, &direction));
        DirectSolver *direct = device_of(&simulation)->newton.direct;
        if (order == 0)
            worth = direct_solver_analyse(direct, 1000);
        printf("%d pairs, worth %.1f iterations, %.1f without contact\n", direction.contact_pairs, worth,
               direct_solver_worth(direct));
        ck_assert_double_gt(worth, direct_solver_worth(direct));
        ck_assert_double_lt(worth, 1000);
        const double most[3][3] = {
            {worth, 0.9 * worth, worth}, {0.9 * worth, worth, 1000}, {1, 1000, 0.99 * worth}};
        for (int k = 0; k < 3; ++k)
            ck_assert_double_eq(direct_solver_analyse(direct, most[order][k]),
                                most[order][k] >= worth ? worth : INFINITY);
        simulation_stop(&simulation);
    }
}
END_TEST

/// Boxes that touch are not factored, though each of them would be.
START_TEST(contact_makes_a_factor_dear)
{
    const NewtonSettings settings = {
        .linear_tolerance = 1e-4, .linear_max_iterations = 2000, .project = true};
    for (int which = APART; which <= CROWD; ++which) {
        Simulation simulation;
        make(&simulation, which, "two_level");
        stage_begin_near(&simulation);
        NewtonDirection direction;
        ASSERT_OK(simulation.context, device_newton_direction(simulation.device, &settings, &direction));
        printf("%d pairs in contact, %d iterations\n", direction.contact_pairs, direction.linear_iterations);
        ck_assert_int_eq(device_of(&simulation)->newton.by_factor, which == APART);
        ck_assert_int_eq(direction.contact_pairs > 0, which == CROWD);
        simulation_stop(&simulation);
    }
}
END_TEST

static LinearReport solve_for_length(Simulation *simulation, double short_direction, int32_t alternative)
{
    CpuDevice *device = device_of(simulation);
    NewtonData *newton = &device->newton;
    const NewtonSettings settings = {
        .linear_tolerance = 1e-4,
        .linear_max_iterations = 20000,
        .project = true,
        .forcing = {.loosest = 1e-2, .factor = 0.9, .nearly = 10, .settled = 1e-2},
        .short_direction = short_direction};
    NewtonDirection direction = {0};
    LinearReport report;
    newton->linear.alternative = alternative;
    ASSERT_OK(simulation->context, cpu_newton_assemble(device, true));
    preconditioner_update(newton->linear.preconditioner, device->slots[SLOT_STAGE], false);
    cpu_newton_right(device, &direction);
    ASSERT_OK(simulation->context,
              conjugate_gradients(&newton->linear, &settings, newton->solution, &report));
    return report;
}

/// Whether an alternative is worth less than what is left depends on where a solve will end: a rough one soon, that of a short direction later.
START_TEST(slow_is_what_ends_late)
{
    Simulation simulation;
    make(&simulation, CROSSED, "block_jacobi");
    stage_begin_near(&simulation);
    const LinearReport rough = solve_for_length(&simulation, 0, INT32_MAX);
    // Just longer than the direction, which is longer than what is known of it first.
    const double *solution = device_of(&simulation)->newton.solution;
    double length = 0;
    LinearReport whole = {0};
    for (int times = 0; times < 8 && !whole.is_exact; ++times) {
        for (int32_t i = 0; i < 3 * device_of(&simulation)->newton.matrix.row_count; ++i)
            length = fmax(length, 1.5 * fabs(solution[i]));
        whole = solve_for_length(&simulation, length, INT32_MAX);
    }
    printf("%d iterations to 1e-2, %d to what a short direction asks for\n", rough.iterations,
           whole.iterations);
    ck_assert(!rough.is_exact && whole.is_exact && !rough.is_slow && !whole.is_slow);
    ck_assert_int_gt(whole.iterations, 2 * rough.iterations);
    const int32_t alternative = whole.iterations / 4;
    const LinearReport again = solve_for_length(&simulation, 0, 2 * rough.iterations),
                       given_up = solve_for_length(&simulation, length, alternative);
    ck_assert(!again.is_slow && given_up.is_slow);
    ck_assert_int_eq(again.iterations, rough.iterations);
    ck_assert_int_lt(given_up.iterations, whole.iterations);
    ck_assert_double_gt(given_up.left, 1.5 * alternative);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("direct solver");
    TCase *tests = tcase_create("newton");
    tcase_add_loop_test(tests, same_direction, 0, 4);
    tcase_add_test(tests, indefinite_matrix);
    tcase_add_loop_test(tests, worth_depends_on_the_pattern_alone, 0, 2);
    tcase_add_test(tests, contact_makes_a_factor_dear);
    tcase_add_test(tests, compact_bodies_take_none);
    tcase_add_test(tests, slow_is_what_ends_late);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
