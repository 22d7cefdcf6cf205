// Every integrator on the harmonic oscillator against its recurrence in closed form, and on a particle that meets a wall
// (theory.md sections 2, 4 and 12). The expected side is written as Runge-Kutta tableaus, multistep formulas and discrete
// Lagrangians, not as stages.
#include "particle_device.h"

enum { STEPS = 200 };
static const double H = 0.1, MASS = 1.7, OMEGA = 7.3, TOLERANCE = 1e-12;

typedef struct State {
    double x, v;
} State;

// J y with y' = J y: x' = v, v' = -omega^2 x.
static State rate(State y)
{
    return (State){y.v, -OMEGA * OMEGA * y.x};
}

static State add(State a, double factor, State b)
{
    return (State){a.x + factor * b.x, a.v + factor * b.v};
}

// y of (1 - a J) y = right, by Cramer's rule.
static State solve_shifted(double a, State right)
{
    const double e = a * OMEGA, determinant = 1 + e * e;
    return (State){(right.x + a * right.v) / determinant,
                   (right.v - a * OMEGA * OMEGA * right.x) / determinant};
}

static State implicit_euler(State y)
{
    return solve_shifted(H, y);
}

// y_{n+1} - 2h/3 f(y_{n+1}) = (4 y_n - y_{n-1})/3
static State bdf2(State y, State before)
{
    return solve_shifted(2 * H / 3, add((State){4 * y.x / 3, 4 * y.v / 3}, -1.0 / 3, before));
}

// The trapezoidal and the midpoint rule are the same for linear problems.
static State trapezoidal(State y)
{
    return solve_shifted(H / 2, add(y, H / 2, rate(y)));
}

// Tableau c | c 0, 1 | 1-c c, weights 1-c, c.
static State sdirk2(State y)
{
    const double c = 1 - sqrt(0.5);
    const State k1 = rate(solve_shifted(c * H, y));
    const State k2 = rate(solve_shifted(c * H, add(y, (1 - c) * H, k1)));
    return add(add(y, (1 - c) * H, k1), c * H, k2);
}

// Trapezoidal to g h, then BDF2 through y_n, y_{n+g} with unequal steps.
static State tr_bdf2(State y)
{
    const double g = 2 - sqrt(2);
    const State middle = solve_shifted(g * H / 2, add(y, g * H / 2, rate(y)));
    const double scale = 1 / (g * (2 - g));
    const State right = {scale * (middle.x - (1 - g) * (1 - g) * y.x),
                         scale * (middle.v - (1 - g) * (1 - g) * y.v)};
    return solve_shifted((1 - g) / (2 - g) * H, right);
}

// Discrete Lagrangian h (v^2/2 - omega^2 q_a^2/2), q_a = (1-alpha) q_0 + alpha q_1 = q_0 + alpha h v, v = (q_1 - q_0)/h;
// p_0 = -D_1 L, p_1 = D_2 L (per mass).
static State variational(State y, double alpha)
{
    const double w = OMEGA * OMEGA;
    const double v = (y.v - H * (1 - alpha) * w * y.x) / (1 + H * H * alpha * (1 - alpha) * w);
    const double q_alpha = y.x + alpha * H * v;
    return (State){y.x + H * v, v - H * alpha * w * q_alpha};
}

// x_{n+1} by implicit Euler, v_{n+1} = v_n - h omega^2 x_n.
static State a1(State y)
{
    return (State){implicit_euler(y).x, y.v - H * OMEGA * OMEGA * y.x};
}

static State rk4(State y)
{
    const State k1 = rate(y), k2 = rate(add(y, H / 2, k1)), k3 = rate(add(y, H / 2, k2)),
                k4 = rate(add(y, H, k3));
    return add(add(add(add(y, H / 6, k1), H / 3, k2), H / 3, k3), H / 6, k4);
}

static double energy(State y)
{
    return 0.5 * MASS * (y.v * y.v + OMEGA * OMEGA * y.x * y.x);
}

static State state_of(const ParticleDevice *particle)
{
    return (State){particle->slots[SLOT_POSITION], particle->slots[SLOT_VELOCITY]};
}

// Positions in m, velocities over omega: both are of the size of the amplitude.
static void assert_state(State got, State expected, int step)
{
    ck_assert_msg(fabs(got.x - expected.x) <= TOLERANCE && fabs(got.v - expected.v) <= TOLERANCE * OMEGA,
                  "step %d: (%.17g, %.17g), expected (%.17g, %.17g)", step, got.x, got.v, expected.x,
                  expected.v);
}

typedef State (*OneStep)(State y);

static State variational_third(State y)
{
    return variational(y, 1.0 / 3);
}
static State variational_half(State y)
{
    return variational(y, 0.5);
}
static State variational_0(State y)
{
    return variational(y, 0);
}
static State variational_1(State y)
{
    return variational(y, 1);
}

static const struct {
    IntegratorType type;
    double alpha;
    OneStep step;
} one_step_methods[] = {
    {INTEGRATOR_IMPLICIT_EULER, 0.5, implicit_euler},
    {INTEGRATOR_TRAPEZOIDAL, 0.5, trapezoidal},
    {INTEGRATOR_IMPLICIT_MIDPOINT, 0.5, trapezoidal},
    {INTEGRATOR_SDIRK2, 0.5, sdirk2},
    {INTEGRATOR_TR_BDF2, 0.5, tr_bdf2},
    {INTEGRATOR_VARIATIONAL, 0.5, variational_half},
    {INTEGRATOR_VARIATIONAL, 1.0 / 3, variational_third},
    {INTEGRATOR_VARIATIONAL, 0, variational_0},
    {INTEGRATOR_VARIATIONAL, 1, variational_1},
    {INTEGRATOR_A1, 0.5, a1},
    {INTEGRATOR_RK4, 0.5, rk4},
};

static void start(ParticleDevice *particle, IntegratorType type, double alpha)
{
    particle_start(particle, type, MASS, spring(MASS * OMEGA * OMEGA), 0.8, 1.3);
    particle->scene.alpha = alpha;
}

static void step(Integrator *integrator, int n, StepReport *report)
{
    ASSERT_OK(integrator->device->context, integrator_step(integrator, n * H, H, report));
    ck_assert_int_eq(report->substeps, 1);
    ck_assert_int_ne(report->solver.stop, STOP_MAX_ITERATIONS);
    ck_assert_int_ne(report->solver.stop, STOP_LINE_SEARCH);
}

START_TEST(one_step_methods_follow_their_recurrence)
{
    ParticleDevice particle;
    start(&particle, one_step_methods[_i].type, one_step_methods[_i].alpha);
    Integrator integrator = particle_integrator(&particle);
    State expected = state_of(&particle);
    StepReport report;
    for (int n = 0; n < STEPS; ++n) {
        expected = one_step_methods[_i].step(expected);
        step(&integrator, n, &report);
        assert_state(state_of(&particle), expected, n);
    }
    particle_stop(&particle);
}
END_TEST

START_TEST(bdf2_starts_with_implicit_euler)
{
    ParticleDevice particle;
    start(&particle, INTEGRATOR_BDF2, 0.5);
    Integrator integrator = particle_integrator(&particle);
    State before = state_of(&particle), now = implicit_euler(before);
    StepReport report;
    step(&integrator, 0, &report);
    assert_state(state_of(&particle), now, 0);
    for (int n = 1; n < STEPS; ++n) {
        const State next = bdf2(now, before);
        before = now, now = next;
        step(&integrator, n, &report);
        assert_state(state_of(&particle), now, n);
    }
    particle_stop(&particle);
}
END_TEST

// The linear step of a given alpha, theory.md section 4: v = w - alpha dv.
static State a_search_step_of(State y, double alpha)
{
    const State end = implicit_euler(y);
    const double dv = H * OMEGA * OMEGA * (y.x - end.x);
    return (State){end.x, end.v - alpha * dv};
}

START_TEST(a_search_puts_the_energy_on_its_target)
{
    ParticleDevice particle;
    start(&particle, INTEGRATOR_A_SEARCH, 0.5);
    Integrator integrator = particle_integrator(&particle);
    const double wanted = energy(state_of(&particle));
    int roots = 0;
    for (int n = 0; n < STEPS; ++n) {
        const State before = state_of(&particle);
        StepReport report;
        step(&integrator, n, &report);
        assert_state(state_of(&particle), a_search_step_of(before, report.alpha), n);
        ck_assert_double_eq_tol(report.target, wanted, 1e-12 * wanted);
        ck_assert(report.alpha >= 0 && report.alpha <= 1.1);
        if (report.alpha_case == ALPHA_ROOT) {
            ++roots;
            ck_assert_double_eq_tol(energy(state_of(&particle)), report.target, 1e-12 * wanted);
        }
    }
    ck_assert_int_gt(roots, STEPS / 4);
    particle_stop(&particle);
}
END_TEST

// With e = (h omega)^2: det = 1 + (alpha-1) e/(1+e), trace = (2 + alpha e)/(1 + e).
START_TEST(a_search_has_the_eigenvalues_of_the_sheet)
{
    const double e = H * H * OMEGA * OMEGA;
    for (double alpha = 0; alpha <= 1.1; alpha += 0.1) {
        const State x = a_search_step_of((State){1, 0}, alpha), v = a_search_step_of((State){0, 1}, alpha);
        ck_assert_double_eq_tol(x.x + v.v, (2 + alpha * e) / (1 + e), 1e-13);
        ck_assert_double_eq_tol(x.x * v.v - x.v * v.x, 1 + (alpha - 1) * e / (1 + e), 1e-13);
    }
}
END_TEST

START_TEST(a_search_target_decays_with_keyframes)
{
    // Nothing until 1 s, then 1 s, from 1.55 s on 0.5 s; toward a ground energy, from half of what there was.
    DecayDef decay[] = {{0, INFINITY}, {1, 1}, {1.55, 0.5}};
    ParticleDevice particle;
    start(&particle, INTEGRATOR_A_SEARCH, 0.5);
    particle.scene.energy.decay = decay;
    particle.scene.energy.decay_count = 3;
    particle.scene.energy.initial_energy = 0.5;
    particle.scene.energy.ground_energy = 2;
    Integrator integrator = particle_integrator(&particle);
    const double started = 2 + 0.5 * (energy(state_of(&particle)) - 2);
    for (int n = 0; n < STEPS; ++n) {
        StepReport report;
        step(&integrator, n, &report);
        const double t = (n + 1) * H, exponent = fmin(fmax(t - 1, 0), 0.55) + 2 * fmax(t - 1.55, 0);
        ck_assert_double_eq_tol(report.target, 2 + exp(-exponent) * (started - 2), 1e-12 * started);
    }
    particle_stop(&particle);
}
END_TEST

START_TEST(alpha_stays_within_its_bounds)
{
    ParticleDevice particle;
    start(&particle, INTEGRATOR_A_SEARCH, 0.5);
    particle.scene.energy.alpha_min = 0.4;
    particle.scene.energy.alpha_max = 0.6;
    Integrator integrator = particle_integrator(&particle);
    int clipped = 0;
    for (int n = 0; n < STEPS; ++n) {
        StepReport report;
        step(&integrator, n, &report);
        ck_assert(report.alpha >= 0.4 && report.alpha <= 0.6);
        clipped += report.alpha_case == ALPHA_CLIPPED;
        ck_assert(report.alpha_case != ALPHA_CLIPPED || report.alpha == 0.4 || report.alpha == 0.6);
    }
    ck_assert_int_gt(clipped, 0);
    particle_stop(&particle);
}
END_TEST

// Searches only in a step before which the energy was on the same side of the target three times in a row.
START_TEST(sparse_search_waits_for_three_steps_on_one_side)
{
    ParticleDevice particle;
    start(&particle, INTEGRATOR_A_SEARCH, 0.5);
    particle.scene.energy.sparse = true;
    particle.scene.energy.initial_energy = 0.9;
    Integrator integrator = particle_integrator(&particle);
    int run = 1, side = 1, searched = 0; // H_0 is above T_0
    for (int n = 0; n < STEPS; ++n) {
        StepReport report;
        step(&integrator, n, &report);
        if (run < 3) {
            ck_assert_int_eq(report.alpha_case, ALPHA_NONE);
            ck_assert_double_eq(report.alpha, 1);
        } else {
            ++searched;
        }
        const double above = energy(state_of(&particle)) - report.target;
        if (fabs(above) < 1e-13 * report.target)
            break; // on the target up to rounding: the side is noise
        const int now = above > 0 ? 1 : -1;
        run = now == side ? run + 1 : 1;
        side = now;
    }
    ck_assert_int_gt(searched, 0);
    particle_stop(&particle);
}
END_TEST

START_TEST(alpha_is_1_where_no_force_changes)
{
    ParticleDevice particle;
    particle_start(&particle, INTEGRATOR_A_SEARCH, MASS, wall(1e3), 100, 1);
    Integrator integrator = particle_integrator(&particle);
    StepReport report;
    step(&integrator, 0, &report);
    ck_assert_int_eq(report.alpha_case, ALPHA_NONE);
    ck_assert_double_eq(report.alpha, 1);
    particle_stop(&particle);
}
END_TEST

START_TEST(blending_keeps_the_initial_energy)
{
    ParticleDevice particle;
    start(&particle, INTEGRATOR_BLENDING, 0.5);
    Integrator integrator = particle_integrator(&particle);
    const double wanted = energy(state_of(&particle));
    for (int n = 0; n < STEPS; ++n) {
        const State before = state_of(&particle), euler = implicit_euler(before),
                    middle = trapezoidal(before);
        StepReport report;
        step(&integrator, n, &report);
        const double theta = report.alpha;
        assert_state(state_of(&particle), add((State){theta * middle.x, theta * middle.v}, 1 - theta, euler),
                     n);
        ck_assert_double_eq_tol(energy(state_of(&particle)), wanted, 1e-12 * wanted);
    }
    particle_stop(&particle);
}
END_TEST

// A half-line spring of h^2 k/m without bound, x_0 = beta h, v = -1: the velocities are -1, -beta, 1 - beta, 1, so the
// particle leaves as fast as it came whatever the phase (theory.md section 12).
START_TEST(a1_leaves_a_wall_as_fast_as_it_came)
{
    for (int i = 1; i < 20; ++i) {
        const double beta = i / 20.0, expected[] = {-1, -beta, 1 - beta, 1};
        ParticleDevice particle;
        particle_start(&particle, INTEGRATOR_A1, 1, wall(1e12 / (H * H)), beta * H, -1);
        Integrator integrator = particle_integrator(&particle);
        for (int n = 0; n < 4; ++n) {
            StepReport report;
            step(&integrator, n, &report);
            ck_assert_double_eq_tol(particle.slots[SLOT_VELOCITY], expected[n], 1e-9);
        }
        particle_stop(&particle);
    }
}
END_TEST

// A double well: the true Hessian is indefinite in the middle, and the projected one leads downhill.
static double well_energy(double k, double x)
{
    return k * (x * x - 1) * (x * x - 1);
}
static double well_gradient(double k, double x)
{
    return 4 * k * x * (x * x - 1);
}
static double well_curvature(double k, double x)
{
    return k * (12 * x * x - 4);
}

START_TEST(newton_finds_a_minimum_of_a_double_well)
{
    ParticleDevice particle;
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1,
                   (Potential){1e4, well_energy, well_gradient, well_curvature}, 0.01, 0);
    Integrator integrator = particle_integrator(&particle);
    StepReport report;
    step(&integrator, 0, &report);
    const double x = particle.slots[SLOT_STAGE];
    ck_assert_double_eq_tol(particle_slope(&particle, x), 0, 1e-9);
    ck_assert_double_gt(particle_of(&particle.base)->potential.curvature(1e4, x), 0);
    particle_stop(&particle);
}
END_TEST

// Where the true Hessian is all but singular its direction has no bound; what is searched for contacts has to have one.
START_TEST(newton_does_not_stray)
{
    double farthest = 0;
    for (int i = 0; i < 2000; ++i) {
        const double x = 0.01 + 0.98 * i / 2000;
        ParticleDevice particle;
        particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1,
                       (Potential){0.5 / (H * H), well_energy, well_gradient, well_curvature}, x, 0);
        Integrator integrator = particle_integrator(&particle);
        StepReport report;
        step(&integrator, 0, &report);
        farthest = fmax(farthest, particle.longest);
        particle_stop(&particle);
    }
    printf("the longest direction is %g long\n", farthest);
    ck_assert_double_le(farthest, 10);
}
END_TEST

START_TEST(newton_reports_what_it_could_not_solve)
{
    ParticleDevice particle;
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1,
                   (Potential){1e4, well_energy, well_gradient, well_curvature}, 0.01, 0);
    particle.scene.solver.max_iterations = 2;
    Integrator integrator = particle_integrator(&particle);
    StepReport report;
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, H, &report));
    ck_assert_int_eq(report.solver.stop, STOP_MAX_ITERATIONS);
    ck_assert_int_eq(report.solver.iterations, 2);
    particle.scene.solver.strict = true;
    ck_assert_int_eq(integrator_step(&integrator, H, H, &report), VELA_ERROR_NOT_CONVERGED);
    ck_assert_msg(strstr(vela_context_message(particle.context), "max_iterations") != NULL, "%s",
                  vela_context_message(particle.context));
    particle_stop(&particle);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("integrator recurrences");
    TCase *tests = tcase_create("oscillator and wall");
    tcase_add_loop_test(tests, one_step_methods_follow_their_recurrence, 0,
                        (int)(sizeof one_step_methods / sizeof *one_step_methods));
    tcase_add_test(tests, bdf2_starts_with_implicit_euler);
    tcase_add_test(tests, a_search_puts_the_energy_on_its_target);
    tcase_add_test(tests, a_search_has_the_eigenvalues_of_the_sheet);
    tcase_add_test(tests, a_search_target_decays_with_keyframes);
    tcase_add_test(tests, alpha_stays_within_its_bounds);
    tcase_add_test(tests, sparse_search_waits_for_three_steps_on_one_side);
    tcase_add_test(tests, alpha_is_1_where_no_force_changes);
    tcase_add_test(tests, blending_keeps_the_initial_energy);
    tcase_add_test(tests, a1_leaves_a_wall_as_fast_as_it_came);
    tcase_add_test(tests, newton_finds_a_minimum_of_a_double_well);
    tcase_add_test(tests, newton_does_not_stray);
    tcase_add_test(tests, newton_reports_what_it_could_not_solve);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
