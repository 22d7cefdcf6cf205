// Constraints as forces on the Vulkan device against the CPU path: every step starts from the CPU's state. Bounds are those of solids
// (test_vulkan_lockstep.c).
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

#define SCENE(step, integrator, constraints)                                                                 \
    "{\"version\": 1, \"time\": {\"step\": " step ", \"duration\": 1}, \"integrator\": {" integrator "},"    \
    "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 2e5, "              \
    "\"poissons_ratio\": 0.3}}, \"bodies\": ["                                                               \
    "{\"name\": \"a\", \"type\": \"affine\", \"stiffness\": 1e6, \"geometry\": {\"box\": {\"size\": [0.4, "  \
    "0.1, 0.1], \"cells\": [1, 1, 1]}}, \"material\": \"m\", \"translate\": [0.2, 0, 0], "                   \
    "\"angular_velocity\": [0, 3, 1]},"                                                                      \
    "{\"name\": \"b\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [2, 1, 1]}}, "         \
    "\"material\": \"m\", \"translate\": [0.65, 0, 0], \"angular_velocity\": [1, 0, 2]},"                    \
    "{\"name\": \"rope\", \"type\": \"cable\", \"radius\": 0.01, \"bending_modulus\": 1e6, \"material\": "   \
    "\"m\", \"geometry\": {\"cable\": {\"from\": [0.9, 0.02, 0], \"to\": [1.2, 0, 0.1], \"segments\": 4}}}"  \
    "], \"constraints\": [" constraints "]}"
#define BALL "{\"type\": \"ball\", \"between\": [\"world\", \"a\"], \"at\": [0, 0, 0], \"compliance\": 1e-5}"
#define HINGE                                                                                                \
    "{\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [0.425, 0, 0], \"axis\": [0, 0, 1], "        \
    "\"compliance\": 1e-4, \"limits_degrees\": [-40, 2]}"
#define ATTACH                                                                                               \
    "{\"type\": \"attach\", \"between\": [{\"body\": \"b\", \"nearest\": [0.85, 0.01, 0.02]}, {\"body\": "   \
    "\"rope\", \"node\": 0}], \"compliance\": 1e-3}"
#define PULL                                                                                                 \
    "{\"type\": \"distance\", \"between\": [{\"body\": \"rope\", \"node\": 4}, {\"point\": [1.2, 0.3, 0], "  \
    "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 3, 0]}]}], \"compliance\": 1e-3}"
#define ANGLE                                                                                                \
    "{\"type\": \"angle\", \"side\": \"at_most\", \"between\": [{\"body\": \"rope\", \"node\": 4}, "         \
    "{\"body\": \"rope\", \"node\": 2}, {\"body\": \"a\", \"nearest\": [0.1, 0.05, 0]}], "                   \
    "\"angle_degrees\": 140, \"compliance\": 2}"

static const LockstepCase cases[] = {
    {"joints, variational", SCENE("0.01", "\"type\": \"variational\"", BALL "," HINGE "," ATTACH "," PULL),
     4},
    {"all, bdf2", SCENE("0.005", "\"type\": \"bdf2\"", BALL "," HINGE "," ATTACH "," PULL "," ANGLE), 4},
    {"all, A-search", SCENE("0.005", "\"type\": \"a_search\"", BALL "," HINGE "," ATTACH "," ANGLE), 3},
    {"explicit", SCENE("0.0001", "\"type\": \"rk4\"", BALL "," HINGE "," ATTACH "," PULL "," ANGLE), 4},
};
enum { CASES = sizeof cases / sizeof *cases };

static const char *const solvers[2] = {
    "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",
    "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-11}}"};

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    lockstep(context, &cases[_i % CASES], solvers[f64], f64 ? "f64" : "f32", f64 ? 1e-9 : 1e-5);
}
END_TEST

/// The energy of constraints alone.
START_TEST(same_energy)
{
    Simulation both[2];
    for (int k = 0; k < 2; ++k)
        lockstep_start(context, &cases[1], solvers[0],
                       k == 0 ? &(DeviceChoice){"cpu", NULL} : &(DeviceChoice){"vulkan", "f32"}, &both[k]);
    StepReport report;
    for (int n = 0; n < 3; ++n)
        for (int k = 0; k < 2; ++k)
            ASSERT_OK(context, simulation_step(&both[k], &report));
    printf("  constraints: %.9g J, %.9g J\n", both[0].diagnosis.constraint, both[1].diagnosis.constraint);
    ck_assert_double_gt(both[0].diagnosis.constraint, 1e-3);
    ck_assert_double_eq_tol(both[1].diagnosis.constraint, both[0].diagnosis.constraint,
                            1e-4 * both[0].diagnosis.constraint);
    for (int k = 0; k < 2; ++k)
        simulation_destroy(&both[k]);
}
END_TEST

Suite *links_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("constraints as forces on Vulkan");
    TCase *tests = tcase_create("lockstep");
    for (int i = 0; i < (vulkan->float64 ? 2 : 1) * CASES; ++i)
        if (vulkan_test_repeats(vulkan, i))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    tcase_add_test(tests, same_energy);
    suite_add_tcase(suite, tests);
    return suite;
}
