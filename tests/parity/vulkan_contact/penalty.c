// Penalty contact of affine bodies beside a solid and a cable on the Vulkan device against the CPU path: forces, diagnosis, a direction
// of Newton's method and its trials, whole steps. And what concerns the device alone: same bytes, whatever room its lists begin
// with. Tolerances are those of test_vulkan_masses.c and test_vulkan_lockstep.c.
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"
#include "physics/physics_fixture.h"

#include "device/vulkan/vulkan_device.h"

static VelaContext *context;

#define SCENE(step, integrator)                                                                                  \
    "{\"version\": 1, \"time\": {\"step\": " step ", \"duration\": 1}, \"integrator\": {" integrator "},"        \
    "\"materials\": {\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 4e4,"         \
    "\"poissons_ratio\": 0.3}}, \"bodies\": ["                                                                   \
    "{\"name\": \"die\", \"type\": \"affine\", \"material\": \"soft\", \"stiffness\": 1e5,"                      \
    "\"rotate\": {\"axis\": [1, 0.3, 0.2], \"degrees\": 30}, \"translate\": [0, 0.04, 0],"                       \
    "\"velocity\": [-0.3, -0.5, 0.2], \"angular_velocity\": [3, -2, 5],"                                         \
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}},"                               \
    "{\"name\": \"held\", \"type\": \"affine\", \"material\": \"soft\", \"translate\": [0.2, 0.02, 0],"          \
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}},"                                \
    "\"pins\": [{\"select\": \"all\", \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 1, 0]}]}]},"  \
    "{\"name\": \"block\", \"type\": \"solid\", \"material\": \"soft\", \"translate\": [0, 0.045, 0.3],"         \
    "\"velocity\": [0.3, -0.5, 0], \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}}," \
    "{\"name\": \"rope\", \"type\": \"cable\", \"material\": \"soft\", \"radius\": 0.01,"                        \
    "\"bending_modulus\": 1e6, \"velocity\": [0, -0.2, 0],"                                                      \
    "\"geometry\": {\"cable\": {\"from\": [0.4, 0.02, 0], \"to\": [0.7, -0.015, 0.1], \"segments\": 6}},"        \
    "\"pins\": [{\"select\": {\"nodes\": [0]}}]}],"                                                              \
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 300}, \"obstacles\": ["                                \
    "{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0.02, 1, 0.1]}},"                      \
    "{\"name\": \"wall\", \"plane\": {\"point\": [-0.05, 0, 0], \"normal\": [1, 0.1, 0]},"                       \
    "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0.3, 0, 0],"                                      \
    "\"rotate\": {\"axis\": [0, 0, 1], \"degrees\": 20}}]}]}"

static const struct {
    LockstepCase example;
    const char *solvers[2]; ///< single, double precision
} cases[] = {
    {{"variational", SCENE("0.01", "\"type\": \"variational\""), 3},
     {"{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-5}}",
      "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-10}}"}},
    {{"implicit Euler, block Jacobi", SCENE("0.01", "\"type\": \"implicit_euler\""), 2},
     {"{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-5, \"preconditioner\": "
      "\"block_jacobi\"}}",
      "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-10, \"preconditioner\": "
      "\"block_jacobi\"}}"}},
    {{"A-search", SCENE("0.005", "\"type\": \"a_search\""), 2},
     {"{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-5}}",
      "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-10}}"}},
    {{"rk4", SCENE("0.0002", "\"type\": \"rk4\""), 3}, {"{\"type\": \"newton\"}", "{\"type\": \"admm\"}"}},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct Pair {
    Simulation cpu, gpu;
    size_t size; ///< numbers of a node vector
} Pair;

static void pair_start(Pair *pair, bool f64)
{
    const char *solver = cases[0].solvers[f64];
    lockstep_start(context, &cases[0].example, solver, &(DeviceChoice){"cpu", NULL}, &pair->cpu);
    lockstep_start(context, &cases[0].example, solver, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &pair->gpu);
    pair->size = 3 * (size_t)pair->cpu.model.node_count;
}

static void pair_stop(Pair *pair)
{
    simulation_destroy(&pair->gpu);
    simulation_destroy(&pair->cpu);
}

static double noise_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

/// The same state on both devices: positions with noise, a stage off its target.
static void write_states(Pair *pair)
{
    const Model *model = &pair->cpu.model;
    Simulation *const both[2] = {&pair->cpu, &pair->gpu};
    double *x = calloc(pair->size, sizeof *x), *target = calloc(pair->size, sizeof *target);
    uint32_t random = 7;
    for (size_t i = 0; i < pair->size; ++i) {
        x[i] = model->initial_positions[i] + 0.002 * noise_of(&random);
        target[i] = x[i] + 0.005 * noise_of(&random);
    }
    const Stage stage = {.a = 0.01, .time = 0.05};
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_POSITION, x));
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_VELOCITY, model->initial_velocities));
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_STAGE, x));
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_TARGET, target));
        ASSERT_OK(context, device_stage_set(both[k]->device, &stage));
    }
    free(x);
    free(target);
}

/// |a - b| over a size, both arrays of `count`.
static void check_values(const char *what, const double *a, const double *b, size_t count, double allowed)
{
    double size = 0;
    for (size_t i = 0; i < count; ++i)
        size = fmax(size, fabs(a[i]));
    const double off = largest_difference(a, b, count);
    printf("  %s off by %.1e of %.3e\n", what, off / size, size);
    ck_assert_double_gt(size, 0);
    ck_assert_msg(off <= allowed * size, "%s: off by %g of %g, expected at most %g", what, off, size,
                  allowed);
}

/// At three times, as the wall moves: further and further into the bodies.
START_TEST(same_forces_and_diagnosis)
{
    const bool f64 = _i == 1;
    Pair pair;
    double energy = 0;
    pair_start(&pair, f64);
    write_states(&pair);
    for (int k = 0; k < 3; ++k) {
        const double time = 0.3 * k;
        Diagnosis diagnosis[2];
        printf("time %g\n", time);
        ASSERT_OK(context, device_acceleration(pair.cpu.device, SLOT_NEXT_VELOCITY, SLOT_POSITION, time));
        ASSERT_OK(context, device_acceleration(pair.gpu.device, SLOT_NEXT_VELOCITY, SLOT_POSITION, time));
        const double *a = slot_values(&pair.cpu, SLOT_NEXT_VELOCITY),
                     *b = slot_values(&pair.gpu, SLOT_NEXT_VELOCITY);
        for (int body = 0; body < pair.cpu.model.body_count; ++body) {
            const ModelBody *of = &pair.cpu.model.bodies[body];
            const size_t first = 3 * (size_t)of->first_node, count = 3 * (size_t)of->node_count;
            if (pair.cpu.model.node_is_free[of->first_node + of->node_count - 1])
                check_values(pair.cpu.scene.bodies[body].name, a + first, b + first, count,
                             f64 ? 1e-12 : 1e-5);
        }
        ASSERT_OK(context,
                  device_diagnose(pair.cpu.device, SLOT_POSITION, SLOT_VELOCITY, time, &diagnosis[0]));
        ASSERT_OK(context,
                  device_diagnose(pair.gpu.device, SLOT_POSITION, SLOT_VELOCITY, time, &diagnosis[1]));
        check_values("contact", &diagnosis[0].contact, &diagnosis[1].contact, 1, f64 ? 1e-12 : 1e-4);
        check_values("smallest gap", &diagnosis[0].min_distance, &diagnosis[1].min_distance, 1,
                     f64 ? 1e-12 : 1e-6);
        check_values("kinetic", &diagnosis[0].kinetic, &diagnosis[1].kinetic, 1, 1e-12);
        ck_assert_double_gt(diagnosis[0].contact, 2 * energy);
        energy = diagnosis[0].contact;
    }
    pair_stop(&pair);
}
END_TEST

START_TEST(same_direction)
{
    const bool f64 = _i == 1;
    const NewtonSettings settings = {
        .linear_tolerance = f64 ? 1e-13 : 1e-6, .linear_max_iterations = 1000, .project = true};
    Pair pair;
    NewtonDirection direction[2];
    pair_start(&pair, f64);
    write_states(&pair);
    ASSERT_OK(context, device_newton_direction(pair.cpu.device, &settings, &direction[0]));
    ASSERT_OK(context, device_newton_direction(pair.gpu.device, &settings, &direction[1]));
    const double iterations = fmax(direction[0].linear_iterations, direction[1].linear_iterations),
                 allowed = f64 ? 1e-10 : 2 * 0x1p-24 * iterations * iterations;
    printf("%s: %d and %d iterations\n", f64 ? "double" : "float", direction[0].linear_iterations,
           direction[1].linear_iterations);
    ck_assert_int_eq(direction[1].contact_pairs, -1); // that is said of barriers
    check_values("slope", &direction[0].slope, &direction[1].slope, 1, allowed);
    for (int halvings = 0; halvings < 5; halvings += 4) {
        NewtonTrials trials[2];
        ASSERT_OK(context, device_newton_trials(pair.gpu.device, halvings, &trials[1]));
        for (int t = 0; t < trials[1].count;) {
            ASSERT_OK(context, device_newton_trials(pair.cpu.device, halvings + t, &trials[0]));
            ck_assert_double_le(fabs(trials[0].longest - trials[1].longest), f64 ? 0 : 2e-3);
            for (int k = 0; k < trials[0].count && t < trials[1].count; ++k, ++t) {
                const double noise = fmax(trials[0].noise[k], trials[1].noise[t]),
                             off = fabs(trials[0].difference[k] - trials[1].difference[t]),
                             step = trials[0].longest * pow(0.5, halvings + t);
                printf("  step %g: difference off by %.1e of the slope, noise %.1e\n", step,
                       off / fabs(step * direction[0].slope), noise / fabs(step * direction[0].slope));
                ck_assert_double_le(off, allowed * step * fabs(direction[0].slope) + noise);
                ck_assert_double_le(fabs(trials[0].slope[k] - trials[1].slope[t]),
                                    allowed * fabs(direction[0].slope));
            }
        }
    }
    ASSERT_OK(context, device_newton_accept(pair.cpu.device, 1));
    ASSERT_OK(context, device_newton_accept(pair.gpu.device, 1));
    const double *x[2] = {slot_values(&pair.cpu, SLOT_STAGE), slot_values(&pair.gpu, SLOT_STAGE)};
    ck_assert_double_le(largest_difference(x[0], x[1], pair.size), allowed * direction[0].largest);
    double part;
    ASSERT_OK(context, device_admissible_step(pair.gpu.device, SLOT_POSITION, SLOT_STAGE, &part));
    ck_assert_double_eq(part, 1);
    pair_stop(&pair);
}
END_TEST

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    const int c = _i % CASES;
    lockstep(context, &cases[c].example, cases[c].solvers[f64], f64 ? "f64" : "f32", f64 ? 1e-9 : 1e-5);
}
END_TEST

static double *state_after(Simulation *simulation, int steps)
{
    for (int i = 0; i < steps; ++i)
        step_once(simulation);
    double *state = calloc(simulation_state_size(simulation), sizeof *state);
    ASSERT_OK(context, simulation_state_read(simulation, state));
    return state;
}

START_TEST(same_bytes_whatever_the_room)
{
    const DeviceChoice choice = {"vulkan", "f32"};
    double *ends[2];
    size_t bytes = 0;
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        lockstep_start(context, &cases[2].example, cases[2].solvers[0], &choice, &simulation);
        VulkanContact *contact = ((VulkanDevice *)simulation.device)->contact;
        if (k == 1)
            contact->rooms = (ContactRooms){0, 3, 20, 5, 1};
        ends[k] = state_after(&simulation, 2);
        ck_assert_int_eq(contact->regrowths > 0, k);
        bytes = simulation_state_size(&simulation) * sizeof *ends[k];
        simulation_destroy(&simulation);
    }
    ck_assert_mem_eq(ends[0], ends[1], bytes);
    free(ends[0]);
    free(ends[1]);
}
END_TEST

Suite *penalty_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("penalty contact of affine bodies on Vulkan");
    TCase *tests = tcase_create("parity");
    const int precisions = vulkan->float64 ? 2 : 1;
    tcase_add_loop_test(tests, same_forces_and_diagnosis, 0, precisions);
    tcase_add_loop_test(tests, same_direction, 0, precisions);
    tcase_add_loop_test(tests, same_steps, 0, precisions * CASES);
    tcase_add_test(tests, same_bytes_whatever_the_room);
    suite_add_tcase(suite, tests);
    return suite;
}
