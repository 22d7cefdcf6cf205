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

enum { ITERATIONS = 16, STEPS = 6, PHASES = 4 };

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

/// Per iteration, the best of STEPS; the factorisation per factor.
static VelaResult measure(Simulation *simulation, double best[PHASES])
{
    double before[PHASES] = {0}, after[PHASES] = {0};
    for (int p = 0; p < PHASES; ++p)
        best[p] = INFINITY;
    for (int step = 0; step < STEPS; ++step) {
        StepReport report;
        read_phases(simulation->device, before);
        TRY(simulation_step(simulation, &report));
        read_phases(simulation->device, after);
        for (int p = 0; p < PHASES - 1; ++p)
            best[p] = fmin(best[p], (after[p] - before[p]) / report.solver.iterations);
        if (step == 0)
            best[PHASES - 1] = after[PHASES - 1];
    }
    return VELA_OK;
}

static void run(const char *name, const char *geometry, const char *material, int threads)
{
    VelaContextDef context_def = vela_default_context_def();
    context_def.threads = threads;
    VelaContext *context;
    if (vela_context_create(&context_def, &context) != VELA_OK)
        exit(1);
    char text[4096];
    // A spinning body over a floor: deformed, and with the two factors that a plane brings.
    const int length =
        snprintf(text, sizeof text,
                 "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1},"
                 "\"solver\": {\"type\": \"admm\", \"tolerance\": 1e-15, \"max_iterations\": %d},"
                 "\"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, \"youngs_modulus\": 1e5, "
                 "\"poissons_ratio\": 0.3}},"
                 "\"bodies\": [{\"type\": \"solid\", \"geometry\": %s, \"material\": \"m\", "
                 "\"angular_velocity\": [2, 5, 1]}],"
                 "\"obstacles\": [{\"plane\": {\"point\": [0, -1, 0], \"normal\": [0, 1, 0]}}],"
                 "\"contact\": {\"model\": \"penalty\", \"stiffness\": 100}}",
                 ITERATIONS, material, geometry);
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    double best[PHASES];
    VelaResult result = scene_parse(context, "bench.json", text, (size_t)length, 0, NULL, &simulation.arena,
                                    &simulation.scene);
    if (result == VELA_OK)
        result = model_build(context, &simulation.scene, &simulation.arena, &simulation.model);
    if (result == VELA_OK)
        result = simulation_start(&simulation, &(DeviceChoice){"cpu", NULL});
    if (result == VELA_OK)
        result = measure(&simulation, best);
    if (result != VELA_OK) {
        fprintf(stderr, "%s: %s\n", name, vela_context_message(context));
    } else {
        DeviceInfo info;
        device_information(simulation.device, &info);
        const Model *model = &simulation.model;
        const size_t factor = info.memory - cpu_device_memory(model);
        printf("%s,%s,%d,%d,%d,%.4f,%.4f,%.4f,%.1f,%.1f,%.2f\n", name, material, model->node_count,
               model->tet_count, threads, best[0], best[1], best[2], 1e6 * best[0] / model->tet_count,
               best[3], (double)factor * 1e-6);
        fflush(stdout);
    }
    simulation_destroy(&simulation);
    vela_context_destroy(context);
}

int main(int count, char **arguments)
{
    printf("case,material,nodes,tets,threads,local_ms,global_ms,residual_ms,local_ns_per_tet,factor_ms,"
           "factor_mb\n");
    for (int i = 1; i < count; ++i) {
        char geometry[4096];
        const char *slash = strrchr(arguments[i], '/');
        snprintf(geometry, sizeof geometry, "{\"mesh\": \"%s\"}", arguments[i]);
        for (int threads = 1; threads <= 2; ++threads)
            run(slash ? slash + 1 : arguments[i], geometry, "neo_hookean", threads);
    }
    static const char *const materials[] = {"arap", "symmetric_dirichlet", "symmetric_gradient",
                                            "neo_hookean"};
    for (int m = 0; m < 4; ++m)
        run("box_16", "{\"box\": {\"size\": [1, 1, 1], \"cells\": [16, 16, 16]}}", materials[m], 1);
    static const int cells[] = {6, 8, 11, 14, 18, 22, 28};
    for (int threads = 1; threads <= 2; ++threads)
        for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k) {
            char name[32], geometry[128];
            snprintf(name, sizeof name, "box_%d", cells[k]);
            snprintf(geometry, sizeof geometry, "{\"box\": {\"size\": [1, 1, 1], \"cells\": [%d, %d, %d]}}",
                     cells[k], cells[k], cells[k]);
            run(name, geometry, "neo_hookean", threads);
        }
    return 0;
}
