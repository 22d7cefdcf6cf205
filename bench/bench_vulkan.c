// Structure of the Vulkan path on a bar: dispatches, host waits and bytes for each iteration of the solver, what an iteration
// of Newton's linear solver reads and writes, and the time of every kernel.
// usage: bench_vulkan [cells across [steps [f32|f64 [device [admm|newton [two_level|block_jacobi]]]]]]
#include "linear_traffic.h"

#include "device/vulkan/vulkan.h"
#include "model/build.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/100\", \"duration\": 10}, \"materials\": {"
    "\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "
    "0.3}},"
    "\"bodies\": [{\"name\": \"bar\", \"type\": \"solid\", \"material\": \"m\", \"velocity\": [0, -1, 0],"
    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}}],"
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 100},"
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.05, 0], \"normal\": [0, 1, 0]}}]}";

static void print_log(void *user, VelaLogLevel level, const char *message)
{
    (void)user;
    if (level <= VELA_LOG_WARNING)
        fprintf(stderr, "%s\n", message);
}

static VelaResult prepare(VelaContext *context, int cells, const char *solver, const char *preconditioner,
                          const DeviceChoice *choice, Simulation *simulation)
{
    char override[3][80];
    snprintf(override[0], sizeof override[0], "bodies.0.geometry.box.cells=[%d,%d,%d]", 4 * cells, cells,
             cells);
    snprintf(override[1], sizeof override[1], "solver.type=%s", solver);
    snprintf(override[2], sizeof override[2], "solver.linear.preconditioner=%s", preconditioner);
    const char *overrides[] = {override[0], override[1], override[2]};
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    TRY(scene_parse(context, "bench", scene, strlen(scene), strcmp(solver, "newton") == 0 ? 3 : 2, overrides,
                    &simulation->arena, &simulation->scene));
    TRY(model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    return simulation_start(simulation, choice);
}

/// What an iteration of the linear solver reads and writes, against the matrix without padding.
static void print_traffic(const VulkanDevice *device)
{
    const LinearTraffic traffic = linear_traffic(device, 0);
    const double n = device->base.model->order.free_count, first = traffic.read,
                 whole = traffic.read + traffic.coarse;
    printf(
        "an iteration of the linear solver (%d dispatches, %.0f blocks, %.1f a free node) reads %.0f bytes, %.2f times the matrix, "
        "and %.2f with what it writes; without the coarse space %.0f, %.2f and %.2f\n",
        traffic.dispatches, traffic.blocks, traffic.blocks / n, whole, whole / traffic.matrix,
        (whole + traffic.written) / traffic.matrix, first, first / traffic.matrix,
        (first + traffic.written) / traffic.matrix);
}

static VelaResult measure(Simulation *simulation, int steps)
{
    DeviceInfo before, after;
    int64_t iterations = 0, linear = 0;
    StepReport report;
    // The first step compiles the kernels.
    TRY(simulation_step(simulation, &report));
    device_information(simulation->device, &before);
    for (int i = 0; i < steps; ++i) {
        TRY(simulation_step(simulation, &report));
        iterations += report.solver.iterations;
        linear += report.solver.linear_iterations;
    }
    device_information(simulation->device, &after);
    const double n = (double)iterations;
    printf("%s, %s: %d nodes, %d elements, %.1f MiB\n", after.name, after.precision,
           simulation->model.node_count, simulation->model.element_count, (double)after.memory / 1048576);
    printf("%lld iterations in %d steps, %.1f of the linear solver each\n", (long long)iterations, steps,
           (double)linear / n);
    // A step's diagnosis is a wait of its own.
    printf("for each iteration: %.1f dispatches, %.3f host waits, %.0f bytes over the bus\n",
           (double)(after.dispatches - before.dispatches) / n,
           (double)(after.host_waits - before.host_waits - steps) / n,
           (double)(after.bytes_transferred - before.bytes_transferred) / n);
    if (simulation->scene.solver.type == SOLVER_NEWTON)
        print_traffic((const VulkanDevice *)simulation->device);
    int32_t count;
    const DeviceTiming *timings;
    TRY(device_timings(simulation->device, &count, &timings));
    for (int32_t i = 0; i < count; ++i)
        printf("  %-22s %8lld dispatches  %10.3f ms  %8.4f ms each\n", timings[i].name,
               (long long)timings[i].count, timings[i].milliseconds,
               timings[i].milliseconds / (double)timings[i].count);
    return VELA_OK;
}

int main(int argc, char **argv)
{
    const int cells = argc > 1 ? atoi(argv[1]) : 4, steps = argc > 2 ? atoi(argv[2]) : 10;
    const DeviceChoice choice = {argc > 4 ? argv[4] : "vulkan", argc > 3 ? argv[3] : "f32"};
    VelaContextDef def = vela_default_context_def();
    def.log = print_log;
    VelaContext *context;
    if (cells < 1 || steps < 1 || vela_context_create(&def, &context) != VELA_OK) {
        fprintf(
            stderr,
            "usage: bench_vulkan [cells across [steps [f32|f64 [device [admm|newton [preconditioner]]]]]]\n");
        return 2;
    }
    Simulation simulation = {0};
    VelaResult result = prepare(context, cells, argc > 5 ? argv[5] : "admm", argc > 6 ? argv[6] : "two_level",
                                &choice, &simulation);
    if (result == VELA_OK)
        result = measure(&simulation, steps);
    if (result != VELA_OK)
        fprintf(stderr, "bench_vulkan: %s\n", vela_context_message(context));
    simulation_destroy(&simulation);
    vela_context_destroy(context);
    return result == VELA_OK ? 0 : 1;
}
