// Shells on the Vulkan device against the CPU path, alone, beside a solid and in contact: every step starts from the CPU's state.
// Bounds are those of solids (test_vulkan_lockstep.c, test_vulkan_contact.c).
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

#define SCENE(step, integrator, more, bodies)                                                                  \
    "{\"version\": 1, \"time\": {\"step\": " step                                                              \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator                                             \
    "\"}, \"materials\": {\"cloth\": {\"model\": \"stvk\", \"density\": 400, \"youngs_modulus\": 1e6, "        \
    "\"poissons_ratio\": 0.3}, \"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": " \
    "1e5, \"poissons_ratio\": 0.3}}," more "\"bodies\": [" bodies "]}"
/// Hangs by two corners, spread out.
#define FLAG(bending)                                                                                        \
    "{\"name\": \"flag\", \"type\": \"shell\", \"material\": \"cloth\", \"thickness\": 0.002, "              \
    "\"bending\": \"" bending "\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [8, 6]}}, "   \
    "\"velocity_gradient\": [[0, 2, 0], [5, 0, 3], [0, 0, 0]], \"pins\": [{\"select\": {\"nodes\": [0, 8]}}]}"
/// Under tension, thrown.
#define DRUM                                                                                                   \
    "{\"name\": \"drum\", \"type\": \"shell\", \"material\": \"soft\", \"thickness\": 0.005, "                 \
    "\"rest_scale\": 0.9, \"geometry\": {\"disk\": {\"radius\": 0.2, \"resolution\": 6}}, \"translate\": [0, " \
    "0.3, 0], \"angular_velocity\": [3, 1, 2], \"array\": {\"count\": [2, 1, 1], \"spacing\": [0.6, 0, 0]}}"
#define SOLID                                                                                                      \
    "{\"name\": \"solid\", \"material\": \"soft\", \"translate\": [0, -0.2, 0], \"angular_velocity\": [2, 0, 5], " \
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}}"
/// Closed, under pressure.
#define BALL                                                                                                 \
    "{\"name\": \"ball\", \"type\": \"shell\", \"material\": \"soft\", \"thickness\": 0.004, \"geometry\": " \
    "{\"mesh\": \"" SOURCE_DIR                                                                               \
    "/scenes/shells/ball.obj\"}, \"scale\": 0.1, \"angular_velocity\": [1, 2, 3], "                          \
    "\"loads\": [{\"pressure\": 200}]}"
/// Lies on a corner of the solid, and on itself.
#define CLOTH                                                                                                  \
    "{\"name\": \"cloth\", \"type\": \"shell\", \"material\": \"cloth\", \"thickness\": 0.004, \"geometry\": " \
    "{\"sheet\": {\"size\": [0.3, 0.3], \"cells\": [8, 8]}}, \"translate\": [0.03, -0.144, 0.02], "            \
    "\"velocity\": [0, -0.5, 0]}"
#define BARRIER                                                                                              \
    "\"contact\": {\"model\": \"barrier\", \"distance\": 0.003, \"stiffness\": 1e5, \"friction\": 0.3},"
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
    double tolerance;       ///< in single precision
} cases[] = {
    {{"a flag without bending", SCENE("0.005", "bdf2", "", FLAG("none")), 2}, NEWTON, 1e-5},
    {{"a flag that bends", SCENE("0.005", "variational", "", FLAG("discrete_shells")), 2}, NEWTON, 1e-5},
    {{"a flag by ADMM", SCENE("0.005", "variational", "", FLAG("quadratic")), 2}, ADMM, 1e-5},
    {{"a plate by ADMM", SCENE("0.005", "implicit_midpoint", "", FLAG("plate")), 2}, ADMM, 1e-5},
    {{"a flag that bends as a plate", SCENE("0.005", "tr_bdf2", "", FLAG("plate")), 2}, NEWTON, 1e-5},
    {{"a flag, quadratic, by Newton", SCENE("0.005", "sdirk2", "", FLAG("quadratic")), 2}, NEWTON, 1e-5},
    {{"a flag without bending by ADMM", SCENE("0.002", "implicit_euler", "", FLAG("none")), 2}, ADMM, 1e-5},
    {{"a flag, trapezoidal", SCENE("0.005", "trapezoidal", "", FLAG("discrete_shells")), 2}, NEWTON, 1e-5},
    {{"a flag, A-1", SCENE("0.005", "a1", "", FLAG("discrete_shells")), 2}, NEWTON, 1e-5},
    {{"a flag, blending", SCENE("0.005", "blending", "", FLAG("plate")), 2}, NEWTON, 1e-5},
    {{"a flag, rk4", SCENE("0.0002", "rk4", "", FLAG("discrete_shells")), 2}, NEWTON, 1e-5},
    {{"an inflated ball", SCENE("0.005", "bdf2", "", BALL), 2}, NEWTON, 1e-5},
    {{"a cloth on a solid", SCENE("0.01", "bdf2", BARRIER, CLOTH "," SOLID), 3}, NEWTON, 1e-4},
    {{"drums and a flag beside a solid", SCENE("0.005", "a_search", "", DRUM "," FLAG("quadratic") "," SOLID),
      3},
     NEWTON,
     1e-5},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    const int c = _i % CASES;
    lockstep(context, &cases[c].example, cases[c].solvers[f64], f64 ? "f64" : "f32",
             f64 ? 1e-9 : cases[c].tolerance);
}
END_TEST

Suite *shells_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("shells on Vulkan, step by step");
    TCase *tests = tcase_create("lockstep");
    for (int i = 0; i < 2 * CASES; ++i)
        if (vulkan_test_runs(vulkan, i % CASES, i >= CASES))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    suite_add_tcase(suite, tests);
    return suite;
}
