// Same device, same scene: same bytes, however the work was cut into submissions, and also after a resume.
#include "device/vulkan/vulkan.h"
#include "device/vulkan/vulkan_device.h"
#include "gpu/open.h"
#include "model/build.h"
#include "parity/shared_gpu.h"
#include "parity/vulkan_fixture.h"
#include "scene/parse.h"
#include "sim/simulation.h"

#include <string.h>

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "
    "0.3},"
    "\"stiff\": {\"model\": \"symmetric_gradient\", \"density\": 1000, \"kappa\": 5e5}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"velocity\": [0, -2, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.3, 0.1, 0.1], \"cells\": [6, 2, 2]}}},"
    "{\"name\": \"b\", \"type\": \"solid\", \"material\": \"stiff\", \"translate\": [1, 0, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [4, 2, 2]}},"
    "\"pins\": [{\"select\": {\"box\": [[0.85, -1, -1], [0.91, 1, 1]]}}]}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 200},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.05, 0], \"normal\": [0, 1, 0]}}]}";

static VelaContext *context;

static const char *const solvers[] = {"solver.type=admm", "solver.type=newton"};

static void start(Simulation *simulation, const char *solver)
{
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "repeat", scene, strlen(scene), 1, &solver, &simulation->arena,
                                   &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context, shared_gpu_start(simulation, &(DeviceChoice){"vulkan", "f32"}));
}

static void step(Simulation *simulation, int count)
{
    for (int i = 0; i < count; ++i) {
        StepReport report;
        ASSERT_OK(context, simulation_step(simulation, &report));
    }
}

static double *state_of(Simulation *simulation)
{
    double *state = calloc(simulation_state_size(simulation), sizeof *state);
    ASSERT_OK(context, simulation_state_read(simulation, state));
    return state;
}

/// The first submission of the step is too short for one solve, which goes on in the next; and a device that takes a second
/// for an iteration gets the shortest recordings.
static void cut_next_step(Simulation *simulation)
{
    VulkanDevice *device = (VulkanDevice *)simulation->device;
    device->wanted_iterations = 1;
    device->wanted_cg_iterations = 0;
    device->solve_iterations[0] = device->solve_iterations[1] = 0;
    device->seconds_per_iteration = 1;
}

START_TEST(resumed_and_cut_otherwise)
{
    Simulation whole, other;
    start(&whole, solvers[_i]);
    step(&whole, 2);
    double *middle = state_of(&whole);
    step(&whole, 2);
    start(&other, solvers[_i]);
    ASSERT_OK(context, simulation_state_write(&other, middle, 2));
    for (int i = 0; i < 2; ++i) {
        cut_next_step(&other);
        step(&other, 1);
    }
    double *a = state_of(&whole), *b = state_of(&other);
    ck_assert_mem_eq(a, b, simulation_state_size(&whole) * sizeof *a);
    free(middle);
    free(a);
    free(b);
    simulation_destroy(&whole);
    simulation_destroy(&other);
}
END_TEST

// A device that lacks double precision, and one with little memory.
START_TEST(what_a_device_lacks_is_an_error)
{
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    GpuDeviceDef def = gpu_default_device_def();
    def.float64 = false;
    GpuInstance *instance;
    GpuDevice *gpu;
    int32_t index;
    ASSERT_OK(context, gpu_instance_create(context, &instance_def, &instance));
    ASSERT_OK(context, gpu_instance_choose(instance, "vulkan", &index));
    ASSERT_OK(context, gpu_device_create(instance, index, &def, &gpu));
    Simulation simulation;
    start(&simulation, solvers[0]);
    Device *device;
    ck_assert_int_eq(vulkan_device_create(context, gpu, &simulation.model, true, &device),
                     VELA_ERROR_UNSUPPORTED);
    ck_assert_ptr_null(device);
    ck_assert(strstr(vela_context_message(context), "--precision f32"));
    gpu->info.memory = vulkan_device_memory(&simulation.model, false) - 1;
    ck_assert_int_eq(vulkan_device_create(context, gpu, &simulation.model, false, &device),
                     VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_null(device);
    ck_assert(strstr(vela_context_message(context), "MiB on ") != NULL);
    ck_assert(strstr(vela_context_message(context), "run on the CPU") != NULL);
    simulation_destroy(&simulation);
    gpu_device_destroy(gpu);
    gpu_instance_destroy(instance);
}
END_TEST

int main(void)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    context = vulkan.context;
    Suite *suite = suite_create("same bytes");
    TCase *tests = tcase_create("repeat");
    tcase_add_loop_test(tests, resumed_and_cut_otherwise, 0, 2);
    tcase_add_test(tests, what_a_device_lacks_is_an_error);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite), messages = shared_gpu_close();
    vela_context_destroy(context);
    return failed || messages > 0;
}
