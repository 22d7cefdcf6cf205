// What damping in ADMM has beside its models on the Vulkan device against the CPU path: corrections, forms that are not lagged, the variational
// one, the air. Steps from the CPU's states with what the ledger says of them, what is carried from step to step, the same bytes on each run, what
// it costs. Bounds are those of solids (test_vulkan_lockstep.c).
#include "physics/skin_fixture.h"

#include "parity/admm_fixture.h"

#define FINE BINARY_DIR "/vulkan_admm_air_fine.obj"
#define WIND "\"air\": {\"drag\": 20, \"wind\": [3, -1, 2]}, "
/// A coarse box under a finer surface: vertices are sums of several nodes.
#define SKIN                                                                                                 \
    BODY("soft", "m", "4")                                                                                   \
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}, \"velocity\": [0, -2, 0], " \
    "\"angular_velocity\": [1, 0, 4], \"skin\": {\"mesh\": \"" FINE "\", \"contact\": true}}"
#define FREE                                                                                                 \
    THROWN ", " SHELL_OF(BODY("cloth", "m", "1"), "quadratic") ", " FREE_ROPE(                               \
        BODY("rope", "m", "2")) ", " COPIES(BODY("copies", "m", "4"))
#define HELD BAR ", " SHELL("quadratic") ", " ROPE

static const LockstepCase steps[] = {
    {"implicit, strain rate and laws, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "stvk",
           FORM_OF(SHEAR, "implicit") ", " FORM_OF(THINNING, "implicit") ", " LAW("10", "2"), "", BAR),
     2},
    {"second order, principal strain and spline, sdirk2",
     SCENE("0.005", "sdirk2\"", "neo_hookean",
           FORM("principal_strain", "second_order") ", " FORM_OF(SPLINED, "second_order"), "", BAR),
     2},
    {"corrected laws, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk",
           CORRECTED_LAW("200", "0") ", " CORRECTED_LAW("100", "0.5") ", " CORRECTED_LAW("10", "2"), "", BAR),
     2},
    {"variational, solid",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "neo_hookean", VARIATIONAL, "", BAR), 2},
    {"variational and others, alpha 0.4",
     SCENE("0.005", "variational\", \"alpha\": 0.4", "stvk",
           VARIATIONAL ", " STRAIN_RATE ", " FORM("rayleigh", "implicit"), "", HELD ", " PLAIN),
     2},
    {"air alone, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "stvk", "", WIND, HELD), 2},
    {"air on a skin and damping, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", STRAIN_RATE ", " MASS, WIND, SKIN ", " BAR), 2},
    {"rigid, Rayleigh, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "neo_hookean", RIGID("rayleigh"), "", THROWN),
     2},
    {"rigid, both sides, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", ON_BOTH_SIDES, "", FREE), 2},
    {"all of it, variational",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk",
           ON_BOTH_SIDES ", " VARIATIONAL
                         ", " FORM_OF(SHEAR ", \"correction\": \"rigid_velocity\"", "second_order"),
           WIND, FREE ", " BAR),
     2},
};
enum { STEPS = sizeof steps / sizeof *steps, STEP_OF_LAWS = 2, STEP_OF_ALL = STEPS - 1 };

static void write_skin(void)
{
    write_cube_skin(FINE, 0.09, 3);
}

// The laws' ledger is a square of velocities that agree to 1e-6: off by 1.04e-5 on an NVIDIA H100, by 4e-6 on software
// drivers.
START_TEST(same_steps)
{
    damping_steps(&steps[_i % STEPS], _i >= STEPS, _i % STEPS == STEP_OF_LAWS ? 2e-5 : 1e-5);
}
END_TEST

START_TEST(same_steps_from_the_device)
{
    admm_steps_from_the_device(&steps[STEP_OF_ALL], _i > 0);
}
END_TEST

START_TEST(same_projections)
{
    admm_projections(&steps[STEP_OF_ALL], _i > 0, 5);
}
END_TEST

START_TEST(resumed)
{
    admm_resumed(&steps[STEP_OF_ALL], _i > 0);
}
END_TEST

START_TEST(same_bytes)
{
    lockstep_same_bytes(&steps[STEP_OF_ALL]);
}
END_TEST

/// No wait and no byte between host and device more.
START_TEST(costs)
{
    const DeviceInfo without =
        admm_costs(SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", "", "", THROWN), 5);
    const DeviceInfo with =
        admm_costs(SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk",
                         VARIATIONAL ", " RIGID("rayleigh") ", " FORM("rayleigh", "implicit"), WIND, THROWN),
                   5);
    printf("a stage of 5 iterations: %lld and %lld waits, %lld and %lld bytes; memory %zu and %zu bytes\n",
           (long long)without.host_waits, (long long)with.host_waits, (long long)without.bytes_transferred,
           (long long)with.bytes_transferred, without.memory, with.memory);
    ck_assert_int_eq(with.host_waits, without.host_waits);
    ck_assert_int_eq(with.bytes_transferred, without.bytes_transferred);
}
END_TEST

Suite *admm_forms_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    const int precisions = vulkan->float64 ? 2 : 1;
    Suite *suite = suite_create("corrections, forms and air of damping in ADMM on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    tcase_add_unchecked_fixture(tests, write_skin, NULL);
    for (int step = 0; step < precisions * STEPS; ++step)
        if (vulkan_test_runs(vulkan, step % STEPS, step >= STEPS))
            tcase_add_loop_test(tests, same_steps, step, step + 1);
    tcase_add_loop_test(tests, same_steps_from_the_device, 0, precisions);
    tcase_add_loop_test(tests, same_projections, 0, precisions);
    for (int i = 0; i < precisions && vulkan->float64; ++i)
        if (vulkan_test_runs(vulkan, 0, i > 0))
            tcase_add_loop_test(tests, resumed, i, i + 1);
    tcase_add_test(tests, same_bytes);
    tcase_add_test(tests, costs);
    suite_add_tcase(suite, tests);
    return suite;
}
