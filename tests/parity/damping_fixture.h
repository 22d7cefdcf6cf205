/// Scenes of damped bodies, and what tests of dissipation on the Vulkan device against the CPU path share.
#ifndef TESTS_DAMPING_FIXTURE_H
#define TESTS_DAMPING_FIXTURE_H

#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

#define STRAIN_RATE "{\"type\": \"strain_rate\", \"shear\": 300, \"bulk\": 150}"
#define RAYLEIGH "{\"type\": \"rayleigh\", \"time\": 0.01}"
#define MASS "{\"type\": \"rayleigh\", \"mass\": 4}"
#define PRINCIPAL "{\"type\": \"principal_strain\", \"time\": 0.01}"
#define SPLINE                                                                                               \
    "{\"type\": \"spline\", \"time\": 0.01, \"points\": [[0.8, 2], [0.95, 0.5], [1, 0.7], [1.3, 1]]}"
#define CORRECTED(type) "{\"type\": \"" type "\", \"time\": 0.01, \"correction\": \"velocity_gradient\"}"
#define LAW(coefficient, exponent)                                                                           \
    "{\"type\": \"power_law\", \"coefficient\": " coefficient ", \"exponent\": " exponent "}"
#define CORRECTED_LAW(coefficient, exponent)                                                                 \
    "{\"type\": \"power_law\", \"coefficient\": " coefficient ", \"exponent\": " exponent                    \
    ", \"correction\": \"velocity_gradient\"}"
#define LAWS LAW("200", "0") ", " CORRECTED_LAW("100", "0.5") ", " LAW("200", "1") ", " LAW("10", "2")
#define ALL STRAIN_RATE ", " RAYLEIGH ", " MASS ", " PRINCIPAL ", " SPLINE

#define BEGIN(step, integrator)                                                                              \
    "{\"version\": 1, \"time\": {\"step\": " step                                                            \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator "}, \"materials\": {"
#define MATERIAL(name, model, damping)                                                                       \
    "\"" name "\": {\"model\": \"" model "\", \"density\": 1000, \"youngs_modulus\": 1e5, "                  \
    "\"poissons_ratio\": 0.3, \"damping\": [" damping "]}"
#define SCENE(step, integrator, model, damping, more, bodies)                                                \
    BEGIN(step, integrator)                                                                                  \
    MATERIAL("m", model, damping) ", " MATERIAL("plain", "stvk", "") "}, " more "\"bodies\": [" bodies "]}"
/// A body of some name, material and place along z.
#define BODY(name, material, z)                                                                              \
    "{\"name\": \"" name "\", \"material\": \"" material "\", \"translate\": [0, 0, " z "], "
/// Twisted, thrown, held by a pin that moves.
#define BAR_OF(body)                                                                                         \
    body                                                                                                     \
        "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 1]}}, \"twist\": {\"axis\": " \
        "[1, 0, 0], \"degrees\": 40}, \"velocity_gradient\": [[2, 0, 1], [0, -3, 0], [0, 4, 1]], "           \
        "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 100]]}, \"motion\": [{\"time\": 0}, "   \
        "{\"time\": 1, \"translate\": [0, 1, 0]}]}]}"
/// The same, free and fast.
#define THROWN                                                                                               \
    BODY("thrown", "m", "0")                                                                                 \
    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 1]}}, \"twist\": {\"axis\": "     \
    "[1, 0, 0], \"degrees\": 40}, \"velocity\": [20, 0, -10], \"angular_velocity\": [0, 0, 6]}"
/// Its ends slide.
#define SLIDING                                                                                              \
    BODY("sliding", "m", "0")                                                                                \
    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 1]}}, \"velocity_gradient\": "    \
    "[[2, 0, 1], [0, -3, 0], [0, 4, 1]], \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, " \
    "\"axes\": \"yz\"}, {\"select\": {\"box\": [[0.19, -1, -1], [1, 1, 1]]}, \"axes\": \"x\", \"frame\": "   \
    "{\"axis\": [1, 1, 0], \"degrees\": 20}}]}"
#define SHELL_OF(body, bending)                                                                              \
    body "\"type\": \"shell\", \"thickness\": 0.004, \"bending\": \"" bending                                \
         "\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [5, 4]}}, \"velocity_gradient\": " \
         "[[0, 2, 0], [5, 1, 3], [0, 0, 0]], \"pins\": [{\"select\": {\"nodes\": [0, 5]}}]}"
#define ROPE_OF(body)                                                                                        \
    body "\"type\": \"cable\", \"radius\": 0.01, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": "   \
         "[0.5, 0.1, 0], \"segments\": 8}}, \"velocity_gradient\": [[3, 0, 0], [5, 0, 0], [-4, 0, 0]], "     \
         "\"pins\": [{\"select\": {\"nodes\": [0]}}]}"
#define BAR BAR_OF(BODY("bar", "m", "0"))
#define SHELL(bending) SHELL_OF(BODY("cloth", "m", "0"), bending)
#define ROPE ROPE_OF(BODY("rope", "m", "0"))
#define PLAIN                                                                                                \
    BODY("plain", "plain", "0.5")                                                                            \
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"velocity_gradient\": "    \
    "[[2, 0, 1], [0, -3, 0], [0, 4, 1]]}"
#define AFFINE                                                                                               \
    BODY("block", "plain", "-0.5")                                                                           \
    "\"type\": \"affine\", \"stiffness\": 1e6, \"angular_velocity\": [1, 0.2, 8], \"geometry\": {\"box\": "  \
    "{\"size\": [0.2, 0.1, 0.1], \"cells\": [1, 1, 1]}}}"
#define BARRIER                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.082, 0], \"normal\": [0.05, 1, 0]}}], \"contact\": "     \
    "{\"model\": \"barrier\", \"distance\": 0.005, \"friction\": 0.3}, "
/// Free ones.
#define FREE_SHELL(body, bending)                                                                            \
    body "\"type\": \"shell\", \"thickness\": 0.004, \"bending\": \"" bending                                \
         "\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [4, 3]}}, \"velocity_gradient\": " \
         "[[0, 2, 0], [5, 1, 3], [0, 0, 0]]}"
#define COPIES(body)                                                                                             \
    body                                                                                                         \
        "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"array\": {\"count\": "    \
        "[1, 1, 2], \"spacing\": [0, 0, 0.5]}, \"angular_velocity\": [2, 5, 1], \"velocity_gradient\": [[2, 0, " \
        "1], [0, -3, 0], [0, 4, 1]]}"
#define FREE_ROPE(body)                                                                                      \
    body "\"type\": \"cable\", \"radius\": 0.01, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": "   \
         "[0.5, 0.1, 0], \"segments\": 8}}, \"velocity_gradient\": [[3, 0, 0], [5, 0, 0], [-4, 0, 0]], "     \
         "\"angular_velocity\": [0, 3, 8]}"

/// Of tests that do not define it: Newton's method, in single and in double precision.
#ifndef LOCKSTEP_SOLVERS
#define LOCKSTEP_SOLVERS                                                                                     \
    "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",                        \
        "{\"type\": \"newton\", \"tolerance\": 1e-10, \"linear\": {\"tolerance\": 1e-11}}"
#endif
static const char *const lockstep_solvers[2] = {LOCKSTEP_SOLVERS};

static inline double noise_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

/// An example on the CPU and on the Vulkan device.
static inline void lockstep_pair(const LockstepCase *example, bool f64, Simulation simulations[2])
{
    lockstep_start(context, example, lockstep_solvers[f64], &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    lockstep_start(context, example, lockstep_solvers[f64], &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &simulations[1]);
}

static inline void lockstep_stop(Simulation simulations[2])
{
    simulation_destroy(&simulations[1]);
    simulation_destroy(&simulations[0]);
}

static inline double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, isfinite(a[i]) && isfinite(b[i]) ? fabs(a[i] - b[i]) : INFINITY);
    return largest;
}

static inline double largest_of(const double *a, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i]));
    return largest;
}

/// What both ledgers say damping has taken, type by type, relative to all of it.
static inline double ledger_difference(const Simulation *cpu, const Simulation *gpu)
{
    const IntegratorState *a = &cpu->integrator.state, *b = &gpu->integrator.state;
    double sum = 0;
    for (int k = 0; k < DAMPING_TYPES; ++k)
        sum += a->damped[k];
    ck_assert_double_gt(sum, 0);
    return fmax(largest_difference(a->damped, b->damped, DAMPING_TYPES),
                largest_difference(&a->dissipated, &b->dissipated, 1)) /
           sum;
}

/// Steps from the CPU's states, and what both ledgers say of them.
static inline void damping_steps(const LockstepCase *example, bool f64)
{
    const double allowed = f64 ? 1e-9 : 1e-5;
    const DeviationBounds bounds = deviation_bounds(allowed, f64);
    Simulation simulations[2];
    Comparison comparison;
    Arena arena = arena_make(context);
    lockstep_pair(example, f64, simulations);
    ASSERT_OK(context, comparison_create(&simulations[0], &simulations[1], true, &arena, &comparison));
    for (int step = 0; step < example->steps; ++step) {
        Deviation d;
        double value, bound;
        ASSERT_OK(context, comparison_step(&comparison, &d));
        printf("%s %s step %d: x %.2e v %.2e p %.2e l %.2e H %.2e, iterations %d/%d\n", f64 ? "f64" : "f32",
               example->name, step, d.position, d.velocity, d.momentum, d.angular_momentum, d.energy,
               d.iterations[0], d.iterations[1]);
        const char *beyond = deviation_beyond(&d, &bounds, &value, &bound);
        ck_assert_msg(!beyond, "step %d: differ by %g in %s, expected at most %g", step, value, beyond,
                      bound);
    }
    const double off = ledger_difference(&simulations[0], &simulations[1]);
    printf("  taken %.6g J, off by %.1e\n", simulations[0].integrator.state.dissipated, off);
    ck_assert_double_le(off, allowed);
    arena_clear(&arena);
    lockstep_stop(simulations);
}

/// The same bytes on each run, states and ledgers.
static inline void damping_same_bytes(const LockstepCase *example)
{
    double *states[2];
    IntegratorState ledgers[2];
    size_t size = 0;
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        lockstep_start(context, example, lockstep_solvers[0], &(DeviceChoice){"vulkan", "f32"}, &simulation);
        for (int step = 0; step < 3; ++step) {
            StepReport report;
            ASSERT_OK(context, simulation_step(&simulation, &report));
        }
        size = simulation_state_size(&simulation) * sizeof(double);
        states[k] = calloc(1, size);
        ASSERT_OK(context, simulation_state_read(&simulation, states[k]));
        ledgers[k] = simulation.integrator.state;
        simulation_destroy(&simulation);
    }
    ck_assert_mem_eq(states[0], states[1], size);
    ck_assert_mem_eq(ledgers[0].damped, ledgers[1].damped, sizeof ledgers[0].damped);
    ck_assert_double_eq(ledgers[0].dissipated, ledgers[1].dissipated);
    free(states[0]);
    free(states[1]);
}

#endif
