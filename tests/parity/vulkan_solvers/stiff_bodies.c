// Bodies so stiff that their masses are in the last bits, or behind them, of what single precision has of the matrix' diagonal fall on the Vulkan device as one
// direction of Newton's method tells: all nodes by g h^2, or g h^2 / (1 + alpha h) where their masses are held back, as exactly as the gradient
// asks for. Without sums of rows (shaders/common/block_rows.glsl) they fall a fourth to a seventh as far.
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

enum { TEXT_SIZE = 2000 };
static const double step = 0.01, gravity = -9.81;

static VelaContext *context;

static const struct {
    const char *name, *size, *cells;
    double drag; ///< 1/s
} cases[] = {
    {"a sheet of two cells", "[0.25, 0.005, 0.25]", "[16, 2, 16]", 0},
    {"a rod of two cells", "[0.5, 0.005, 0.005]", "[100, 2, 2]", 0},
    {"a small cube", "[0.02, 0.02, 0.02]", "[4, 4, 4]", 0},
    {"a sheet that is held back", "[0.25, 0.005, 0.25]", "[16, 2, 16]", 20},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(falls_as_a_whole)
{
    const bool f64 = _i >= CASES;
    const double drag = cases[_i % CASES].drag, expected = step * gravity / (1 + drag * step);
    char text[TEXT_SIZE];
    snprintf(text, sizeof text,
             "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 1}, \"integrator\": {\"type\": "
             "\"implicit_euler\"}, \"gravity\": [0, %g, 0], \"materials\": {\"m\": {\"model\": "
             "\"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e9, \"poissons_ratio\": 0.4%s}}, "
             "\"bodies\": [{\"name\": \"body\", \"type\": \"solid\", \"material\": \"m\", \"geometry\": "
             "{\"box\": {\"size\": %s, \"cells\": %s}}}]}",
             step, gravity,
             drag > 0 ? ", \"damping\": [{\"type\": \"rayleigh\", \"mass\": 20, \"time\": 1e-3}]" : "",
             cases[_i % CASES].size, cases[_i % CASES].cells);
    const LockstepCase example = {cases[_i % CASES].name, text, 1};
    Simulation simulation;
    StepReport report;
    lockstep_start(context, &example, "{\"type\": \"newton\", \"max_iterations\": 1}",
                   &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &simulation);
    const size_t size = 3 * (size_t)simulation.model.node_count;
    double *velocities = calloc(size, sizeof *velocities), off = 0;
    ASSERT_OK(context, simulation_step(&simulation, &report));
    ASSERT_OK(context, device_state_read(simulation.device, SLOT_VELOCITY, velocities));
    for (size_t i = 0; i < size; ++i)
        off = fmax(off, fabs(velocities[i] - (i % 3 == 1 ? expected : 0)) / fabs(expected));
    printf("%s, %s: off by %.1e of %g m/s after %d linear iterations\n", f64 ? "f64" : "f32", example.name,
           off, expected, report.solver.linear_iterations);
    ck_assert_double_le(off, f64 ? 1e-5 : 5e-2);
    ck_assert_int_le(report.solver.linear_iterations, 20);
    free(velocities);
    simulation_destroy(&simulation);
}
END_TEST

Suite *stiff_bodies_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("stiff bodies on Vulkan");
    TCase *tests = tcase_create("whole");
    for (int i = 0; i < 2 * CASES; ++i)
        if (vulkan->whole || i < CASES || vulkan_test_runs(vulkan, i % CASES, true))
            tcase_add_loop_test(tests, falls_as_a_whole, i, i + 1);
    suite_add_tcase(suite, tests);
    return suite;
}
