// Cables against closed forms: a hanging rope, a clamped cable that bends, a taut string; Newton's method and ADMM on the same
// cable; what is refused.
#include "physics_fixture.h"

#define PI 3.14159265358979323846

static double height_of(Simulation *simulation, int32_t node)
{
    return slot_values(simulation, SLOT_POSITION)[3 * node + 1];
}

static double fastest(Simulation *simulation)
{
    const double *v = slot_values(simulation, SLOT_VELOCITY);
    double most = 0;
    for (int32_t i = 0; i < simulation->model.node_count; ++i)
        most = fmax(most, norm3(v + 3 * i));
    return most;
}

// Implicit Euler's damping brings it to rest.
static void settle(Simulation *simulation, double speed)
{
    int step = 0;
    do {
        step_once(simulation);
        ck_assert_int_lt(++step, 3000);
    } while (step < 20 || fastest(simulation) > speed);
}

/// A rope of 1.2 m between pins 1 m apart: arc length S and span L give a of the catenary by S/2 = a sinh(L/2a).
START_TEST(a_rope_hangs_in_a_catenary)
{
    enum { SEGMENTS = 48 };
    const double span = 1, length = 1.2;
    char points[SEGMENTS * 64 + 64];
    size_t size = 0;
    double low = 0.05, high = 10;
    for (int i = 0; i < 200; ++i) {
        const double a = 0.5 * (low + high);
        if (a * sinh(span / (2 * a)) > length / 2)
            low = a;
        else
            high = a;
    }
    const double a = 0.5 * (low + high), sag = a * (cosh(span / (2 * a)) - 1);
    // It starts as a V of the same length.
    const double depth = sqrt(0.25 * length * length - 0.25 * span * span);
    for (int i = 0; i <= SEGMENTS; ++i) {
        const double part = (double)i / SEGMENTS;
        size += (size_t)snprintf(points + size, sizeof points - size, "%s[%.17g, %.17g, 0]", i ? ", " : "",
                                 part * span, -depth * (1 - fabs(2 * part - 1)));
    }
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 100}, \"integrator\": "
        "{\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-6},"
        "\"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"youngs_modulus\": 1e8, "
        "\"poissons_ratio\": 0}},"
        "\"bodies\": [{\"type\": \"cable\", \"radius\": 0.005, \"material\": \"m\", \"geometry\": "
        "{\"cable\": {\"points\": [%s]}}, \"pins\": [{\"select\": {\"nodes\": [0, %d]}}]}]}",
        points, SEGMENTS);
    settle(&simulation, 1e-5);
    const double found = -height_of(&simulation, SEGMENTS / 2);
    printf("catenary: sag %.6f m, exact %.6f m\n", found, sag);
    ck_assert_double_eq_tol(found, sag, 0.005 * sag);
    simulation_stop(&simulation);
}
END_TEST

/// Two held nodes clamp the cable in the middle of the segment between them; it sinks by q L^4/(8 E I) + F L^3/(3 E I).
START_TEST(a_clamped_cable_bends_like_a_beam)
{
    enum { SEGMENTS = 40 };
    const double radius = 0.01, modulus = 2e8, density = 1000, weight = 0.02;
    const double inertia = PI * pow(radius, 4) / 4, length = 1 - 0.5 / SEGMENTS;
    const double load = density * PI * radius * radius * 0.981;
    const double expected = load * pow(length, 4) / (8 * modulus * inertia) +
                            weight * 0.981 * pow(length, 3) / (3 * modulus * inertia);
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.05, \"duration\": 100}, \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-7}, \"gravity\": [0, -0.981, "
        "0], \"materials\": {\"m\": {\"model\": \"arap\", \"density\": %g, \"youngs_modulus\": 1e8, "
        "\"poissons_ratio\": 0}}, \"bodies\": [{\"type\": \"cable\", \"radius\": %g, \"bending_modulus\": %g, "
        "\"material\": \"m\", \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": "
        "%d}}, \"pins\": [{\"select\": {\"nodes\": [0, 1]}}], \"point_masses\": [{\"select\": {\"nodes\": [%d]}, "
        "\"mass\": %g}]}]}",
        density, radius, modulus, SEGMENTS, SEGMENTS, weight);
    for (int step = 0; step < 400; ++step)
        step_once(&simulation);
    const double found = -height_of(&simulation, SEGMENTS);
    printf("cantilever: the tip sinks by %.6f m, a beam's by %.6f m\n", found, expected);
    ck_assert_double_eq_tol(found, expected, 0.02 * expected);
    simulation_stop(&simulation);
}
END_TEST

/// f = sqrt(T/mu)/(2 L), T = E A (1/rest_scale - 1), mu the mass of a metre.
START_TEST(a_taut_string_has_its_frequency)
{
    enum { SEGMENTS = 32 };
    const double modulus = 1e7, scale = 0.9, density = 1200, length = 0.8;
    const double frequency = sqrt(modulus * (1 / scale - 1) / density) / (2 * length);
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100}, \"gravity\": [0, 0, 0], \"solver\": "
        "{\"type\": \"newton\", \"tolerance\": 1e-7}, \"materials\": {\"m\": {\"model\": \"arap\", "
        "\"density\": %g, \"youngs_modulus\": %g, \"poissons_ratio\": 0}}, \"bodies\": [{\"type\": \"cable\", "
        "\"radius\": 0.003, \"rest_scale\": %g, \"material\": \"m\", \"geometry\": {\"cable\": {\"from\": [0, 0, "
        "0], \"to\": [%g, 0, 0], \"segments\": %d}}, \"pins\": [{\"select\": {\"nodes\": [0, %d]}}]}]}",
        1 / (200 * frequency), density, modulus, scale, length, SEGMENTS, SEGMENTS);
    double *v = slot_values(&simulation, SLOT_VELOCITY);
    for (int i = 0; i <= SEGMENTS; ++i)
        v[3 * i + 1] = 1e-3 * sin(PI * i / SEGMENTS) * (i < SEGMENTS);
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_VELOCITY, v));
    double before = 0, first = 0;
    int crossings = 0, step = 0;
    while (crossings < 11) {
        step_once(&simulation);
        ++step;
        const double y = height_of(&simulation, SEGMENTS / 2);
        if (step > 1 && (before > 0) != (y > 0)) {
            const double time = (step - 1 + before / (before - y)) / (200 * frequency);
            first = crossings++ == 0 ? time : first;
            if (crossings == 11) {
                const double found = 5 / (time - first);
                printf("string: %.4f Hz, exact %.4f Hz\n", found, frequency);
                ck_assert_double_eq_tol(found, frequency, 0.01 * frequency);
            }
        }
        before = y;
        ck_assert_int_lt(step, 3000);
    }
    simulation_stop(&simulation);
}
END_TEST

static const char whip[] =
    "{\"version\": 1, \"time\": {\"step\": 0.002, \"duration\": 1}, \"solver\": %s, \"integrator\": {\"type\": "
    "\"%s\"}, \"gravity\": [0, %g, 0], \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1100, "
    "\"youngs_modulus\": 1e6, \"poissons_ratio\": 0}}, \"bodies\": [{\"type\": \"cable\", \"radius\": 0.01, "
    "\"bending_modulus\": 1e6, \"material\": \"m\", \"geometry\": {\"cable\": {\"points\": [[0, 0, 0], [0.1, 0, "
    "0], [0.19, 0.04, 0], [0.25, 0.12, 0.02], [0.27, 0.2, 0.08], [0.25, 0.28, 0.16]]}}, %s \"velocity\": [0.3, 0, "
    "0.1], \"angular_velocity\": [1, 6, 2]}]}";

START_TEST(newton_and_admm_agree)
{
    double *x[2];
    Simulation simulations[2];
    for (int s = 0; s < 2; ++s) {
        simulation_make(threads_context(1), &simulations[s], whip,
                        s ? "{\"type\": \"admm\", \"tolerance\": 1e-10, \"max_iterations\": 20000}"
                          : "{\"type\": \"newton\", \"tolerance\": 1e-9}",
                        "implicit_euler", -9.81, "\"pins\": [{\"select\": {\"nodes\": [0]}}],");
        for (int step = 0; step < 25; ++step)
            step_once(&simulations[s]);
        x[s] = slot_values(&simulations[s], SLOT_POSITION);
    }
    double apart = 0;
    for (int i = 0; i < 18; ++i)
        apart = fmax(apart, fabs(x[0][i] - x[1][i]));
    printf("a bent cable after 25 steps: Newton and ADMM %.2g m apart\n", apart);
    ck_assert_double_le(apart, 1e-6);
    for (int s = 0; s < 2; ++s)
        simulation_stop(&simulations[s]);
}
END_TEST

START_TEST(a_free_cable_keeps_its_momenta)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, whip,
                    "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-10}}",
                    "variational", 0.0, "");
    const Diagnosis start = simulation.diagnosis;
    double linear[3], angular[3], highest = 0;
    for (int step = 0; step < 500; ++step) {
        const StepReport report = step_once(&simulation);
        highest = fmax(highest, diagnosis_total(&report.end));
    }
    subtract3(simulation.diagnosis.linear_momentum, start.linear_momentum, linear);
    subtract3(simulation.diagnosis.angular_momentum, start.angular_momentum, angular);
    printf("a free cable, 500 steps: momenta drift %.2g and %.2g, energy %.5g J, at most %.5g J\n",
           norm3(linear) / norm3(start.linear_momentum), norm3(angular) / norm3(start.angular_momentum),
           diagnosis_total(&start), highest);
    ck_assert_double_le(norm3(linear), 1e-9 * norm3(start.linear_momentum));
    ck_assert_double_le(norm3(angular), 1e-6 * norm3(start.angular_momentum));
    ck_assert_double_le(highest, 1.05 * diagnosis_total(&start));
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cables");
    TCase *cables = tcase_create("cables");
    tcase_add_test(cables, a_rope_hangs_in_a_catenary);
    tcase_add_test(cables, a_clamped_cable_bends_like_a_beam);
    tcase_add_test(cables, a_taut_string_has_its_frequency);
    tcase_add_test(cables, newton_and_admm_agree);
    tcase_add_test(cables, a_free_cable_keeps_its_momenta);
    suite_add_tcase(suite, cables);
    return test_run(suite);
}
