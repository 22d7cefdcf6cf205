// Damping in ADMM on the Vulkan device against the CPU path: steps from the CPU's states with what the ledger says of them, and from the
// device's; what is carried from step to step; the same bytes on each run; what it costs. Bounds are those of solids
// (test_vulkan_lockstep.c).
#include "model/damping_copies.h"
#include "parity/admm_fixture.h"

#define SCENE_OF(damping) SCENE("0.005", "implicit_euler\"", "stvk", damping, "", BAR)
#define BOTH_ENDS LAW("200", "0") ", " LAW("10", "2")
#define MANY STRAIN_RATE ", " LAW("100", "0.5") ", " MASS ", " LAW("20", "1") ", " LAW("5", "2")
#define BODIES(bending) BAR ", " SHELL(bending) ", " ROPE
#define PENALTY                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.082, 0], \"normal\": [0.05, 1, 0]}}], \"contact\": "     \
    "{\"model\": \"penalty\", \"stiffness\": 200}, "

static const LockstepCase steps[] = {
    {"strain rate, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "stvk", STRAIN_RATE, "", BODIES("none")), 2},
    {"Rayleigh, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", RAYLEIGH ", " MASS, "", BODIES("quadratic")), 2},
    {"principal strain, implicit_euler",
     SCENE("0.005", "implicit_euler\"", "neo_hookean", PRINCIPAL ", " RAYLEIGH, "", BAR ", " SHELL("plate")),
     2},
    {"spline, variational",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", SPLINE, "", BODIES("none")), 2},
    {"dry and thick, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "stvk", BOTH_ENDS, "", BAR ", " ROPE), 2},
    {"many, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", MANY, "", BODIES("quadratic") ", " PLAIN), 2},
    {"corrected, held in part, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "stvk", CORRECTED("rayleigh"), "", SLIDING ", " PLAIN), 2},
    {"over a plane, bdf2", SCENE("0.005", "bdf2\"", "neo_hookean", STRAIN_RATE, PENALTY, BAR), 2},
    {"thrown, sdirk2", SCENE("0.005", "sdirk2\"", "neo_hookean", PRINCIPAL, "", THROWN), 2},
};
enum { STEPS = sizeof steps / sizeof *steps, STEP_OF_MANY = 5 };

START_TEST(same_steps)
{
    damping_steps(&steps[_i % STEPS], _i >= STEPS, 1e-5);
}
END_TEST

START_TEST(same_steps_from_the_device)
{
    admm_steps_from_the_device(&steps[STEP_OF_MANY], _i > 0);
}
END_TEST

static double *carried_by(const Simulation *simulation)
{
    double *values = calloc(device_solver_state_size(simulation->device) + 1, sizeof *values);
    ASSERT_OK(context, device_solver_state_read(simulation->device, values));
    return values;
}

/// One iteration from one state, cold and warm, leaves the same on both devices: every local problem, and where each number is carried. The
/// CPU solves for x exactly, the device to 3 parts in 100: what an iteration projects is what it began with.
START_TEST(same_projections)
{
    static const char *const solvers[2] = {"{\"type\": \"admm\", \"tolerance\": 1e-6, \"max_iterations\": 1, "
                                           "\"lag_iterations\": 1}",
                                           "{\"type\": \"admm\", \"tolerance\": 1e-10, \"max_iterations\": "
                                           "1, \"lag_iterations\": 1}"};
    const bool f64 = _i > 0;
    const double allowed = f64 ? 1e-12 : 2e-6;
    Simulation simulations[2];
    lockstep_start(context, &steps[STEP_OF_MANY], solvers[f64], &(DeviceChoice){"cpu", NULL},
                   &simulations[0]);
    lockstep_start(context, &steps[STEP_OF_MANY], solvers[f64],
                   &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &simulations[1]);
    const Model *model = &simulations[0].model;
    const size_t size = device_solver_state_size(simulations[0].device);
    ck_assert_uint_eq(size, device_solver_state_size(simulations[1].device));
    double *state = calloc(simulation_state_size(&simulations[0]), sizeof *state), worst = 0;
    for (int step = 0; step < 3; ++step) {
        StepReport report;
        double *carried[2];
        ASSERT_OK(context, simulation_state_read(&simulations[0], state));
        ASSERT_OK(context, simulation_state_write(&simulations[1], state, simulations[0].step));
        for (int k = 0; k < 2; ++k) {
            ASSERT_OK(context, simulation_step(&simulations[k], &report));
            carried[k] = carried_by(&simulations[k]);
        }
        // Behind the header and the elements' own: of each law its level, the duration, then image and projection of every copy.
        size_t at = 2 + (size_t)model->local_count;
        DampingCopy copies[MODEL_DAMPING_COPIES_MOST];
        size_t *places = calloc((size_t)model->element_count, sizeof *places);
        const int32_t count = model_damping_copies(model, copies);
        ck_assert_int_eq(count, 4);
        for (int32_t c = 0; c < count; ++c) {
            const size_t numbers = model_damping_state(model, copies[c], places);
            ck_assert_double_eq(carried[0][at], carried[1][at]);
            ck_assert_double_eq(carried[0][at + 1], carried[1][at + 1]);
            at += DAMPING_STATE_HEADER;
            for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
                for (int32_t e = 0; e < model->groups[kind].count; ++e) {
                    const ElementGroup *group = &model->groups[kind];
                    const size_t n = (size_t)element_size(group->kind),
                                 first = at + places[group->first_element + e] + n;
                    if (model_has_damping_copy(&model->materials[group->materials[e]], kind, copies[c]))
                        worst = fmax(worst, largest_difference(carried[0] + first, carried[1] + first, n));
                }
            at += 2 * numbers;
        }
        ck_assert_uint_eq(at, size);
        free(places);
        free(carried[0]);
        free(carried[1]);
    }
    printf("%s: projections of copies off by %.1e at the most\n", f64 ? "f64" : "f32", worst);
    ck_assert_double_le(worst, allowed);
    free(state);
    lockstep_stop(simulations);
}
END_TEST

START_TEST(resumed)
{
    admm_resumed(&steps[STEP_OF_MANY], _i > 0);
}
END_TEST

START_TEST(same_bytes)
{
    lockstep_same_bytes(&steps[STEP_OF_MANY]);
}
END_TEST

/// No wait and no byte between host and device more; with power laws one wait a stage, for what they take where the step starts.
START_TEST(costs)
{
    const DeviceInfo without = admm_costs(SCENE_OF(""), 5), with = admm_costs(SCENE_OF(STRAIN_RATE), 5),
                     laws = admm_costs(SCENE_OF(BOTH_ENDS), 5);
    printf("a stage of 5 iterations: %lld, with damping %lld, with laws %lld waits; %lld, %lld, %lld bytes; "
           "memory %zu, %zu, %zu bytes\n",
           (long long)without.host_waits, (long long)with.host_waits, (long long)laws.host_waits,
           (long long)without.bytes_transferred, (long long)with.bytes_transferred,
           (long long)laws.bytes_transferred, without.memory, with.memory, laws.memory);
    ck_assert_int_eq(with.host_waits, without.host_waits);
    ck_assert_int_eq(with.bytes_transferred, without.bytes_transferred);
    ck_assert_int_eq(laws.host_waits, without.host_waits + 1);
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
    const int precisions = vulkan.float64 ? 2 : 1;
    Suite *suite = suite_create("damping in ADMM on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    // A driver without float64 is one more, and slow: a third of the cases, with the one that has a name.
    for (int step = 0; step < precisions * STEPS; ++step)
        if (vulkan.float64 || step % 3 == 0 || step == STEP_OF_MANY)
            tcase_add_loop_test(tests, same_steps, step, step + 1);
    tcase_add_loop_test(tests, same_steps_from_the_device, 0, precisions);
    tcase_add_loop_test(tests, same_projections, 0, precisions);
    if (vulkan.float64)
        tcase_add_loop_test(tests, resumed, 0, precisions);
    tcase_add_test(tests, same_bytes);
    tcase_add_test(tests, costs);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    vela_context_destroy(context);
    return failed;
}
