// Pins that hold some axes: held components follow the motion with every integrator and both solvers, what is free moves as it
// does without them, frames may be turned, and several pins of a node add up.
#include "physics_fixture.h"

#include <math.h>

static const char *const integrators[] = {"implicit_euler", "bdf2",     "trapezoidal", "implicit_midpoint",
                                          "tr_bdf2",        "sdirk2",   "variational", "a1",
                                          "a_search",       "blending", "rk4"};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };
static const char *const solvers[] = {
    "{\"type\": \"newton\", \"tolerance\": 1e-8, \"linear\": {\"tolerance\": 1e-10}}",
    ("{\"type\": \"newton\", \"tolerance\": 1e-8, "
     "\"linear\": {\"tolerance\": 1e-10, \"preconditioner\": \"block_jacobi\"}}"),
    "{\"type\": \"admm\", \"tolerance\": 1e-10, \"max_iterations\": 5000}"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/// Q (x - expected) of every partial pin, largest component; the nodes that are held whole as well.
static double off_place(Simulation *simulation)
{
    const Model *model = &simulation->model;
    const double *x = slot_values(simulation, SLOT_POSITION);
    double worst = 0, *places;
    ASSERT_OK(simulation->context,
              ARENA_ARRAY(&simulation->arena, places, 3 * (size_t)model_prescribed_count(model)));
    model_pin_positions(model, simulation_time(simulation), places);
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        double way[3];
        subtract3(places + 3 * (size_t)(model->pin_count + p), x + 3 * (size_t)model->partial_pins[p].node,
                  way);
        partial_pin_held(&model->partial_pins[p], way, way);
        worst = fmax(worst, norm3(way));
    }
    return worst;
}

/// A block on a slide that is led upwards, pulled along x, in a frame of its own at the other end.
START_TEST(held_components_follow)
{
    const int i = _i % INTEGRATORS, s = _i / INTEGRATORS;
    const bool is_explicit = strcmp(integrators[i], "rk4") == 0;
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 1}, \"integrator\": {\"type\": \"%s\"},"
        " \"solver\": %s, \"materials\": {\"m\": {\"model\": \"stable_neo_hookean\", \"density\": 1000,"
        " \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [{\"geometry\": {\"box\": {\"size\":"
        " [0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}, \"material\": \"m\", \"pins\": ["
        "{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"axes\": \"yz\", \"motion\": [{\"time\": 0},"
        " {\"time\": 1, \"translate\": [0, 0.5, 0.1]}]},"
        "{\"select\": {\"box\": [[0.19, -1, -1], [1, 1, 1]]}, \"axes\": \"x\", \"frame\": {\"axis\": [0, 1, 1],"
        " \"degrees\": 25}, \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0.5, 0, 0]}]}]}]}",
        is_explicit ? 1e-4 : 0.01, integrators[i], solvers[s]);
    ck_assert_int_eq(simulation.model.pin_count, 0);
    ck_assert_int_eq(simulation.model.partial_pin_count, 8);
    double worst = 0;
    for (int step = 0; step < (is_explicit ? 200 : 8); ++step) {
        step_once(&simulation);
        worst = fmax(worst, off_place(&simulation));
    }
    const double *x = slot_values(&simulation, SLOT_POSITION), *x0 = simulation.model.initial_positions;
    double slid = 0;
    for (int32_t p = 0; p < simulation.model.partial_pin_count; ++p) {
        double way[3];
        const size_t at = 3 * (size_t)simulation.model.partial_pins[p].node;
        subtract3(x + at, x0 + at, way);
        partial_pin_release(&simulation.model.partial_pins[p], way);
        slid = fmax(slid, norm3(way));
    }
    printf("%s, solver %d: held components off by %.1e m, free ones moved by %.3g m\n", integrators[i], s,
           worst, slid);
    ck_assert_double_le(worst, 1e-15);
    ck_assert_double_ge(slid, 1e-3);
    simulation_stop(&simulation);
}
END_TEST

/// Rollers on three faces of a block and on a fourth one that is led outwards leave a homogeneous stretch: s across = 1 - nu (s - 1) for
/// the linear material. The corner that all three faces share is held by three pins.
START_TEST(rollers_leave_a_homogeneous_stretch)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 10, \"duration\": 100}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": %s, \"materials\": {\"m\": {\"model\":"
        " \"corotated\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": ["
        "{\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [3, 2, 2]}}, \"material\": \"m\","
        " \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.0999, 1, 1]]}, \"axes\": \"x\"},"
        "{\"select\": {\"box\": [[-1, -1, -1], [1, -0.0999, 1]]}, \"axes\": \"y\"},"
        "{\"select\": {\"box\": [[-1, -1, -1], [1, 1, -0.0999]]}, \"axes\": \"z\"},"
        "{\"select\": {\"box\": [[0.0999, -1, -1], [1, 1, 1]]}, \"axes\": \"x\", \"motion\": [{\"time\": 0},"
        " {\"time\": 10, \"translate\": [0.04, 0, 0]}]}]}]}",
        solvers[_i]);
    for (int step = 0; step < 4; ++step)
        step_once(&simulation);
    const double stretch[3] = {1.2, 1 - 0.3 * 0.2, 1 - 0.3 * 0.2};
    const double *x = slot_values(&simulation, SLOT_POSITION), *x0 = simulation.model.rest_positions;
    double worst = 0;
    for (size_t i = 0; i < 3 * (size_t)simulation.model.node_count; ++i)
        worst = fmax(worst, fabs(x[i] - (stretch[i % 3] * (x0[i] + 0.1) - 0.1)));
    printf("solver %d: homogeneous stretch to %.1e m\n", _i, worst);
    ck_assert_double_le(worst, _i == 2 ? 1e-7 : 1e-9);
    simulation_stop(&simulation);
}
END_TEST

/// A scene turned as a whole, its pins' frames included, ends turned as a whole.
START_TEST(frames_turn_with_the_scene)
{
    const double axis[3] = {1, 2, -1}, degrees[2] = {0, 40};
    double *ends[2], turn[9], unit[3], worst = 0;
    Simulation simulations[2];
    for (int k = 0; k < 2; ++k) {
        double gravity[3] = {0, -9.81, 0}, lead[3] = {0, 0.1, 0.1};
        memcpy(unit, axis, sizeof unit);
        normalize3(unit);
        matrix3_rotation(unit, degrees[k] * 3.14159265358979323846 / 180, turn);
        matrix3_apply(turn, gravity, gravity);
        matrix3_apply(turn, lead, lead);
        simulation_make(
            threads_context(1), &simulations[k],
            "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 1}, \"gravity\": [%.17g, %.17g, %.17g],"
            " \"integrator\": {\"type\": \"bdf2\"}, \"solver\": %s, \"materials\": {\"m\": {\"model\":"
            " \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\":"
            " [{\"geometry\": {\"box\": {\"size\": [0.3, 0.1, 0.1], \"cells\": [6, 2, 2]}}, \"material\": \"m\","
            " \"rotate\": {\"axis\": [1, 2, -1], \"degrees\": %g}, \"pins\": [{\"select\": {\"nodes\": [0, 7, 14,"
            " 21, 28]}, \"axes\": \"xy\", \"frame\": {\"axis\": [1, 2, -1], \"degrees\": %g}},"
            " {\"select\": {\"nodes\": [6, 13, 20]}, \"axes\": \"z\", \"frame\": {\"axis\": [1, 2, -1],"
            " \"degrees\": %g}, \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [%.17g, %.17g,"
            " %.17g]}]}]}]}",
            gravity[0], gravity[1], gravity[2], solvers[_i], degrees[k], degrees[k], degrees[k], lead[0],
            lead[1], lead[2]);
        for (int step = 0; step < 10; ++step)
            step_once(&simulations[k]);
        ends[k] = slot_values(&simulations[k], SLOT_POSITION);
    }
    for (size_t i = 0; i < 3 * (size_t)simulations[0].model.node_count; i += 3) {
        double turned[3];
        matrix3_apply(turn, ends[0] + i, turned);
        worst = fmax(worst, largest_difference(turned, ends[1] + i, 3));
    }
    printf("solver %d: turned scenes end alike to %.1e m\n", _i, worst);
    ck_assert_double_le(worst, 1e-8);
    for (int k = 0; k < 2; ++k)
        simulation_stop(&simulations[k]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("partial pins");
    TCase *tests = tcase_create("partial pins");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, held_components_follow, 0, INTEGRATORS * SOLVERS);
    tcase_add_loop_test(tests, rollers_leave_a_homogeneous_stretch, 0, SOLVERS);
    tcase_add_loop_test(tests, frames_turn_with_the_scene, 0, SOLVERS);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
