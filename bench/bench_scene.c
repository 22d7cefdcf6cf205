// A whole scene on the CPU path: its phases' share of the time, as CSV. Steps of 0 take all of the scene's.
// usage: bench_scene THREADS STEPS SCENE [key=value...] > scene.csv
#define _POSIX_C_SOURCE 200809L
#include "stepping.h"

enum { PHASES = 9 };

static const char *const phase_names[PHASES] = {
    "contact pairs", "contact filter", "contact Hessians", "contact line search", "gradient and Hessians",
    "assembly",      "linear solve",   "line search",      "diagnostics"};

int main(int count, char **arguments)
{
    if (count < 4) {
        fprintf(stderr, "usage: bench_scene THREADS STEPS SCENE [key=value...]\n");
        return 2;
    }
    Simulation simulation;
    const int threads = atoi(arguments[1]);
    stepping_start(threads, arguments[3], NULL, count - 4, (const char *const *)arguments + 4, &simulation);
    int steps = atoi(arguments[2]);
    if (steps == 0)
        steps = (int)simulation.scene.step_count;
    Stepping found;
    stepping_steps(&simulation, steps, &found);
    double phases[PHASES] = {0}, rest = found.wall;
    read_phases(simulation.device, PHASES, phase_names, phases);
    printf(
        "phase,threads,steps,nodes,tets,newton_per_step,linear_per_newton,patch_per_step,wall_ms_per_step,share\n");
    for (int p = 0; p < PHASES + 2; ++p) {
        const double ms = p < PHASES ? phases[p] : p == PHASES ? rest : found.wall;
        if (p < PHASES)
            rest -= ms;
        printf("%s,%d,%d,%d,%d,%.2f,%.1f,%.2f,%.3f,%.4f\n",
               p < PHASES    ? phase_names[p]
               : p == PHASES ? "other"
                             : "all",
               threads, steps, simulation.model.body_node_count, simulation.model.groups[ELEMENT_TET].count,
               found.newton / steps, found.linear / found.newton, found.patch / steps, ms / steps,
               ms / found.wall);
    }
    stepping_end(&simulation);
    return 0;
}
