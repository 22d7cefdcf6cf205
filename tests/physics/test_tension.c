// What frames record of constraints (api/frame_constraints.h): pulls against weights that hang, closed forms of stretched cables, and where
// joints are.
#include "physics_fixture.h"

#include "api/frame_constraints.h"
#include "api/session.h"

static FrameTopology topology;
static Frame frame;

static void record(Simulation *simulation, const double *x)
{
    ASSERT_OK(simulation->context, session_topology(&simulation->model, &simulation->arena, &topology));
    ASSERT_OK(simulation->context,
              frame_constraints_create(simulation, &simulation->arena, &topology, &frame));
    ASSERT_OK(simulation->context, frame_constraints_fill(simulation, &topology, x, &frame));
}

static void check_near(double found, double expected)
{
    ck_assert_msg(fabs(found - expected) <= 1e-9 * fabs(expected), "%.15g, expected %.15g", found, expected);
}

// From above: a rope of four segments, a rod without mass, two blocks that a ball joins. At rest, and as stiff as can be.
START_TEST(weights_hang)
{
    static const double GRAVITY = 9.81;
    Simulation simulation;
    simulation_make(
        test_context(), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {\"type\": \"compliant\"}, "
        "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e15, "
        "\"poissons_ratio\": 0.3}}, \"bodies\": [{\"name\": \"rope\", \"type\": \"cable\", \"formulation\": "
        "\"constraint\", \"radius\": 0.01, \"material\": \"m\", \"geometry\": {\"cable\": {\"from\": [0, 1, 0], "
        "\"to\": [0, 2, 0], \"segments\": 4}}}, {\"name\": \"one\", \"type\": \"affine\", \"material\": \"m\", "
        "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, \"translate\": [0, 0.45, 0]}, "
        "{\"name\": \"two\", \"type\": \"affine\", \"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, "
        "0.1], \"cells\": [1, 1, 1]}}, \"translate\": [0, 0.35, 0]}], \"constraints\": [{\"type\": \"attach\", "
        "\"between\": [{\"body\": \"rope\", \"node\": 4}, {\"point\": [0, 2, 0]}]}, {\"type\": \"distance\", "
        "\"between\": [{\"body\": \"one\", \"nearest\": [0, 0.5, 0]}, {\"body\": \"rope\", \"node\": 0}]}, {\"type\": "
        "\"ball\", \"between\": [\"two\", \"one\"], \"at\": [0, 0.4, 0]}, {\"type\": \"distance\", \"side\": "
        "\"at_most\", \"length\": 3, \"between\": [{\"body\": \"two\", \"node\": 0}, {\"point\": [0, 2, 0]}]}]}");
    const Model *model = &simulation.model;
    record(&simulation, model->initial_positions);
    ck_assert(topology.multiplier_count == model->constraint_row_count && topology.multiplier_count > 0);
    ck_assert(topology.joint_count == 2 && topology.rod_count == 2);
    ck_assert(frame.rods[6] == 0 && frame.tension[model->groups[ELEMENT_SEGMENT].first_element] == 0);
    for (int n = 0; n < 3; ++n)
        step_once(&simulation);
    record(&simulation, slot_values(&simulation, SLOT_POSITION));
    double weight = 2 * 1000 * 1e-3 * GRAVITY;
    check_near(frame.rods[6], weight);
    ck_assert_double_eq(frame.rods[ROD_VALUES + 6], 0); // slack
    for (int32_t s = 0; s < 4; ++s) {
        weight += model->masses[s] * GRAVITY;
        const double found = (double)frame.tension[model->groups[ELEMENT_SEGMENT].first_element + s];
        ck_assert_double_eq_tol(found / weight, 1, 1e-6); // in single precision
    }
    ck_assert(isnan(frame.tension[model->groups[ELEMENT_AFFINE].first_element]));
    const double places[2][3] = {{0, 2, 0}, {0, 0.4, 0}}, ends[2][3] = {{0, 0.5, 0}, {0, 1, 0}};
    ck_assert_double_le(largest_difference(frame.joints, places[0], 6), 2e-10);
    ck_assert_double_le(largest_difference(frame.rods, ends[0], 6), 2e-10);
    simulation_stop(&simulation);
}
END_TEST

// E A (l/l_0 - 1) with the length without stress, which is a tenth below that of the given shape.
START_TEST(cables_pull)
{
    Simulation simulation;
    simulation_make(
        test_context(), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {\"type\": \"newton\"}, "
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e6, "
        "\"poissons_ratio\": 0.3}}, \"bodies\": [{\"name\": \"rope\", \"type\": \"cable\", \"radius\": 0.01, "
        "\"material\": \"m\", \"rest_scale\": 0.9, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [1, 0, 0], "
        "\"segments\": 3}}}]}");
    const Model *model = &simulation.model;
    const double area = 3.14159265358979323846 * 1e-4;
    double *x = slot_values(&simulation, SLOT_POSITION);
    for (int c = 0; c < 2; ++c) {
        for (int32_t i = 0; i < model->node_count && c == 1; ++i)
            x[3 * (size_t)i] *= 0.8;
        record(&simulation, x);
        ck_assert(topology.multiplier_count == 0 && topology.joint_count == 0 && topology.rod_count == 0);
        for (int32_t s = 0; s < 3; ++s)
            ck_assert_double_eq_tol((double)frame.tension[model->groups[ELEMENT_SEGMENT].first_element + s] /
                                        (1e6 * area * ((c == 0 ? 1 : 0.8) / 0.9 - 1)),
                                    1, 1e-6);
    }
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tension");
    TCase *tests = tcase_create("tension");
    tcase_add_test(tests, weights_hang);
    tcase_add_test(tests, cables_pull);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
