// Milliseconds per ADMM iteration on the CPU path, split into the local step, the global step and the residuals (with
// Anderson's sums), as CSV: meshes named on the command line, then boxes from 1k to 128k tets, with one thread and two.
// Every step does a fixed number of iterations; the best step counts, for the machine may have other things to do.
// usage: bench_admm [mesh…] > admm.csv
#include "device/cpu/cpu.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 16, PHASES = 4, MOST_THREADS = 2 };

static const char *const phase_names[PHASES] = {"local step", "global step", "residuals", "factorisation"};

/// Milliseconds of the four phases so far.
static void read_phases(Device *device, double milliseconds[PHASES])
{
    int32_t count;
    const DeviceTiming *timings;
    if (device_timings(device, &count, &timings) != VELA_OK)
        exit(1);
    for (int32_t i = 0; i < count; ++i)
        for (int p = 0; p < PHASES; ++p)
            if (strcmp(timings[i].name, phase_names[p]) == 0)
                milliseconds[p] = timings[i].milliseconds;
}

/// One simulation of a case, with its number of threads.
typedef struct Trial {
    int threads;
    VelaContext *context;
    Simulation simulation;
    double best[PHASES]; ///< ms an iteration, of the best step; the factorisation: ms a factor
} Trial;

static VelaResult trial_start(Trial *trial, const char *scene)
{
    VelaContextDef def = vela_default_context_def();
    def.threads = trial->threads;
    if (vela_context_create(&def, &trial->context) != VELA_OK)
        exit(1);
    Simulation *simulation = &trial->simulation;
    *simulation = (Simulation){.context = trial->context, .arena = arena_make(trial->context)};
    for (int p = 0; p < PHASES; ++p)
        trial->best[p] = INFINITY;
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
    read_phases(simulation->device, before);
    TRY(simulation_step(simulation, &report));
    read_phases(simulation->device, after);
    for (int p = 0; p < PHASES - 1; ++p)
        trial->best[p] = fmin(trial->best[p], (after[p] - before[p]) / report.solver.iterations);
    if (isinf(trial->best[PHASES - 1]))
        trial->best[PHASES - 1] = after[PHASES - 1];
    return VELA_OK;
}

static void trial_print(const char *name, const char *material, const Trial *trial, const Trial *single)
{
    const Model *model = &trial->simulation.model;
    DeviceInfo info;
    device_information(trial->simulation.device, &info);
    const size_t factor = info.memory - cpu_device_memory(model);
    printf("%s,%s,%d,%d,%d", name, material, model->node_count, model->tet_count, trial->threads);
    for (int p = 0; p < PHASES - 1; ++p)
        printf(",%.4f,%.2f", trial->best[p], single->best[p] / trial->best[p]);
    printf(",%.1f,%.1f,%.2f\n", 1e6 * trial->best[0] / model->tet_count, trial->best[PHASES - 1],
           (double)factor * 1e-6);
    fflush(stdout);
}

/// The trials take turns step by step, so that whatever else the machine does falls on all of them.
static void run(const char *name, const char *geometry, const char *material, int trial_count)
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
    for (int t = 0; t < trial_count && result == VELA_OK; ++t) {
        trials[t].threads = t + 1;
        result = trial_start(&trials[t], scene);
    }
    const int32_t tets = trials[0].simulation.model.tet_count;
    const int steps = tets > 40000 ? 6 : tets > 5000 ? 12 : 40;
    for (int step = 0; step < steps && result == VELA_OK; ++step)
        for (int t = 0; t < trial_count && result == VELA_OK; ++t)
            result = trial_step(&trials[t]);
    for (int t = 0; t < trial_count; ++t) {
        if (result == VELA_OK)
            trial_print(name, material, &trials[t], &trials[0]);
        else if (trials[t].context)
            fprintf(stderr, "%s: %s\n", name, vela_context_message(trials[t].context));
        simulation_destroy(&trials[t].simulation);
        vela_context_destroy(trials[t].context);
    }
}

int main(int count, char **arguments)
{
    printf("case,material,nodes,tets,threads,local_ms,local_speedup,global_ms,global_speedup,residual_ms,"
           "residual_speedup,local_ns_per_tet,factor_ms,factor_mb\n");
    static const int cells[] = {4, 5, 6, 8, 11, 14, 18, 22, 28};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k) {
        char name[32], geometry[128];
        snprintf(name, sizeof name, "box_%d", cells[k]);
        snprintf(geometry, sizeof geometry, "{\"box\": {\"size\": [1, 1, 1], \"cells\": [%d, %d, %d]}}",
                 cells[k], cells[k], cells[k]);
        run(name, geometry, "neo_hookean", MOST_THREADS);
    }
    for (int i = 1; i < count; ++i) {
        char geometry[4096];
        const char *slash = strrchr(arguments[i], '/');
        snprintf(geometry, sizeof geometry, "{\"mesh\": \"%s\"}", arguments[i]);
        run(slash ? slash + 1 : arguments[i], geometry, "neo_hookean", MOST_THREADS);
    }
    static const char *const materials[] = {"arap", "symmetric_dirichlet", "symmetric_gradient"};
    for (size_t m = 0; m < sizeof materials / sizeof *materials; ++m)
        run("box_14", "{\"box\": {\"size\": [1, 1, 1], \"cells\": [14, 14, 14]}}", materials[m],
            MOST_THREADS);
    return 0;
}
