// Damping in ADMM on the Vulkan device against the CPU path: steps from the CPU's states with what the ledger says of them, and from the
// device's; what is carried from step to step; the same bytes on each run; what it costs. Bounds are those of solids
// (test_vulkan_lockstep.c).
#include "parity/admm_fixture.h"

#define SCENE_OF(damping) SCENE("0.005", "implicit_euler\"", "stvk", damping, "", BAR)
#define BOTH_ENDS LAW("200", "0") ", " LAW("10", "2")
#define MANY STRAIN_RATE ", " LAW("100", "0.5") ", " MASS ", " LAW("20", "1") ", " LAW("5", "2")
#define BODIES(bending) BAR ", " SHELL(bending) ", " ROPE
#define PENALTY                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.082, 0], \"normal\": [0.05, 1, 0]}}], \"contact\": "     \
    "{\"model\": \"penalty\", \"stiffness\": 200}, "

static const LockstepCase steps[] = {
    {"strain rate, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "stvk", STRAIN_RATE, "", BODIES("none")), 2},
    {"Rayleigh, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", RAYLEIGH ", " MASS, "", BODIES("quadratic")), 2},
    {"principal strain, implicit_euler",
     SCENE("0.005", "implicit_euler\"", "neo_hookean", PRINCIPAL ", " RAYLEIGH, "", BAR ", " SHELL("plate")),
     2},
    {"spline, variational",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", SPLINE, "", BODIES("none")), 2},
    {"dry and thick, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "stvk", BOTH_ENDS, "", BAR ", " ROPE), 2},
    {"many, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", MANY, "", BODIES("quadratic") ", " PLAIN), 2},
    {"corrected, held in part, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "stvk", CORRECTED("rayleigh"), "", SLIDING ", " PLAIN), 2},
    {"over a plane, bdf2", SCENE("0.005", "bdf2\"", "neo_hookean", STRAIN_RATE, PENALTY, BAR), 2},
    {"thrown, sdirk2", SCENE("0.005", "sdirk2\"", "neo_hookean", PRINCIPAL, "", THROWN), 2},
};
enum { STEPS = sizeof steps / sizeof *steps, STEP_OF_MANY = 5 };

START_TEST(same_steps)
{
    damping_steps(&steps[_i % STEPS], _i >= STEPS, 1e-5);
}
END_TEST

START_TEST(same_steps_from_the_device)
{
    admm_steps_from_the_device(&steps[STEP_OF_MANY], _i > 0);
}
END_TEST

START_TEST(same_projections)
{
    admm_projections(&steps[STEP_OF_MANY], _i > 0, 4);
}
END_TEST

START_TEST(resumed)
{
    admm_resumed(&steps[STEP_OF_MANY], _i > 0);
}
END_TEST

START_TEST(same_bytes)
{
    lockstep_same_bytes(&steps[STEP_OF_MANY]);
}
END_TEST

/// No wait and no byte between host and device more; with power laws one wait a stage, for what they take where the step starts.
START_TEST(costs)
{
    const DeviceInfo without = admm_costs(SCENE_OF(""), 5), with = admm_costs(SCENE_OF(STRAIN_RATE), 5),
                     laws = admm_costs(SCENE_OF(BOTH_ENDS), 5);
    printf("a stage of 5 iterations: %lld, with damping %lld, with laws %lld waits; %lld, %lld, %lld bytes; "
           "memory %zu, %zu, %zu bytes\n",
           (long long)without.host_waits, (long long)with.host_waits, (long long)laws.host_waits,
           (long long)without.bytes_transferred, (long long)with.bytes_transferred,
           (long long)laws.bytes_transferred, without.memory, with.memory, laws.memory);
    ck_assert_int_eq(with.host_waits, without.host_waits);
    ck_assert_int_eq(with.bytes_transferred, without.bytes_transferred);
    ck_assert_int_eq(laws.host_waits, without.host_waits + 1);
}
END_TEST

Suite *admm_damping_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    const int precisions = vulkan->float64 ? 2 : 1;
    Suite *suite = suite_create("damping in ADMM on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    for (int step = 0; step < precisions * STEPS; ++step)
        if (vulkan_test_runs(vulkan, step % STEPS, step >= STEPS))
            tcase_add_loop_test(tests, same_steps, step, step + 1);
    tcase_add_loop_test(tests, same_steps_from_the_device, 0, precisions);
    tcase_add_loop_test(tests, same_projections, 0, precisions);
    if (vulkan->float64)
        tcase_add_loop_test(tests, resumed, 0, precisions);
    tcase_add_test(tests, same_bytes);
    tcase_add_test(tests, costs);
    suite_add_tcase(suite, tests);
    return suite;
}
