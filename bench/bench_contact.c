// A cube that is dropped on a plane, by implicit Euler and Newton's method with barrier contact, friction and self-contact on
// the CPU path, as CSV: milliseconds of processor time and of the clock and iterations a step, and the phases' milliseconds
// of the clock per step. Of several runs the one that took the least processor time counts.
// usage: bench_contact [cells along an edge...] > contact.csv
#define _POSIX_C_SOURCE 200809L
#include "stepping.h"

#include <math.h>

enum { PHASES = 9, REPEATS = 3, STEPS = 40, LARGE = 16 };

static const char *const phase_names[PHASES] = {
    "gradient and Hessians", "assembly",         "linear solve",        "line search", "contact pairs",
    "contact filter",        "contact Hessians", "contact line search", "diagnostics"};

typedef struct Measurement {
    int32_t nodes, tets, triangles;
    Stepping stepping;
    double phases[PHASES]; ///< ms
} Measurement;

static void run_once(int cells, int threads, Measurement *found)
{
    char text[4096];
    snprintf(
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
    Simulation simulation;
    stepping_start(threads, "bench.json", text, 0, NULL, &simulation);
    stepping_steps(&simulation, STEPS, &found->stepping);
    found->nodes = simulation.model.body_node_count;
    found->tets = simulation.model.groups[ELEMENT_TET].count;
    found->triangles = simulation.model.triangle_count;
    read_phases(simulation.device, PHASES, phase_names, found->phases);
    stepping_end(&simulation);
}

static void run(int cells, int threads)
{
    Measurement best = {.stepping.processor = INFINITY}, found;
    for (int repeat = 0; repeat < (cells > LARGE ? 1 : REPEATS); ++repeat) {
        run_once(cells, threads, &found);
        if (found.stepping.processor < best.stepping.processor)
            best = found;
    }
    printf("%d,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.1f", cells, best.nodes, best.tets, best.triangles, threads,
           best.stepping.processor / STEPS, best.stepping.wall / STEPS, best.stepping.newton / STEPS,
           best.stepping.linear / best.stepping.newton);
    for (int p = 0; p < PHASES; ++p)
        printf(",%.3f", best.phases[p] / STEPS);
    printf(",%.5f\n", best.stepping.end.center[1]);
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
