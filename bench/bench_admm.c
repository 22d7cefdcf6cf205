// ADMM on the CPU path as CSV, with one thread and two: milliseconds an iteration, split into the local step, the global
// step and the residuals (with Anderson's sums), and the local step held against this machine's limits. Boxes from 384 to
// 128k tets, meshes named on the command line, and the other materials.
// Every step does a fixed number of iterations. Times are those of the best step, for the machine may have other things to
// do; a speed-up is the median over the steps of one thread's time over that of two threads right after it, for the clock
// drifts.
// usage: bench_admm [mesh…] > admm.csv
#define _GNU_SOURCE
#include "machine.h"
#include "operations.h"
#include "phases.h"

#include "device/cpu/cpu.h"
#include "device/cpu/cpu_device.h"
#include "model/build.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITERATIONS = 16,
    PHASES = 4,
    MOST_THREADS = 2,
    MOST_STEPS = 61,
    SAMPLED_CHUNKS = 64,
    LIMIT_REPEATS = 100
};

static const char *const phase_names[PHASES] = {"local step", "global step", "residuals", "factorisation"};

/// One simulation of a case, with its number of threads.
typedef struct Trial {
    int threads;
    VelaContext *context;
    Simulation simulation;
    double factor;                           ///< ms a factorisation
    int steps;                               ///< done so far
    double milliseconds[PHASES][MOST_STEPS]; ///< an iteration, step by step
} Trial;

static VelaResult trial_start(Trial *trial, const char *scene)
{
    VelaContextDef def = vela_default_context_def();
    def.threads = trial->threads;
    if (vela_context_create(&def, &trial->context) != VELA_OK)
        exit(1);
    Simulation *simulation = &trial->simulation;
    *simulation = (Simulation){.context = trial->context, .arena = arena_make(trial->context)};
    TRY(scene_parse(trial->context, "bench.json", scene, strlen(scene), 0, NULL, &simulation->arena,
                    &simulation->scene));
    TRY(model_build(trial->context, &simulation->scene, &simulation->arena, &simulation->model));
    return simulation_start(simulation, &(DeviceChoice){"cpu", NULL});
}

static VelaResult trial_step(Trial *trial)
{
    Simulation *simulation = &trial->simulation;
    double before[PHASES] = {0}, after[PHASES] = {0};
    StepReport report;
    read_phases(simulation->device, PHASES, phase_names, before);
    TRY(simulation_step(simulation, &report));
    read_phases(simulation->device, PHASES, phase_names, after);
    for (int p = 0; p < PHASES - 1; ++p)
        trial->milliseconds[p][trial->steps] = (after[p] - before[p]) / report.solver.iterations;
    if (trial->steps++ == 0)
        trial->factor = after[PHASES - 1];
    return VELA_OK;
}

static double best_step(const Trial *trial, int phase)
{
    double best = INFINITY;
    for (int step = 0; step < trial->steps; ++step)
        best = fmin(best, trial->milliseconds[phase][step]);
    return best;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_speedup(const Trial *single, const Trial *trial, int phase)
{
    double ratios[MOST_STEPS];
    for (int step = 0; step < trial->steps; ++step)
        ratios[step] = single->milliseconds[phase][step] / trial->milliseconds[phase][step];
    qsort(ratios, (size_t)trial->steps, sizeof *ratios, compare_numbers);
    return ratios[trial->steps / 2];
}

// ------------------------------------------------------------------------------------------------ against the limits

/// Seconds that one operation takes at best, all threads together, by MachineOperation, and bytes a second of DRAM.
typedef struct Limits {
    double seconds[MACHINE_OPERATION_COUNT];
    double bandwidth;
} Limits;

static void measure_limits(VelaContext *context, MachineIsa isa, int threads, Limits *limits)
{
    for (int o = 0; o < MACHINE_OPERATION_COUNT; ++o)
        limits->seconds[o] = 1 / machine_rate(isa, (MachineOperation)o, threads, LIMIT_REPEATS);
    limits->bandwidth = machine_triad(context, machine_level_bytes(MACHINE_DRAM, threads), threads, 6);
}

/// What the local step does for one tet, averaged over a step.
typedef struct Work {
    double instructions, sums, divisions, float_divisions, roots, bytes;
} Work;

static const Kernels *sampled_kernels;
static int64_t sample_calls, sample_stride, sample_bundles, sample_history;

// Counts the operations of one call in `sample_stride`.
static void sample_project(ElementBundles *bundles, int32_t first, int32_t end, const Mixing *mixing,
                           double *change_sq)
{
    const bool counts = sample_calls++ % sample_stride == 0;
    if (counts) {
        sample_bundles += end - first;
        sample_history += mixing->depth * (end - first);
        operations_start();
    }
    sampled_kernels->elements[ELEMENT_TET]->project(bundles, first, end, mixing, change_sq);
    operations_stop();
}

/// Counts along one more step of a simulation with one thread: the projection as it runs, the nodes' sums by hand.
static VelaResult count_work(Simulation *simulation, Work *work)
{
    CpuDevice *device = (CpuDevice *)simulation->device;
    Kernels kernels = *device->kernels;
    ElementKernels of_tets = *kernels.elements[ELEMENT_TET];
    of_tets.project = sample_project;
    kernels.elements[ELEMENT_TET] = &of_tets;
    sampled_kernels = device->kernels;
    device->kernels = &kernels;
    operations_counted = (Operations){0};
    sample_calls = sample_bundles = sample_history = 0;
    sample_stride = 1 + device->elements.chunk_count * ITERATIONS / SAMPLED_CHUNKS;
    sample_stride += sample_stride % 2 == 0; // so that samples do not stay with some of the chunks
    StepReport report;
    const VelaResult result = simulation_step(simulation, &report);
    device->kernels = sampled_kernels;

    const Operations *o = &operations_counted;
    const double tets = (double)(LANE_COUNT * sample_bundles);
    const double nodes = (double)device->base.model->order.node_count / device->base.model->element_count;
    // A node adds up its corners, four a tet, and its mass times gravity: corner_forces_at, add_scaled3.
    work->sums = (double)(o->sums + o->float_sums) / tets + 3 * 4 + 6 * nodes;
    work->instructions = (double)o->instructions / tets;
    work->divisions = (double)o->divisions / tets;
    work->float_divisions = (double)o->float_divisions / tets;
    work->roots = (double)o->roots / tets;
    // Image, S, Z old and new, target, gradients; penalty, volume, validity; corner slots; corner forces written and read.
    const ElementBundles *bundles = &device->elements.groups[ELEMENT_TET];
    work->bytes = (double)(6 * 9 * sizeof *bundles->image + 3 * sizeof *bundles->volumes +
                           sizeof *bundles->materials + 4 * sizeof *bundles->force_entries) /
                      LANE_COUNT +
                  2 * 4 * 3 * sizeof(double);
    // History; a node's place, its range of corners, its mass and its row of the right-hand side.
    work->bytes += (double)(sample_history * 9 * (int64_t)sizeof **bundles->image_differences) / tets +
                   nodes * (2 * sizeof(int32_t) + 4 * sizeof(double));
    return result;
}

// ------------------------------------------------------------------------------------------------ a case

static void print_trial(const char *name, const char *material, const Trial *trial, const Trial *single,
                        const Work *work, const Limits *limits)
{
    const Model *model = &trial->simulation.model;
    DeviceInfo info;
    device_information(trial->simulation.device, &info);
    const size_t factor = info.memory - cpu_device_memory(model);
    printf("%s,%s,%d,%d,%d", name, material, model->node_count, model->groups[ELEMENT_TET].count,
           trial->threads);
    for (int p = 0; p < PHASES - 1; ++p)
        printf(",%.4f,%.2f", best_step(trial, p), median_speedup(single, trial, p));
    const double seconds = 1e-3 * best_step(trial, 0) / model->groups[ELEMENT_TET].count;
    const double divider = work->divisions * limits->seconds[MACHINE_DIVISION] +
                           work->float_divisions * limits->seconds[MACHINE_FLOAT_DIVISION] +
                           work->roots * limits->seconds[MACHINE_ROOT];
    printf(",%.1f,%.0f,%.0f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f", 1e9 * seconds, work->instructions, work->sums,
           1e-9 * work->sums / seconds, 100 * work->sums * limits->seconds[MACHINE_ARITHMETIC] / seconds,
           work->divisions, work->float_divisions, work->roots, 100 * divider / seconds);
    printf(",%.0f,%.2f,%.1f", work->bytes, 1e-9 * work->bytes / seconds,
           100 * work->bytes / seconds / limits->bandwidth);
    printf(",%.1f,%.2f\n", trial->factor, (double)factor * 1e-6);
    fflush(stdout);
}

/// The trials take turns step by step, so that whatever else the machine does falls on all of them.
static void run(const char *name, const char *geometry, const char *material, const Limits *limits)
{
    char scene[4096];
    // A spinning body over a floor: deformed, and with the two factors that a plane brings.
    snprintf(scene, sizeof scene,
             "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1},"
             "\"solver\": {\"type\": \"admm\", \"tolerance\": 1e-15, \"max_iterations\": %d},"
             "\"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, \"youngs_modulus\": 1e5, "
             "\"poissons_ratio\": 0.3}},"
             "\"bodies\": [{\"type\": \"solid\", \"geometry\": %s, \"material\": \"m\", "
             "\"angular_velocity\": [2, 5, 1]}],"
             "\"obstacles\": [{\"plane\": {\"point\": [0, -1, 0], \"normal\": [0, 1, 0]}}],"
             "\"contact\": {\"model\": \"penalty\", \"stiffness\": 100}}",
             ITERATIONS, material, geometry);
    Trial trials[MOST_THREADS] = {{0}};
    VelaResult result = VELA_OK;
    for (int t = 0; t < MOST_THREADS && result == VELA_OK; ++t) {
        trials[t].threads = t + 1;
        result = trial_start(&trials[t], scene);
    }
    const int32_t tets = trials[0].simulation.model.groups[ELEMENT_TET].count;
    const int steps = tets > 60000 ? 15 : tets > 5000 ? 31 : MOST_STEPS;
    for (int step = 0; step < steps && result == VELA_OK; ++step)
        for (int t = 0; t < MOST_THREADS && result == VELA_OK; ++t)
            result = trial_step(&trials[t]);
    Work work = {0};
    if (result == VELA_OK)
        result = count_work(&trials[0].simulation, &work);
    for (int t = 0; t < MOST_THREADS; ++t) {
        if (result == VELA_OK)
            print_trial(name, material, &trials[t], &trials[0], &work, &limits[t]);
        else if (trials[t].context)
            fprintf(stderr, "%s: %s\n", name, vela_context_message(trials[t].context));
        simulation_destroy(&trials[t].simulation);
        vela_context_destroy(trials[t].context);
    }
}

int main(int count, char **arguments)
{
    const VelaContextDef def = vela_default_context_def();
    VelaContext *context;
    if (vela_context_create(&def, &context) != VELA_OK)
        return 1;
    MachineIsa isa = MACHINE_BASELINE;
    for (int i = 0; i < MACHINE_ISA_COUNT; ++i)
        if (strcmp(kernels_choose()->name, machine_isa_name((MachineIsa)i)) == 0)
            isa = (MachineIsa)i;
    Limits limits[MOST_THREADS];
    for (int t = 0; t < MOST_THREADS; ++t)
        measure_limits(context, isa, t + 1, &limits[t]);
    vela_context_destroy(context);

    printf("case,material,nodes,tets,threads,local_ms,local_speedup,global_ms,global_speedup,residual_ms,"
           "residual_speedup,local_ns_per_tet,instructions_per_tet,flops_per_tet,gflops,arithmetic_percent,"
           "divisions_per_tet,float_divisions_per_tet,roots_per_tet,divider_percent,bytes_per_tet,gb_per_s,"
           "bandwidth_percent,factor_ms,factor_mb\n");
    static const int cells[] = {4, 5, 6, 8, 11, 14, 18, 22, 28};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k) {
        char name[32], geometry[128];
        snprintf(name, sizeof name, "box_%d", cells[k]);
        snprintf(geometry, sizeof geometry, "{\"box\": {\"size\": [1, 1, 1], \"cells\": [%d, %d, %d]}}",
                 cells[k], cells[k], cells[k]);
        run(name, geometry, "neo_hookean", limits);
    }
    for (int i = 1; i < count; ++i) {
        char geometry[4096];
        const char *slash = strrchr(arguments[i], '/');
        snprintf(geometry, sizeof geometry, "{\"mesh\": \"%s\"}", arguments[i]);
        run(slash ? slash + 1 : arguments[i], geometry, "neo_hookean", limits);
    }
    static const char *const materials[] = {"arap", "symmetric_dirichlet", "symmetric_gradient"};
    for (size_t m = 0; m < sizeof materials / sizeof *materials; ++m)
        run("box_14", "{\"box\": {\"size\": [1, 1, 1], \"cells\": [14, 14, 14]}}", materials[m], limits);
    return 0;
}
