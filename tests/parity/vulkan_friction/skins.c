// Skins in contact on the Vulkan device against the CPU path: every step starts from the CPU's state. Bounds are those of solids
// (test_vulkan_lockstep.c). Then the same bytes twice.
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"
#include "physics/skin_fixture.h"

static VelaContext *context;

#define FINE BINARY_DIR "/vulkan_skins_fine.obj"
#define COARSE BINARY_DIR "/vulkan_skins_coarse.obj"

/// Coarse boxes under skins, a solid and an affine one, beside and on each other, and a solid without.
#define BODIES                                                                                               \
    "{\"name\": \"lower\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}},"      \
    "\"material\": \"soft\", \"translate\": [0, 0.092, 0], \"skin\": {\"mesh\": \"" FINE                     \
    "\", \"contact\": true}},"                                                                               \
    "{\"name\": \"upper\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], "       \
    "\"cells\": [1, 1, 1]}}, \"material\": \"soft\", \"scale\": 0.7, \"rotate\": {\"axis\": [1, 0, 1], "     \
    "\"degrees\": 3}, \"translate\": [0.013, 0.254, 0.007], \"velocity\": [0, -0.3, 0], \"skin\": "          \
    "{\"mesh\": \"" COARSE "\", \"contact\": true}},"                                                        \
    "{\"name\": \"beside\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}},"     \
    "\"material\": \"soft\", \"translate\": [0.144, 0.06, 0.004], \"velocity\": [-0.5, 0, 0]}"
#define SCENE(integrator, contact)                                                                            \
    "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"integrator\": {\"type\": \"" integrator \
    "\"}, \"materials\": {\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000,"                          \
    "\"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [" BODIES "], \"obstacles\": ["          \
    "{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}], \"contact\": {" contact "}}"
#define BARRIER "\"model\": \"barrier\", \"distance\": 0.004, \"friction\": 0.3"

static const LockstepCase cases[] = {
    {"skins behind barriers", SCENE("bdf2", BARRIER), 5},
    {"skins, two stages a step", SCENE("tr_bdf2", BARRIER), 3},
    {"skins before a penalty plane", SCENE("bdf2", "\"model\": \"penalty\", \"stiffness\": 300"), 12},
};
enum { CASES = sizeof cases / sizeof *cases };
static const char *const solvers[2] = {
    "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",
    "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-11}}"};

static void write_skins(void)
{
    write_cube_skin(FINE, 0.09, 4);
    write_cube_skin(COARSE, 0.095, 3);
}

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    const int c = _i % CASES;
    const bool touched = lockstep(context, &cases[c], solvers[f64], f64 ? "f64" : "f32", f64 ? 1e-9 : 1e-5);
    ck_assert(touched || c == 2); // penalty contact measures no distances
}
END_TEST

START_TEST(same_bytes)
{
    double *x[2];
    for (int run = 0; run < 2; ++run) {
        Simulation simulation;
        StepReport report;
        lockstep_start(context, &cases[0], solvers[0], &(DeviceChoice){"vulkan", "f32"}, &simulation);
        const size_t count = 3 * (size_t)simulation.model.node_count;
        x[run] = calloc(count, sizeof(double));
        for (int step = 0; step < 2; ++step)
            ASSERT_OK(context, simulation_step(&simulation, &report));
        ASSERT_OK(context, device_state_read(simulation.device, SLOT_POSITION, x[run]));
        if (run == 1)
            ck_assert_mem_eq(x[0], x[1], count * sizeof(double));
        simulation_destroy(&simulation);
    }
    free(x[0]);
    free(x[1]);
}
END_TEST

Suite *skins_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("skins on Vulkan");
    TCase *tests = tcase_create("lockstep");
    tcase_add_unchecked_fixture(tests, write_skins, NULL);
    for (int i = 0; i < 2 * CASES; ++i)
        if (vulkan_test_runs(vulkan, i % CASES, i >= CASES))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    tcase_add_test(tests, same_bytes);
    suite_add_tcase(suite, tests);
    return suite;
}
