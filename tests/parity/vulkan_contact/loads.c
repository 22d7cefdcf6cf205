// Loads on the Vulkan device against the CPU path: every step starts from the CPU's state; forces on all nodes, which reactions are made
// of, at the end. Bounds are those of solids (test_vulkan_lockstep.c).
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

#define SCENE(step, integrator, more, loads, other)                                                          \
    "{\"version\": 1, \"time\": {\"step\": " step                                                            \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator "\"}, \"materials\": {"                   \
    "\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5,"                        \
    "\"poissons_ratio\": 0.3}}, " more "\"bodies\": [{\"name\": \"bar\", \"type\": \"solid\","               \
    "\"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [6, 2, 2]}},"       \
    "\"twist\": {\"axis\": [1, 0, 0], \"degrees\": 30}, \"pins\": [{\"select\": {\"box\":"                   \
    "[[-1, -1, -1], [-0.19, 1, 1]]}, \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\":"               \
    "[0, 0.1, 0]}]}], \"loads\": [" loads "]}" other "]}"
#define FORCE                                                                                                \
    "{\"select\": {\"box\": [[0.19, -1, -1], [1, 1, 1]]}, \"force\": [{\"time\": 0, \"value\": [1, 0, 0]},"  \
    "{\"time\": 0.05, \"value\": [2, 1, 1]}]}"
#define PRESSURE "{\"pressure\": [{\"time\": 0, \"value\": 2000}, {\"time\": 0.05, \"value\": -3000}]}"
#define BOX                                                                                                  \
    ", {\"name\": \"box\", \"type\": \"affine\", \"material\": \"m\", \"stiffness\": 1e6, \"translate\":"    \
    "[0, 0.5, 0], \"angular_velocity\": [1, 0.2, 12], \"geometry\": {\"box\": {\"size\": [0.3, 0.2, 0.1],"   \
    "\"cells\": [1, 1, 1]}}, \"loads\": [{\"select\": {\"box\": [[0.14, -1, -1], [1, 1, 1]]}, \"force\":"    \
    "[5, 0, 2]}, {\"pressure\": 5000}]}"
#define BARRIER                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.0825, 0], \"normal\": [0.05, 1, 0]}}], \"contact\":"     \
    "{\"model\": \"barrier\", \"distance\": 0.005, \"friction\": 0.3}, "
#define NEWTON                                                                                               \
    {                                                                                                        \
        "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",                    \
            "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-11}}"                \
    }
#define ADMM                                                                                                 \
    {                                                                                                        \
        "{\"type\": \"admm\", \"tolerance\": 1e-7}", "{\"type\": \"admm\", \"tolerance\": 1e-12}"            \
    }

static const struct {
    LockstepCase example;
    const char *solvers[2]; ///< single, double precision
    double allowed;         ///< in single precision
} cases[] = {
    {{"force and pressure", SCENE("0.01", "sdirk2", "", FORCE "," PRESSURE, ""), 3}, NEWTON, 1e-5},
    {{"force by ADMM", SCENE("0.005", "variational", "", FORCE, ""), 3}, ADMM, 1e-5},
    {{"with energy control, beside an affine body", SCENE("0.01", "a_search", "", FORCE "," PRESSURE, BOX),
      3},
     NEWTON,
     1e-5},
    {{"over a barrier", SCENE("0.005", "bdf2", BARRIER, FORCE "," PRESSURE, ""), 4}, NEWTON, 1e-4},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    const int c = _i % CASES;
    lockstep(context, &cases[c].example, cases[c].solvers[f64], f64 ? "f64" : "f32",
             f64 ? 1e-9 : cases[c].allowed);
}
END_TEST

/// device_forces after a step of both: elements, loads, contact and friction.
START_TEST(same_forces)
{
    const bool f64 = _i > 0;
    Simulation simulations[2];
    double *forces[2], off = 0, largest = 0;
    const LockstepCase *example = &cases[3].example;
    for (int k = 0; k < 2; ++k) {
        const DeviceChoice choices[2] = {{"cpu", NULL}, {"vulkan", f64 ? "f64" : "f32"}};
        StepReport report;
        lockstep_start(context, example, cases[3].solvers[1], &choices[k], &simulations[k]);
        ASSERT_OK(context, simulation_step(&simulations[k], &report));
    }
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *x = calloc(n, sizeof *x);
    ASSERT_OK(context, device_state_read(simulations[0].device, SLOT_POSITION, x));
    ASSERT_OK(context, device_state_write(simulations[1].device, SLOT_POSITION, x));
    for (int k = 0; k < 2; ++k) {
        forces[k] = calloc(n, sizeof **forces);
        ASSERT_OK(context, device_forces(simulations[k].device, SLOT_TARGET, SLOT_POSITION, 0.005, true));
        ASSERT_OK(context, device_state_read(simulations[k].device, SLOT_TARGET, forces[k]));
    }
    for (size_t i = 0; i < n; ++i) {
        off = fmax(off, fabs(forces[0][i] - forces[1][i]));
        largest = fmax(largest, fabs(forces[0][i]));
    }
    printf("%s forces on all nodes: off by %.1e of %.3g N\n", f64 ? "f64" : "f32", off, largest);
    ck_assert_double_ge(largest, 0.1);
    ck_assert_double_le(off, (f64 ? 1e-8 : 2e-4) * largest);
    for (int k = 0; k < 2; ++k) {
        free(forces[k]);
        simulation_destroy(&simulations[k]);
    }
    free(x);
}
END_TEST

Suite *loads_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("loads on Vulkan, step by step");
    TCase *tests = tcase_create("lockstep");
    for (int i = 0; i < (vulkan->float64 ? 2 : 1) * CASES; ++i)
        if (vulkan_test_repeats(vulkan, i))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    tcase_add_loop_test(tests, same_forces, 0, vulkan->float64 ? 2 : 1);
    suite_add_tcase(suite, tests);
    return suite;
}
