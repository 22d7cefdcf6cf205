// Newton's line search on one particle, whose device is neither of the two there are.
#include "particle_device.h"

// A valley with its bottom near x = 0.1, twice as steep on the near side as on the far one, and behind it a wall from x = 1 on.
static const double NEAR = 200, FAR_SIDE = 100, BOTTOM = 0.1, ROUND = 0.01, WALL = 1;

static double valley_energy(double k, double x)
{
    const double apart = x - BOTTOM, behind = fmax(0, x - WALL);
    return 0.5 * (NEAR + FAR_SIDE) * hypot(apart, ROUND) - 0.5 * (NEAR - FAR_SIDE) * apart +
           k * behind * behind;
}

static double valley_gradient(double k, double x)
{
    const double apart = x - BOTTOM;
    return 0.5 * (NEAR + FAR_SIDE) * apart / hypot(apart, ROUND) - 0.5 * (NEAR - FAR_SIDE) +
           2 * k * fmax(0, x - WALL);
}

static double valley_curvature(double k, double x)
{
    return 0.5 * (NEAR + FAR_SIDE) * ROUND * ROUND / pow(hypot(x - BOTTOM, ROUND), 3) +
           (x > WALL ? 2 * k : 0);
}

/// The first direction leads deep into the wall, where differences of the objective are large and so is their rounding. That says
/// nothing of shorter steps: one that leads up the far side of the valley has a difference far above its own rounding.
START_TEST(rounding_is_that_of_the_step)
{
    ParticleDevice particle;
    const Potential valley = {1e6, valley_energy, valley_gradient, valley_curvature};
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1, valley, 0, 0);
    particle.rounding = 1e-3;
    particle.scene.solver.tolerance = 1e-6;
    particle.scene.solver.max_iterations = 1;
    Integrator integrator = particle_integrator(&particle);
    StepReport report;
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, 0.1, &report));
    ck_assert_double_gt(particle.longest, WALL + 0.5);
    const double x = particle.slots[SLOT_STAGE], start = particle_objective(&particle, 0);
    printf("to %g, the objective from %g to %g\n", x, start, particle_objective(&particle, x));
    ck_assert_double_gt(x, 0);
    ck_assert_double_lt(particle_objective(&particle, x), start);
    particle_stop(&particle);
}
END_TEST

static double solved_with(double bound, StepReport *report)
{
    ParticleDevice particle;
    const Potential valley = {1e6, valley_energy, valley_gradient, valley_curvature};
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1, valley, 0, 0);
    particle.bound = bound;
    particle.scene.solver.tolerance = 1e-6;
    particle.scene.solver.max_iterations = 50;
    Integrator integrator = particle_integrator(&particle);
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, 0.1, report));
    const double x = particle.slots[SLOT_STAGE];
    particle_stop(&particle);
    return x;
}

/// A device may say no more of its noise than that it is below 10 J, half of what the objective falls by. Differences still lead to the bottom, and the stage does not
/// end on the way there, for the steps that are tried agree with their slopes.
START_TEST(a_bound_is_no_noise)
{
    StepReport told, bounded;
    const double x = solved_with(0, &told), y = solved_with(10, &bounded);
    printf("%d and %d iterations, %s, apart %.1e\n", told.solver.iterations, bounded.solver.iterations,
           stop_name(bounded.solver.stop), fabs(x - y));
    ck_assert_int_eq(told.solver.stop, STOP_CONVERGED);
    ck_assert_int_eq(bounded.solver.stop, STOP_CONVERGED);
    ck_assert_double_le(fabs(x - y), 1e-6 * 0.1);
}
END_TEST

static double power_energy(double k, double x)
{
    return k * pow(fabs(x), 2.5) / 2.5;
}

static double power_gradient(double k, double x)
{
    return copysign(k * pow(fabs(x), 1.5), x);
}

static double power_curvature(double k, double x)
{
    return 1.5 * k * sqrt(fabs(x));
}

static const Potential power = {1, power_energy, power_gradient, power_curvature};

static double springs_energy(double k, double x)
{
    return 0.5 * x * x + 0.5 * k * fmax(0, x + 0.5) * fmax(0, x + 0.5);
}

static double springs_gradient(double k, double x)
{
    return x + k * fmax(0, x + 0.5);
}

static double springs_curvature(double k, double x)
{
    return 1 + (x > -0.5 ? k : 0);
}

// Where a particle of next to no mass is after so many iterations, or as soon as the tolerance (m/s, steps of 0.1 s) lets it end.
static double moved(Potential potential, double from, double tolerance, int iterations, SolverReport *report)
{
    ParticleDevice particle;
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1e-12, potential, from, 0);
    particle.scene.solver.tolerance = tolerance;
    particle.scene.solver.max_iterations = iterations;
    Integrator integrator = particle_integrator(&particle);
    StepReport step;
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, 0.1, &step));
    *report = step.solver;
    const double x = particle.slots[SLOT_STAGE];
    particle_stop(&particle);
    return x;
}

/// A full step from 1 down |x|^2.5 goes to 1/3 and leaves 3^-1.5 of the slope.
static double secant_way(void)
{
    return 2 / 3.0 / (1 - pow(3, -1.5));
}

/// One that meets a second spring on its way, at whose end the slope is 3/2 of that at the start, goes back to 2/5.
START_TEST(the_secant_of_the_slopes_is_followed)
{
    SolverReport report;
    ck_assert_double_le(fabs(moved(power, 1, 1e-6, 1, &report) - (1 - secant_way())), 1e-8);
    const Potential springs = {3, springs_energy, springs_gradient, springs_curvature};
    ck_assert_double_le(fabs(moved(springs, -1, 1e-6, 1, &report) + 0.6), 1e-8);
    const Potential spring = {0, springs_energy, springs_gradient, springs_curvature};
    ck_assert_double_le(fabs(moved(spring, -1, 1e-6, 1, &report)), 1e-8);
}
END_TEST

/// The slope at its end is 0.07 of that at the start, but a full step's 0.19 is too much for a stage to end unless the way is short.
START_TEST(a_stage_ends_on_short_secants_only)
{
    const double speed = secant_way() / 0.1;
    SolverReport report;
    moved(power, 1, speed / 0.09, 9, &report);
    ck_assert_int_eq(report.iterations, 1);
    ck_assert_double_le(fabs(report.primal - speed), 1e-6);
    moved(power, 1, speed / 0.11, 9, &report);
    ck_assert_int_eq(report.iterations, 2);
}
END_TEST

static double hill_energy(double k, double x)
{
    return -0.5 * k * x * x;
}

static double hill_gradient(double k, double x)
{
    return -k * x;
}

static double hill_curvature(double k, double x)
{
    (void)x;
    return -k;
}

// How often Newton's method asks for a direction of the true Hessian where the first step, of 0.6 m, leaves 0.6 of the slope, for the projected
// one is too stiff.
static int32_t true_directions(double distance, double contact_part)
{
    ParticleDevice particle;
    const Potential hill = {0.6, hill_energy, hill_gradient, hill_curvature};
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 0.01, hill, 1, 0); // inertia's curvature is 1
    particle.scene.contact.distance = distance;
    particle.contact_part = contact_part;
    Integrator integrator = particle_integrator(&particle);
    StepReport step;
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, 0.1, &step));
    ck_assert_int_ge(particle.directions_asked, 2);
    ck_assert_double_le(fabs(particle.slots[SLOT_STAGE] - 2.5), 1e-12);
    particle_stop(&particle);
    return particle.true_asked;
}

/// Where the step went further than contact reaches, and contact did more than a tenth of its work.
START_TEST(no_true_hessian_behind_a_leap)
{
    ck_assert_int_eq(true_directions(0.59, 0.11), 0);
    ck_assert_int_gt(true_directions(0.59, 0.09), 0);
    ck_assert_int_gt(true_directions(0.61, 0.11), 0);
    ck_assert_int_gt(true_directions(0.61, 0.09), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("line search");
    TCase *tests = tcase_create("newton");
    tcase_add_test(tests, rounding_is_that_of_the_step);
    tcase_add_test(tests, a_bound_is_no_noise);
    tcase_add_test(tests, the_secant_of_the_slopes_is_followed);
    tcase_add_test(tests, a_stage_ends_on_short_secants_only);
    tcase_add_test(tests, no_true_hessian_behind_a_leap);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
