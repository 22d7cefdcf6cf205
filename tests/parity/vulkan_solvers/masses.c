// Coupled masses on the Vulkan device against the CPU path. No scene has them but through stiff bodies, so a model gets blocks of
// masses by hand before the devices are made: positive definite, with couplings of either sign, and one of nodes that are pinned.
// Tolerances are those of test_vulkan_newton.c.
#include "parity/shared_gpu.h"
#include "parity/vulkan_fixture.h"
#include "physics/physics_fixture.h"
#include "without_factor.h"

#include "device/vulkan/vulkan.h"

enum { BLOCKS = 3 };

typedef struct Pair {
    Simulation cpu, gpu;
    MassBlock blocks[2][BLOCKS];
    size_t size; ///< numbers of a node vector
    bool f64;
} Pair;

static VelaContext *context;
static Pair pairs[2]; ///< single, double precision; started by the first test that asks

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"variational\"}, "
    "\"solver\": {\"type\": \"newton\", \"tolerance\": 1e-7, \"strict\": true, \"linear\": {\"tolerance\": 1e-6}},"
    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 4e4, "
    "\"poissons_ratio\": 0.3}}, \"bodies\": ["
    "{\"name\": \"a\", \"type\": \"solid\", \"material\": \"m\", \"velocity\": [0.3, -1.5, 0.2], "
    "\"angular_velocity\": [3, -2, 5], \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}},"
    "{\"name\": \"b\", \"type\": \"solid\", \"material\": \"m\", \"translate\": [0.4, 0, 0], "
    "\"angular_velocity\": [-3, 1, 2], \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}},"
    "{\"name\": \"c\", \"type\": \"solid\", \"material\": \"m\", \"translate\": [0.8, 0, 0], "
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
    "\"pins\": [{\"select\": \"all\", \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [1, 2, -1]}]}]}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 300}, \"obstacles\": ["
    "{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.045, 0], \"normal\": [0.02, 1, 0.1]}}]}";

static double noise_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

/// Gauss-Jordan: the matrices are diagonally dominant.
static void invert(const double m[16], double inverse[16])
{
    double rest[16];
    memcpy(rest, m, sizeof rest);
    for (int k = 0; k < 16; ++k)
        inverse[k] = k % 5 == 0;
    for (int p = 0; p < 4; ++p) {
        const double pivot = rest[5 * p];
        for (int k = 0; k < 4; ++k)
            rest[4 * p + k] /= pivot, inverse[4 * p + k] /= pivot;
        for (int i = 0; i < 4; ++i) {
            const double factor = rest[4 * i + p];
            for (int k = 0; k < 4 && i != p; ++k) {
                rest[4 * i + k] -= factor * rest[4 * p + k];
                inverse[4 * i + k] -= factor * inverse[4 * p + k];
            }
        }
    }
}

/// The first tetrahedron of every body gets a block.
static void couple(Model *model, MassBlock *blocks)
{
    uint32_t random = 11;
    ck_assert_int_eq(model->body_count, BLOCKS);
    for (int b = 0; b < BLOCKS; ++b) {
        const int32_t *nodes =
            model->groups[ELEMENT_TET].nodes + 4 * model->bodies[b].first_elements[ELEMENT_TET];
        MassBlock *block = &blocks[b];
        const double mass = model->masses[nodes[0]];
        memcpy(block->nodes, nodes, sizeof block->nodes);
        for (int i = 0; i < 4; ++i) {
            block->masses[5 * i] = mass * (1 + 0.4 * i);
            for (int j = 0; j < i; ++j)
                block->masses[4 * i + j] = block->masses[4 * j + i] = 0.3 * mass * noise_of(&random);
        }
        invert(block->masses, block->inverses);
        for (int i = 0; i < 4; ++i) {
            model->masses[nodes[i]] = block->masses[5 * i];
            model->gravity_weights[nodes[i]] = 0;
            for (int j = 0; j < 4; ++j)
                model->gravity_weights[nodes[i]] += block->masses[4 * i + j];
        }
    }
    model->mass_blocks = blocks;
    model->mass_block_count = BLOCKS;
}

static void start(const DeviceChoice *choice, MassBlock *blocks, Simulation *simulation)
{
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "masses", scene, strlen(scene), 0, NULL, &simulation->arena,
                                   &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    couple(&simulation->model, blocks);
    ASSERT_OK(context, shared_gpu_start(simulation, choice));
}

static Pair *pair_of(bool f64)
{
    Pair *pair = &pairs[f64];
    if (pair->size > 0)
        return pair;
    start(&(DeviceChoice){"cpu", NULL}, pair->blocks[0], &pair->cpu);
    leave_out_factor(pair->cpu.device);
    start(&(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, pair->blocks[1], &pair->gpu);
    pair->f64 = f64;
    pair->size = 3 * (size_t)pair->cpu.model.node_count;
    return pair;
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
    const Stage stage = {.a = 0.01, .time = 0.005};
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

static double largest(const double *values, size_t count)
{
    double size = 0;
    for (size_t i = 0; i < count; ++i)
        size = fmax(size, fabs(values[i]));
    return size;
}

/// |a - b| over a size, both arrays of `count`.
static void check_values(const char *what, const double *a, const double *b, size_t count, double allowed)
{
    const double size = largest(a, count), off = largest_difference(a, b, count);
    printf("  %s off by %.1e of %.3e\n", what, off / size, size);
    ck_assert_double_gt(size, 0);
    ck_assert_msg(off <= allowed * size, "%s: off by %g of %g, expected at most %g", what, off, size,
                  allowed);
}

START_TEST(same_acceleration)
{
    Pair *pair = pair_of(_i == 1);
    write_states(pair);
    ASSERT_OK(context, device_acceleration(pair->cpu.device, SLOT_NEXT_VELOCITY, SLOT_POSITION, 0));
    ASSERT_OK(context, device_acceleration(pair->gpu.device, SLOT_NEXT_VELOCITY, SLOT_POSITION, 0));
    check_values("acceleration", slot_values(&pair->cpu, SLOT_NEXT_VELOCITY),
                 slot_values(&pair->gpu, SLOT_NEXT_VELOCITY), pair->size, pair->f64 ? 1e-12 : 1e-5);
}
END_TEST

START_TEST(same_sums)
{
    Pair *pair = pair_of(_i == 1);
    const Model *model = &pair->cpu.model;
    write_states(pair);
    const Slot slots[2][2] = {{SLOT_VELOCITY, SLOT_VELOCITY}, {SLOT_STAGE, SLOT_VELOCITY}};
    double values[2][2], diagonal = 0;
    ASSERT_OK(context, device_mass_dot(pair->cpu.device, 2, slots, values[0]));
    ASSERT_OK(context, device_mass_dot(pair->gpu.device, 2, slots, values[1]));
    check_values("mass_dot", values[0], values[1], 2, 1e-12);
    for (size_t i = 0; i < pair->size; ++i)
        diagonal += model->node_is_free[i / 3] * model->masses[i / 3] * model->initial_velocities[i] *
                    model->initial_velocities[i];
    ck_assert_double_gt(fabs(values[0][0] - diagonal), 1e-3 * diagonal); // couplings count at all
    Diagnosis diagnosis[2];
    ASSERT_OK(context, device_diagnose(pair->cpu.device, SLOT_POSITION, SLOT_VELOCITY, 0, &diagnosis[0]));
    ASSERT_OK(context, device_diagnose(pair->gpu.device, SLOT_POSITION, SLOT_VELOCITY, 0, &diagnosis[1]));
    const Diagnosis *a = &diagnosis[0], *b = &diagnosis[1];
    check_values("kinetic", &a->kinetic, &b->kinetic, 1, 1e-12);
    check_values("gravitational", &a->gravitational, &b->gravitational, 1, 1e-12);
    check_values("momentum", a->linear_momentum, b->linear_momentum, 3, 1e-12);
    check_values("angular momentum", a->angular_momentum, b->angular_momentum, 3, 1e-12);
    check_values("centre", a->center, b->center, 3, 1e-12);
    check_values("contact", &a->contact, &b->contact, 1, pair->f64 ? 1e-12 : 1e-4);
}
END_TEST

START_TEST(same_direction)
{
    Pair *pair = pair_of(_i == 1);
    const NewtonSettings settings = {
        .linear_tolerance = pair->f64 ? 1e-13 : 1e-6, .linear_max_iterations = 1000, .project = true};
    NewtonDirection direction[2];
    NewtonTrials trials[2];
    write_states(pair);
    ASSERT_OK(context, device_newton_direction(pair->cpu.device, &settings, &direction[0]));
    ASSERT_OK(context, device_newton_direction(pair->gpu.device, &settings, &direction[1]));
    const double iterations = direction[0].linear_iterations,
                 allowed = pair->f64 ? 1e-10 : 2 * 0x1p-24 * iterations * iterations;
    printf("%s: %d and %d iterations\n", pair->f64 ? "double" : "float", direction[0].linear_iterations,
           direction[1].linear_iterations);
    // Measured by the preconditioner, which knows bodies with coupled masses whole on the CPU alone.
    ck_assert_double_le(fabs(direction[0].gradient - direction[1].gradient), 0.5 * direction[0].gradient);
    check_values("slope", &direction[0].slope, &direction[1].slope, 1, allowed);
    ASSERT_OK(context, device_newton_trials(pair->cpu.device, 0, &trials[0]));
    ASSERT_OK(context, device_newton_trials(pair->gpu.device, 0, &trials[1]));
    ck_assert_double_le(fabs(trials[0].longest - trials[1].longest), pair->f64 ? 0 : 2e-3);
    const double noise = fmax(trials[0].noise[0], trials[1].noise[0]),
                 off = fabs(trials[0].difference[0] - trials[1].difference[0]);
    printf("  difference off by %.1e of the slope, noise %.1e\n", off / fabs(direction[0].slope),
           noise / fabs(direction[0].slope));
    ck_assert_double_le(off, allowed * fabs(direction[0].slope) + noise);
    ck_assert_double_le(fabs(trials[0].slope[0] - trials[1].slope[0]), allowed * fabs(direction[0].slope));
    ASSERT_OK(context, device_newton_accept(pair->cpu.device, 1));
    ASSERT_OK(context, device_newton_accept(pair->gpu.device, 1));
    const double *x[2] = {slot_values(&pair->cpu, SLOT_STAGE), slot_values(&pair->gpu, SLOT_STAGE)};
    ck_assert_double_le(largest_difference(x[0], x[1], pair->size), allowed * direction[0].largest);
}
END_TEST

/// A whole step, whose end follows from the stage's acceleration.
START_TEST(same_step)
{
    Pair *pair = pair_of(_i == 1);
    const Model *model = &pair->cpu.model;
    Simulation *const both[2] = {&pair->cpu, &pair->gpu};
    for (int k = 0; k < 2; ++k) {
        both[k]->integrator.state = (IntegratorState){0};
        both[k]->step = 0;
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_POSITION, model->initial_positions));
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_VELOCITY, model->initial_velocities));
        step_once(both[k]);
    }
    check_values("positions", slot_values(both[0], SLOT_POSITION), slot_values(both[1], SLOT_POSITION),
                 pair->size, pair->f64 ? 1e-8 : 1e-5);
    check_values("velocities", slot_values(both[0], SLOT_VELOCITY), slot_values(both[1], SLOT_VELOCITY),
                 pair->size, pair->f64 ? 1e-6 : 1e-3);
}
END_TEST

static void destroy_pairs(void)
{
    for (int k = 0; k < 2; ++k) {
        simulation_destroy(&pairs[k].gpu);
        simulation_destroy(&pairs[k].cpu);
    }
}

Suite *masses_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("coupled masses on Vulkan against the CPU");
    TCase *tests = tcase_create("parity");
    tcase_add_unchecked_fixture(tests, NULL, destroy_pairs);
    const int precisions = vulkan->float64 ? 2 : 1;
    tcase_add_loop_test(tests, same_acceleration, 0, precisions);
    tcase_add_loop_test(tests, same_sums, 0, precisions);
    tcase_add_loop_test(tests, same_direction, 0, precisions);
    tcase_add_loop_test(tests, same_step, 0, precisions);
    suite_add_tcase(suite, tests);
    return suite;
}
