// Nodes that pins hold in part, on the Vulkan device against the CPU path: every step starts from the CPU's state. Bounds are those of
// solids (test_vulkan_lockstep.c).
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

#define SCENE(step, integrator, more, pins)                                                                  \
    "{\"version\": 1, \"time\": {\"step\": " step                                                            \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator "\"}, \"materials\": {"                   \
    "\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5,"                        \
    "\"poissons_ratio\": 0.3}}, " more "\"bodies\": [{\"name\": \"bar\", \"type\": \"solid\","               \
    "\"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [8, 2, 2]}},"       \
    "\"velocity_gradient\": [[0.2, 0, 0], [0.5, 0, 1], [0, -1, 0]], \"pins\": [" pins "]}]}"

/// A slide along x on one side; on the other a frame of its own that is led and overlaps a whole pin.
#define SLIDES                                                                                               \
    "{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"axes\": \"yz\"},"                              \
    "{\"select\": {\"nodes\": [8]}},"                                                                        \
    "{\"select\": {\"box\": [[0.19, -1, -1], [1, 1, 1]]}, \"axes\": \"x\", \"frame\": {\"axis\": [1, 1, 0]," \
    "\"degrees\": 35}, \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0.2, 0.1, 0]}]}"
/// One direction by each of two pins: at their common nodes both.
#define TWO                                                                                                  \
    "{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"axes\": \"x\"},"                               \
    "{\"select\": {\"box\": [[-1, -1, -1], [1, -0.049, 1]]}, \"axes\": \"y\"}"
#define PENALTY                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.052, 0], \"normal\": [0.1, 1, 0]}}], \"contact\":"       \
    "{\"model\": \"penalty\", \"stiffness\": 2000}, "
#define BARRIER                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.0625, 0], \"normal\": [0.05, 1, 0]}}], \"contact\":"     \
    "{\"model\": \"barrier\", \"distance\": 0.005, \"friction\": 0.3}, "

#define NEWTON                                                                                               \
    {                                                                                                        \
        "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",                    \
            "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-11}}"                \
    }
#define JACOBI                                                                                               \
    {                                                                                                        \
        "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6,"                      \
        "\"preconditioner\": \"block_jacobi\"}}",                                                            \
            "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-11,"                 \
            "\"preconditioner\": \"block_jacobi\"}}"                                                         \
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
    {{"slides", SCENE("0.01", "implicit_euler", "", SLIDES), 3}, NEWTON, 1e-5},
    {{"slides, block Jacobi", SCENE("0.01", "tr_bdf2", "", SLIDES), 3}, JACOBI, 1e-5},
    {{"slides by ADMM", SCENE("0.005", "variational", "", SLIDES), 3}, ADMM, 1e-5},
    {{"two pins and energy control", SCENE("0.01", "a_search", "", TWO), 3}, NEWTON, 1e-5},
    {{"slides over a barrier", SCENE("0.005", "bdf2", BARRIER, SLIDES), 6}, NEWTON, 1e-4},
    {{"slides on a penalty plane by ADMM", SCENE("0.005", "variational", PENALTY, SLIDES), 3}, ADMM, 1e-5},
    {{"slides, explicit", SCENE("0.001", "rk4", "", SLIDES), 4}, NEWTON, 1e-5},
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

Suite *partial_pins_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("partial pins on Vulkan, step by step");
    TCase *tests = tcase_create("lockstep");
    for (int i = 0; i < 2 * CASES; ++i)
        if (vulkan_test_runs(vulkan, i % CASES, i >= CASES))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    suite_add_tcase(suite, tests);
    return suite;
}
