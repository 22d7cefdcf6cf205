// What damping has beside its models on the Vulkan device against the CPU path: the correction by rigid motions, and forms that are
// not lagged. Steps from the CPU's states with
// what the ledger says of them, forces and powers at any places and velocities, the same bytes on each run, what it costs, and what
// it keeps. Bounds are those of solids (test_vulkan_lockstep.c).
#include "parity/damping_fixture.h"

#define RIGID(type) "{\"type\": \"" type "\", \"time\": 0.01, \"correction\": \"rigid_velocity\"}"
#define RIGID_LAW(coefficient, exponent)                                                                     \
    "{\"type\": \"power_law\", \"coefficient\": " coefficient ", \"exponent\": " exponent                    \
    ", \"correction\": \"rigid_velocity\"}"
#define FORM(type, form) "{\"type\": \"" type "\", \"time\": 0.01, \"form\": \"" form "\"}"
#define FORM_OF(damping, form) "{" damping ", \"form\": \"" form "\"}"
#define SHEAR "\"type\": \"strain_rate\", \"shear\": 300, \"bulk\": 150"
#define SPLINED "\"type\": \"spline\", \"time\": 0.01, \"points\": [[0.8, 2], [0.95, 0.5], [1, 0.7], [1.3, 1]]"
#define THINNING "\"type\": \"power_law\", \"coefficient\": 200, \"exponent\": 0.5"
#define THICKENING "\"type\": \"power_law\", \"coefficient\": 20, \"exponent\": 2"
#define RIGID_MASS "{\"type\": \"rayleigh\", \"mass\": 4, \"correction\": \"rigid_velocity\"}"
#define ON_BOTH_SIDES                                                                                        \
    STRAIN_RATE ", " RIGID("rayleigh") ", " RIGID_MASS ", " LAW("20", "2") ", " RIGID_LAW("200", "0.5")

/// Of all kinds, free and held, one of them twice.
#define BODIES                                                                                               \
    THROWN ", " SHELL_OF(BODY("cloth", "m", "1"), "discrete_shells") ", "                                    \
           FREE_ROPE(BODY("rope", "m", "2")) ", " FREE_SHELL(BODY("leaf", "m", "3"), "none") ", "            \
           COPIES(BODY("copies", "m", "4"))

static const LockstepCase steps[] = {
    {"rigid, Rayleigh, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "neo_hookean", RIGID("rayleigh"), "", THROWN), 3},
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
           FORM("rayleigh", "second_order") ", " FORM_OF(THICKENING, "implicit"), "", SHELL("discrete_shells")),
     3},
    {"both forms on both sides, all kinds, implicit_euler",
     SCENE("0.005", "implicit_euler\"", "stvk",
           ON_BOTH_SIDES ", " FORM("rayleigh", "implicit") ", " FORM_OF(SHEAR ", \"correction\": "
           "\"rigid_velocity\"", "second_order") ", " FORM_OF(THINNING ", \"correction\": \"rigid_velocity\"",
           "implicit"), "", BODIES),
     2},
};
enum { STEPS = sizeof steps / sizeof *steps, STEP_OF_BOTH = 2, STEP_OF_FORMS = 9 };

START_TEST(same_steps)
{
    damping_steps(&steps[_i % STEPS], _i >= STEPS);
}
END_TEST

START_TEST(same_bytes)
{
    static const int chosen[] = {STEP_OF_BOTH, STEP_OF_FORMS};
    damping_same_bytes(&steps[chosen[_i]]);
}
END_TEST

int main(void)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    context = vulkan.context;
    if (!vulkan.float64)
        printf("the device has no float64: double precision is not tested\n");
    const int precisions = vulkan.float64 ? 2 : 1;
    Suite *suite = suite_create("corrections and forms of damping on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    // A driver without float64 is one more, and slow: a third of the cases.
    for (int step = 0; step < precisions * STEPS; ++step)
        if (vulkan.float64 || step % 3 == 0 || step == STEP_OF_BOTH)
            tcase_add_loop_test(tests, same_steps, step, step + 1);
    tcase_add_loop_test(tests, same_bytes, 0, 2);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    vela_context_destroy(context);
    return failed;
}
