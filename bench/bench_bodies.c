// Many small bodies: boxes of one cell, each with another one turned about an axis of its own a little above it, falling, by implicit
// Euler and Newton's method with barrier contact on the CPU path, as CSV: time until the first step, milliseconds of
// processor time and of the clock a step, memory in use and planned, candidates at the end. All of it should grow with the
// bodies, in proportion.
// usage: bench_bodies [bodies...]
#define _POSIX_C_SOURCE 200809L
#include "stepping.h"

#include "device/cpu/contact/candidates.h"
#include "device/cpu/cpu.h"

#include <time.h>

enum { STEPS = 3 };

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int32_t count_candidates(const Simulation *simulation)
{
    const Model *model = &simulation->model;
    Arena arena = arena_make(simulation->context);
    double *nodes, *vertices;
    CandidateList *list;
    int32_t count = 0;
    if (ARENA_ARRAY(&arena, nodes, 3 * (size_t)model->node_count) == VELA_OK &&
        ARENA_ARRAY(&arena, vertices, 3 * (size_t)model->surface.map.vertex_count) == VELA_OK &&
        device_state_read(simulation->device, SLOT_POSITION, nodes) == VELA_OK &&
        candidate_list_create(simulation->context, model, kernels_choose(), 1, &list) == VELA_OK) {
        surface_map_apply(&model->surface.map, nodes, vertices);
        if (candidate_list_sweep(list, vertices, NULL) == VELA_OK)
            count = candidate_list_spans(list).count;
        candidate_list_destroy(list);
    }
    arena_clear(&arena);
    return count;
}

static void run(int bodies, int threads)
{
    static const char body[] =
        "{\"name\": \"%s\", \"geometry\": {\"box\": {\"size\": [0.01, 0.01, 0.01], \"cells\": [1, 1, 1]}}, "
        "\"material\": \"m\", \"translate\": [0, %g, 0], \"rotate\": {\"axis\": [0, 1, 0.3], \"degrees\": %g}, "
        "\"velocity\": [0, %g, 0], \"array\": {\"count\": [%d, 1, 20], \"spacing\": [0.05, 0.05, 0.05]}}";
    char text[4096], lower[600], upper[600];
    snprintf(lower, sizeof lower, body, "lower", 0.0, 0.0, 0.0, bodies / 40);
    snprintf(upper, sizeof upper, body, "upper", 0.0125, 30.0, -0.2, bodies / 40);
    snprintf(text, sizeof text,
             "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"integrator\": {\"type\": "
             "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, \"materials\": {\"m\": {\"model\": "
             "\"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, "
             "\"bodies\": [%s, %s], \"contact\": {\"model\": \"barrier\", \"distance\": 5e-4, \"friction\": "
             "0.2}}",
             lower, upper);
    Simulation simulation;
    Stepping stepping;
    const double start = clock_seconds();
    stepping_start(threads, "bench.json", text, 0, NULL, &simulation);
    const double started = clock_seconds() - start;
    stepping_steps(&simulation, STEPS, &stepping);
    printf("%d,%d,%.2f,%.1f,%.1f,%.1f,%.1f,%.1f,%d\n", bodies, threads, started, stepping.processor / STEPS,
           stepping.wall / STEPS, stepping.newton / (double)STEPS,
           1e-6 * (double)simulation.context->memory_used,
           1e-6 * (double)cpu_device_memory(&simulation.model), count_candidates(&simulation));
    fflush(stdout);
    stepping_end(&simulation);
}

int main(int count, char **arguments)
{
    static const int sizes[] = {1000, 4000, 16000};
    printf(
        "bodies,threads,start_s,processor_ms_per_step,wall_ms_per_step,newton_per_step,used_MB,planned_device_MB,"
        "candidates\n");
    for (int i = 1; i < count; ++i)
        run(atoi(arguments[i]), 1);
    for (size_t i = 0; count < 2 && i < sizeof sizes / sizeof *sizes; ++i)
        for (int threads = 1; threads <= 2; ++threads)
            run(sizes[i], threads);
    return 0;
}
