/// What the physics tests share: a simulation on the CPU path made from a scene in the text of the test.
#ifndef TESTS_PHYSICS_FIXTURE_H
#define TESTS_PHYSICS_FIXTURE_H

#include "check_main.h"
#include "energy_names.h"

#include "base/matrix3.h"
#include "model/build.h"
#include "physics/energy/energy.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The stiffness of a material in a scene: kappa and, where the model has one, the lambda that is `lame` at rest. Valid
/// until the next call.
static inline const char *stiffness_text(int model, double kappa, double lame)
{
    static char text[80];
    int length = snprintf(text, sizeof text, "\"kappa\": %g", kappa);
    if (energy_has_lambda(model))
        snprintf(text + length, sizeof text - (size_t)length, ", \"lambda\": %g",
                 model == ENERGY_STABLE_NEO_HOOKEAN ? lame + kappa : lame);
    return text;
}

static inline VelaContext *threads_context(int32_t threads)
{
    VelaContextDef def = vela_default_context_def();
    def.log = test_log;
    def.threads = threads;
    VelaContext *context;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    return context;
}

/// A started simulation of the scene `format`, filled in as by printf. End with simulation_stop.
static inline void PRINTF_LIKE(3, 4)
    simulation_make(VelaContext *context, Simulation *simulation, const char *format, ...)
{
    static char text[1 << 17];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ck_assert(length > 0 && length < (int)sizeof text);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, BINARY_DIR "/scene.json", text, (size_t)length, 0, NULL,
                                   &simulation->arena, &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context, simulation_start(simulation, &(DeviceChoice){"cpu", NULL}));
}

/// Destroys the simulation and its context.
static inline void simulation_stop(Simulation *simulation)
{
    VelaContext *context = simulation->context;
    simulation_destroy(simulation);
    vela_context_destroy(context);
}

static inline StepReport step_once(Simulation *simulation)
{
    StepReport report;
    ASSERT_OK(simulation->context, simulation_step(simulation, &report));
    return report;
}

/// A stage of 0.01 s that begins where the simulation does, with a target up to 1e-4 m from there.
static inline void stage_begin_near(const Simulation *simulation)
{
    const size_t n = 3 * (size_t)simulation->model.node_count;
    double *x = calloc(n, sizeof *x);
    ck_assert_ptr_nonnull(x);
    memcpy(x, simulation->model.initial_positions, n * sizeof *x);
    ASSERT_OK(simulation->context, device_state_write(simulation->device, SLOT_STAGE, x));
    for (size_t i = 0; i < n; ++i)
        x[i] += 1e-4 * sin((double)i);
    ASSERT_OK(simulation->context, device_state_write(simulation->device, SLOT_TARGET, x));
    ASSERT_OK(simulation->context, device_stage_set(simulation->device, &(Stage){.a = 0.01, .time = 0.01}));
    free(x);
}

/// A slot in memory of the simulation's arena, node_count x 3.
static inline double *slot_values(Simulation *simulation, Slot slot)
{
    double *values;
    ASSERT_OK(simulation->context,
              ARENA_ARRAY(&simulation->arena, values, 3 * (size_t)simulation->model.node_count));
    ASSERT_OK(simulation->context, device_state_read(simulation->device, slot, values));
    return values;
}

static inline double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/// Slope of the least-squares line through `values`, per sample.
static inline double fitted_slope(const double *values, int count)
{
    double sum_xy = 0, sum_xx = 0;
    for (int i = 0; i < count; ++i) {
        const double x = i - 0.5 * (count - 1);
        sum_xy += x * values[i];
        sum_xx += x * x;
    }
    return sum_xy / sum_xx;
}

#endif
