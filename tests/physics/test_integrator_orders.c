// Observed orders of every integrator on a bar that is twisted, pinned and pulled by gravity at the start, so that its
// initial force is not zero, against a converged run (theory.md section 12); and one trajectory by whatever way the
// midpoint rule is written and solved.
#include "physics_fixture.h"

static const double DURATION = 0.05;

static const char bar[] =
    "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": %.17g}, \"gravity\": [0, -9.81, 0],"
    " \"integrator\": {%s}, \"solver\": {%s, \"strict\": true},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 2e4, \"lambda\": "
    "4e4}},"
    " \"bodies\": [{\"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, "
    "1, 1]}},"
    " \"material\": \"m\", \"twist\": {\"axis\": [1, 0, 0], \"degrees\": 40}, \"angular_velocity\": [2, 4, "
    "7],"
    " \"pins\": [{\"select\": {\"box\": [[-0.21, -1, -1], [-0.19, 1, 1]]}}]}]}";

static const char newton[] = "\"type\": \"newton\", \"tolerance\": 1e-10",
                  admm[] = "\"type\": \"admm\", \"tolerance\": 1e-11, \"max_iterations\": 5000";

enum { VALUES = 120 }; // 20 nodes, positions and velocities

static void run_bar(const char *integrator, const char *solver, int steps, double values[VALUES])
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, bar, DURATION / steps, DURATION, integrator, solver);
    ck_assert_int_eq(simulation.model.node_count, VALUES / 6);
    for (int n = 0; n < steps; ++n)
        step_once(&simulation);
    ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_POSITION, values));
    ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_VELOCITY, values + VALUES / 2));
    simulation_stop(&simulation);
}

static const struct {
    const char *integrator;
    int steps, order;
} cases[] = {
    {"\"type\": \"implicit_euler\"", 400, 1},
    {"\"type\": \"a1\"", 400, 1},
    {"\"type\": \"a_search\"", 400, 1},
    {"\"type\": \"bdf2\"", 100, 2},
    {"\"type\": \"trapezoidal\"", 100, 2},
    {"\"type\": \"implicit_midpoint\"", 100, 2},
    {"\"type\": \"tr_bdf2\"", 100, 2},
    {"\"type\": \"sdirk2\"", 100, 2},
    {"\"type\": \"variational\"", 100, 2},
    {"\"type\": \"variational\", \"alpha\": 0.25", 200, 1},
    {"\"type\": \"variational\", \"alpha\": 0", 400, 1},
    {"\"type\": \"variational\", \"alpha\": 1", 400, 1},
    {"\"type\": \"rk4\"", 100, 4},
};

static void check_orders(const char *solver, size_t which)
{
    static double exact[VALUES];
    static bool have_exact;
    if (!have_exact)
        run_bar("\"type\": \"rk4\"", newton, 2000, exact);
    have_exact = true;
    const int steps = cases[which].steps;
    double coarse[VALUES] = {0}, fine[VALUES] = {0};
    run_bar(cases[which].integrator, solver, steps, coarse);
    run_bar(cases[which].integrator, solver, 2 * steps, fine);
    for (int part = 0; part < 2; ++part) {
        const size_t from = part == 0 ? 0 : VALUES / 2;
        const double first = largest_difference(coarse + from, exact + from, VALUES / 2),
                     second = largest_difference(fine + from, exact + from, VALUES / 2),
                     order = log2(first / second);
        printf("%s, %.6s: h = %.3g s: error in %s %.3g, with h/2 %.3g, order %.3f\n", cases[which].integrator,
               solver + 9, DURATION / steps, part == 0 ? "x" : "v", first, second, order);
        ck_assert_msg(fabs(order - cases[which].order) <= 0.15, "%s: order %.3f in %s, expected %d",
                      cases[which].integrator, order, part == 0 ? "x" : "v", cases[which].order);
    }
}

START_TEST(orders_with_newton)
{
    check_orders(newton, (size_t)_i);
}
END_TEST

START_TEST(orders_with_admm)
{
    check_orders(admm, (size_t)_i);
}
END_TEST

START_TEST(the_midpoint_rule_is_one_trajectory)
{
    static const struct {
        const char *integrator, *solver;
    } ways[] = {{"\"type\": \"variational\"", newton},
                {"\"type\": \"variational\", \"alpha\": 0.5", admm},
                {"\"type\": \"implicit_midpoint\"", newton},
                {"\"type\": \"implicit_midpoint\"", admm}};
    double expected[VALUES] = {0}, values[VALUES] = {0};
    run_bar(ways[0].integrator, ways[0].solver, 40, expected);
    for (size_t w = 1; w < sizeof ways / sizeof *ways; ++w) {
        run_bar(ways[w].integrator, ways[w].solver, 40, values);
        const double in_x = largest_difference(values, expected, VALUES / 2),
                     in_v = largest_difference(values + VALUES / 2, expected + VALUES / 2, VALUES / 2);
        printf("%s, %.6s: %.3g m and %.3g m/s from variational by Newton after 40 steps\n",
               ways[w].integrator, ways[w].solver + 9, in_x, in_v);
        ck_assert_double_le(in_x, 1e-9);
        ck_assert_double_le(in_v, 1e-7);
    }
}
END_TEST

int main(void)
{
    const int count = (int)(sizeof cases / sizeof *cases);
    Suite *suite = suite_create("integrator orders");
    TCase *tests = tcase_create("bar");
    tcase_add_loop_test(tests, orders_with_newton, 0, count);
    tcase_add_loop_test(tests, orders_with_admm, 0, 9); // those that solve a stage
    tcase_add_test(tests, the_midpoint_rule_is_one_trajectory);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
