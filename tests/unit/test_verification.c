// Verification of a state (sim/verify.h): elements. Surfaces are in tests/cli/test_verify.py.
#include "physics/physics_fixture.h"

#include "sim/verify.h"

/// A box of 4^3 cells of side 1/4 of one of two materials, of which `rubber` never inverts.
static void make_box(Simulation *simulation, const char *material, Verification *verification)
{
    simulation_make(
        test_context(), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"materials\": {"
        "\"rubber\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 1e4, \"lambda\": 1e4},"
        "\"jelly\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e4}}, \"bodies\": [{\"name\": \"box\","
        "\"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [4, 4, 4]}}, \"material\": \"%s\"}]}",
        material);
    ASSERT_OK(simulation->context, verification_create(simulation, verification));
}

/// Shifts the node in the middle of the box along x.
static void shift_middle(Simulation *simulation, double shift)
{
    const Model *model = &simulation->model;
    double *positions;
    ASSERT_OK(simulation->context, ARENA_ARRAY(&simulation->arena, positions, 3 * (size_t)model->node_count));
    memcpy(positions, model->initial_positions, 3 * (size_t)model->node_count * sizeof *positions);
    int moved = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        if (norm3(model->initial_positions + 3 * (size_t)i) < 1e-9)
            positions[3 * (size_t)i] += shift, ++moved;
    ck_assert_int_eq(moved, 1);
    ASSERT_OK(simulation->context, device_state_write(simulation->device, SLOT_POSITION, positions));
}

START_TEST(inverted_elements)
{
    for (int material = 0; material < 2; ++material) {
        Simulation simulation;
        Verification verification;
        make_box(&simulation, material == 0 ? "rubber" : "jelly", &verification);
        ASSERT_OK(simulation.context, verification_check(&verification));
        shift_middle(&simulation, 0.2); // still in its cells
        ASSERT_OK(simulation.context, verification_check(&verification));
        for (int i = 0; i < 2; ++i) {
            shift_middle(&simulation, i == 0 ? 0.25 : 0.3); // elements are flat, then turned inside out
            const VelaResult result = verification_check(&verification);
            if (material == 1) {
                ck_assert_int_eq(result, VELA_OK);
                continue;
            }
            ck_assert_int_eq(result, VELA_ERROR_VERIFICATION);
            const char *message = vela_context_message(simulation.context);
            ck_assert_msg(strstr(message, "step 0 ") && strstr(message, "of body \"box\"") &&
                              strstr(message, "inverted or flat") && strstr(message, "\"rubber\""),
                          "%s", message);
        }
        simulation_stop(&simulation);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("verify");
    TCase *cases = tcase_create("verify");
    tcase_add_test(cases, inverted_elements);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
