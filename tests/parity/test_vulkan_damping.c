// Damping of materials on the Vulkan device against the CPU path: forces and powers of every model and kind of element at any places and
// velocities, steps from the CPU's states with what the ledger says of them, reactions; the same bytes on each run; what it costs.
// Bounds are those of solids (test_vulkan_lockstep.c).
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
#define ALL STRAIN_RATE ", " RAYLEIGH ", " MASS ", " PRINCIPAL ", " SPLINE

#define SCENE(step, integrator, model, damping, more, bodies)                                                \
    "{\"version\": 1, \"time\": {\"step\": " step                                                            \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator                                           \
    "}, \"materials\": {\"m\": {\"model\": \"" model                                                         \
    "\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3, \"damping\": [" damping        \
    "]}, \"plain\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": "  \
    "0.3}}, " more "\"bodies\": [" bodies "]}"
/// Twisted, thrown, held by a pin that moves.
#define BAR                                                                                                  \
    "{\"name\": \"bar\", \"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], "          \
    "\"cells\": [4, 2, 1]}}, \"twist\": {\"axis\": [1, 0, 0], \"degrees\": 40}, \"velocity_gradient\": [[2," \
    "0, 1], [0, -3, 0], [0, 4, 1]], \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, "      \
    "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 1, 0]}]}]}"
/// The same, free and fast.
#define THROWN                                                                                               \
    "{\"name\": \"thrown\", \"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], "       \
    "\"cells\": [4, 2, 1]}}, \"twist\": {\"axis\": [1, 0, 0], \"degrees\": 40}, \"velocity\": [20, 0, -10]," \
    "\"angular_velocity\": [0, 0, 6]}"
#define SHELL(bending)                                                                                       \
    "{\"name\": \"cloth\", \"type\": \"shell\", \"material\": \"m\", \"thickness\": 0.004, \"bending\": "    \
    "\"" bending "\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [5, 4]}}, "                \
    "\"velocity_gradient\": [[0, 2, 0], [5, 1, 3], [0, 0, 0]], \"pins\": [{\"select\": {\"nodes\": [0, 5]}}]}"
#define ROPE                                                                                                 \
    "{\"name\": \"rope\", \"type\": \"cable\", \"radius\": 0.01, \"material\": \"m\", \"geometry\": "        \
    "{\"cable\": {\"from\": [0, 0, 0], \"to\": [0.5, 0.1, 0], \"segments\": 8}}, \"velocity_gradient\": "    \
    "[[3, 0, 0], [5, 0, 0], [-4, 0, 0]], \"pins\": [{\"select\": {\"nodes\": [0]}}]}"
#define PLAIN                                                                                                \
    "{\"name\": \"plain\", \"material\": \"plain\", \"translate\": [0, 0.5, 0], \"geometry\": {\"box\": "    \
    "{\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"velocity_gradient\": [[2, 0, 1], [0, -3, 0], [0," \
    "4, 1]]}"
#define AFFINE                                                                                               \
    "{\"name\": \"block\", \"type\": \"affine\", \"material\": \"plain\", \"stiffness\": 1e6, "              \
    "\"translate\": [0, -0.5, 0], \"angular_velocity\": [1, 0.2, 8], \"geometry\": {\"box\": {\"size\": "    \
    "[0.2, 0.1, 0.1], \"cells\": [1, 1, 1]}}}"
#define BARRIER                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.082, 0], \"normal\": [0.05, 1, 0]}}], \"contact\": "     \
    "{\"model\": \"barrier\", \"distance\": 0.005, \"friction\": 0.3}, "
static const char *const solvers[2] = {
    "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",
    "{\"type\": \"newton\", \"tolerance\": 1e-10, \"linear\": {\"tolerance\": 1e-11}}"};

static double noise_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

static void start(const LockstepCase *example, bool f64, Simulation simulations[2])
{
    lockstep_start(context, example, solvers[f64], &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    lockstep_start(context, example, solvers[f64], &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &simulations[1]);
}

static void stop(Simulation simulations[2])
{
    simulation_destroy(&simulations[1]);
    simulation_destroy(&simulations[0]);
}

static double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, isfinite(a[i]) && isfinite(b[i]) ? fabs(a[i] - b[i]) : INFINITY);
    return largest;
}

static double largest_of(const double *a, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i]));
    return largest;
}

// ---------------------------------------------------------------- forces and powers

static const LockstepCase forces[] = {
    {"solid, stvk", SCENE("0.01", "rk4\"", "stvk", "%s", "", BAR), 0},
    {"solid, neo_hookean", SCENE("0.01", "rk4\"", "neo_hookean", "%s", "", BAR), 0},
    {"solid, arap", SCENE("0.01", "rk4\"", "arap", "%s", "", BAR), 0},
    {"solid, stable_neo_hookean", SCENE("0.01", "rk4\"", "stable_neo_hookean", "%s", "", BAR), 0},
    {"membrane, stvk", SCENE("0.01", "rk4\"", "stvk", "%s", "", SHELL("none")), 0},
    {"membrane, neo_hookean", SCENE("0.01", "rk4\"", "neo_hookean", "%s", "", SHELL("none")), 0},
    {"hinges", SCENE("0.01", "rk4\"", "stvk", "%s", "", SHELL("discrete_shells")), 0},
    {"quadratic hinges", SCENE("0.01", "rk4\"", "stvk", "%s", "", SHELL("quadratic")), 0},
    {"plates", SCENE("0.01", "rk4\"", "stvk", "%s", "", SHELL("plate")), 0},
    {"cable", SCENE("0.01", "rk4\"", "stvk", "%s", "", ROPE), 0},
};
static const char *const models[] = {
    STRAIN_RATE, RAYLEIGH, MASS, PRINCIPAL, SPLINE, CORRECTED("rayleigh"), CORRECTED("principal_strain"),
    ALL};
enum { FORCES = sizeof forces / sizeof *forces, MODELS = sizeof models / sizeof *models, STATES = 4 };

/// Near rest; bent; torn about until solids are inside out; pressed flat but for a thousandth. Rates of any size.
static void stir(const Simulation *simulation, int state, bool may_invert, uint32_t *random, double *x,
                 double *v)
{
    static const double sizes[STATES] = {1e-5, 0.01, 0.06, 0.002};
    const double size = state == 2 && !may_invert ? 0.015 : sizes[state];
    for (size_t i = 0; i < 3 * (size_t)simulation->model.node_count; ++i) {
        x[i] = 1.02 * simulation->model.rest_positions[i] * (state == 3 && i % 3 == 1 ? 0.2 : 1) +
               size * noise_of(random);
        v[i] = 3 + noise_of(random);
    }
}

/// Accelerations and powers at one state of both, off by how much.
static void compare_forces(Simulation simulations[2], const double *x, const double *v, double off[2])
{
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *a[2], powers[2][DAMPING_TYPES + 2];
    for (int k = 0; k < 2; ++k) {
        Device *device = simulations[k].device;
        DissipationLoss loss = {0};
        a[k] = calloc(n, sizeof **a);
        ASSERT_OK(context, device_state_write(device, SLOT_SCRATCH_0, x));
        ASSERT_OK(context, device_state_write(device, SLOT_SCRATCH_1, v));
        ASSERT_OK(context, device_state_write(device, SLOT_ACCELERATION, a[k]));
        ASSERT_OK(context,
                  device_damping_acceleration(device, SLOT_ACCELERATION, SLOT_SCRATCH_0, SLOT_SCRATCH_1));
        ASSERT_OK(context, device_damping_loss(device, SLOT_SCRATCH_0, SLOT_SCRATCH_1, 0.5, &loss));
        ASSERT_OK(context, device_state_read(device, SLOT_ACCELERATION, a[k]));
        memcpy(powers[k], loss.by_damping, sizeof loss.by_damping);
        powers[k][DAMPING_TYPES] = loss.all;
        powers[k][DAMPING_TYPES + 1] = loss.free;
    }
    const double all = powers[0][DAMPING_TYPES];
    off[0] = largest_difference(a[0], a[1], n) / largest_of(a[0], n);
    off[1] = largest_difference(powers[0], powers[1], DAMPING_TYPES + 2) / all;
    ck_assert_double_gt(all, 0);
    for (int k = 0; k < DAMPING_TYPES; ++k)
        ck_assert_double_ge(powers[1][k], 0);
    free(a[0]);
    free(a[1]);
}

START_TEST(same_forces)
{
    const bool f64 = _i >= FORCES * MODELS;
    const int b = _i / MODELS % FORCES, m = _i % MODELS;
    char text[3000];
    // What is corrected are solids; bending without membranes has no model but Rayleigh's.
    const bool corrected = m == 5 || m == 6;
    if (corrected && b > 3)
        return;
    snprintf(text, sizeof text, forces[b].scene, models[m]);
    const LockstepCase example = {forces[b].name, text, 0};
    Simulation simulations[2];
    start(&example, f64, simulations);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *x = calloc(n, sizeof *x), *v = calloc(n, sizeof *v), worst[2] = {0, 0};
    uint32_t random = 7;
    for (int state = 0; state < STATES; ++state) {
        double off[2];
        stir(&simulations[0], state, b != 1, &random, x, v);
        compare_forces(simulations, x, v, off);
        printf("%s %s, %.60s, state %d: forces off by %.1e, powers by %.1e\n", f64 ? "f64" : "f32",
               example.name, models[m], state, off[0], off[1]);
        for (int k = 0; k < 2; ++k)
            worst[k] = fmax(worst[k], off[k]);
    }
    free(x);
    free(v);
    stop(simulations);
    ck_assert_double_le(worst[0], f64 ? 1e-9 : 1e-5);
    ck_assert_double_le(worst[1], f64 ? 1e-9 : 1e-5);
}
END_TEST

// ---------------------------------------------------------------- steps

static const LockstepCase steps[] = {
    {"solid, strain rate, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "neo_hookean", STRAIN_RATE, "", BAR), 3},
    {"solid, Rayleigh, implicit_midpoint", SCENE("0.005", "implicit_midpoint\"", "stvk", RAYLEIGH, "", BAR),
     3},
    {"solid, corrected, bdf2", SCENE("0.005", "bdf2\"", "neo_hookean", CORRECTED("rayleigh"), "", BAR), 3},
    {"solid, principal strain, variational",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", PRINCIPAL, "", BAR), 3},
    {"solid, spline, trapezoidal", SCENE("0.005", "trapezoidal\"", "neo_hookean", SPLINE, "", BAR), 3},
    {"solid, masses, sdirk2", SCENE("0.005", "sdirk2\"", "stable_neo_hookean", MASS ", " PRINCIPAL, "", BAR),
     3},
    {"solid, all, implicit_euler", SCENE("0.005", "implicit_euler\"", "stvk", ALL, "", BAR), 3},
    {"solid, thrown, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "neo_hookean", STRAIN_RATE, "", THROWN), 3},
    {"solid, explicit", SCENE("0.0002", "variational\", \"alpha\": 0", "stvk", RAYLEIGH, "", BAR), 3},
    {"solid, rk4", SCENE("0.0005", "rk4\"", "stvk", ALL, "", BAR), 3},
    {"solid, a_search", SCENE("0.005", "a_search\"", "stvk", PRINCIPAL, "", BAR), 3},
    {"solid, blending", SCENE("0.005", "blending\"", "stvk", STRAIN_RATE, "", BAR), 2},
    {"membrane, strain rate, bdf2", SCENE("0.005", "bdf2\"", "stvk", STRAIN_RATE, "", SHELL("none")), 3},
    {"membrane, principal strain, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "neo_hookean", PRINCIPAL, "", SHELL("none")), 3},
    {"membrane, spline, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", SPLINE, "", SHELL("none")), 3},
    {"hinges, Rayleigh, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "stvk", RAYLEIGH, "", SHELL("discrete_shells")),
     3},
    {"quadratic hinges, Rayleigh, variational",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", RAYLEIGH, "", SHELL("quadratic")), 3},
    {"plates, all, bdf2", SCENE("0.005", "bdf2\"", "stvk", ALL, "", SHELL("plate")), 3},
    {"cable, Rayleigh, implicit_midpoint", SCENE("0.005", "implicit_midpoint\"", "stvk", RAYLEIGH, "", ROPE),
     3},
    {"cable, strain rate, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "stvk", STRAIN_RATE, "", ROPE), 3},
    {"cable, spline, explicit", SCENE("0.0001", "variational\", \"alpha\": 0", "stvk", SPLINE, "", ROPE), 3},
    {"one damped, others not",
     SCENE("0.005", "tr_bdf2\"", "stvk", PRINCIPAL ", " MASS, "", BAR "," PLAIN "," AFFINE), 3},
    {"on a slope, with friction", SCENE("0.005", "bdf2\"", "neo_hookean", STRAIN_RATE, BARRIER, BAR), 3},
};
enum { STEPS = sizeof steps / sizeof *steps };

/// What both ledgers say damping has taken, type by type, relative to all of it.
static double ledger_difference(const Simulation *cpu, const Simulation *gpu)
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

START_TEST(same_steps)
{
    const bool f64 = _i >= STEPS;
    const LockstepCase *example = &steps[_i % STEPS];
    const double allowed = f64 ? 1e-9 : 1e-5;
    const DeviationBounds bounds = deviation_bounds(allowed, f64);
    Simulation simulations[2];
    Comparison comparison;
    Arena arena = arena_make(context);
    start(example, f64, simulations);
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
    stop(simulations);
}
END_TEST

/// device_forces after a step of both from one state: what reactions are made of, damping at a pin that moves among it.
START_TEST(same_reactions)
{
    const bool f64 = _i > 0;
    Simulation simulations[2];
    double *found[2][2];
    start(&steps[0], f64, simulations);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    for (int k = 0; k < 2; ++k) {
        StepReport report;
        ASSERT_OK(context, simulation_step(&simulations[k], &report));
        for (int damped = 0; damped < 2; ++damped) {
            found[k][damped] = calloc(n, sizeof(double));
            ASSERT_OK(context,
                      device_forces(simulations[k].device, SLOT_TARGET, SLOT_POSITION, 0.005, damped));
            ASSERT_OK(context, device_state_read(simulations[k].device, SLOT_TARGET, found[k][damped]));
        }
    }
    const double part = largest_difference(found[0][0], found[0][1], n), largest = largest_of(found[0][1], n),
                 off = largest_difference(found[0][1], found[1][1], n);
    printf("%s forces on all nodes: off by %.1e of %.3g N, damping's part %.3g N\n", f64 ? "f64" : "f32", off,
           largest, part);
    ck_assert_double_ge(part, 0.05 * largest);
    ck_assert_double_le(off, (f64 ? 1e-8 : 2e-4) * largest);
    for (int k = 0; k < 2; ++k) {
        free(found[k][0]);
        free(found[k][1]);
    }
    stop(simulations);
}
END_TEST

// ---------------------------------------------------------------- the same bytes

START_TEST(same_bytes)
{
    const LockstepCase *example = &steps[_i == 0 ? 6 : 21];
    double *states[2];
    IntegratorState ledgers[2];
    size_t size = 0;
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        lockstep_start(context, example, solvers[0], &(DeviceChoice){"vulkan", "f32"}, &simulation);
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
END_TEST

// ---------------------------------------------------------------- what it costs

/// Of a direction, of its trials, and memory.
static void costs_of(const char *damping, DeviceInfo costs[2])
{
    static const NewtonSettings settings = {
        .linear_tolerance = 1e-6, .linear_max_iterations = 1000, .project = true, .stretch = 1};
    char text[3000];
    snprintf(text, sizeof text, SCENE("0.005", "implicit_euler\"", "stvk", "%s", "", BAR), damping);
    const LockstepCase example = {"costs", text, 0};
    Simulation simulation;
    lockstep_start(context, &example, solvers[0], &(DeviceChoice){"vulkan", "f32"}, &simulation);
    Device *device = simulation.device;
    const double one = 1;
    NewtonDirection direction;
    NewtonTrials trials;
    const Slot slots[] = {SLOT_STAGE, SLOT_TARGET, SLOT_BASE_POSITION};
    for (int s = 0; s < 3; ++s)
        ASSERT_OK(context, device_combine(device, slots[s], 1, &one, (Slot[]){SLOT_POSITION}));
    ASSERT_OK(context, device_stage_set(device, &(Stage){.a = 0.005, .time = 0.005}));
    // Once for what is recorded and learnt.
    for (int round = 0; round < 2; ++round) {
        DeviceInfo before, middle, after;
        device_information(device, &before);
        ASSERT_OK(context, device_newton_direction(device, &settings, &direction));
        device_information(device, &middle);
        ASSERT_OK(context, device_newton_trials(device, 0, &trials));
        device_information(device, &after);
        costs[0] = (DeviceInfo){.host_waits = middle.host_waits - before.host_waits,
                                .bytes_transferred = middle.bytes_transferred - before.bytes_transferred,
                                .dispatches = middle.dispatches - before.dispatches};
        costs[1] = (DeviceInfo){.host_waits = after.host_waits - middle.host_waits,
                                .bytes_transferred = after.bytes_transferred - middle.bytes_transferred,
                                .dispatches = after.dispatches - middle.dispatches,
                                .memory = after.memory};
    }
    simulation_destroy(&simulation);
}

START_TEST(costs_two_dispatches_and_no_wait)
{
    DeviceInfo without[2], with[2];
    costs_of("", without);
    costs_of(STRAIN_RATE, with);
    for (int k = 0; k < 2; ++k) {
        printf(
            "%s: %lld and %lld dispatches, %lld and %lld waits, %lld and %lld bytes to and from the host\n",
            k == 0 ? "direction" : "trials", (long long)without[k].dispatches, (long long)with[k].dispatches,
            (long long)without[k].host_waits, (long long)with[k].host_waits,
            (long long)without[k].bytes_transferred, (long long)with[k].bytes_transferred);
        ck_assert_int_eq(with[k].host_waits, without[k].host_waits);
        ck_assert_int_eq(with[k].bytes_transferred, without[k].bytes_transferred);
    }
    printf("memory %zu and %zu bytes\n", without[1].memory, with[1].memory);
    ck_assert_int_eq(with[1].dispatches, without[1].dispatches + 1);
}
END_TEST

int main(void)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    context = vulkan.context;
    if (!vulkan.float64)
        printf("the device has no float64: double precision is not tested\n");
    const int precisions = vulkan.float64 ? 2 : 1;
    Suite *suite = suite_create("damping on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    tcase_add_loop_test(tests, same_forces, 0, precisions * FORCES * MODELS);
    tcase_add_loop_test(tests, same_steps, 0, precisions * STEPS);
    tcase_add_loop_test(tests, same_reactions, 0, precisions);
    tcase_add_loop_test(tests, same_bytes, 0, 2);
    tcase_add_test(tests, costs_two_dispatches_and_no_wait);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    vela_context_destroy(context);
    return failed;
}
