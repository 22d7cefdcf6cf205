// Loads: a force on a bar, a pressure in a ball and a block against linear elasticity; forces and energies by finite differences; energy
// that is conserved as without loads, and the work of those that change; affine bodies; reactions of pins and obstacles.
#include "physics_fixture.h"

#include "model/loads.h"
#include "sim/reactions.h"

#include <math.h>

#define NEWTON "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-11}}"
#define ADMM "{\"type\": \"admm\", \"tolerance\": 1e-11, \"max_iterations\": 20000}"

/// Steps of implicit Euler until nothing moves.
static void settle(Simulation *simulation, int steps)
{
    for (int step = 0; step < steps; ++step)
        step_once(simulation);
}

/// The bar of 1 m x 0.1 m x 0.1 m lengthens by F L/(E A) under a force at its end, with both solvers.
START_TEST(bar_under_a_force)
{
    const char *const solvers[] = {NEWTON, ADMM};
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 100, \"duration\": 1000}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": %s, \"materials\": {\"m\":"
        " {\"model\": \"corotated\", \"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\":"
        " 0.3}}, \"bodies\": [{\"geometry\": {\"box\": {\"size\": [1, 0.1, 0.1], \"cells\": [20, 2, 2]"
        "}}, \"material\": \"m\", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.499, 1, 1]]},"
        " \"axes\": \"x\"}, {\"select\": {\"nodes\": [0]}}, {\"select\": {\"nodes\": [42]}, \"axes\":"
        " \"y\"}], \"loads\": [{\"select\": {\"box\": [[0.499, -1, -1], [1, 1, 1]]}, \"force\": [10, 0,"
        " 0]}]}]}",
        solvers[_i]);
    settle(&simulation, 3);
    const double *x = slot_values(&simulation, SLOT_POSITION), *x0 = simulation.model.rest_positions;
    double longer = 0;
    int count = 0;
    for (size_t i = 0; i < 3 * (size_t)simulation.model.node_count; i += 3)
        if (x0[i] > 0.499)
            longer += x[i] - x0[i], ++count;
    longer /= count;
    printf("bar, solver %d: longer by %.6g m, F L/(E A) = %g m\n", _i, longer, 10.0 / (1e6 * 0.01));
    ck_assert_double_eq_tol(longer, 1e-3, 0.02e-3);
    const double force[3] = {10, 0, 0};
    Reactions reactions;
    ASSERT_OK(simulation.context, reactions_create(&simulation.model, &simulation.arena, &reactions));
    ASSERT_OK(simulation.context, reactions_find(&simulation, true, &reactions));
    double sum[3] = {0};
    for (int p = 0; p < reactions.pin_count; ++p)
        add_scaled3(sum, 1, reactions.values[p].force, sum);
    for (int k = 0; k < 3; ++k)
        ck_assert_double_eq_tol(sum[k], -force[k], _i == 0 ? 1e-6 : 1e-4);
    // Potential of the load: -F times the way of what it pulls at, by mass.
    double way = 0, mass = 0;
    for (size_t i = 0; i < (size_t)simulation.model.node_count; ++i)
        if (x0[3 * i] > 0.499) {
            way += simulation.model.masses[i] * (x[3 * i] - x0[3 * i]);
            mass += simulation.model.masses[i];
        }
    ck_assert_double_eq_tol(simulation.diagnosis.loads, -10 * way / mass, 1e-12);
    simulation_stop(&simulation);
}
END_TEST

/// A solid body under the pressure p from inside is stretched by p/(3 K) in all directions, K = E/(3 (1 - 2 nu)); held by slides.
START_TEST(pressure_in_a_block)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 100, \"duration\": 1000}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": " NEWTON ", \"materials\": {\"m\":"
        " {\"model\": \"corotated\", \"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\":"
        " 0.3}}, \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [3, 3, 3]"
        "}}, \"material\": \"m\", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.0999, 1, 1]]},"
        " \"axes\": \"x\"}, {\"select\": {\"box\": [[-1, -1, -1], [1, -0.0999, 1]]}, \"axes\": \"y\"},"
        " {\"select\": {\"box\": [[-1, -1, -1], [1, 1, -0.0999]]}, \"axes\": \"z\"}],"
        " \"loads\": [{\"pressure\": 1000}]}]}");
    settle(&simulation, 3);
    const double *x = slot_values(&simulation, SLOT_POSITION), *x0 = simulation.model.rest_positions;
    const double strain = 1000 * (1 - 2 * 0.3) / 1e6;
    double worst = 0;
    for (size_t i = 0; i < 3 * (size_t)simulation.model.node_count; ++i)
        worst = fmax(worst, fabs(x[i] - x0[i] - strain * (x0[i] + 0.1)) / (0.2 * strain));
    printf("pressure in a block: strain off by %.2g of %g\n", worst, strain);
    ck_assert_double_le(worst, 0.02);
    simulation_stop(&simulation);
}
END_TEST

/// The same of a ball that nothing holds, seen by its mean radius; the body does not move as a whole.
START_TEST(pressure_in_a_ball)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 100, \"duration\": 1000}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": " NEWTON ", \"materials\": {\"m\":"
        " {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\":"
        " 0.3}}, \"bodies\": [{\"geometry\": {\"ball\": {\"radius\": 0.1, \"resolution\": 6}},"
        " \"material\": \"m\", \"loads\": [{\"pressure\": 2500}]}]}");
    settle(&simulation, 3);
    const double *x = slot_values(&simulation, SLOT_POSITION), *x0 = simulation.model.rest_positions;
    const double strain = 2500 * (1 - 2 * 0.3) / 1e6;
    double grown = 0, before = 0;
    for (size_t i = 0; i < 3 * (size_t)simulation.model.node_count; i += 3)
        grown += norm3(x + i), before += norm3(x0 + i);
    printf("pressure in a ball: strain %.6g, linear %g\n", grown / before - 1, strain);
    ck_assert_double_eq_tol(grown / before - 1, strain, 0.02 * strain);
    ck_assert_double_le(norm3(simulation.diagnosis.center), 1e-9);
    simulation_stop(&simulation);
}
END_TEST

#define LOADED(integrator, solver, step, gravity, loads)                                                     \
    "{\"version\": 1, \"time\": {\"step\": " step ", \"duration\": 10}, \"gravity\": [0, " gravity ", 0],"   \
    " \"integrator\": {\"type\": \"" integrator "\"}, \"solver\": " solver ", \"materials\": {\"m\":"        \
    " {\"model\": \"stable_neo_hookean\", \"density\": 1000, \"youngs_modulus\": 2e5,"                       \
    " \"poissons_ratio\": 0.3}}, \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.3, 0.1, 0.1],"          \
    " \"cells\": [3, 1, 1]}}, \"material\": \"m\", \"twist\": {\"axis\": [1, 0, 0], \"degrees\": 20},"       \
    " \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.149, 1, 1]]}}], \"loads\": [" loads "]}]}"
#define CONSTANT                                                                                             \
    "{\"select\": {\"box\": [[0.149, -1, -1], [1, 1, 1]]}, \"force\": [3, 1, -1]}, {\"pressure\": 4000}"
#define CHANGING                                                                                             \
    "{\"select\": {\"box\": [[0.149, -1, -1], [1, 1, 1]]}, \"force\": [{\"time\": 0, \"value\": [0, 0, 0]}," \
    "{\"time\": 0.2, \"value\": [3, 4, -1]}]}, {\"pressure\": [{\"time\": 0, \"value\": 0},"                 \
    "{\"time\": 0.3, \"value\": 8000}]}"

/// Forces of the device are minus the gradient of its energies, loads included.
START_TEST(forces_by_finite_differences)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation,
                    LOADED("implicit_euler", NEWTON, "0.01", "-9.81", CHANGING));
    const double time = 0.15, eps = 1e-5;
    const size_t n = 3 * (size_t)simulation.model.node_count;
    double *x = slot_values(&simulation, SLOT_POSITION), worst = 0, largest = 0;
    for (size_t i = 0; i < n; ++i)
        x[i] += 0.01 * sin(12.9 * (double)i);
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, x));
    ASSERT_OK(simulation.context, device_forces(simulation.device, SLOT_TARGET, SLOT_POSITION, time, false));
    const double *force = slot_values(&simulation, SLOT_TARGET);
    for (size_t i = 0; i < n; ++i) {
        double energies[2];
        for (int side = 0; side < 2; ++side) {
            Diagnosis at;
            const double old = x[i];
            x[i] += side == 0 ? -eps : eps;
            ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, x));
            ASSERT_OK(simulation.context,
                      device_diagnose(simulation.device, SLOT_POSITION, SLOT_VELOCITY, time, &at));
            energies[side] = at.elastic + at.gravitational + at.loads;
            x[i] = old;
        }
        const double slope = (energies[1] - energies[0]) / (2 * eps);
        worst = fmax(worst, fabs(force[i] + slope));
        largest = fmax(largest, fabs(force[i]));
    }
    printf("forces of loads: off by %.1e of %.3g N\n", worst, largest);
    ck_assert_double_le(worst, 1e-7 * largest);
    simulation_stop(&simulation);
}
END_TEST

static double total_of(const Simulation *simulation)
{
    return diagnosis_total(&simulation->diagnosis);
}

/// Constant loads have a potential: it is 0 at the start, and the energy of a symmetric integrator oscillates about its start by the
/// square of the step, as it does without loads.
START_TEST(constant_loads_conserve)
{
    static const char *const scenes[2] = {LOADED("variational", NEWTON, "0.001", "-9.81", CONSTANT),
                                          LOADED("variational", NEWTON, "0.0005", "-9.81", CONSTANT)};
    double drift[2] = {0}, most = 0;
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        simulation_make(threads_context(1), &simulation, scenes[k], "");
        const double start = total_of(&simulation);
        ck_assert_double_eq(simulation.diagnosis.loads, 0);
        for (int step = 0; step < 150 * (k + 1); ++step) {
            step_once(&simulation);
            drift[k] = fmax(drift[k], fabs(total_of(&simulation) - start));
            most = fmax(most, fabs(simulation.diagnosis.loads));
        }
        simulation_stop(&simulation);
    }
    printf("constant loads: energy within %.2e and %.2e J, potential of the loads up to %.3g J\n", drift[0],
           drift[1], most);
    ck_assert_double_ge(most, 0.1);
    ck_assert_double_le(drift[1], 0.3 * drift[0]);
}
END_TEST

/// Loads that change put in as much as the energy grows by, to second order in the step; with every integrator that keeps energy.
START_TEST(changing_loads_do_work)
{
    double off[2];
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        if (k == 0)
            simulation_make(threads_context(1), &simulation,
                            LOADED("variational", NEWTON, "0.002", "0", CHANGING));
        else
            simulation_make(threads_context(1), &simulation,
                            LOADED("variational", NEWTON, "0.001", "0", CHANGING));
        const double start = total_of(&simulation);
        off[k] = 0;
        for (int step = 0; step < (k + 1) * 120; ++step) {
            step_once(&simulation);
            off[k] = fmax(off[k], fabs(total_of(&simulation) - start - simulation.integrator.state.work));
        }
        printf("changing loads: work %.4g J, budget open by %.2e J\n", simulation.integrator.state.work,
               off[k]);
        ck_assert_double_ge(fabs(simulation.integrator.state.work), 1e-3);
        simulation_stop(&simulation);
    }
    ck_assert_double_le(off[1], 0.35 * off[0]);
}
END_TEST

/// Energy control counts the work: where alpha meets the target, total less work is that of the start.
START_TEST(energy_control_counts_work)
{
    const char *const integrators[] = {LOADED("a_search", NEWTON, "0.004", "0", CHANGING),
                                       LOADED("blending", NEWTON, "0.004", "0", CHANGING)};
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, integrators[_i], "");
    const double start = total_of(&simulation);
    double worst = 0;
    int met = 0;
    for (int step = 0; step < 60; ++step) {
        const StepReport report = step_once(&simulation);
        const bool meets = _i == 0 ? report.alpha_case == ALPHA_ROOT : report.alpha > 0 && report.alpha < 1;
        if (!meets)
            continue;
        ++met;
        worst = fmax(worst, fabs(total_of(&simulation) - report.target));
        ck_assert_double_eq_tol(report.target, start + simulation.integrator.state.work, 1e-6);
    }
    printf("energy control %d: on target in %d of 60 steps, to %.1e J, work %.3g J\n", _i, met, worst,
           simulation.integrator.state.work);
    ck_assert_int_ge(met, 20);
    ck_assert_double_le(worst, 1e-9);
    simulation_stop(&simulation);
}
END_TEST

/// A force on an affine body that nothing holds is its mass times its acceleration; a pressure moves nothing.
START_TEST(affine_body_under_loads)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"bdf2\"}, \"solver\": " NEWTON ", \"materials\": {\"m\": {\"model\":"
        " \"arap\", \"density\": 1000, \"kappa\": 1e5}}, \"bodies\": [{\"type\": \"affine\", \"geometry\":"
        " {\"box\": {\"size\": [0.3, 0.2, 0.1], \"cells\": [1, 1, 1]}}, \"material\": \"m\", \"stiffness\":"
        " 1e6, \"loads\": [{\"select\": \"all\", \"force\": [12, 0, 0]}, {\"pressure\": 8000}]}]}");
    settle(&simulation, 20);
    ck_assert_double_eq_tol(simulation.diagnosis.linear_momentum[0], 12 * 0.2, 1e-6);
    ck_assert_double_le(fabs(simulation.diagnosis.angular_momentum[2]), 1e-6);
    // |A A^T - 1|^2 kappa at A = (1 + e): 12 kappa e = p/... : 4 kappa (s^2 - 1) s = p s^2
    const double s = simulation.diagnosis.min_det_f;
    ck_assert_double_eq_tol(cbrt(s) - 1, 8000 / (8 * 1e6), 0.02 * 1e-3);
    simulation_stop(&simulation);
}
END_TEST

#define RESTING(contact, solver, more)                                                                       \
    "{\"version\": 1, \"time\": {\"step\": 0.05, \"duration\": 100}, \"integrator\": {\"type\":"             \
    " \"implicit_euler\"}, \"solver\": " solver ", \"materials\": {\"m\": {\"model\": \"corotated\","        \
    " \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [{\"geometry\":"    \
    " {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"material\": \"m\"" more "}]" contact   \
    "}"
#define FLOOR(height) ", \"obstacles\": [{\"plane\": {\"point\": [0, " height ", 0], \"normal\": [0, 1, 0]}}]"

/// What holds a body at rest carries its weight, and the moments balance.
START_TEST(reactions_carry_the_weight)
{
    static const struct {
        const char *name, *scene;
        double tolerance;
    } cases[] = {
        {"pins", RESTING("", NEWTON, ", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.09, 1, 1]]}}]"),
         1e-6},
        {"partial pins",
         RESTING("", NEWTON,
                 ", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.09, 1, 1]]}, \"axes\": \"xyz\"},"
                 "{\"select\": {\"box\": [[0.09, -1, -1], [1, -0.04, 1]]}, \"axes\": \"y\"}]"),
         1e-6},
        {"penalty floor",
         RESTING(FLOOR("-0.0505") ", \"contact\": {\"model\": \"penalty\", \"stiffness\": 2000}", NEWTON, ""),
         1e-6},
        {"barrier floor",
         RESTING(FLOOR("-0.0525") ", \"contact\": {\"model\": \"barrier\", \"distance\": 0.005}", NEWTON, ""),
         1e-6},
    };
    Simulation simulation;
    Reactions reactions;
    simulation_make(threads_context(1), &simulation, cases[_i].scene, "");
    settle(&simulation, 400);
    ASSERT_OK(simulation.context, reactions_create(&simulation.model, &simulation.arena, &reactions));
    ASSERT_OK(simulation.context, reactions_find(&simulation, true, &reactions));
    const double weight = 9.81 * 1000 * 0.2 * 0.1 * 0.1, *c = simulation.diagnosis.center;
    double force[3] = {0}, moment[3] = {0};
    for (int r = 0; r < reactions.pin_count + reactions.obstacle_count; ++r) {
        add_scaled3(force, 1, reactions.values[r].force, force);
        add_scaled3(moment, 1, reactions.values[r].moment, moment);
    }
    const double pull[3] = {0, weight, 0};
    double wanted[3];
    cross3(c, pull, wanted);
    printf("%s: reactions %.9g N (off by %.1e), moment off by %.1e N m\n", cases[_i].name, force[1],
           largest_difference(force, pull, 3), largest_difference(moment, wanted, 3));
    ck_assert_double_le(largest_difference(force, pull, 3), cases[_i].tolerance * weight);
    ck_assert_double_le(largest_difference(moment, wanted, 3), cases[_i].tolerance * weight);
    simulation_stop(&simulation);
}
END_TEST

/// A pin that is led carries what it moves: force = d(momentum)/dt - weight, from the momenta of two steps.
START_TEST(led_pins_carry_inertia)
{
    Simulation simulation;
    Reactions reactions;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": " NEWTON ", \"materials\": {\"m\":"
        " {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e5}}, \"bodies\": [{\"geometry\": {\"box\":"
        " {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"material\": \"m\", \"pins\": [{\"select\":"
        " {\"box\": [[-1, -1, -1], [-0.09, 1, 1]]}, \"motion\": {\"spin\": {\"axis\": [0, 0, 1], \"about\":"
        " [0.3, 0, 0], \"speed\": 4}}}]}]}");
    ASSERT_OK(simulation.context, reactions_create(&simulation.model, &simulation.arena, &reactions));
    double worst = 0, largest = 0;
    for (int step = 0; step < 30; ++step) {
        double before[3], rate[3];
        memcpy(before, simulation.diagnosis.linear_momentum, sizeof before);
        step_once(&simulation);
        for (int k = 0; k < 3; ++k)
            rate[k] = (simulation.diagnosis.linear_momentum[k] - before[k]) / 0.01;
        ASSERT_OK(simulation.context, reactions_find(&simulation, true, &reactions));
        if (step == 0)
            continue; // its start is that of the scene
        worst = fmax(worst, largest_difference(rate, reactions.values[0].force, 3));
        largest = fmax(largest, norm3(rate));
    }
    printf("a led pin: force off by %.1e of %.3g N\n", worst, largest);
    ck_assert_double_le(worst, 1e-6 * largest);
    simulation_stop(&simulation);
}
END_TEST

/// Pins of some axes and loads of a body that is large enough for threads to share it.
START_TEST(same_bytes_for_any_number_of_threads)
{
    double *states[2];
    size_t count = 0;
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        simulation_make(
            threads_context(1 + 2 * k), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {\"type\": \"newton\"},"
            " \"integrator\": {\"type\": \"bdf2\"}, \"materials\": {\"m\": {\"model\": \"neo_hookean\","
            " \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [{\"geometry\":"
            " {\"box\": {\"size\": [0.4, 0.2, 0.2], \"cells\": [12, 6, 6]}}, \"material\": \"m\", \"pins\":"
            " [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"axes\": \"xy\", \"frame\": {\"axis\":"
            " [0, 0, 1], \"degrees\": 30}}], \"loads\": [" CHANGING "]}]}");
        settle(&simulation, 2);
        count = simulation_state_size(&simulation);
        states[k] = malloc(count * sizeof **states);
        ck_assert_ptr_nonnull(states[k]);
        ASSERT_OK(simulation.context, simulation_state_read(&simulation, states[k]));
        simulation_stop(&simulation);
    }
    ck_assert(memcmp(states[0], states[1], count * sizeof **states) == 0);
    free(states[0]);
    free(states[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loads");
    TCase *tests = tcase_create("loads");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, bar_under_a_force, 0, 2);
    tcase_add_test(tests, pressure_in_a_block);
    tcase_add_test(tests, pressure_in_a_ball);
    tcase_add_test(tests, forces_by_finite_differences);
    tcase_add_test(tests, constant_loads_conserve);
    tcase_add_test(tests, changing_loads_do_work);
    tcase_add_loop_test(tests, energy_control_counts_work, 0, 2);
    tcase_add_test(tests, affine_body_under_loads);
    tcase_add_loop_test(tests, reactions_carry_the_weight, 0, 4);
    tcase_add_test(tests, led_pins_carry_inertia);
    tcase_add_test(tests, same_bytes_for_any_number_of_threads);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
