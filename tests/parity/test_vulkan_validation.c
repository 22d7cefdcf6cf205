// A short scene on the Vulkan device under the validation layer, synchronization included: not one message.
// Where the layer is on already (VK_INSTANCE_LAYERS), the programs of contact run under it as well (tools/test.sh): without contact, unless
// VELA_TEST_WHOLE is set.
// VELA_TEST_GPU_ASSISTED: once more with checks inside the shaders (the distribution's layer; a minute or two).
#define _POSIX_C_SOURCE 200809L
#include "check_main.h"
#include "gpu/commands.h"
#include "gpu/memory.h"
#include "gpu/open.h"
#include "model/build.h"
#include "parity/shared_gpu.h"
#include "scene/parse.h"
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "
    "0.3},"
    "\"stiff\": {\"model\": \"arap\", \"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0.3}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"velocity\": [0, -2, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [4, 2, 2]}}},"
    "{\"name\": \"b\", \"type\": \"solid\", \"material\": \"stiff\", \"translate\": [1, 0, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [4, 2, 2]}},"
    "\"pins\": [{\"select\": {\"nearest\": [1, 0.05, 0.05]}}]}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 200},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.05, 0], \"normal\": [0, 1, 0]}}],"
    "\"solver\": {\"type\": \"admm\"}}";

static const char touching[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "
    "0.3}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"velocity\": [0.2, -1, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}},"
    "{\"name\": \"b\", \"type\": \"affine\", \"material\": \"soft\", \"translate\": [0.02, 0.102, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}}],"
    "\"contact\": {\"model\": \"barrier\", \"distance\": 0.003, \"friction\": 0.3, \"self\": true},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.052, 0], \"normal\": [0, 1, 0]}}]}";

static const char sunk[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "
    "0.3}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"affine\", \"material\": \"soft\", \"stiffness\": 1e6,"
    "\"velocity\": [0, -1, 0], \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 200},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.045, 0], \"normal\": [0, 1, 0]}}]}";

static const char rubbing[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "
    "0.3}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"velocity\": [1, -1, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 200, \"friction\": 0.3},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.045, 0], \"normal\": [0, 1, 0]}},"
    "{\"name\": \"ball\", \"sphere\": {\"center\": [0.19, 0, 0], \"radius\": 0.1}, \"motion\": [{\"time\": 0},"
    "{\"time\": 1, \"translate\": [-1, 0, 0], \"rotate\": {\"axis\": [0, 0, 1], \"degrees\": 90}}]}]}";

static const char damped[] =
    "{\"version\": 1, \"air\": {\"drag\": 2, \"wind\": [1, 0, 0]}, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3,"
    "\"damping\": [{\"type\": \"strain_rate\", \"shear\": 300}, {\"type\": \"rayleigh\", \"time\": 0.01,"
    "\"mass\": 1}, {\"type\": \"rayleigh\", \"time\": 0.01, \"correction\": \"rigid_velocity\", \"form\": \"implicit\"},"
    "{\"type\": \"power_law\", \"coefficient\": 100, \"exponent\": 1.5,"
    "\"correction\": \"rigid_velocity\", \"form\": \"second_order\"},"
    "{\"type\": \"power_law\", \"coefficient\": 100, \"exponent\": 0.5}, {\"type\": \"spline\", \"time\": 0.01, \"points\": [[0.9, 2], [1.1, 1]]}]},"
    "\"plain\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"velocity\": [0.2, -1, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}},"
    "{\"name\": \"b\", \"type\": \"shell\", \"material\": \"soft\", \"thickness\": 0.004, \"translate\": [0, 1, 0],"
    "\"geometry\": {\"sheet\": {\"size\": [0.3, 0.2], \"cells\": [2, 2]}},"
    "\"pins\": [{\"select\": {\"nodes\": [0]}}]},"
    "{\"name\": \"c\", \"type\": \"affine\", \"material\": \"plain\", \"translate\": [0, -1, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}}]}";

static const char pressed[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3,"
    "\"damping\": [{\"type\": \"variational\", \"time\": 0.01}]}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"angular_velocity\": [0, 3, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}},"
    "{\"name\": \"b\", \"type\": \"shell\", \"material\": \"soft\", \"thickness\": 0.004, \"bending\": \"quadratic\", "
    "\"translate\": [0, 1, 0],"
    "\"geometry\": {\"sheet\": {\"size\": [0.3, 0.2], \"cells\": [2, 2]}},"
    "\"pins\": [{\"select\": {\"nodes\": [0]}}]}]}";
static const char alternating[] =
    "{\"version\": 1, \"air\": {\"drag\": 2, \"wind\": [1, 0, 0]}, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"soft\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3,"
    "\"damping\": [{\"type\": \"rayleigh\", \"time\": 0.01, \"mass\": 1}, {\"type\": \"power_law\","
    "\"coefficient\": 100, \"exponent\": 0.5}, {\"type\": \"rayleigh\", \"time\": 0.01, \"mass\": 1, "
    "\"correction\": \"rigid_velocity\", \"form\": \"implicit\"}]}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"material\": \"soft\", \"velocity\": [0.2, -1, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}},"
    "{\"name\": \"b\", \"type\": \"shell\", \"material\": \"soft\", \"thickness\": 0.004, \"bending\": "
    "\"quadratic\", \"geometry\": {\"sheet\": {\"size\": [0.3, 0.2], \"cells\": [2, 2]}},"
    "\"pins\": [{\"select\": {\"nodes\": [0]}}]},"
    "{\"name\": \"c\", \"type\": \"cable\", \"material\": \"soft\", \"radius\": 0.01,"
    "\"geometry\": {\"cable\": {\"from\": [0, 1, 0], \"to\": [0.5, 1, 0], \"segments\": 4}}}]}";

static const char held[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 1}, \"materials\": {"
    "\"firm\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"affine\", \"material\": \"firm\","
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}},"
    "{\"name\": \"b\", \"type\": \"shell\", \"material\": \"firm\", \"thickness\": 0.004, \"formulation\":"
    "\"constraint\", \"translate\": [0.25, 0, 0], \"geometry\": {\"sheet\": {\"size\": [0.3, 0.2], \"cells\": [2, 2]}}}],"
    "\"constraints\": [{\"type\": \"hinge\", \"between\": [\"a\", \"world\"], \"at\": [0, 0, 0], \"axis\": [0, 0, 1],"
    "\"limits_degrees\": [-1, 1]}, {\"type\": \"distance\", \"side\": \"at_most\", \"between\": [{\"body\": \"a\","
    "\"nearest\": [0.1, 0, 0]}, {\"body\": \"b\", \"node\": 0}]}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 200, \"friction\": 0.3},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.05, 0], \"normal\": [0, 1, 0]}}]}";

static int messages;

static void count_errors(void *user, VelaLogLevel level, const char *message)
{
    (void)user;
    if (level != VELA_LOG_ERROR)
        return;
    ++messages;
    fprintf(stderr, "%s\n", message);
}

static void run_scene(VelaContext *context, const char *text, const char *integrator, const char *solver,
                      const char *step_size)
{
    char overrides[3][128];
    snprintf(overrides[0], sizeof overrides[0], "integrator={\"type\": \"%s\"}", integrator);
    snprintf(overrides[1], sizeof overrides[1], "time.step=%s", step_size);
    snprintf(overrides[2], sizeof overrides[2], "solver=%s", solver);
    const char *list[] = {overrides[0], overrides[1], overrides[2]};
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "validation", text, strlen(text), 3, list, &simulation.arena,
                                   &simulation.scene));
    ASSERT_OK(context, model_build(context, &simulation.scene, &simulation.arena, &simulation.model));
    ASSERT_OK(context, shared_gpu_start(&simulation, &(DeviceChoice){"vulkan", "f32"}));
    double *state = malloc(simulation_state_size(&simulation) * sizeof *state);
    for (int step = 0; step < 2; ++step) {
        StepReport report;
        ASSERT_OK(context, simulation_step(&simulation, &report));
        ASSERT_OK(context, simulation_state_read(&simulation, state));
        ASSERT_OK(context, simulation_state_write(&simulation, state, simulation.step));
    }
    free(state);
    simulation_destroy(&simulation);
}

static void run(VelaContext *context, const char *integrator, const char *solver, const char *step_size)
{
    run_scene(context, scene, integrator, solver, step_size);
}

static VelaContext *context;

START_TEST(not_a_message_in_contact)
{
    static const char newton[] = "{\"type\": \"newton\", \"tolerance\": 1e-2}";
    run_scene(context, touching, "a_search", newton, "0.01");          // forces, what friction takes
    run_scene(context, touching, "implicit_midpoint", newton, "0.01"); // admissible ends of steps
    run_scene(context, sunk, "a_search", newton, "0.01");
    run_scene(context, sunk, "rk4", "{\"type\": \"admm\"}", "0.0001");
    run_scene(context, rubbing, "variational", newton, "0.01");
    run_scene(context, rubbing, "variational", "{\"type\": \"admm\"}", "0.01");
    ck_assert_int_eq(messages, 0);
}
END_TEST

START_TEST(not_a_message_with_damping)
{
    static const char newton[] = "{\"type\": \"newton\", \"tolerance\": 1e-2}";
    run_scene(context, damped, "tr_bdf2", newton, "0.01");
    run_scene(context, damped, "variational", newton, "0.01"); // momenta by every element's own force
    run_scene(context, damped, "rk4", newton, "0.0001");
    run_scene(context, damped, "rk4", "{\"type\": \"admm\"}", "0.0001");
    run_scene(context, pressed, "variational", newton, "0.01");
    run_scene(context, alternating, "tr_bdf2", "{\"type\": \"admm\", \"adapt_penalty\": true}", "0.01");
    run_scene(context, pressed, "variational", "{\"type\": \"admm\"}", "0.01");
    ck_assert_int_eq(messages, 0);
}
END_TEST

START_TEST(not_a_message_with_constraints)
{
    run_scene(context, held, "implicit_euler", "{\"type\": \"compliant\"}", "0.01");
    ck_assert_int_eq(messages, 0);
}
END_TEST

START_TEST(not_a_message)
{
    static const char admm[] = "{\"type\": \"admm\", \"tolerance\": 1e-5, \"adapt_penalty\": true}";
    static const char two_level[] =
        "{\"type\": \"admm\", \"tolerance\": 1e-5, \"adapt_penalty\": true, \"linear\": "
        "{\"preconditioner\": \"two_level\"}}";
    static const char newton[] = "{\"type\": \"newton\", \"tolerance\": 1e-3}";
    static const char block_jacobi[] =
        "{\"type\": \"newton\", \"tolerance\": 1e-3, \"linear\": {\"preconditioner\": \"block_jacobi\"}}";
    // Shaders with checks of their own take long to compile: only where asked for.
    if (_i > 2 && !getenv("VELA_TEST_GPU_ASSISTED"))
        return;
    if (_i > 2) {
        shared_gpu_close();
        setenv("VK_LAYER_ENABLES",
               "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT:"
               "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT",
               1);
    }
    if (_i == 0 || _i == 3)
        for (int k = 0; k < 2; ++k)
            run(context, "variational", k == 0 ? admm : two_level, "0.01");
    else if (_i == 1)
        run(context, "rk4", admm, "0.0001");
    else
        run(context, "a_search", newton, "0.01");
    if (_i == 2)
        run(context, "implicit_euler", block_jacobi, "0.01");
    ck_assert_int_eq(messages, 0);
}
END_TEST

START_TEST(validation_messages_are_heard)
{
    // Two writes to the same bytes without a barrier, in a context of their own that does not print.
    VelaContextDef context_def = vela_default_context_def();
    VelaContext *quiet;
    ck_assert_int_eq(vela_context_create(&context_def, &quiet), VELA_OK);
    GpuInstanceDef instance_def = gpu_default_instance_def();
    instance_def.validation = true;
    GpuInstance *heard;
    ASSERT_OK(quiet, gpu_instance_create(quiet, &instance_def, &heard));
    ck_assert(heard->validation);
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device;
    int32_t index;
    ASSERT_OK(quiet, gpu_instance_choose(heard, "vulkan", &index));
    ASSERT_OK(quiet, gpu_device_create(heard, index, &def, &device));
    const GpuBufferDef buffer = {"twice", 64, GPU_MEMORY_DEVICE, 0};
    GpuPool *pool;
    GpuCommands *commands;
    ASSERT_OK(quiet, gpu_pool_create(device, 1, &buffer, &pool));
    ASSERT_OK(quiet, gpu_commands_create(device, 0, &commands));
    ASSERT_OK(quiet, gpu_commands_begin(commands));
    ck_assert_int_eq(atomic_load(&heard->validation_messages), 0);
    gpu_fill(commands, &pool->buffers[0], 0, 64, 1);
    gpu_fill(commands, &pool->buffers[0], 0, 64, 2);
    ASSERT_OK(quiet, gpu_commands_run(commands));
    ck_assert_int_gt(atomic_load(&heard->validation_messages), 0);
    gpu_commands_destroy(commands);
    gpu_pool_destroy(pool);
    gpu_device_destroy(device);
    gpu_instance_destroy(heard);
    vela_context_destroy(quiet);
}
END_TEST

int main(void)
{
    const bool in_contact = !getenv("VK_INSTANCE_LAYERS") || getenv("VELA_TEST_WHOLE");
    // The layer comes in through the environment, as a user would have it.
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation", 1);
    // Whoever brings a newer layer (VK_LAYER_PATH) sets its own VK_KHRONOS_VALIDATION_VALIDATE_SYNC=1 and
    // VK_KHRONOS_VALIDATION_SYNCVAL_SHADER_ACCESSES_HEURISTIC=1: the two kinds of settings do not mix.
    if (!getenv("VK_KHRONOS_VALIDATION_VALIDATE_SYNC"))
        setenv("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT", 1);
    VelaContextDef def = vela_default_context_def();
    def.log = count_errors;
    if (vela_context_create(&def, &context) != VELA_OK)
        return 1;
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    GpuInstance *instance = NULL;
    int32_t index;
    const char *reason = NULL;
    if (gpu_instance_create(context, &instance_def, &instance) != VELA_OK ||
        gpu_instance_choose(instance, "vulkan", &index) != VELA_OK)
        reason = vela_context_message(context);
    else if (!instance->validation)
        reason = "VK_LAYER_KHRONOS_validation is not installed (package vulkan-validationlayers)";
    if (reason) {
        printf("skipped: %s\n", reason);
        gpu_instance_destroy(instance);
        vela_context_destroy(context);
        return 77;
    }
    gpu_instance_destroy(instance);
    Suite *suite = suite_create("validation layer");
    TCase *tests = tcase_create("synchronization");
    tcase_add_test(tests, validation_messages_are_heard);
    if (in_contact)
        tcase_add_test(tests, not_a_message_in_contact);
    tcase_add_test(tests, not_a_message_with_damping);
    tcase_add_test(tests, not_a_message_with_constraints);
    tcase_add_loop_test(tests, not_a_message, 0, 5);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    shared_gpu_close(); // not a message of that either
    vela_context_destroy(context);
    return failed || messages > 0;
}
