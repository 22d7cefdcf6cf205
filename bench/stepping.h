/// A scene in text stepped on the CPU path, with its times and counts.
#ifndef BENCH_STEPPING_H
#define BENCH_STEPPING_H

#include "phases.h"

#include "sim/simulation.h"

#include <stdio.h>

typedef struct Stepping {
    double processor, wall; ///< ms of all steps
    double newton, linear;  ///< iterations of all steps
    Diagnosis end;
} Stepping;

static inline VelaResult step_and_count(Simulation *simulation, int steps, Stepping *found)
{
    *found = (Stepping){0};
    const double processor = processor_ms(), wall = wall_ms();
    for (int step = 0; step < steps; ++step) {
        StepReport report;
        TRY(simulation_step(simulation, &report));
        found->newton += report.solver.iterations;
        found->linear += report.solver.linear_iterations;
        found->end = report.end;
    }
    found->processor = processor_ms() - processor;
    found->wall = wall_ms() - wall;
    return VELA_OK;
}

/// Starts the scene and takes the steps; ends the program with a message where that fails. The caller ends with
/// stepping_end.
static inline void stepping_run(const char *text, int threads, int steps, Simulation *simulation,
                                Stepping *found)
{
    VelaContextDef def = vela_default_context_def();
    def.threads = threads;
    VelaContext *context;
    if (vela_context_create(&def, &context) != VELA_OK)
        exit(1);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    VelaResult result = scene_parse(context, "bench.json", text, strlen(text), 0, NULL, &simulation->arena,
                                    &simulation->scene);
    if (result == VELA_OK)
        result = model_build(context, &simulation->scene, &simulation->arena, &simulation->model);
    if (result == VELA_OK)
        result = simulation_start(simulation, &(DeviceChoice){"cpu", NULL});
    if (result == VELA_OK)
        result = step_and_count(simulation, steps, found);
    if (result == VELA_OK)
        return;
    fprintf(stderr, "%s\n", vela_context_message(context));
    exit(1);
}

static inline void stepping_end(Simulation *simulation)
{
    VelaContext *context = simulation->context;
    simulation_destroy(simulation);
    vela_context_destroy(context);
}

#endif
