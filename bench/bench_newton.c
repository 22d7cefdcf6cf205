// A held bar that sags, by implicit Euler and Newton's method on the CPU path, as CSV: milliseconds of processor time and
// of the clock and iterations a step, the phases' milliseconds of the clock per Newton iteration, and how high the free end
// is when it is over. Of several runs the one that took the least processor time counts, for the machine may have other
// things to do.
// usage: bench_newton [cells along the bar...] > newton.csv     (a quarter as many across)
#define _POSIX_C_SOURCE 200809L
#include "phases.h"

#include "device/cpu/cpu.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 4, REPEATS = 3, STEPS = 25, LARGE_STEPS = 5, LARGE = 40 };

static const char *const phase_names[PHASES] = {"gradient and Hessians", "assembly", "linear solve",
                                                "line search"};

typedef struct Measurement {
    int32_t nodes, tets;
    double processor, wall; ///< ms
    double newton, linear;  ///< iterations
    double phases[PHASES];  ///< ms
    double height;          ///< of the free end, m
} Measurement;

static VelaResult measure(Simulation *simulation, int steps, Measurement *found)
{
    const Model *model = &simulation->model;
    *found = (Measurement){.nodes = model->node_count, .tets = model->tet_count};
    const double processor = processor_ms(), wall = wall_ms();
    for (int step = 0; step < steps; ++step) {
        StepReport report;
        TRY(simulation_step(simulation, &report));
        found->newton += report.solver.iterations;
        found->linear += report.solver.linear_iterations;
    }
    found->processor = processor_ms() - processor;
    found->wall = wall_ms() - wall;
    read_phases(simulation->device, PHASES, phase_names, found->phases);
    double *x;
    TRY(ARENA_ARRAY(&simulation->arena, x, 3 * (size_t)model->node_count));
    TRY(device_state_read(simulation->device, SLOT_POSITION, x));
    int count = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        if (model->rest_positions[3 * (size_t)i] > 0.2 - 1e-9) {
            found->height += x[3 * (size_t)i + 1];
            ++count;
        }
    found->height /= count;
    return VELA_OK;
}

static void run_once(const char *cells, const char *preconditioner, int steps, int threads,
                     Measurement *found)
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
        "\"solver\": {\"type\": \"newton\", \"tolerance\": 4.2e-3, "
        "\"linear\": {\"preconditioner\": \"%s\"}},"
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 5e5, "
        "\"poissons_ratio\": 0.4}},"
        "\"bodies\": [{\"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": "
        "[%s]}}, \"material\": \"m\", \"translate\": [0, 0.05, 0], "
        "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.1999, 1, 1]]}}]}]}",
        preconditioner, cells);
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    VelaResult result = scene_parse(context, "bench.json", text, (size_t)length, 0, NULL, &simulation.arena,
                                    &simulation.scene);
    if (result == VELA_OK)
        result = model_build(context, &simulation.scene, &simulation.arena, &simulation.model);
    if (result == VELA_OK)
        result = simulation_start(&simulation, &(DeviceChoice){"cpu", NULL});
    if (result == VELA_OK)
        result = measure(&simulation, steps, found);
    if (result != VELA_OK) {
        fprintf(stderr, "bench_newton: %s\n", vela_context_message(context));
        exit(1);
    }
    simulation_destroy(&simulation);
    vela_context_destroy(context);
}

static void run(int n, const char *preconditioner, int threads)
{
    const int steps = n <= LARGE ? STEPS : LARGE_STEPS;
    char cells[64];
    snprintf(cells, sizeof cells, "%d, %d, %d", n, (n + 2) / 4, (n + 2) / 4);
    Measurement best = {.processor = INFINITY}, found;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        run_once(cells, preconditioner, steps, threads, &found);
        if (found.processor < best.processor)
            best = found;
    }
    printf("%d,%s,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.1f", n, preconditioner, best.nodes, best.tets, threads, steps,
           best.processor / steps, best.wall / steps, best.newton / steps, best.linear / best.newton);
    for (int p = 0; p < PHASES; ++p)
        printf(",%.3f", best.phases[p] / best.newton);
    printf(",%.4f\n", best.height);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    printf(
        "cells,preconditioner,nodes,tets,threads,steps,processor_ms_per_step,wall_ms_per_step,newton_per_step,"
        "linear_per_newton,hessians_ms,assembly_ms,linear_ms,search_ms,end_height_m\n");
    for (int i = 1; i < count; ++i)
        run(atoi(arguments[i]), "two_level", 1);
    if (count > 1)
        return 0;
    static const int sizes[] = {16, 24, 32, 40, 48, 64, 80};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        run(sizes[i], "two_level", 1);
    run(24, "block_jacobi", 1);
    run(40, "block_jacobi", 1);
    run(24, "two_level", 2);
    run(40, "two_level", 2);
    run(64, "two_level", 2);
    return 0;
}
