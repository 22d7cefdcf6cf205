// Cables and affine bodies on the Vulkan device against the CPU path, alone, together and beside a solid, without contact: every
// step starts from the CPU's state. Bounds are those of solids (test_vulkan_lockstep.c).
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

#define SCENE(step, integrator, bodies)                                                                       \
    "{\"version\": 1, \"time\": {\"step\": " step                                                             \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator "\"}, \"materials\": {"                    \
    "\"rubber\": {\"model\": \"arap\", \"density\": 1100, \"youngs_modulus\": 2e6, \"poissons_ratio\": 0.4}," \
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5,"                      \
    "\"poissons_ratio\": 0.3}}, \"bodies\": [" bodies "]}"

/// Springs alone, under tension between its ends.
#define STRING                                                                                               \
    "{\"name\": \"string\", \"type\": \"cable\", \"material\": \"rubber\", \"radius\": 0.004,"               \
    "\"rest_scale\": 0.95, \"velocity_gradient\": [[0, 0, 0], [0, 0, 1], [0, -1, 0]],"                       \
    "\"geometry\": {\"cable\": {\"from\": [-0.5, 0.1, 0.2], \"to\": [0.5, 0.1, 0.2], \"segments\": 24}},"    \
    "\"pins\": [{\"select\": {\"nodes\": [0, 24]}}]}"
/// With bending, round a corner, one end led, a weight on the other.
#define ROD                                                                                                  \
    "{\"name\": \"rod\", \"type\": \"cable\", \"material\": \"rubber\", \"radius\": 0.01,"                   \
    "\"bending_modulus\": 2e6, \"geometry\": {\"cable\": {\"points\": [[0, 0, 0], [0.05, 0, 0],"             \
    "[0.1, 0, 0.01], [0.15, 0.01, 0.02], [0.2, 0.03, 0.02], [0.23, 0.07, 0.02], [0.24, 0.12, 0.02],"         \
    "[0.24, 0.17, 0.02]]}}, \"point_masses\": [{\"select\": {\"nodes\": [6, 7]}, \"mass\": 0.2}],"           \
    "\"pins\": [{\"select\": {\"nodes\": [0, 1]}, \"motion\": [{\"time\": 0}, {\"time\": 1,"                 \
    "\"translate\": [0.5, 0.2, 0], \"rotate\": {\"axis\": [0, 1, 0], \"degrees\": 90}}]}]}"
#define BOX(name, stiffness, more)                                                                           \
    "{\"name\": \"" name "\", \"type\": \"affine\", \"material\": \"soft\", \"stiffness\": " stiffness ","   \
    "\"geometry\": {\"box\": {\"size\": [0.3, 0.2, 0.1], \"cells\": [1, 1, 1]}}, " more "}"
/// Led on its way, turning; copies.
#define LED                                                                                                  \
    "{\"name\": \"led\", \"type\": \"affine\", \"material\": \"soft\", \"translate\": [0, 0.5, 0],"          \
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}},"                            \
    "\"array\": {\"count\": [2, 1, 1], \"spacing\": [0.3, 0, 0]}, \"pins\": [{\"select\": \"all\","          \
    "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 1, 0], \"rotate\":"                        \
    "{\"axis\": [1, 2, 0], \"degrees\": 180, \"about\": [0, 0.5, 0]}}]}]}"
#define SOLID                                                                                                      \
    "{\"name\": \"solid\", \"type\": \"solid\", \"material\": \"soft\", \"translate\": [0, -0.5, 0],"              \
    "\"angular_velocity\": [2, 0, 5], \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [4, 2, 2]}}," \
    "\"point_masses\": [{\"select\": {\"nodes\": [0, 5]}, \"mass\": 0.1}]}"

#define SPIN "\"angular_velocity\": [1, 0.2, 12]"
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
} cases[] = {
    {{"a string", SCENE("0.01", "implicit_euler", STRING), 3}, NEWTON},
    {{"a rod", SCENE("0.01", "tr_bdf2", ROD), 3}, NEWTON},
    {{"a string and a rod by ADMM", SCENE("0.005", "variational", STRING "," ROD), 2}, ADMM},
    {{"a spinning box", SCENE("0.005", "variational", BOX("box", "1e8", SPIN)), 3}, NEWTON},
    {{"boxes, one of them led", SCENE("0.01", "bdf2", BOX("box", "1e8", SPIN) "," LED), 3}, NEWTON},
    {{"a box and a string", SCENE("0.01", "a_search", BOX("box", "1e6", SPIN) "," STRING), 3}, NEWTON},
    {{"all of them beside a solid",
      SCENE("0.01", "bdf2", SOLID "," STRING "," BOX("box", "1e8", SPIN) "," ROD "," LED), 3},
     NEWTON},
    {{"the same, explicit",
      SCENE("0.0001", "rk4", SOLID "," STRING "," BOX("box", "1e6", SPIN) "," ROD "," LED), 4},
     NEWTON},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    const int c = _i % CASES;
    lockstep(context, &cases[c].example, cases[c].solvers[f64], f64 ? "f64" : "f32", f64 ? 1e-9 : 1e-5);
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
    Suite *suite = suite_create("cables and affine bodies on Vulkan, step by step");
    TCase *tests = tcase_create("lockstep");
    tcase_add_loop_test(tests, same_steps, 0, (vulkan.float64 ? 2 : 1) * CASES);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    vela_context_destroy(context);
    return failed;
}
