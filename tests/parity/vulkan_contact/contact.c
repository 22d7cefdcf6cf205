// Barrier contact and friction on the Vulkan device against the CPU path: every step starts from the CPU's state. And what concerns the
// device alone: same bytes, whatever room its lists begin with, and after a resume.
#include "device/vulkan/contact/contact.h"
#include "device/vulkan/contact/broad_phase.h"
#include "device/vulkan/recording.h"
#include "gpu/memory.h"
#include "gpu/transfer.h"
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

#define HEAD                                                                                                 \
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1},"                                          \
    "\"materials\": {\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5,"     \
    "\"poissons_ratio\": 0.3}, \"steel\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e6," \
    "\"poissons_ratio\": 0.3}},"
#define FLOOR                                                                                                \
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}]"
#define BOX(name, at, velocity)                                                                              \
    "{\"name\": \"" name "\", \"type\": \"solid\", \"material\": \"soft\", \"translate\": " at               \
    ", \"velocity\": " velocity                                                                              \
    ", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}}"
#define BARRIER(more) "\"contact\": {\"model\": \"barrier\", \"distance\": 0.002" more "},"

static const LockstepCase cases[] = {
    {"boxes that rub on each other and on a floor",
     HEAD BARRIER(", \"friction\": 0.4") "\"integrator\": {\"type\": \"bdf2\"}, \"bodies\": [" BOX(
         "lower", "[0, 0.0515, 0]", "[0.3, -0.5, 0]") "," BOX("upper", "[0.03, 0.153, 0.02]",
                                                              "[-0.5, -1, 0.2]") "]," FLOOR "}",
     4},
    {"boxes edge on edge, semi-implicit friction",
     HEAD BARRIER(
         ", \"friction\": 0.3, \"friction_model\": \"semi_implicit\"") "\"integrator\": {\"type\": \"a_search\"}, \"gravity\": [0, 0, 0], \"bodies\": ["
                                                                       "{\"name\": \"lower\", \"type\": \"solid\", \"material\": \"soft\", \"rotate\": {\"axis\": [0, 0, 1], \"degrees\": 45},"
                                                                       "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}},"
                                                                       "{\"name\": \"upper\", \"type\": \"solid\", \"material\": \"soft\", \"translate\": [0.01, 0.143, 0.01],"
                                                                       "\"velocity\": [0.2, -1, 0], \"rotate\": {\"axis\": [1, 0, 0.1], \"degrees\": 44},"
                                                                       "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}}]}",
     4},
    {"affine boxes, a cable, a solid, a turning sphere",
     HEAD BARRIER(
         ", \"friction\": 0.3, \"stiffness\": 2000") "\"integrator\": {\"type\": \"implicit_euler\"}, \"bodies\": ["
                                                     "{\"name\": \"die\", \"type\": \"affine\", \"material\": \"soft\", \"translate\": [0, 0.052, 0], \"velocity\": [0, -0.5, 0],"
                                                     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}},"
                                                     "{\"name\": \"other\", \"type\": \"affine\", \"material\": \"soft\", \"translate\": [0.02, 0.1545, 0.01], \"velocity\": [0, -1, 0],"
                                                     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}},"
                                                     "{\"name\": \"rope\", \"type\": \"cable\", \"material\": \"steel\", \"radius\": 0.004, \"velocity\": [0, -1, 0],"
                                                     "\"geometry\": {\"cable\": {\"from\": [-0.1, 0.216, 0.01], \"to\": [0.13, 0.216, 0.03], \"segments\": 8}}}," BOX(
                                                         "soft", "[0.3, 0.0513, 0]",
                                                         "[0, -0.2, 0]") "],"
                                                                         "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}},"
                                                                         "{\"name\": \"ball\", \"sphere\": {\"center\": [0.3, 0.1536, 0], \"radius\": 0.05},"
                                                                         "\"motion\": [{\"time\": 0}, {\"time\": 1, \"rotate\": {\"axis\": [0, 0, 1], \"degrees\": 90}, "
                                                                         "\"translate\": [0, -0.02, 0]}]}]}",
     3},
    {"a ring on a floor that moves and tilts",
     HEAD BARRIER(
         ", \"self\": true") "\"integrator\": {\"type\": \"tr_bdf2\"}, \"bodies\": ["
                             "{\"name\": \"ring\", \"type\": \"solid\", \"material\": \"soft\", \"translate\": [0, 0.0315, 0],"
                             "\"geometry\": {\"torus\": {\"radius\": 0.1, \"tube\": 0.03, \"resolution\": 2}}, \"velocity\": [0, -0.05, 0]}],"
                             "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]},"
                             "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 0.2, 0], \"rotate\": {\"axis\": [1, 0, 0], \"degrees\": 10}}]}]}",
     3},
};

#define SOLVER_F32 "{\"type\": \"newton\", \"tolerance\": 1e-4, \"linear\": {\"tolerance\": 1e-3}}"
#define SOLVER_F64 "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-8}}"

START_TEST(single_precision)
{
    ck_assert(lockstep(context, &cases[_i], SOLVER_F32, "f32", 1e-5));
}
END_TEST

START_TEST(double_precision)
{
    ck_assert(lockstep(context, &cases[_i], SOLVER_F64, "f64", 1e-8));
}
END_TEST

/// What contact does along a direction, which ends stages (NewtonTrials), where it relaxes after the case's steps.
START_TEST(same_contact_work)
{
    static const int touching[] = {0, 2}; // then
    const LockstepCase *example = &cases[touching[_i / 2]];
    const bool f64 = _i % 2;
    const DeviceChoice choices[] = {{"cpu", NULL}, {"vulkan", f64 ? "f64" : "f32"}};
    const NewtonSettings settings = {
        .linear_tolerance = f64 ? 1e-10 : 1e-6, .linear_max_iterations = 1000, .project = true};
    const Slot slots[] = {SLOT_STAGE, SLOT_TARGET, SLOT_BASE_POSITION};
    Simulation simulations[2];
    NewtonTrials trials[2];
    NewtonDirection direction;
    double *x = NULL;
    for (int k = 0; k < 2; ++k) {
        Simulation *simulation = &simulations[k];
        lockstep_start(context, example, f64 ? SOLVER_F64 : SOLVER_F32, &choices[k], simulation);
        for (int step = 0; k == 0 && step < example->steps; ++step) {
            StepReport report;
            ASSERT_OK(context, simulation_step(simulation, &report));
        }
        if (!x) {
            x = calloc(3 * (size_t)simulation->model.node_count, sizeof *x);
            ASSERT_OK(context, device_state_read(simulation->device, SLOT_POSITION, x));
        }
        for (int s = 0; s < 3; ++s)
            ASSERT_OK(context, device_state_write(simulation->device, slots[s], x));
        const double time = (double)simulations[0].step * simulation->scene.step;
        ASSERT_OK(context, device_stage_set(simulation->device, &(Stage){.a = 0.01, .time = time}));
        ASSERT_OK(context, device_newton_direction(simulation->device, &settings, &direction));
        ASSERT_OK(context, device_newton_trials(simulation->device, 0, &trials[k]));
    }
    const double work = trials[0].contact_work, allowed = f64 ? 1e-8 : 1e-3;
    printf("%s, %s: %g J, off by %.1e\n", choices[1].precision, example->name, work,
           fabs(work - trials[1].contact_work) / work);
    ck_assert_double_gt(work, 0);
    ck_assert_double_eq_tol(trials[0].longest, trials[1].longest, allowed);
    ck_assert_double_eq_tol(work, trials[1].contact_work, allowed * work);
    free(x);
    for (int k = 0; k < 2; ++k)
        simulation_destroy(&simulations[k]);
}
END_TEST

static const char *const integrators[] = {"implicit_euler", "bdf2",        "tr_bdf2",           "sdirk2",
                                          "trapezoidal",    "variational", "implicit_midpoint", "a1",
                                          "a_search",       "blending"};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

/// Hard into contact, and solved more exactly: `variational` forms velocities from forces, `trapezoidal` from twice the way. rk4,
/// which is explicit, would hardly move a body at a step that is small enough.
START_TEST(every_integrator)
{
    const char *name = integrators[_i];
    char scene[2000];
    snprintf(scene, sizeof scene,
             HEAD BARRIER(", \"friction\": 0.4") "\"integrator\": {\"type\": \"%s\"}, \"bodies\": [" BOX(
                 "lower", "[0, 0.0519, 0]", "[0.3, -0.5, 0]") "]," FLOOR "}",
             name);
    ck_assert(lockstep(context, &(LockstepCase){name, scene, 2},
                       "{\"type\": \"newton\", \"tolerance\": 1e-5}", "f32", 2e-5));
}
END_TEST

static double *state_after(Simulation *simulation, int steps)
{
    for (int i = 0; i < steps; ++i) {
        StepReport report;
        ASSERT_OK(context, simulation_step(simulation, &report));
    }
    double *state = calloc(simulation_state_size(simulation), sizeof *state);
    ASSERT_OK(context, simulation_state_read(simulation, state));
    return state;
}

/// Lists so short that all of them have to grow.
static void take_room(Simulation *simulation)
{
    VulkanDevice *device = (VulkanDevice *)simulation->device;
    device->contact->rooms = (ContactRooms){3, 5, 40, 9, 1};
    device->broad_phase->push.raw_capacity = 20;
    device->broad_phase->push.candidate_capacity = 10;
}

START_TEST(same_bytes_whatever_the_room)
{
    const DeviceChoice choice = {"vulkan", "f32"};
    Simulation whole, other, resumed;
    lockstep_start(context, &cases[0], SOLVER_F32, &choice, &whole);
    double *middle = state_after(&whole, 2), *end = state_after(&whole, 1);
    const size_t bytes = simulation_state_size(&whole) * sizeof *end;
    lockstep_start(context, &cases[0], SOLVER_F32, &choice, &other);
    take_room(&other);
    double *grown = state_after(&other, 3);
    ck_assert_int_gt(((VulkanDevice *)other.device)->contact->regrowths, 2);
    ck_assert_mem_eq(end, grown, bytes);
    lockstep_start(context, &cases[0], SOLVER_F32, &choice, &resumed);
    ASSERT_OK(context, simulation_state_write(&resumed, middle, 2));
    double *again = state_after(&resumed, 1);
    ck_assert_mem_eq(end, again, bytes);
    free(middle);
    free(end);
    free(grown);
    free(again);
    simulation_destroy(&resumed);
    simulation_destroy(&other);
    simulation_destroy(&whole);
}
END_TEST

/// Buffers, and the bytes of them that there is room for.
typedef struct Reach {
    int buffer;
    uint64_t bytes;
} Reach;

enum { MARK = 0x5a5a5a5a, ROOMS = 4 };

static void mark(VulkanDevice *device, const Reach *reach)
{
    GpuCommands *commands;
    ASSERT_OK(context, vulkan_open(device, &commands));
    gpu_fill(commands, vulkan_buffer(device, reach->buffer), 0, 0, MARK);
    gpu_barrier(commands);
}

static void assert_marked_beyond(VulkanDevice *device, const Reach *reach, int room)
{
    const uint64_t size = vulkan_buffer(device, reach->buffer)->size;
    ck_assert_uint_gt(size, reach->bytes);
    uint32_t *words = calloc(size / 4, 4);
    ASSERT_OK(context, gpu_download(device->gpu, vulkan_buffer(device, reach->buffer), 0, words, size));
    for (uint64_t i = reach->bytes / 4; i < size / 4; ++i)
        ck_assert_msg(words[i] == MARK, "room %d: %s: byte %llu of %llu was written, there is room for %llu",
                      room, vulkan_buffer(device, reach->buffer)->name, (unsigned long long)(4 * i),
                      (unsigned long long)size, (unsigned long long)reach->bytes);
    free(words);
}

/// Lists that do not fit are found again with more room; until then nothing is written behind them.
START_TEST(nothing_beyond_the_room)
{
    const DeviceChoice choice = {"vulkan", "f32"};
    Simulation simulation;
    lockstep_start(context, &cases[2], SOLVER_F32, &choice, &simulation);
    free(state_after(&simulation, 2));
    VulkanDevice *device = (VulkanDevice *)simulation.device;
    ContactRooms *rooms = &device->contact->rooms;
    const uint32_t small = 5;
    *(_i == 0   ? &rooms->pairs
      : _i == 1 ? &rooms->friction
      : _i == 2 ? &rooms->entries
                : &rooms->blocks) = small;
    const uint64_t pairs = rooms->pairs, entries = rooms->entries, blocks = rooms->blocks;
    const Reach reaches[] = {
        {BUFFER_ACTIVE, 4 * pairs},
        {BUFFER_PAIR_CORNERS, 4 * PAIR_CORNERS * pairs},
        {BUFFER_PAIRS, 3 * sizeof(float) * PAIR_DATA * pairs},
        {BUFFER_PAIR_NODES, 4 * PAIR_NODES * pairs},
        {BUFFER_ENTRY_COUNTS, 4 * pairs},
        {BUFFER_FRICTION_VERTICES, 4 * FRICTION_VERTICES * (uint64_t)rooms->friction},
        {BUFFER_FRICTION, sizeof(float) * FRICTION_DATA * (uint64_t)rooms->friction},
        {BUFFER_ENTRY_KEYS, 8 * entries},
        {BUFFER_OTHER_ENTRY_KEYS, 8 * entries},
        {BUFFER_SOURCES, 4 * entries},
        {BUFFER_OTHER_SOURCES, 4 * entries},
        {BUFFER_HEADS, 4 * entries},
        {BUFFER_BLOCK_STARTS, 4 * (blocks + 1)},
        {BUFFER_CHANGING_COLUMNS, 8 * blocks},
        {BUFFER_CHANGING_BLOCKS, 9 * sizeof(float) * blocks},
    };
    enum { REACHES = sizeof reaches / sizeof *reaches };
    for (int r = 0; r < REACHES; ++r)
        mark(device, &reaches[r]);
    contact_stage_set(device);
    ASSERT_OK(context, contact_begin_stage(device));
    ASSERT_OK(context, contact_linearize(device));
    ASSERT_OK(context, vulkan_finish(device));
    int held = 0;
    for (int r = 0; r < REACHES; ++r)
        if (vulkan_buffer(device, reaches[r].buffer)->size > reaches[r].bytes) {
            assert_marked_beyond(device, &reaches[r], _i);
            ++held;
        }
    ck_assert_int_gt(held, 0);
    simulation_destroy(&simulation);
}
END_TEST

Suite *contact_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("contact on Vulkan");
    TCase *tests = tcase_create("contact");
    const int count = sizeof cases / sizeof *cases;
    for (int i = 0; i < count; ++i)
        if (vulkan_test_runs(vulkan, i, false))
            tcase_add_loop_test(tests, single_precision, i, i + 1);
    for (int i = 0; i < 4; ++i)
        if (vulkan_test_runs(vulkan, i / 2, i % 2 == 1))
            tcase_add_loop_test(tests, same_contact_work, i, i + 1);
    tcase_add_test(tests, same_bytes_whatever_the_room);
    for (int i = 0; i < ROOMS; ++i)
        if (vulkan_test_repeats(vulkan, i))
            tcase_add_loop_test(tests, nothing_beyond_the_room, i, i + 1);
    for (int i = 0; i < count; ++i)
        if (vulkan_test_runs(vulkan, i, true))
            tcase_add_loop_test(tests, double_precision, i, i + 1);
    suite_add_tcase(suite, tests);
    TCase *each = tcase_create("integrators");
    if (vulkan->float64 || vulkan->whole) // what an integrator asks of a device does not depend on the driver
        tcase_add_loop_test(each, every_integrator, 0, INTEGRATORS);
    suite_add_tcase(suite, each);
    return suite;
}
