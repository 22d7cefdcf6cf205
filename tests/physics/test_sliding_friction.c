// Friction of barrier contact (theory.md section 8) on stiff blocks: the slope on which one begins to slide, its
// acceleration and stopping length, what becomes of the energy, and what is dragged along by something else.
#include "physics_fixture.h"

#include "physics/contact/barrier.h"

static const double GRAVITY = 9.81, FRICTION_SPEED = 1e-3;
// The block is low, so that friction hardly tilts it.
static const double SIZE = 0.1, HEIGHT = 0.01, MASS = 1, RANGE = 1e-3, STIFFNESS = 20;

static const char still_floor[] =
    "{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}";

/// A block on a floor at y = 0, where the barrier carries it from the start.
typedef struct BlockCase {
    const char *integrator;
    double step;                 ///< s
    double down, along;          ///< gravity against the floor and along x, m/s^2
    double speed;                ///< at the start, along x, m/s
    const char *floor, *contact; ///< entry of obstacles; further keys of contact
} BlockCase;

// The gap at which the barrier carries the block, m. Its lower nodes have half of its surface.
static double rest_gap(double down)
{
    const double area = SIZE * SIZE + 2 * SIZE * HEIGHT;
    double low = 0, high = RANGE;
    for (int i = 0; i < 60; ++i) {
        const double gap = 0.5 * (low + high);
        if (-STIFFNESS * area * barrier_slope(gap, RANGE) > MASS * down)
            low = gap;
        else
            high = gap;
    }
    return low;
}

static void start_block(Simulation *simulation, const BlockCase *block)
{
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100}, \"gravity\": [%.17g, %.17g, 0],"
        " \"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-9},"
        " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1e4, \"youngs_modulus\": 1e6, "
        "\"poissons_ratio\": 0.3}},"
        " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [%g, %g, %g], \"cells\": [1, 1, 1]}}, \"material\": \"m\", "
        "\"translate\": [0, %.17g, 0], \"velocity\": [%.17g, 0, 0]}], \"obstacles\": [%s],"
        " \"contact\": {\"model\": \"barrier\", \"distance\": %g, \"stiffness\": %g, \"friction_speed\": %g, %s}}",
        block->step, block->along, -block->down, block->integrator, SIZE, HEIGHT, SIZE,
        HEIGHT / 2 + rest_gap(block->down), block->speed, block->floor, RANGE, STIFFNESS, FRICTION_SPEED,
        block->contact);
}

static double speed_of(const Simulation *simulation)
{
    return simulation->diagnosis.linear_momentum[0] / MASS;
}

static void steps_until(Simulation *simulation, double time)
{
    while (simulation_time(simulation) < time - 0.5 * simulation->scene.step)
        step_once(simulation);
}

// ---------------------------------------------------------------- slopes: tan(theta) = 0.5, gravity tilted

static const double DOWN = 2 * 4.3871653716526, ALONG = 4.3871653716526; // 9.81/sqrt(5)

// The block held by friction until it is still.
static void settle(Simulation *simulation, const BlockCase *block)
{
    BlockCase held = *block;
    Simulation before;
    held.integrator = "implicit_euler";
    held.contact = "\"friction\": 1, \"friction_iterations\": 3";
    start_block(&before, &held);
    steps_until(&before, 1);
    start_block(simulation, block);
    static const Slot slots[] = {SLOT_POSITION, SLOT_VELOCITY};
    for (int i = 0; i < 2; ++i)
        ASSERT_OK(simulation->context,
                  device_state_write(simulation->device, slots[i], slot_values(&before, slots[i])));
    simulation->diagnosis = before.diagnosis;
    simulation_stop(&before);
}

// How far the settled block moves in 1 s, m.
static double moved_in_a_second(const char *integrator, double step, double friction)
{
    char contact[80];
    Simulation simulation;
    snprintf(contact, sizeof contact, "\"friction\": %g, \"friction_iterations\": 3", friction);
    settle(&simulation, &(BlockCase){integrator, step, DOWN, ALONG, 0, still_floor, contact});
    const double start = simulation.diagnosis.center[0];
    steps_until(&simulation, 1);
    const double moved = simulation.diagnosis.center[0] - start;
    simulation_stop(&simulation);
    return moved;
}

// At a coefficient of 0.49 it slides, at 0.5 it creeps with friction_speed.
START_TEST(angle_of_repose)
{
    static const double steps[] = {0.01, 0.004};
    for (int s = 0; s < 2; ++s) {
        const double slides = moved_in_a_second("implicit_euler", steps[s], 0.49);
        const double holds = moved_in_a_second("implicit_euler", steps[s], 0.5);
        printf("h %g s: %.5f m in 1 s at mu 0.49, %.6f m at 0.5\n", steps[s], slides, holds);
        ck_assert_double_ge(slides, 0.5 * (ALONG - 0.49 * DOWN));
        ck_assert_double_le(slides, 0.5 * (ALONG - 0.49 * DOWN) + FRICTION_SPEED);
        ck_assert_double_le(holds, 1.1 * FRICTION_SPEED);
    }
}
END_TEST

// Held with r of what friction can do, it creeps with friction_speed (1 - sqrt(1 - r)).
START_TEST(creep)
{
    static const char *const integrators[] = {"implicit_euler",    "bdf2", "sdirk2",
                                              "implicit_midpoint", "a1",   "a_search"};
    const double exact = FRICTION_SPEED * (1 - sqrt(1 - 0.5 / 0.52));
    for (int i = 0; i < 6; ++i) {
        const double moved = moved_in_a_second(integrators[i], 0.01, 0.52);
        printf("%s: creeps %.6f m in 1 s at mu 0.52, exact %.6f\n", integrators[i], moved, exact);
        ck_assert_double_le(fabs(moved - exact), 0.01 * exact);
    }
}
END_TEST

START_TEST(acceleration_on_a_slope)
{
    static const char *const integrators[] = {"implicit_euler", "bdf2",    "trapezoidal", "implicit_midpoint",
                                              "tr_bdf2",        "sdirk2",  "variational", "a1",
                                              "a_search",       "blending"};
    for (int i = 0; i < 10; ++i)
        for (int m = 2; m <= 3; ++m) {
            Simulation simulation;
            settle(&simulation, &(BlockCase){integrators[i], 0.01, DOWN, ALONG, 0, still_floor,
                                             m == 2 ? "\"friction\": 0.2, \"friction_iterations\": 3"
                                                    : "\"friction\": 0.3, \"friction_iterations\": 3"});
            const double exact = ALONG - 0.1 * m * DOWN;
            steps_until(&simulation, 0.1);
            const double before = speed_of(&simulation);
            steps_until(&simulation, 0.5);
            const double found = (speed_of(&simulation) - before) / 0.4;
            printf("%s, mu 0.%d: acceleration %.5f m/s^2, exact %.5f (%+.3f %%)\n", integrators[i], m, found,
                   exact, 100 * (found / exact - 1));
            ck_assert_double_le(fabs(found - exact), 0.01 * exact);
            simulation_stop(&simulation);
        }
}
END_TEST

// ---------------------------------------------------------------- level ground, at 2 m/s

static const char lagged[] = "\"friction\": 0.5, \"friction_iterations\": 3";
static const char semi_implicit[] = "\"friction\": 0.5, \"friction_model\": \"semi_implicit\"";

// The stopping lengths of theory.md: of first order in the step, and right for a step of 0.
START_TEST(stopping_length)
{
    static const double steps[] = {0.01, 0.005, 0.0025, 0.001},
                        expected[] = {0.41689, 0.41249, 0.41017, 0.40873};
    double excess[4];
    for (int s = 0; s < 4; ++s) {
        Simulation simulation;
        start_block(&simulation,
                    &(BlockCase){"implicit_euler", steps[s], GRAVITY, 0, 2, still_floor, semi_implicit});
        steps_until(&simulation, 0.6);
        const double length = simulation.diagnosis.center[0];
        excess[s] = length - 4 / GRAVITY;
        printf("semi-implicit, h %g s: stops after %.5f m, expected %.5f\n", steps[s], length, expected[s]);
        ck_assert_double_le(fabs(length - expected[s]), 1e-5);
        simulation_stop(&simulation);
    }
    const double order = log2(excess[1] / excess[2]);
    printf("order %.3f\n", order);
    ck_assert_double_le(fabs(order - 1), 0.05);
}
END_TEST

// Integrators that carry the force from step to step begin with friction's: else the speed stays mu g h/2 too high.
START_TEST(friction_from_the_start)
{
    static const char *const integrators[] = {"implicit_euler", "trapezoidal", "tr_bdf2"};
    for (int i = 0; i < 3; ++i) {
        Simulation simulation;
        start_block(&simulation, &(BlockCase){integrators[i], 0.01, GRAVITY, 0, 2, still_floor, lagged});
        steps_until(&simulation, 0.2);
        const double found = speed_of(&simulation), exact = 2 - 0.5 * GRAVITY * 0.2;
        printf("%s: %.5f m/s after 0.2 s, exact %.5f\n", integrators[i], found, exact);
        ck_assert_double_le(fabs(found - exact), 0.1 * 0.5 * GRAVITY * 0.005);
        simulation_stop(&simulation);
    }
}
END_TEST

// The slip of a variational stage takes alpha h, other than its effective step where alpha is not 1/2.
START_TEST(friction_of_a_variational_stage)
{
    static const char *const alphas[] = {"9/20", "1/2", "11/20"};
    for (int i = 0; i < 3; ++i) {
        char integrator[64];
        Simulation simulation;
        snprintf(integrator, sizeof integrator, "variational\", \"alpha\": \"%s", alphas[i]);
        start_block(&simulation, &(BlockCase){integrator, 0.001, GRAVITY, 0, 2, still_floor, semi_implicit});
        steps_until(&simulation, 0.2);
        const double found = speed_of(&simulation), exact = 2 - 0.5 * GRAVITY * 0.2;
        printf("alpha %s, semi-implicit: %.5f m/s after 0.2 s, exact %.5f\n", alphas[i], found, exact);
        ck_assert_double_le(fabs(found - exact), 0.01 * exact);
        simulation_stop(&simulation);
    }
}
END_TEST

// Implicit Euler loses m (h mu g)^2/2 a step of its own, the midpoint rule nothing, nor does blending.
START_TEST(what_is_lost_was_dissipated)
{
    static const char *const integrators[] = {"implicit_euler", "implicit_midpoint", "variational",
                                              "blending"};
    for (int i = 0; i < 4; ++i)
        for (int model = 0; model < 2; ++model) {
            Simulation simulation;
            start_block(&simulation, &(BlockCase){integrators[i], 0.005, GRAVITY, 0, 2, still_floor,
                                                  model ? semi_implicit : lagged});
            const double start = diagnosis_total(&simulation.diagnosis);
            double own = 0;
            while (simulation_time(&simulation) < 0.35) {
                const double before = speed_of(&simulation);
                step_once(&simulation);
                const double change = before - speed_of(&simulation);
                own += i == 0 ? 0.5 * MASS * change * change : 0;
            }
            const double lost = start - diagnosis_total(&simulation.diagnosis),
                         dissipated = simulation.integrator.state.dissipated;
            printf("%s, %s: lost %.6f J, friction took %.6f, the integrator %.6f\n", integrators[i],
                   model ? "semi-implicit" : "lagged", lost, dissipated, own);
            ck_assert_double_gt(dissipated, 1.8);
            ck_assert_double_le(fabs(lost - dissipated - own), 1e-4);
            simulation_stop(&simulation);
        }
}
END_TEST

START_TEST(energy_search_follows_the_loss)
{
    for (int model = 0; model < 2; ++model) {
        Simulation simulation;
        start_block(&simulation, &(BlockCase){"a_search", 0.005, GRAVITY, 0, 2, still_floor,
                                              model ? semi_implicit : lagged});
        const double start = diagnosis_total(&simulation.diagnosis);
        double worst = 0;
        int roots = 0, steps = 0;
        for (; simulation_time(&simulation) < 0.6; ++steps) {
            const StepReport report = step_once(&simulation);
            const double wanted = start - simulation.integrator.state.dissipated;
            ck_assert_double_le(fabs(report.target - wanted), 1e-12 * start);
            if (report.alpha_case != ALPHA_ROOT)
                continue;
            worst = fmax(worst, fabs(diagnosis_total(&report.end) - wanted));
            ++roots;
        }
        printf("a_search, %s: %d of %d steps on the start's energy less friction's loss, to %.1e J\n",
               model ? "semi-implicit" : "lagged", roots, steps, worst);
        ck_assert_int_ge(roots, 10);
        ck_assert_double_le(worst, 1e-9 * start);
        simulation_stop(&simulation);
    }
}
END_TEST

// ---------------------------------------------------------------- dragged along

// A belt at 0.5 m/s, as a plane and as a mesh.
static const char *belt(bool is_mesh)
{
    static char text[512];
    const char *const path = BINARY_DIR "/belt.obj";
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL);
    ck_assert_int_ge(fputs("v -3 0 -1\nv 3 0 -1\nv 3 0 1\nv -3 0 1\nf 1 3 2\nf 1 4 3\n", file), 0);
    ck_assert_int_eq(fclose(file), 0);
    snprintf(text, sizeof text,
             "{%s%s%s, \"motion\": [{\"time\": 0}, {\"time\": 4, \"translate\": [2, 0, 0]}]}",
             is_mesh ? "\"mesh\": \"" : "\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}",
             is_mesh ? path : "", is_mesh ? "\"" : "");
    return text;
}

START_TEST(conveyor)
{
    static const char *const integrators[] = {"implicit_euler", "bdf2"};
    for (int i = 0; i < 2; ++i) {
        Simulation simulation;
        start_block(&simulation, &(BlockCase){integrators[i], 0.005, GRAVITY, 0, 0, belt(_i),
                                              "\"friction\": 0.3, \"friction_iterations\": 3"});
        steps_until(&simulation, 0.05);
        const double before = speed_of(&simulation);
        steps_until(&simulation, 0.15);
        const double found = (speed_of(&simulation) - before) / 0.1, exact = 0.3 * GRAVITY;
        steps_until(&simulation, 0.5);
        printf("%s belt, %s: acceleration %.4f m/s^2, exact %.4f; then %.6f m/s\n", _i ? "mesh" : "plane",
               integrators[i], found, exact, speed_of(&simulation));
        ck_assert_double_le(fabs(found - exact), 0.01 * exact);
        ck_assert_double_le(fabs(speed_of(&simulation) - 0.5), 1e-5);
        simulation_stop(&simulation);
    }
}
END_TEST

// A block that goes with the belt from the start feels no friction: nothing may take its speed away.
START_TEST(carried)
{
    static const char *const integrators[] = {"implicit_euler", "trapezoidal", "tr_bdf2"};
    for (int i = 0; i < 3; ++i) {
        Simulation simulation;
        start_block(&simulation, &(BlockCase){integrators[i], 0.005, GRAVITY, 0, 0.5, belt(_i), lagged});
        double worst = 0;
        while (simulation_time(&simulation) < 0.05) {
            step_once(&simulation);
            worst = fmax(worst, fabs(speed_of(&simulation) - 0.5));
        }
        printf("%s belt, %s: carried at 0.5 m/s within %.1e\n", _i ? "mesh" : "plane", integrators[i], worst);
        ck_assert_double_le(worst,
                            1e-3); // settling moves it by 2e-4; a wrong first force by mu g h/2 = 1.2e-2
        simulation_stop(&simulation);
    }
}
END_TEST

// A turntable whose axis is 1 m away: the block goes round with it.
START_TEST(turntable)
{
    static const char *const integrators[] = {"implicit_euler", "bdf2", "variational"};
    static const char table[] = "{\"plane\": {\"point\": [0, 0, -1], \"normal\": [0, 1, 0]}, \"motion\": "
                                "{\"spin\": {\"axis\": [0, 1, 0], \"about\": [0, 0, -1], \"speed\": 0.5}}}";
    for (int i = 0; i < 3; ++i) {
        Simulation simulation;
        start_block(&simulation, &(BlockCase){integrators[i], 0.005, GRAVITY, 0, 0, table,
                                              "\"friction\": 0.3, \"friction_iterations\": 3"});
        steps_until(&simulation, 0.05);
        const double before = speed_of(&simulation);
        steps_until(&simulation, 0.15);
        const double found = (speed_of(&simulation) - before) / 0.1, exact = 0.3 * GRAVITY;
        steps_until(&simulation, 1);
        const Diagnosis *end = &simulation.diagnosis;
        const double x = end->center[0], z = end->center[2] + 1, radius = sqrt(x * x + z * z),
                     around = (z * end->linear_momentum[0] - x * end->linear_momentum[2]) / (MASS * radius);
        printf("turntable, %s: acceleration %.4f m/s^2, exact %.4f; then %.5f m/s at %.4f m, exact %.5f\n",
               integrators[i], found, exact, around, radius, 0.5 * radius);
        ck_assert_double_le(fabs(found - exact), 0.01 * exact);
        ck_assert_double_le(fabs(around - 0.5 * radius), 1e-3 * radius);
        ck_assert_double_le(fabs(radius - 1), 0.01);
        simulation_stop(&simulation);
    }
}
END_TEST

// A turning sphere above the block, which slides on the floor without friction, draws it along.
START_TEST(wheel)
{
    static const char *const models[] = {"lagged", "semi_implicit"};
    for (int i = 0; i < 2; ++i) {
        char obstacles[512], contact[256];
        snprintf(obstacles, sizeof obstacles,
                 "%s, {\"name\": \"wheel\", \"sphere\": {\"center\": [0, %.17g, 0], \"radius\": 0.1}, "
                 "\"motion\": {\"spin\": {\"axis\": [0, 0, 1], \"about\": [0, %.17g, 0], \"speed\": 0.5}}}",
                 still_floor, 0.11 + rest_gap(GRAVITY) + 0.5 * RANGE, 0.11 + rest_gap(GRAVITY) + 0.5 * RANGE);
        snprintf(
            contact, sizeof contact,
            "\"friction_model\": \"%s\", \"pairs\": [{\"between\": [\"body0\", \"wheel\"], \"friction\": 0.3}]",
            models[i]);
        Simulation simulation;
        start_block(&simulation, &(BlockCase){"implicit_euler", 0.005, GRAVITY, 0, 0, obstacles, contact});
        steps_until(&simulation, 0.5);
        printf("wheel, %s: the block goes with %.5f m/s, exact 0.05\n", models[i], speed_of(&simulation));
        ck_assert_double_le(fabs(speed_of(&simulation) - 0.05), 1e-4);
        simulation_stop(&simulation);
    }
}
END_TEST

// A small block slides on a large one that nothing holds, until both have the speed of the centre of mass.
START_TEST(between_bodies)
{
    static const char *const integrators[] = {"implicit_euler", "bdf2", "a_search"};
    static const double rubbing = 0.12, upper_mass = 0.2, lower_mass = 2, speed = 0.5;
    for (int i = 0; i < 3; ++i) {
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 100}, \"gravity\": [0, %g, 0],"
            " \"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-9},"
            " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1e4, \"youngs_modulus\": 1e6, "
            "\"poissons_ratio\": 0.3}},"
            " \"bodies\": ["
            "{\"name\": \"upper\", \"geometry\": {\"box\": {\"size\": [0.05, 0.01, 0.04], \"cells\": [1, 1, 1]}}, "
            "\"material\": \"m\", \"translate\": [0, 0.01685, 0], \"velocity\": [%g, 0, 0]},"
            "{\"name\": \"lower\", \"geometry\": {\"box\": {\"size\": [0.2, 0.01, 0.1], \"cells\": [4, 1, 2]}}, "
            "\"material\": \"m\", \"translate\": [0.05, 0.0059, 0]}],"
            " \"obstacles\": [%s], \"contact\": {\"model\": \"barrier\", \"distance\": 1e-3, \"stiffness\": 20, "
            "\"friction_iterations\": 3, \"pairs\": [{\"between\": [\"upper\", \"lower\"], \"friction\": 0.3}]}}",
            -GRAVITY, integrators[i], speed, still_floor);
        const double *masses = simulation.model.masses;
        double upper[2];
        for (int part = 0; part < 2; ++part) {
            steps_until(&simulation, part == 0 ? rubbing : 0.4);
            const double *v = slot_values(&simulation, SLOT_VELOCITY);
            upper[part] = 0;
            for (int k = 0; k < 8; ++k)
                upper[part] += masses[k] * v[3 * k] / upper_mass;
        }
        const double momentum = simulation.diagnosis.linear_momentum[0], start = upper_mass * speed,
                     together = start / (upper_mass + lower_mass),
                     acceleration = (upper[0] - speed) / rubbing;
        printf(
            "%s: the upper block is slowed by %.4f m/s^2, exact %.4f; together %.5f m/s, exact %.5f; momentum %+.1e\n",
            integrators[i], -acceleration, 0.3 * GRAVITY, upper[1], together, momentum / start - 1);
        ck_assert_double_le(fabs(acceleration + 0.3 * GRAVITY), 0.01 * 0.3 * GRAVITY);
        ck_assert_double_le(fabs(upper[1] - together), i == 2 ? 0.05 * together : 1e-4);
        ck_assert_double_le(fabs(momentum - start), 1e-6 * start);
        simulation_stop(&simulation);
    }
}
END_TEST

// Boxes that push each other apart all rub at once, those of the middle layer 1 mm aside. With the Hessian of friction, which does not bend along a slip, directions turn slips
// round and are cut: 23 iterations a step. With the dual (friction_follow) it is 11.
START_TEST(crowd)
{
    static char bodies[27 * 200];
    size_t length = 0;
    for (int i = 0; i < 27; ++i)
        length += (size_t)snprintf(
            bodies + length, sizeof bodies - length,
            "%s{\"geometry\": {\"box\": {\"size\": [0.02, 0.02, 0.02], \"cells\": [1, 1, 1]}}, \"material\": \"m\","
            " \"translate\": [%g, %g, %g]}",
            i == 0 ? "" : ", ", 0.0211 * (i % 3) + (i / 9 == 1 ? 1e-3 : 0), 0.0115 + 0.0211 * (double)(i / 9),
            0.0211 * (i / 3 % 3));
    Simulation simulation;
    simulation_make(threads_context(1), &simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 100}, \"gravity\": [0, %g, 0],"
                    " \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"},"
                    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
                    "\"youngs_modulus\": 1e5, \"poissons_ratio\": 0.4}},"
                    " \"bodies\": [%s], \"obstacles\": [%s],"
                    " \"contact\": {\"model\": \"barrier\", \"distance\": 3e-3, \"friction\": 0.5}}",
                    -GRAVITY, bodies, still_floor);
    int iterations = 0;
    for (int step = 0; step < 8; ++step) {
        const StepReport report = step_once(&simulation);
        ck_assert_int_lt(report.solver.stop, STOP_LINE_SEARCH);
        iterations += report.solver.iterations;
    }
    printf("crowd: %.1f iterations a step\n", iterations / 8.0);
    ck_assert_int_le(iterations, 8 * 16);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sliding friction");
    TCase *tests = tcase_create("block");
    tcase_add_test(tests, angle_of_repose);
    tcase_add_test(tests, creep);
    tcase_add_test(tests, acceleration_on_a_slope);
    tcase_add_test(tests, stopping_length);
    tcase_add_test(tests, friction_from_the_start);
    tcase_add_test(tests, friction_of_a_variational_stage);
    tcase_add_test(tests, what_is_lost_was_dissipated);
    tcase_add_test(tests, energy_search_follows_the_loss);
    tcase_add_loop_test(tests, conveyor, 0, 2);
    tcase_add_loop_test(tests, carried, 0, 2);
    tcase_add_test(tests, turntable);
    tcase_add_test(tests, wheel);
    tcase_add_test(tests, between_bodies);
    tcase_add_test(tests, crowd);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
