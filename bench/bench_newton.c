// A held bar that sags, by implicit Euler and Newton's method on the CPU path, as CSV: milliseconds of processor time and
// of the clock and iterations a step, the phases' milliseconds of the clock per Newton iteration, and how high the free end
// is when it is over. Of several runs the one that took the least processor time counts, for the machine may have other
// things to do.
// usage: bench_newton [cells along the bar...] > newton.csv     (a quarter as many across)
#define _POSIX_C_SOURCE 200809L
#include "stepping.h"

#include <math.h>

enum { PHASES = 4, REPEATS = 3, STEPS = 25, LARGE_STEPS = 5, LARGE = 40 };

static const char *const phase_names[PHASES] = {"gradient and Hessians", "assembly", "linear solve",
                                                "line search"};

typedef struct Measurement {
    int32_t nodes, tets;
    Stepping stepping;
    double phases[PHASES]; ///< ms
    double height;         ///< of the free end, m
} Measurement;

static double end_height(Simulation *simulation)
{
    const Model *model = &simulation->model;
    double *x, height = 0;
    if (ARENA_ARRAY(&simulation->arena, x, 3 * (size_t)model->node_count) != VELA_OK ||
        device_state_read(simulation->device, SLOT_POSITION, x) != VELA_OK)
        exit(1);
    int count = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        if (model->rest_positions[3 * (size_t)i] > 0.2 - 1e-9) {
            height += x[3 * (size_t)i + 1];
            ++count;
        }
    return height / count;
}

static void run_once(const char *cells, const char *preconditioner, int steps, int threads,
                     Measurement *found)
{
    char text[4096];
    snprintf(
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
    Simulation simulation;
    stepping_start(threads, "bench.json", text, 0, NULL, &simulation);
    stepping_steps(&simulation, steps, &found->stepping);
    found->nodes = simulation.model.node_count;
    found->tets = simulation.model.groups[ELEMENT_TET].count;
    read_phases(simulation.device, PHASES, phase_names, found->phases);
    found->height = end_height(&simulation);
    stepping_end(&simulation);
}

static void run(int n, const char *preconditioner, int threads)
{
    const int steps = n <= LARGE ? STEPS : LARGE_STEPS;
    char cells[64];
    snprintf(cells, sizeof cells, "%d, %d, %d", n, (n + 2) / 4, (n + 2) / 4);
    Measurement best = {.stepping.processor = INFINITY}, found;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        run_once(cells, preconditioner, steps, threads, &found);
        if (found.stepping.processor < best.stepping.processor)
            best = found;
    }
    printf("%d,%s,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.1f", n, preconditioner, best.nodes, best.tets, threads, steps,
           best.stepping.processor / steps, best.stepping.wall / steps, best.stepping.newton / steps,
           best.stepping.linear / best.stepping.newton);
    for (int p = 0; p < PHASES; ++p)
        printf(",%.3f", best.phases[p] / best.stepping.newton);
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
