// What a device takes in one dispatch, and what is left of a step when the device is lost.
#include "device/vulkan/vulkan.h"
#include "device/vulkan/vulkan_device.h"
#include "gpu/open.h"
#include "model/build.h"
#include "parity/vulkan_fixture.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <string.h>

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "
    "0.3},"
    "\"stiff\": {\"model\": \"symmetric_gradient\", \"density\": 1000, \"kappa\": 5e5}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"velocity\": [0, -2, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.3, 0.1, 0.1], \"cells\": [6, 3, 3]}}},"
    "{\"name\": \"b\", \"type\": \"solid\", \"material\": \"stiff\", \"translate\": [1, 0, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [3, 3, 3]}},"
    "\"pins\": [{\"select\": {\"box\": [[0.85, -1, -1], [0.91, 1, 1]]}}]}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 200},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.05, 0], \"normal\": [0, 1, 0]}}]}";

static const char *const solvers[] = {
    "solver={\"type\": \"admm\"}", "solver={\"type\": \"newton\"}",
    "solver={\"type\": \"newton\", \"linear\": {\"preconditioner\": \"block_jacobi\"}}"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static VelaContext *context;
static GpuInstance *instance;

typedef struct Run {
    GpuDevice *gpu;
    Simulation simulation;
} Run;

/// As simulation_start, on a device that takes so many workgroups in a row (0: as many as it can).
static void start(Run *run, const char *override, uint32_t groups_in_row)
{
    GpuDeviceDef def = gpu_default_device_def();
    def.groups_in_row = groups_in_row;
    Simulation *simulation = &run->simulation;
    int32_t index;
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "limits", scene, strlen(scene), 1, &override, &simulation->arena,
                                   &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context, gpu_instance_choose(instance, "vulkan", &index));
    ASSERT_OK(context, gpu_device_create(instance, index, &def, &run->gpu));
    const Model *model = &simulation->model;
    ASSERT_OK(context, vulkan_device_create(context, run->gpu, model, false, &simulation->device));
    Integrator *integrator = &simulation->integrator;
    *integrator = (Integrator){.device = simulation->device, .scene = &simulation->scene};
    ASSERT_OK(context, ARENA_ARRAY(&simulation->arena, integrator->pins,
                                   6 * (size_t)model_prescribed_count(&simulation->model)));
    ASSERT_OK(context, device_state_write(simulation->device, SLOT_POSITION, model->initial_positions));
    ASSERT_OK(context, device_state_write(simulation->device, SLOT_STAGE, model->initial_positions));
    ASSERT_OK(context, device_state_write(simulation->device, SLOT_VELOCITY, model->initial_velocities));
}

static void end(Run *run)
{
    simulation_destroy(&run->simulation);
    gpu_device_destroy(run->gpu);
}

/// Two steps, and all that only some of them need; the whole state afterwards.
static double *state_after(const char *solver, uint32_t groups_in_row, size_t *size)
{
    Run run;
    StepReport report;
    start(&run, solver, groups_in_row);
    Simulation *simulation = &run.simulation;
    ASSERT_OK(context, simulation_step(simulation, &report));
    if (simulation->scene.solver.type == SOLVER_ADMM)
        ASSERT_OK(context, device_admm_scale_penalty(simulation->device, 2));
    ASSERT_OK(context, simulation_step(simulation, &report));
    *size = simulation_state_size(simulation);
    const Diagnosis *sums = &simulation->diagnosis;
    const double extra[] = {diagnosis_total(sums), sums->min_det_f, sums->angular_momentum[2]};
    double *state = calloc(*size + sizeof extra / sizeof *extra, sizeof *state);
    ASSERT_OK(context, simulation_state_read(simulation, state));
    memcpy(state + *size, extra, sizeof extra);
    *size += sizeof extra / sizeof *extra;
    end(&run);
    return state;
}

START_TEST(long_dispatches_have_rows)
{
    size_t size, same;
    double *whole = state_after(solvers[_i], 0, &size);
    static const uint32_t limits[] = {64, 2};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
        double *rows = state_after(solvers[_i], limits[i], &same);
        ck_assert_uint_eq(size, same);
        for (size_t k = 0; k < size; ++k)
            ck_assert_msg(memcmp(&whole[k], &rows[k], sizeof *whole) == 0,
                          "rows of %u: number %zu of %zu is %.17g, expected %.17g", limits[i], k, size,
                          rows[k], whole[k]);
        free(rows);
    }
    free(whole);
}
END_TEST

// More elements than SUM_GROUPS_MOST workgroups have invocations: a workgroup to spare would count some of them twice.
START_TEST(sums_count_everything_once)
{
    static const char large[] =
        "bodies=[{\"material\": \"soft\", \"twist\": {\"axis\": [1, 0, 0], \"degrees\": 20}, "
        "\"geometry\": {\"box\": {\"size\": [0.3, 0.1, 0.1], \"cells\": [18, 18, 18]}}}]";
    AdmmReport reports[2];
    static const uint32_t limits[] = {0, 100};
    for (int i = 0; i < 2; ++i) {
        Run run;
        start(&run, large, limits[i]);
        Device *device = run.simulation.device;
        ck_assert_int_gt(run.simulation.model.element_count, SUM_GROUPS_MOST * GROUP_ELEMENTS);
        const AdmmSettings settings = {.tolerance = 1e-5, .penalty = 1, .depth = 5};
        ASSERT_OK(context, device_state_write(device, SLOT_TARGET, run.simulation.model.initial_positions));
        ASSERT_OK(context, device_stage_set(device, &(Stage){.a = 0.01}));
        ASSERT_OK(context, device_admm_begin(device, &settings));
        ASSERT_OK(context, device_admm_iterate(device, 2, &reports[i]));
        end(&run);
    }
    ck_assert_double_gt(reports[0].dual, 0);
    ck_assert(reports[0].primal == reports[1].primal && reports[0].dual == reports[1].dual);
    ck_assert(reports[0].primal_bound == reports[1].primal_bound);
    ck_assert(reports[0].dual_difference == reports[1].dual_difference);
    ck_assert_int_eq(reports[0].linear_iterations, reports[1].linear_iterations);
}
END_TEST

static int submissions_left, submissions_lost;
static PFN_vkQueueSubmit submit;

static VKAPI_ATTR VkResult VKAPI_CALL submit_or_lose(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                                     VkFence fence)
{
    if (submissions_left-- > 0)
        return submit(queue, count, infos, fence);
    ++submissions_lost;
    return VK_ERROR_DEVICE_LOST;
}

// At every place of a step: an error that names the step and what to do, errors from then on, and nothing hangs or breaks.
START_TEST(a_lost_device_is_an_error)
{
    int lost = 0;
    for (int after = 0; after < 200; after = 2 * after + 1) {
        Run run;
        StepReport report;
        start(&run, solvers[_i], 0);
        submit = run.gpu->vk.QueueSubmit;
        run.gpu->vk.QueueSubmit = submit_or_lose;
        submissions_left = after;
        submissions_lost = 0;
        const VelaResult result = simulation_step(&run.simulation, &report);
        if (result == VELA_OK) {
            end(&run);
            break;
        }
        ++lost;
        ck_assert_int_eq(result, VELA_ERROR_DEVICE);
        ck_assert(strstr(vela_context_message(context), "step 1"));
        ck_assert(strstr(vela_context_message(context), "was lost"));
        ck_assert_int_eq(run.simulation.step, 0);
        double *state = calloc(simulation_state_size(&run.simulation), sizeof *state);
        ck_assert_int_eq(simulation_state_read(&run.simulation, state), VELA_ERROR_DEVICE);
        ck_assert_int_eq(simulation_step(&run.simulation, &report), VELA_ERROR_DEVICE);
        ck_assert_int_eq(submissions_lost, 1); // the driver is left alone from then on
        free(state);
        end(&run);
    }
    ck_assert_int_ge(lost, 3);
}
END_TEST

// Of two million tetrahedra in contact, on cards that are not here: what they need is planned without them.
START_TEST(large_scenes_fit_large_cards)
{
    static const char large[] =
        "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {\"m\": {\"model\": "
        "\"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": "
        "[{\"material\": \"m\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [70, 70, 69]}}}], "
        "\"contact\": {\"model\": \"barrier\", \"distance\": 0.001}, \"obstacles\": [{\"plane\": {\"point\": [0, -0.6, "
        "0], \"normal\": [0, 1, 0]}}]}";
    const GpuDeviceInfo card = {
        .name = "card", .memory = 24ull << 30, .binding = 1ull << 30, .float64 = true};
    GpuDeviceInfo small = card, narrow = card, single = card;
    small.memory = 1ull << 30;
    narrow.binding = GPU_BINDING_LEAST;
    single.float64 = false;
    Arena arena = arena_make(context);
    SceneDef def;
    Model model;
    ASSERT_OK(context, scene_parse(context, "large", large, strlen(large), 0, NULL, &arena, &def));
    ASSERT_OK(context, model_build(context, &def, &arena, &model));
    ck_assert_int_gt(model.element_count, 2000000);
    printf("%d elements: %.2f GiB in f32, %.2f in f64\n", model.element_count,
           (double)vulkan_device_memory(&model, false) * 0x1p-30,
           (double)vulkan_device_memory(&model, true) * 0x1p-30);
    ASSERT_OK(context, vulkan_device_fits(context, &model, false, &card));
    ASSERT_OK(context, vulkan_device_fits(context, &model, true, &card));
    ck_assert_int_eq(vulkan_device_fits(context, &model, false, &small), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "at most the 1024.0 MiB it has"));
    ck_assert_int_eq(vulkan_device_fits(context, &model, false, &narrow), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "for \"contributions' starts\" on card"));
    ASSERT_OK(context, vulkan_device_fits(context, &model, false, &single));
    ck_assert_int_eq(vulkan_device_fits(context, &model, true, &single), VELA_ERROR_UNSUPPORTED);
    arena_clear(&arena);
}
END_TEST

/// What a device does not have is refused by its name, before anything is made.
START_TEST(what_is_missing_is_named)
{
    static const struct {
        const char *override, *name;
        int solver;
    } cases[] = {
        {"materials.soft.damping=[{\"type\": \"rayleigh\", \"correction\": \"rigid_velocity\"}]", NULL, 1},
        {"materials.soft.damping=[{\"type\": \"rayleigh\", \"form\": \"implicit\"}]", NULL, 1},
        {"materials.soft.damping=[{\"type\": \"rayleigh\", \"time\": 1}]", NULL, 1},
        {"materials.soft.damping=[{\"type\": \"rayleigh\", \"time\": 1}]", NULL, 0},
        {"air={\"drag\": 1}", NULL, 1},
        {"materials.soft.damping=[{\"type\": \"rayleigh\", \"correction\": \"rigid_velocity\"}]", NULL, 0},
        {"materials.soft.damping=[{\"type\": \"rayleigh\", \"form\": \"implicit\"}]", NULL, 0},
        {"air={\"drag\": 1}", NULL, 0},
        {"materials.soft.damping=[{\"type\": \"power_law\", \"coefficient\": 1, \"exponent\": 1}]", NULL, 1},
    };
    const GpuDeviceInfo card = {
        .name = "a card", .float64 = true, .memory = (uint64_t)1 << 34, .binding = UINT32_MAX};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        Arena arena = arena_make(context);
        SceneDef def;
        Model model;
        const char *overrides[] = {solvers[cases[k].solver], cases[k].override};
        ASSERT_OK(context, scene_parse(context, "limits", scene, strlen(scene), 2, overrides, &arena, &def));
        ASSERT_OK(context, model_build(context, &def, &arena, &model));
        const VelaResult result = vulkan_device_fits(context, &model, false, &card);
        ck_assert_int_eq(result, cases[k].name ? VELA_ERROR_UNSUPPORTED : VELA_OK);
        if (cases[k].name)
            ck_assert_ptr_nonnull(strstr(vela_context_message(context), cases[k].name));
        arena_clear(&arena);
    }
}
END_TEST

int main(void)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    context = vulkan.context;
    const GpuInstanceDef def = gpu_default_instance_def();
    if (gpu_instance_create(context, &def, &instance) != VELA_OK)
        return TEST_BROKEN;
    Suite *suite = suite_create("limits of a device");
    TCase *tests = tcase_create("limits");
    tcase_add_loop_test(tests, long_dispatches_have_rows, 0, SOLVERS);
    tcase_add_test(tests, sums_count_everything_once);
    tcase_add_test(tests, large_scenes_fit_large_cards);
    tcase_add_test(tests, what_is_missing_is_named);
    tcase_add_loop_test(tests, a_lost_device_is_an_error, 0, 2);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    gpu_instance_destroy(instance);
    vela_context_destroy(context);
    return failed;
}
