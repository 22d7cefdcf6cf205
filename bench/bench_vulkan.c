// Structure of the Vulkan path on a bar: dispatches, host waits and bytes for each iteration of the solver, what an iteration
// of Newton's linear solver reads and writes, what a step would take on real cards, and the time of every kernel.
// usage: bench_vulkan [cells across [steps [f32|f64 [device [admm|newton [two_level|block_jacobi]]]]]]
#include "linear_traffic.h"

#include "device/vulkan/kernels.h"
#include "device/vulkan/vulkan.h"
#include "model/build.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <math.h>
#include <omp.h>
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
    if (preconditioner)
        snprintf(override[2], sizeof override[2], "solver.linear.preconditioner=%s", preconditioner);
    const char *overrides[] = {override[0], override[1], override[2]};
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    TRY(scene_parse(context, "bench", scene, strlen(scene), preconditioner ? 3 : 2, overrides,
                    &simulation->arena, &simulation->scene));
    TRY(model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    return simulation_start(simulation, choice);
}

/// What an iteration of the linear solver reads and writes, against the matrix without padding. Returns the bytes of an iteration.
static double print_traffic(const VulkanDevice *device)
{
    const LinearTraffic traffic = linear_traffic(device, 0);
    const double n = device->base.model->order.free_count, first = traffic.read,
                 whole = traffic.read + traffic.coarse;
    printf(
        "an iteration of the linear solver (%d dispatches, %.0f blocks, %.1f a free node) reads %.0f bytes, %.2f times the matrix, "
        "and %.2f with what it writes; without the coarse space %.0f, %.2f and %.2f; the coarse space also goes through %.0f bytes of "
        "an inverse of its own, which caches hold\n",
        traffic.dispatches, traffic.blocks, traffic.blocks / n, whole, whole / traffic.matrix,
        (whole + traffic.written) / traffic.matrix, first, first / traffic.matrix,
        (first + traffic.written) / traffic.matrix, traffic.inverse);
    return whole + traffic.written;
}

// ---------------------------------------------------------------- what real cards would take (bench/README.md has the model)
typedef struct Card {
    const char *name;
    double bandwidth; ///< B/s, as specified
    double dispatch;  ///< s, of a dispatch that waits for the one before it
} Card;

// A dispatch as measured on the H100; of the others nobody has measured any.
static const Card cards[] = {{"Radeon RX 6800", 512e9, 9e-6},
                             {"Radeon RX 7900 XTX", 960e9, 9e-6},
                             {"GeForce RTX 3060", 360e9, 9e-6},
                             {"Arc A770", 560e9, 12e-6},
                             {"H100", 3350e9, 9e-6}};
/// Part of the bandwidth that streams reach, B/s that the H100 reached, and what a submission and the wait for it take, s.
static const double BANDWIDTH_REACHED = 0.75, BANDWIDTH_MOST = 0.95e12, HOST_WAIT = 60e-6;

/// Each of a kernel's buffers once; two of the slots, and none of those that caches hold.
static double kernel_bytes(const VulkanDevice *device, const char *name)
{
    for (int k = 0; k < KERNEL_COUNT; ++k) {
        const KernelRow *row = &vulkan_kernel_rows[k];
        if (strncmp(name, row->name, strlen(row->name)) != 0 ||
            (name[strlen(row->name)] != 0 && k < KERNEL_FIRST_OF_KIND))
            continue;
        double bytes = 0;
        for (int32_t i = 0; i < row->buffer_count; ++i)
            switch (row->buffers[i]) {
            case BUFFER_SLOTS:
                bytes += 2 * 24.0 * device->node_count;
                break;
            case BUFFER_CONTROL:
            case BUFFER_COUNTERS:
            case BUFFER_SCALARS:
            case BUFFER_PARTIALS:
            case BUFFER_DIAGNOSIS:
            case BUFFER_INDICES:
            case BUFFER_COARSE_MATRIX:
                break;
            default:
                bytes += (double)vulkan_buffer(device, row->buffers[i])->size;
            }
        return bytes;
    }
    return 0;
}

static bool is_of_linear_solve(const char *name)
{
    return strncmp(name, "newton_apply", 12) == 0 || strncmp(name, "cg_update", 9) == 0 ||
           strncmp(name, "coarse_update", 13) == 0 || strncmp(name, "coarse_forward", 14) == 0;
}

/// Of all steps that were counted, `linear` iterations of the linear solver and the first step included.
static void print_prediction(const VulkanDevice *device, int32_t count, const DeviceTiming *timings,
                             double linear, double linear_bytes, double waits, int steps)
{
    double dispatches = 0, bytes = linear * linear_bytes;
    for (int32_t i = 0; i < count; ++i) {
        dispatches += (double)timings[i].count;
        if (!is_of_linear_solve(timings[i].name))
            bytes += (double)timings[i].count * kernel_bytes(device, timings[i].name);
    }
    printf("a step: %.0f dispatches, %.1f waits, %.2f MB; predicted", dispatches / steps, waits / steps,
           1e-6 * bytes / steps);
    for (size_t c = 0; c < sizeof cards / sizeof *cards; ++c) {
        const double launches = cards[c].dispatch * dispatches, host = HOST_WAIT * waits,
                     memory = bytes / fmin(BANDWIDTH_REACHED * cards[c].bandwidth, BANDWIDTH_MOST);
        printf("%s %s %.2f ms (%.2f dispatches, %.2f memory, %.2f waits)", c > 0 ? "," : "", cards[c].name,
               1e3 * (launches + memory + host) / steps, 1e3 * launches / steps, 1e3 * memory / steps,
               1e3 * host / steps);
    }
    printf("\n");
}

static VelaResult measure(Simulation *simulation, int steps)
{
    DeviceInfo before, after;
    int64_t iterations = 0, linear = 0;
    StepReport report;
    // The first step compiles the kernels.
    TRY(simulation_step(simulation, &report));
    const double first_linear = report.solver.linear_iterations;
    device_information(simulation->device, &before);
    const double start = omp_get_wtime();
    for (int i = 0; i < steps; ++i) {
        TRY(simulation_step(simulation, &report));
        iterations += report.solver.iterations;
        linear += report.solver.linear_iterations;
    }
    const double seconds = omp_get_wtime() - start;
    device_information(simulation->device, &after);
    const double n = (double)iterations;
    printf("%s, %s: %d nodes, %d elements, %.1f MiB\n", after.name, after.precision,
           simulation->model.node_count, simulation->model.element_count, (double)after.memory / 1048576);
    printf("%lld iterations in %d steps, %.1f of the linear solver each; %.3f ms a step by the clock\n",
           (long long)iterations, steps, (double)linear / n, 1e3 * seconds / steps);
    // A step's diagnosis is a wait of its own.
    printf("for each iteration: %.1f dispatches, %.3f host waits, %.0f bytes over the bus\n",
           (double)(after.dispatches - before.dispatches) / n,
           (double)(after.host_waits - before.host_waits - steps) / n,
           (double)(after.bytes_transferred - before.bytes_transferred) / n);
    int32_t count;
    const DeviceTiming *timings;
    TRY(device_timings(simulation->device, &count, &timings));
    const VulkanDevice *device = (const VulkanDevice *)simulation->device;
    const double bytes = print_traffic(device);
    if (simulation->scene.solver.type == SOLVER_NEWTON)
        print_prediction(device, count, timings, first_linear + (double)linear, bytes,
                         (double)after.host_waits, steps + 1);
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
    VelaResult result =
        prepare(context, cells, argc > 5 ? argv[5] : "admm", argc > 6 ? argv[6] : NULL, &choice, &simulation);
    if (result == VELA_OK)
        result = measure(&simulation, steps);
    if (result != VELA_OK)
        fprintf(stderr, "bench_vulkan: %s\n", vela_context_message(context));
    simulation_destroy(&simulation);
    vela_context_destroy(context);
    return result == VELA_OK ? 0 : 1;
}
