// A bar of 1 m flies with 1 m/s against a wall (barrier contact) and off again, as CSV: the speed of its centre of mass
// when it has left, of the speed it came with, what became of its energy, and Newton iterations a step. How much of the
// motion becomes vibration is a property of the bar; what goes beyond it with large steps is the integrator's doing.
// The free bar and the one guided along a line (tests/physics/wall_bar.h); one thread; about ten minutes.
// usage: bench_collision [wave speed in m/s...] > collision.csv     (default 1 10 100)
#include "model/build.h"
#include "physics/wall_bar.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COARSEST = 100, FINEST = 6400 }; ///< steps in the time a wave takes there and back

// Share of the kinetic energy that is across the bar: an impact as fast as the waves makes it buckle.
static VelaResult share_across(Simulation *simulation, double *share)
{
    const Model *model = &simulation->model;
    double *v, along = 0, across = 0;
    TRY(ARENA_ARRAY(&simulation->arena, v, 3 * (size_t)model->node_count));
    TRY(device_state_read(simulation->device, SLOT_VELOCITY, v));
    for (int32_t i = 0; i < model->body_node_count; ++i) {
        along += model->masses[i] * v[3 * i] * v[3 * i];
        across += model->masses[i] * (v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]);
    }
    *share = across / (along + across);
    return VELA_OK;
}

typedef struct Impact {
    double speed;  ///< of the centre of mass at the end, m/s; it comes with 1
    double across; ///< at the end, of the kinetic energy
    double total;  ///< energy at the end, of the start's
    int steps, iterations;
} Impact;

static VelaResult collide(VelaContext *context, const char *mesh, const char *integrator, double wave_speed,
                          double step, Simulation *simulation, Impact *impact)
{
    char text[4096];
    bar_scene(text, sizeof text, mesh, integrator, wave_speed, step);
    TRY(scene_parse(context, "collision.json", text, strlen(text), 0, NULL, &simulation->arena,
                    &simulation->scene));
    TRY(model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    TRY(simulation_start(simulation, &(DeviceChoice){"cpu", NULL}));
    const double start = diagnosis_total(&simulation->diagnosis);
    const double away = BAR_RANGE + 4 * BAR_LENGTH / wave_speed; // s, contact lasts about half of it
    while (simulation_time(simulation) < away) {
        StepReport report;
        TRY(simulation_step(simulation, &report));
        impact->iterations += report.solver.iterations;
        ++impact->steps;
    }
    impact->speed = simulation->diagnosis.linear_momentum[0] / bar_mass(mesh != NULL);
    impact->total = diagnosis_total(&simulation->diagnosis) / start;
    return share_across(simulation, &impact->across);
}

// One row; false if no context can be made.
static bool collide_and_print(const char *mesh, const char *integrator, double wave_speed, int parts)
{
    VelaContextDef def = vela_default_context_def();
    def.threads = 1;
    VelaContext *context;
    if (vela_context_create(&def, &context) != VELA_OK)
        return false;
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    Impact impact = {0};
    const double step = 2 * BAR_LENGTH / wave_speed / parts;
    if (collide(context, mesh, integrator, wave_speed, step, &simulation, &impact) != VELA_OK)
        fprintf(stderr, "%s\n", vela_context_message(context));
    printf("%s,%g,%s,%d,%.4g,%.4f,%.4f,%.4f,%d,%.2f\n", mesh ? "guided" : "free", wave_speed, integrator,
           parts, step, impact.speed, impact.across, impact.total, impact.steps,
           (double)impact.iterations / impact.steps);
    fflush(stdout);
    simulation_destroy(&simulation);
    vela_context_destroy(context);
    return true;
}

int main(int count, char **arguments)
{
    static const char *const integrators[] = {"bdf2", "a1", "a_search"}, *const mesh = "guided_bar.mesh";
    static const char *const usual[] = {"", "1", "10", "100"};
    const char *const *speeds = count > 1 ? (const char *const *)arguments : usual;
    if (!bar_mesh_write(mesh))
        return 1;
    printf(
        "bar,wave_speed,integrator,steps_there_and_back,step,speed,across,total,steps,iterations_per_step\n");
    for (int guided = 0; guided < 2; ++guided)
        for (int w = 1; w < (count > 1 ? count : 4); ++w)
            for (int i = 0; i < 3; ++i)
                for (int parts = COARSEST; parts <= FINEST; parts *= 4)
                    if (!collide_and_print(guided ? mesh : NULL, integrators[i], atof(speeds[w]), parts))
                        return 1;
    return remove(mesh);
}
