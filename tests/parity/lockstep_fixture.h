/// Steps of the Vulkan device and of the CPU path from the same states, judged as `vela compare` does.
#ifndef TESTS_LOCKSTEP_FIXTURE_H
#define TESTS_LOCKSTEP_FIXTURE_H

#include "check_main.h"
#include "model/build.h"
#include "parity/shared_gpu.h"
#include "scene/parse.h"
#include "sim/compare.h"
#include "sim/simulation.h"

#include <math.h>
#include <string.h>

typedef struct LockstepCase {
    const char *name, *scene;
    int steps;
} LockstepCase;

/// `solver`: the scene's object of that name. End with simulation_destroy, and the program with shared_gpu_close.
static inline void lockstep_start(VelaContext *context, const LockstepCase *example, const char *solver,
                                  const DeviceChoice *choice, Simulation *simulation)
{
    char text[200];
    const char *overrides[] = {text};
    snprintf(text, sizeof text, "solver=%s", solver);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, example->name, example->scene, strlen(example->scene), 1,
                                   overrides, &simulation->arena, &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context, shared_gpu_start(simulation, choice));
}

/// Fields of frames at the CPU's positions: stretches within `allowed` (of themselves where they are above 1), energy densities within 100
/// times as much of the largest one, or within that of so small a strain.
static inline void lockstep_fields(VelaContext *context, Simulation *cpu, Simulation *gpu, double allowed)
{
    const size_t count = (size_t)cpu->model.element_count;
    double *x = calloc(3 * (size_t)cpu->model.node_count, sizeof *x), largest = 0, off[2] = {0, 0};
    float *fields = calloc(4 * count, sizeof *fields);
    ASSERT_OK(context, device_state_read(cpu->device, SLOT_POSITION, x));
    ASSERT_OK(context, device_state_write(gpu->device, SLOT_POSITION, x));
    ASSERT_OK(context, device_fields(cpu->device, SLOT_POSITION, fields, fields + count));
    ASSERT_OK(context, device_fields(gpu->device, SLOT_POSITION, fields + 2 * count, fields + 3 * count));
    for (size_t e = 0; e < count; ++e) {
        off[0] = fmax(off[0], fabs((double)fields[e] - (double)fields[2 * count + e]) /
                                  fmax(1, fabs((double)fields[e])));
        off[1] = fmax(off[1], fabs((double)fields[count + e] - (double)fields[3 * count + e]));
        largest = fmax(largest, fabs((double)fields[count + e]));
    }
    printf("  stretches off by %.1e, energy densities by %.1e of %g J/m^3\n", off[0], off[1] / largest,
           largest);
    ck_assert_double_gt(largest, 0);
    ck_assert_double_le(off[0], allowed);
    double stiffness = 0;
    for (int32_t m = 0; m < cpu->model.material_count; ++m)
        stiffness = fmax(stiffness, cpu->model.materials[m].formula.kappa);
    ck_assert_double_le(off[1], 100 * allowed * largest + stiffness * allowed * allowed);
    free(fields);
    free(x);
}

/// `precision`: "f32" or "f64"; `allowed`: as the bound of `vela compare`. Returns whether anything came into contact, which both
/// have to see.
static inline bool lockstep(VelaContext *context, const LockstepCase *example, const char *solver,
                            const char *precision, double allowed)
{
    Simulation cpu, gpu;
    Comparison comparison;
    Arena arena = arena_make(context);
    lockstep_start(context, example, solver, &(DeviceChoice){"cpu", NULL}, &cpu);
    lockstep_start(context, example, solver, &(DeviceChoice){"vulkan", precision}, &gpu);
    ASSERT_OK(context, comparison_create(&cpu, &gpu, true, &arena, &comparison));
    const DeviationBounds bounds = deviation_bounds(allowed, strcmp(precision, "f64") == 0);
    bool touched = isfinite(cpu.diagnosis.min_distance);
    for (int step = 0; step < example->steps; ++step) {
        Deviation d;
        double value, bound;
        ASSERT_OK(context, comparison_step(&comparison, &d));
        const double gap[2] = {cpu.diagnosis.min_distance, gpu.diagnosis.min_distance};
        printf("%s %s step %d: x %.2e v %.2e p %.2e l %.2e H %.2e, iterations %d/%d, gap %g/%g\n", precision,
               example->name, step, d.position, d.velocity, d.momentum, d.angular_momentum, d.energy,
               d.iterations[0], d.iterations[1], gap[0], gap[1]);
        const char *beyond = deviation_beyond(&d, &bounds, &value, &bound);
        ck_assert_msg(!beyond, "step %d: differ by %g in %s, expected at most %g", step, value, beyond,
                      bound);
        touched |= isfinite(gap[0]) && isfinite(gap[1]);
        if (isfinite(gap[0]) && isfinite(gap[1]))
            ck_assert_double_eq_tol(gap[0], gap[1], 10 * allowed);
    }
    lockstep_fields(context, &cpu, &gpu, strcmp(precision, "f64") == 0 ? 1e-7 : 1e-6);
    arena_clear(&arena);
    simulation_destroy(&gpu);
    simulation_destroy(&cpu);
    return touched;
}

#endif
