// Whole steps on the Vulkan device against the CPU path: every step starts from the CPU's state.
#include "model/build.h"
#include "parity/vulkan_fixture.h"
#include "scene/parse.h"
#include "sim/compare.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <math.h>
#include <string.h>

static VelaContext *context;

typedef struct Case {
    const char *name, *scene;
    int steps;
} Case;

#define BODY(model, extra)                                                                                   \
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1},"                                     \
    "\"materials\": {\"m\": {\"model\": \"" model "\", \"density\": 1000, \"youngs_modulus\": 1e5,"          \
    "\"poissons_ratio\": 0.3}}," extra "}"
#define BAR                                                                                                  \
    "\"bodies\": [{\"name\": \"bar\", \"type\": \"solid\", \"material\": \"m\","                             \
    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [20, 3, 3]}},"
#define SHORT_BAR                                                                                            \
    "\"bodies\": [{\"name\": \"bar\", \"type\": \"solid\", \"material\": \"m\","                             \
    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [8, 2, 2]}},"
#define HELD "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}}]}]"

static const Case cases[] = {
    {"spinning arap bar", BODY("arap", BAR "\"angular_velocity\": [0, 0, 10]}], \"gravity\": [0, 0, 0]"), 2},
    {"hanging neo-Hookean bar",
     BODY("neo_hookean", BAR "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}}]}]"), 2},
    {"symmetric Dirichlet bar on two planes",
     BODY("symmetric_dirichlet", BAR
          "\"velocity\": [0, -2, 0]}], \"contact\": {\"model\": \"penalty\", \"stiffness\": 200},"
          "\"obstacles\": [{\"name\": \"a\", \"plane\": {\"point\": [0, -0.05, 0], \"normal\": [0.3, 1, 0]}},"
          "{\"name\": \"b\", \"plane\": {\"point\": [0, -0.06, 0], \"normal\": [0, 1, 0]}}]"),
     3},
    {"linear corotated bar", BODY("corotated", SHORT_BAR "\"velocity\": [0, -1, 0]," HELD), 2},
    {"fixed corotated bar", BODY("fixed_corotated", SHORT_BAR "\"velocity\": [0, -1, 0]," HELD), 2},
    {"stable neo-Hookean bar", BODY("stable_neo_hookean", SHORT_BAR "\"velocity\": [0, -1, 0]," HELD), 2},
    {"Saint Venant-Kirchhoff bar", BODY("stvk", SHORT_BAR "\"velocity\": [0, -1, 0]," HELD), 2},
};

static void start(const Case *example, const char *tolerance, const DeviceChoice *choice,
                  Simulation *simulation)
{
    const char *overrides[1];
    char text[64];
    snprintf(text, sizeof text, "solver={\"type\": \"admm\", \"tolerance\": %s}", tolerance);
    overrides[0] = text;
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, example->name, example->scene, strlen(example->scene), 1,
                                   overrides, &simulation->arena, &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context, simulation_start(simulation, choice));
}

/// Steps of both devices from the same state, judged as `vela compare` does.
static void lockstep(const Case *example, const char *precision, const char *tolerance, double allowed)
{
    Simulation cpu, gpu;
    Comparison comparison;
    Arena arena = arena_make(context);
    start(example, tolerance, &(DeviceChoice){"cpu", NULL}, &cpu);
    start(example, tolerance, &(DeviceChoice){"vulkan", precision}, &gpu);
    ASSERT_OK(context, comparison_create(&cpu, &gpu, true, &arena, &comparison));
    const DeviationBounds bounds = deviation_bounds(allowed, strcmp(precision, "f64") == 0);
    for (int step = 0; step < example->steps; ++step) {
        Deviation d;
        double value, bound;
        ASSERT_OK(context, comparison_step(&comparison, &d));
        printf("%s %s step %d: x %.2e v %.2e p %.2e l %.2e H %.2e, iterations %d/%d\n", precision,
               example->name, step, d.position, d.velocity, d.momentum, d.angular_momentum, d.energy,
               d.iterations[0], d.iterations[1]);
        const char *beyond = deviation_beyond(&d, &bounds, &value, &bound);
        ck_assert_msg(!beyond, "step %d: differ by %g in %s, expected at most %g", step, value, beyond,
                      bound);
    }
    arena_clear(&arena);
    simulation_destroy(&gpu);
    simulation_destroy(&cpu);
}

START_TEST(single_precision)
{
    lockstep(&cases[_i], "f32", "1e-6", 1e-5);
}
END_TEST

START_TEST(double_precision)
{
    lockstep(&cases[_i], "f64", "1e-12", 1e-9);
}
END_TEST

/// Only elements that never invert are reported: those of barriers and of materials that say so.
START_TEST(inverted_elements)
{
    static const Case mixed = {
        "three materials",
        "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
        "\"free\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e5},"
        "\"barrier\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 1e5},"
        "\"held\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e5, \"prevent_inversion\": true}},"
        "\"bodies\": [{\"material\": \"free\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [3, "
        "2, 2]}}}, {\"material\": \"barrier\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [2, "
        "3, "
        "2]}}}, {\"material\": \"held\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [2, 2, "
        "3]}}}]}",
        0};
    Simulation simulations[2];
    start(&mixed, "1e-6", &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    start(&mixed, "1e-6", &(DeviceChoice){"vulkan", "f32"}, &simulations[1]);
    const Model *model = &simulations[0].model;
    double *x = calloc(3 * (size_t)model->node_count, sizeof *x);
    for (int body = 0; body < 3; ++body) {
        const ModelBody *mirrored = &model->bodies[body];
        memcpy(x, model->initial_positions, 3 * (size_t)model->node_count * sizeof *x);
        for (int32_t i = mirrored->first_node; i < mirrored->first_node + mirrored->node_count; ++i)
            x[3 * i] *= -1;
        for (int d = 0; d < 2; ++d) {
            Diagnosis diagnosis;
            Device *device = simulations[d].device;
            ASSERT_OK(context, device_state_write(device, SLOT_POSITION, x));
            ASSERT_OK(context, device_diagnose(device, SLOT_POSITION, SLOT_VELOCITY, 0, &diagnosis));
            ck_assert_double_eq_tol(diagnosis.min_det_f, -1, 1e-5);
            ck_assert_int_eq(diagnosis.inverted_element,
                             body == 0 ? -1 : mirrored->first_elements[ELEMENT_TET]);
        }
    }
    free(x);
    simulation_destroy(&simulations[1]);
    simulation_destroy(&simulations[0]);
}
END_TEST

int main(void)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    context = vulkan.context;
    Suite *suite = suite_create("Vulkan against the CPU");
    TCase *tests = tcase_create("lockstep");
    const int count = sizeof cases / sizeof *cases;
    tcase_add_loop_test(tests, single_precision, 0, count);
    tcase_add_test(tests, inverted_elements);
    if (vulkan.float64)
        tcase_add_loop_test(tests, double_precision, 0, count);
    else
        printf("the device has no float64: double precision is not tested\n");
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    vela_context_destroy(context);
    return failed;
}
