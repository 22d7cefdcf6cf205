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

int main(void)
{
    Suite *suite = suite_create("line search");
    TCase *tests = tcase_create("newton");
    tcase_add_test(tests, rounding_is_that_of_the_step);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
