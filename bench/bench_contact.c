// A cube that is dropped on a plane, by implicit Euler and Newton's method with barrier contact, friction and self-contact on
// the CPU path, as CSV: milliseconds of processor time and of the clock and iterations a step, and the phases' milliseconds
// of the clock per step. Of several runs the one that took the least processor time counts.
// usage: bench_contact [cells along an edge...] > contact.csv
#define _POSIX_C_SOURCE 200809L
#include "phases.h"

#include "device/cpu/cpu.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>

enum { PHASES = 9, REPEATS = 3, STEPS = 40, LARGE = 16 };

static const char *const phase_names[PHASES] = {
    "gradient and Hessians", "assembly",         "linear solve",        "line search", "contact pairs",
    "contact filter",        "contact Hessians", "contact line search", "diagnostics"};

typedef struct Measurement {
    int32_t nodes, tets, triangles;
    double processor, wall; ///< ms
    double newton, linear;  ///< iterations
    double phases[PHASES];  ///< ms
    double height;          ///< of the centre of mass in the end, m
} Measurement;

static VelaResult measure(Simulation *simulation, Measurement *found)
{
    const Model *model = &simulation->model;
    *found = (Measurement){
        .nodes = model->body_node_count, .tets = model->tet_count, .triangles = model->triangle_count};
    const double processor = processor_ms(), wall = wall_ms();
    for (int step = 0; step < STEPS; ++step) {
        StepReport report;
        TRY(simulation_step(simulation, &report));
        found->newton += report.solver.iterations;
        found->linear += report.solver.linear_iterations;
        found->height = report.end.center[1];
    }
    found->processor = processor_ms() - processor;
    found->wall = wall_ms() - wall;
    read_phases(simulation->device, PHASES, phase_names, found->phases);
    return VELA_OK;
}

static void run_once(int cells, int threads, Measurement *found)
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
        "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 3.5e-3},"
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 5e5, "
        "\"poissons_ratio\": 0.4}},"
        "\"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [%d, %d, %d]}}, "
        "\"material\": \"m\", \"translate\": [0, 0.2, 0]}],"
        "\"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}],"
        "\"contact\": {\"model\": \"barrier\", \"distance\": 3.5e-4, \"friction\": 0.1, \"self\": true}}",
        cells, cells, cells);
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    VelaResult result = scene_parse(context, "bench.json", text, (size_t)length, 0, NULL, &simulation.arena,
                                    &simulation.scene);
    if (result == VELA_OK)
        result = model_build(context, &simulation.scene, &simulation.arena, &simulation.model);
    if (result == VELA_OK)
        result = simulation_start(&simulation, &(DeviceChoice){"cpu", NULL});
    if (result == VELA_OK)
        result = measure(&simulation, found);
    if (result != VELA_OK) {
        fprintf(stderr, "bench_contact: %s\n", vela_context_message(context));
        exit(1);
    }
    simulation_destroy(&simulation);
    vela_context_destroy(context);
}

static void run(int cells, int threads)
{
    Measurement best = {.processor = INFINITY}, found;
    for (int repeat = 0; repeat < (cells > LARGE ? 1 : REPEATS); ++repeat) {
        run_once(cells, threads, &found);
        if (found.processor < best.processor)
            best = found;
    }
    printf("%d,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.1f", cells, best.nodes, best.tets, best.triangles, threads,
           best.processor / STEPS, best.wall / STEPS, best.newton / STEPS, best.linear / best.newton);
    for (int p = 0; p < PHASES; ++p)
        printf(",%.3f", best.phases[p] / STEPS);
    printf(",%.5f\n", best.height);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    printf(
        "cells,nodes,tets,triangles,threads,processor_ms_per_step,wall_ms_per_step,newton_per_step,linear_per_newton,"
        "hessians_ms,assembly_ms,linear_ms,search_ms,contact_pairs_ms,contact_filter_ms,contact_hessians_ms,"
        "contact_search_ms,diagnostics_ms,end_height_m\n");
    for (int i = 1; i < count; ++i)
        run(atoi(arguments[i]), 1);
    if (count > 1)
        return 0;
    static const int sizes[] = {7, 12, 16, 24, 32};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int threads = 1; threads <= 2; ++threads)
            run(sizes[i], threads);
    return 0;
}
