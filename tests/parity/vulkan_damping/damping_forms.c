// What damping has beside its models on the Vulkan device against the CPU path: the correction by rigid motions, forms that are not lagged,
// and the variational one. Steps from the CPU's states with what the ledger says of them, reactions, the same bytes on each run, what
// it costs, and on the device alone what it keeps. Bounds are those of solids (test_vulkan_lockstep.c).
#include "base/matrix3.h"
#include "parity/damping_fixture.h"

/// Of all kinds, free and held, one of them twice.
#define BODIES                                                                                               \
    THROWN ", " SHELL_OF(BODY("cloth", "m", "1"), "discrete_shells") ", " FREE_ROPE(                         \
        BODY("rope", "m", "2")) ", " FREE_SHELL(BODY("leaf", "m", "3"),                                      \
                                                "none") ", " COPIES(BODY("copies", "m", "4"))

static const LockstepCase steps[] = {
    {"rigid, Rayleigh, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "neo_hookean", RIGID("rayleigh"), "", THROWN),
     3},
    {"rigid, laws, bdf2",
     SCENE("0.005", "bdf2\"", "stvk", RIGID_LAW("200", "0.5") ", " LAW("10", "2"), "", THROWN), 3},
    {"rigid, both sides, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", ON_BOTH_SIDES, "", BODIES), 2},
    {"rigid, both sides, rk4", SCENE("0.0002", "rk4\"", "stvk", ON_BOTH_SIDES, "", BODIES), 2},
    {"rigid, cable, explicit",
     SCENE("0.0001", "variational\", \"alpha\": 0", "stvk", RIGID("rayleigh"), "",
           FREE_ROPE(BODY("rope", "m", "2"))),
     3},
    {"implicit, Rayleigh, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "neo_hookean", FORM("rayleigh", "implicit"), "", BAR), 3},
    {"implicit, strain rate and laws, bdf2",
     SCENE("0.005", "bdf2\"", "stvk",
           FORM_OF(SHEAR, "implicit") ", " FORM_OF(THINNING, "implicit") ", " LAW("10", "2"), "", BAR),
     3},
    {"second order, principal strain and spline, sdirk2",
     SCENE("0.005", "sdirk2\"", "neo_hookean",
           FORM("principal_strain", "second_order") ", " FORM_OF(SPLINED, "second_order"), "", BAR),
     3},
    {"second order, membrane, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "neo_hookean",
           FORM("rayleigh", "second_order") ", " FORM_OF(THICKENING, "implicit"), "",
           SHELL("discrete_shells")),
     3},
    {"both forms on both sides, all kinds, implicit_euler",
     SCENE("0.005", "implicit_euler\"", "stvk",
           ON_BOTH_SIDES ", " FORM("rayleigh", "implicit") ", " FORM_OF(
               SHEAR ", \"correction\": "
                     "\"rigid_velocity\"",
               "second_order") ", " FORM_OF(THINNING ", \"correction\": \"rigid_velocity\"", "implicit"),
           "", BODIES),
     2},
    {"variational, solid",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "neo_hookean", VARIATIONAL, "", BAR), 3},
    {"variational, kinds and others, alpha 0.4",
     SCENE("0.005", "variational\", \"alpha\": 0.4", "stvk", VARIATIONAL ", " ON_BOTH_SIDES, "",
           BODIES ", " PLAIN "," AFFINE),
     2},
    {"variational, explicit",
     SCENE("0.0001", "variational\", \"alpha\": 0", "stvk", VARIATIONAL ", " STRAIN_RATE, "", BODIES), 3},
    {"variational, explicit, alpha 1",
     SCENE("0.0002", "variational\", \"alpha\": 1", "neo_hookean", VARIATIONAL, "", THROWN), 3},
    {"variational, membrane",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "neo_hookean", VARIATIONAL, "",
           SHELL("discrete_shells")),
     3},
    {"variational, cable", SCENE("0.005", "variational\", \"alpha\": 0.6", "stvk", VARIATIONAL, "", ROPE), 3},
};
enum {
    STEPS = sizeof steps / sizeof *steps,
    STEP_OF_BOTH = 2,
    STEP_SMOOTH = 6,
    STEP_OF_FORMS = 9,
    STEP_VARIATIONAL = 11,
    STEP_EXPLICIT = 12,
    STEP_OTHER_EXPLICIT = 13
};

/// Which of the steps with a name it is, or -1.
static int name_of(int step)
{
    static const int named[] = {STEP_OF_BOTH, STEP_SMOOTH, STEP_OF_FORMS, STEP_VARIATIONAL, STEP_EXPLICIT};
    for (int k = 0; k < (int)(sizeof named / sizeof *named); ++k)
        if (named[k] == step)
            return k;
    return -1;
}

/// In single precision. Explicit steps strain by some 1e-4, of which D x, rounded to 2^-24, keeps less than four digits; Rayleigh's derivative
/// by the shape has kinks where there is no stress, as most bodies are at first, and is the mean of both sides within a step of them.
static double ledger_bound(int step)
{
    return step == STEP_OF_FORMS ? 3e-4 : step == STEP_EXPLICIT || step == STEP_OTHER_EXPLICIT ? 1e-4 : 1e-5;
}

START_TEST(same_steps)
{
    damping_steps(&steps[_i % STEPS], _i >= STEPS, ledger_bound(_i % STEPS));
}
END_TEST

START_TEST(same_bytes)
{
    static const int chosen[] = {STEP_OF_FORMS, STEP_VARIATIONAL};
    lockstep_same_bytes(&steps[chosen[_i]]);
}
END_TEST

/// device_forces after a step of both from one state, at all nodes: an impulse, forces that come with the shape, P^T f.
START_TEST(same_reactions)
{
    static const int chosen[] = {STEP_SMOOTH, STEP_VARIATIONAL};
    const LockstepCase *example = &steps[chosen[_i]];
    Simulation simulations[2];
    double *found[2];
    lockstep_pair(example, false, simulations);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    for (int k = 0; k < 2; ++k) {
        StepReport report;
        found[k] = calloc(n, sizeof(double));
        ASSERT_OK(context, simulation_step(&simulations[k], &report));
        ASSERT_OK(context, device_forces(simulations[k].device, SLOT_TARGET, SLOT_POSITION, 0.005, true));
        ASSERT_OK(context, device_state_read(simulations[k].device, SLOT_TARGET, found[k]));
    }
    const double largest = largest_of(found[0], n), off = largest_difference(found[0], found[1], n);
    printf("%s: forces on all nodes off by %.1e of %.3g N\n", example->name, off / largest, largest);
    ck_assert_double_le(off, 2e-4 * largest);
    for (int k = 0; k < 2; ++k)
        free(found[k]);
    lockstep_stop(simulations);
}
END_TEST

/// On the device alone: explicit variational damping keeps both momenta to rounding. Of the beam of theory.md's check damping less rigid
/// motions leaves the angular momentum in a fifth of a second, but for what the integrator takes (2e-4 in a second), while its
/// ringing loses energy; damping of the whole motion takes some 8 % of both.
START_TEST(momenta_are_kept)
{
    static const struct {
        const char *name, *scene;
        int steps;
        double f32, f64,
            energy; ///< allowed of both momenta, in parts; what is left of the energy at the most
    } cases[] = {
        {"variational, explicit",
         SCENE("0.0002", "variational\", \"alpha\": 0", "stvk", VARIATIONAL, "\"gravity\": [0, 0, 0], ",
               COPIES(BODY("spinning", "m", "0"))),
         20, 2e-7, 1e-12, 0.9999},
        {"rigid_velocity, the beam",
         SCENE("0.005", "tr_bdf2\"", "neo_hookean", RIGID("rayleigh"), "\"gravity\": [0, 0, 0], ",
               BODY("beam", "m",
                    "0") "\"geometry\": {\"box\": {\"size\": [0.6, 0.1, 0.1], \"cells\": [6, 1, 1]}}, "
                         "\"velocity_gradient\": [[2, -8, 0], [8, 0, 0], [0, 0, 0]]}"),
         40, 1e-3, 1e-3, 0.96},
    };
    const bool f64 = _i > 1;
    const LockstepCase example = {cases[_i % 2].name, cases[_i % 2].scene, cases[_i % 2].steps};
    Simulation simulation;
    lockstep_start(context, &example, lockstep_solvers[f64], &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &simulation);
    const Diagnosis *now = &simulation.diagnosis, first = *now;
    for (int step = 0; step < example.steps; ++step) {
        StepReport report;
        ASSERT_OK(context, simulation_step(&simulation, &report));
    }
    const double spin = sqrt(dot3(first.angular_momentum, first.angular_momentum)),
                 off = largest_difference(now->angular_momentum, first.angular_momentum, 3) / spin,
                 pushed = largest_difference(now->linear_momentum, first.linear_momentum, 3),
                 left = diagnosis_total(now) / diagnosis_total(&first);
    printf("%s %s: l off by %.1e, p by %.1e kg m/s, H %.4f\n", f64 ? "f64" : "f32", example.name, off, pushed,
           left);
    ck_assert_double_le(off, f64 ? cases[_i % 2].f64 : cases[_i % 2].f32);
    ck_assert_double_le(pushed, f64 ? 1e-11 : 1e-6);
    ck_assert_double_le(left, cases[_i % 2].energy);
    simulation_destroy(&simulation);
}
END_TEST

/// Nothing waits and nothing comes to the host, whatever damps.
START_TEST(costs_no_wait)
{
    static const LockstepCase examples[] = {
        {"plain", SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", "", "", THROWN), 0},
        {"less rigid motions",
         SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", RIGID("rayleigh"), "", THROWN), 0},
        {"implicit",
         SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", FORM("rayleigh", "implicit"), "", THROWN),
         0},
        {"variational", SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", VARIATIONAL, "", THROWN), 0}};
    /// Dispatches more than without: a matrix and its product, trials; velocities, forces and the direction less rigid motions, two each;
    /// a force that stands still; the end of the step, elements, nodes and blocks, and the bound of tetrahedra.
    static const int more[][2] = {{0, 0}, {5, 3}, {2, 2}, {4, 1}};
    DeviceInfo costs[4][2];
    for (int k = 0; k < 4; ++k) {
        lockstep_costs(&examples[k], costs[k]);
        for (int part = 0; part < 2; ++part) {
            printf("%s, %s: %lld dispatches, %lld waits, %lld bytes\n", examples[k].name,
                   part == 0 ? "direction" : "trials", (long long)costs[k][part].dispatches,
                   (long long)costs[k][part].host_waits, (long long)costs[k][part].bytes_transferred);
            ck_assert_int_eq(costs[k][part].dispatches - costs[0][part].dispatches, more[k][part]);
            ck_assert_int_eq(costs[k][part].host_waits, costs[0][part].host_waits);
            ck_assert_int_eq(costs[k][part].bytes_transferred, costs[0][part].bytes_transferred);
        }
    }
}
END_TEST

Suite *damping_forms_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    const int precisions = vulkan->float64 ? 2 : 1;
    Suite *suite = suite_create("corrections and forms of damping on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    // Double precision, and a driver without it, which is one more and slow: those with a name alone.
    for (int step = 0; step < precisions * STEPS; ++step) {
        const int name = name_of(step % STEPS);
        if (name >= 0 ? vulkan_test_runs(vulkan, name, step >= STEPS) : vulkan->float64 && step < STEPS)
            tcase_add_loop_test(tests, same_steps, step, step + 1);
    }
    tcase_add_loop_test(tests, same_bytes, 0, 2);
    tcase_add_loop_test(tests, same_reactions, 0, 2);
    tcase_add_loop_test(tests, momenta_are_kept, 0, vulkan->float64 ? 3 : 1);
    tcase_add_test(tests, costs_no_wait);
    suite_add_tcase(suite, tests);
    return suite;
}
