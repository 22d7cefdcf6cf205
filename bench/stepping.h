/// A scene in text stepped on the CPU path, with its times and counts.
#ifndef BENCH_STEPPING_H
#define BENCH_STEPPING_H

#include "phases.h"

#include "model/build.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <stdio.h>

typedef struct Stepping {
    double processor, wall;       ///< ms of all steps
    double newton, linear, patch; ///< iterations of all steps
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
        found->patch += report.solver.patch_iterations;
        found->end = report.end;
    }
    found->processor = processor_ms() - processor;
    found->wall = wall_ms() - wall;
    return VELA_OK;
}

static inline void stepping_check(VelaContext *context, VelaResult result)
{
    if (result == VELA_OK)
        return;
    fprintf(stderr, "%s\n", vela_context_message(context));
    exit(1);
}

/// Starts a scene: the file `scene` if `text` is NULL. This and stepping_steps end the program with a message where they
/// fail. The caller ends with stepping_end.
static inline void stepping_start(int threads, const char *scene, const char *text, int override_count,
                                  const char *const *overrides, Simulation *simulation)
{
    VelaContextDef def = vela_default_context_def();
    def.threads = threads;
    VelaContext *context;
    if (vela_context_create(&def, &context) != VELA_OK)
        exit(1);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    Arena *arena = &simulation->arena;
    stepping_check(context,
                   text ? scene_parse(context, scene, text, strlen(text), override_count, overrides, arena,
                                      &simulation->scene)
                        : scene_read(context, scene, override_count, overrides, arena, &simulation->scene));
    stepping_check(context, model_build(context, &simulation->scene, arena, &simulation->model));
    stepping_check(context, simulation_start(simulation, &(DeviceChoice){"cpu", NULL}));
}

static inline void stepping_steps(Simulation *simulation, int steps, Stepping *found)
{
    stepping_check(simulation->context, step_and_count(simulation, steps, found));
}

static inline void stepping_end(Simulation *simulation)
{
    VelaContext *context = simulation->context;
    simulation_destroy(simulation);
    vela_context_destroy(context);
}

#endif
