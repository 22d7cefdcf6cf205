// A held bar that sags, by implicit Euler and Newton's method on the CPU path, as CSV: milliseconds of processor time and
// iterations per step, the phases per Newton iteration, and where the bar's free end is after 0.25 s.
// usage: bench_newton [cells-along-x…] > newton.csv     (bars of 4 n/10 x n/10 x n/10 times cells; default 24 and 40 first)
#define _POSIX_C_SOURCE 200809L
#include "device/cpu/cpu.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PHASES = 4 };

static const char *const phase_names[PHASES] = {"gradient and Hessians", "assembly", "linear solve",
                                                "line search"};

static double processor_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static double wall_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

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

static VelaResult measure(Simulation *simulation, const int cells[3], int steps, int threads)
{
    double phases[PHASES] = {0}, iterations = 0, linear = 0;
    const double cpu = processor_ms(), wall = wall_ms();
    for (int step = 0; step < steps; ++step) {
        StepReport report;
        TRY(simulation_step(simulation, &report));
        iterations += report.solver.iterations;
        linear += report.solver.linear_iterations;
    }
    const double cpu_ms = processor_ms() - cpu, all_ms = wall_ms() - wall;
    read_phases(simulation->device, phases);
    const Model *model = &simulation->model;
    double *x;
    TRY(ARENA_ARRAY(&simulation->arena, x, 3 * (size_t)model->node_count));
    TRY(device_state_read(simulation->device, SLOT_POSITION, x));
    double height = 0;
    int count = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        if (model->rest_positions[3 * (size_t)i] > 0.2 - 1e-9) {
            height += x[3 * (size_t)i + 1];
            ++count;
        }
    printf("%dx%dx%d,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.1f,%.3f,%.3f,%.3f,%.3f,%.4f\n", cells[0], cells[1],
           cells[2], model->node_count, model->tet_count, threads, steps, cpu_ms / steps, all_ms / steps,
           iterations / steps, linear / iterations, phases[0] / iterations, phases[1] / iterations,
           phases[2] / iterations, phases[3] / iterations, height / count);
    fflush(stdout);
    return VELA_OK;
}

static void run(const int cells[3], int steps, int threads)
{
    VelaContextDef context_def = vela_default_context_def();
    context_def.threads = threads;
    VelaContext *context;
    if (vela_context_create(&context_def, &context) != VELA_OK)
        exit(1);
    char text[4096];
    const int length = snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 10},"
        "\"integrator\": {\"type\": \"implicit_euler\"},"
        "\"solver\": {\"type\": \"newton\", \"tolerance\": 4.2e-3},"
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 5e5, "
        "\"poissons_ratio\": 0.4}},"
        "\"bodies\": [{\"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": "
        "[%d, %d, %d]}}, \"material\": \"m\", \"translate\": [0, 0.05, 0], "
        "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.1999, 1, 1]]}}]}]}",
        cells[0], cells[1], cells[2]);
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    VelaResult result = scene_parse(context, "bench.json", text, (size_t)length, 0, NULL, &simulation.arena,
                                    &simulation.scene);
    if (result == VELA_OK)
        result = model_build(context, &simulation.scene, &simulation.arena, &simulation.model);
    if (result == VELA_OK)
        result = simulation_start(&simulation, &(DeviceChoice){"cpu", NULL});
    if (result == VELA_OK)
        result = measure(&simulation, cells, steps, threads);
    if (result != VELA_OK)
        fprintf(stderr, "bench_newton: %s\n", vela_context_message(context));
    simulation_destroy(&simulation);
    vela_context_destroy(context);
}

int main(int count, char **arguments)
{
    printf("cells,nodes,tets,threads,steps,cpu_ms_per_step,wall_ms_per_step,newton_per_step,pcg_per_newton,"
           "hessians_ms,"
           "assembly_ms,linear_ms,search_ms,end_height\n");
    for (int i = 1; i < count; ++i) {
        const int n = atoi(arguments[i]), cells[3] = {n, (n + 2) / 4, (n + 2) / 4};
        run(cells, 25, 1);
    }
    if (count == 1)
        for (int threads = 1; threads <= 2; ++threads) {
            run((int[3]){24, 6, 6}, 25, threads);
            run((int[3]){40, 10, 10}, 25, threads);
        }
    return 0;
}
