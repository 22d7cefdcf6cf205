// Whole steps on the Vulkan device against the CPU path: every step starts from the CPU's state.
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

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

static const LockstepCase cases[] = {
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

#define SOLVER_F32 "{\"type\": \"admm\", \"tolerance\": 1e-6}"
#define SOLVER_F64 "{\"type\": \"admm\", \"tolerance\": 1e-12}"

START_TEST(single_precision)
{
    lockstep(context, &cases[_i], SOLVER_F32, "f32", 1e-5);
}
END_TEST

START_TEST(double_precision)
{
    lockstep(context, &cases[_i], SOLVER_F64, "f64", 1e-9);
}
END_TEST

/// Only elements that never invert are reported: those of barriers and of materials that say so.
START_TEST(inverted_elements)
{
    static const LockstepCase mixed = {
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
    lockstep_start(context, &mixed, SOLVER_F32, &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    lockstep_start(context, &mixed, SOLVER_F32, &(DeviceChoice){"vulkan", "f32"}, &simulations[1]);
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
    // On the device elements are sorted by material; frames have them in the scene's order.
    for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
        x[i] = model->initial_positions[i] * (1 + 0.1 * model->initial_positions[i]);
    ASSERT_OK(context, device_state_write(simulations[0].device, SLOT_POSITION, x));
    lockstep_fields(context, &simulations[0], &simulations[1], 1e-6);
    free(x);
    simulation_destroy(&simulations[1]);
    simulation_destroy(&simulations[0]);
}
END_TEST

Suite *lockstep_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("Vulkan against the CPU");
    TCase *tests = tcase_create("lockstep");
    const int count = sizeof cases / sizeof *cases;
    for (int i = 0; i < count; ++i)
        if (vulkan_test_runs(vulkan, i, false))
            tcase_add_loop_test(tests, single_precision, i, i + 1);
    tcase_add_test(tests, inverted_elements);
    for (int i = 0; i < count; ++i)
        if (vulkan_test_runs(vulkan, i, true))
            tcase_add_loop_test(tests, double_precision, i, i + 1);
    suite_add_tcase(suite, tests);
    return suite;
}
