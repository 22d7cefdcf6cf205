// Damping of materials on the Vulkan device against the CPU path: forces and powers of every model and kind of element at any places and
// velocities, steps from the CPU's states with what the ledger says of them, reactions; the same bytes on each run; what it costs.
// Bounds are those of solids (test_vulkan_lockstep.c).
#include "parity/damping_fixture.h"

// ---------------------------------------------------------------- forces and powers

#define OF_ALL BODY("body%d", "m%d", "%d")
static const struct {
    const char *name, *model, *body; ///< with the numbers of a model of damping
    bool is_solid, may_invert;
} kinds[] = {
    {"tetrahedra, stvk", "stvk", BAR_OF(OF_ALL), true, true},
    {"tetrahedra, neo_hookean", "neo_hookean", BAR_OF(OF_ALL), true, false},
    {"tetrahedra, arap", "arap", BAR_OF(OF_ALL), true, true},
    {"tetrahedra, stable_neo_hookean", "stable_neo_hookean", BAR_OF(OF_ALL), true, true},
    {"triangles, stvk", "stvk", SHELL_OF(OF_ALL, "none"), false, true},
    {"triangles, neo_hookean", "neo_hookean", SHELL_OF(OF_ALL, "none"), false, true},
    {"hinges", "stvk", SHELL_OF(OF_ALL, "discrete_shells"), false, true},
    {"quadratic hinges", "stvk", SHELL_OF(OF_ALL, "quadratic"), false, true},
    {"plates", "stvk", SHELL_OF(OF_ALL, "plate"), false, true},
    {"segments and bends", "stvk", ROPE_OF(OF_ALL), false, true},
};
/// The last SOLID_MODELS are of solids.
static const char *const models[] = {STRAIN_RATE,
                                     RAYLEIGH,
                                     MASS,
                                     PRINCIPAL,
                                     SPLINE,
                                     ALL,
                                     LAW("200", "0"),
                                     LAW("200", "0.5"),
                                     LAW("200", "1"),
                                     LAW("20", "2"),
                                     LAW("1", "3"),
                                     LAW("1e-3", "6"),
                                     STRAIN_RATE ", " LAW("20", "1.3") ", " LAW("100", "0"),
                                     CORRECTED("rayleigh"),
                                     CORRECTED("principal_strain"),
                                     CORRECTED_LAW("200", "0.5"),
                                     CORRECTED_LAW("20", "2"),
                                     LAWS};
enum {
    KINDS = sizeof kinds / sizeof *kinds,
    MODELS = sizeof models / sizeof *models,
    SOLID_MODELS = 5,
    SHAPES = 4,  ///< of stir
    REPEATS = 6, ///< of each
    CHANGES = 8, ///< of its places by a rounding
    SCENE_SIZE = 24000
};

/// A body of each model of damping.
static void write_scene(int kind, char text[SCENE_SIZE])
{
    const int count = kinds[kind].is_solid ? MODELS : MODELS - SOLID_MODELS;
    int at = snprintf(text, SCENE_SIZE, BEGIN("0.01", "rk4\""));
    for (int m = 0; m < count; ++m)
        at += snprintf(text + at, SCENE_SIZE - (size_t)at, MATERIAL("m%d", "%s", "%s") "%s", m,
                       kinds[kind].model, models[m], m + 1 < count ? ", " : "}, \"bodies\": [");
    for (int m = 0; m < count; ++m) {
        at += snprintf(text + at, SCENE_SIZE - (size_t)at, kinds[kind].body, m, m, m);
        at += snprintf(text + at, SCENE_SIZE - (size_t)at, m + 1 < count ? ", " : "]}");
    }
    ck_assert_int_lt(at, SCENE_SIZE);
}

/// Near rest, where the stretches are nearly the same; bent; torn about until solids are inside out; pressed to a fifth. Rates beside a motion
/// of all.
static void stir(const Simulation *simulation, int shape, bool may_invert, uint32_t *random, double *x,
                 double *v)
{
    static const double sizes[SHAPES] = {1e-5, 0.01, 0.06, 0.002};
    const double size = shape == 2 && !may_invert ? 0.015 : sizes[shape];
    for (size_t i = 0; i < 3 * (size_t)simulation->model.node_count; ++i) {
        x[i] = 1.02 * simulation->model.rest_positions[i] * (shape == 3 && i % 3 == 1 ? 0.2 : 1) +
               size * noise_of(random);
        v[i] = 3 + noise_of(random);
    }
}

static void accelerate(const Simulation *simulation, const double *x, const double *v, double *a)
{
    Device *device = simulation->device;
    memset(a, 0, 3 * (size_t)simulation->model.node_count * sizeof *a);
    ASSERT_OK(context, device_state_write(device, SLOT_SCRATCH_0, x));
    ASSERT_OK(context, device_state_write(device, SLOT_SCRATCH_1, v));
    ASSERT_OK(context, device_state_write(device, SLOT_ACCELERATION, a));
    ASSERT_OK(context,
              device_damping_acceleration(device, SLOT_ACCELERATION, SLOT_SCRATCH_0, SLOT_SCRATCH_1, 1));
    ASSERT_OK(context, device_state_read(device, SLOT_ACCELERATION, a));
}

/// What the last call left in the slots, by types, in all, of free nodes.
static void find_powers(const Simulation *simulation, double powers[DAMPING_TYPES + 2])
{
    DissipationLoss loss = {0};
    ASSERT_OK(context, device_damping_loss(simulation->device, SLOT_SCRATCH_0, SLOT_SCRATCH_1, 0.5, &loss));
    memcpy(powers, loss.by_damping, sizeof loss.by_damping);
    powers[DAMPING_TYPES] = loss.all;
    powers[DAMPING_TYPES + 1] = loss.free;
}

/// Where stretches are nearly the same, their axes are not defined, and principal strain damping goes with them: what it does may differ by
/// what it changes by with the places' rounding, CHANGE_FACTOR times that, beside the bound.
enum { CHANGE_FACTOR = 6 };

typedef struct Compared {
    const Simulation *simulations;
    size_t count;                                   ///< numbers of a slot
    double *x, *v, *moved, *expected, *found, *off; ///< off: what roundings change
    double rounding, bound, worst, worst_power;     ///< rounding: m
} Compared;

static void compare(Compared *at, uint32_t *random)
{
    const Model *model = &at->simulations[0].model;
    double powers[2][DAMPING_TYPES + 2], changed[DAMPING_TYPES + 2], spread[DAMPING_TYPES + 2] = {0};
    accelerate(&at->simulations[1], at->x, at->v, at->found);
    find_powers(&at->simulations[1], powers[1]);
    accelerate(&at->simulations[0], at->x, at->v, at->expected);
    find_powers(&at->simulations[0], powers[0]);
    double *nearby = calloc(at->count, sizeof *nearby);
    memset(at->off, 0, at->count * sizeof *at->off);
    for (int change = 0; change < CHANGES; ++change) {
        for (size_t i = 0; i < at->count; ++i)
            at->moved[i] = at->x[i] + at->rounding * noise_of(random);
        accelerate(&at->simulations[0], at->moved, at->v, nearby);
        find_powers(&at->simulations[0], changed);
        for (size_t i = 0; i < at->count; ++i)
            at->off[i] = fmax(at->off[i], fabs(nearby[i] - at->expected[i]));
        for (int k = 0; k < DAMPING_TYPES + 2; ++k)
            spread[k] = fmax(spread[k], fabs(changed[k] - powers[0][k]));
    }
    for (int32_t b = 0; b < model->body_count; ++b) {
        const size_t first = 3 * (size_t)model->bodies[b].first_node,
                     n = 3 * (size_t)model->bodies[b].node_count;
        const double largest = largest_of(at->expected + first, n);
        ck_assert_double_gt(largest, 0);
        const double off = largest_difference(at->expected + first, at->found + first, n) /
                           (at->bound * largest + CHANGE_FACTOR * largest_of(at->off + first, n));
        at->worst = fmax(at->worst, off);
    }
    for (int k = 0; k < DAMPING_TYPES + 2; ++k)
        if (powers[0][k] != 0 || powers[1][k] != 0)
            at->worst_power =
                fmax(at->worst_power, fabs(powers[0][k] - powers[1][k]) /
                                          (at->bound * powers[0][k] + CHANGE_FACTOR * spread[k]));
    free(nearby);
}

START_TEST(same_forces)
{
    const bool f64 = _i >= KINDS;
    const int kind = _i % KINDS;
    static char text[SCENE_SIZE];
    const LockstepCase example = {kinds[kind].name, text, 0};
    Simulation simulations[2];
    write_scene(kind, text);
    lockstep_pair(&example, f64, simulations);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *memory = calloc(6 * n, sizeof *memory);
    Compared at = {.simulations = simulations,
                   .count = n,
                   .x = memory,
                   .v = memory + n,
                   .moved = memory + 2 * n,
                   .expected = memory + 3 * n,
                   .found = memory + 4 * n,
                   .off = memory + 5 * n,
                   .rounding = 0.1 * (f64 ? 0x1p-53 : 0x1p-24),
                   .bound = f64 ? 1e-9 : 1e-5};
    uint32_t random = 7;
    for (int shape = 0; shape < SHAPES; ++shape) {
        at.worst = at.worst_power = 0;
        for (int repeat = 0; repeat < REPEATS; ++repeat) {
            stir(&simulations[0], shape, kinds[kind].may_invert, &random, at.x, at.v);
            compare(&at, &random);
        }
        printf("%s %s, shape %d: forces off by %.1e of what is allowed, powers by %.1e\n",
               f64 ? "f64" : "f32", example.name, shape, at.worst, at.worst_power);
        ck_assert_double_le(at.worst, 1);
        ck_assert_double_le(at.worst_power, 1);
    }
    free(memory);
    lockstep_stop(simulations);
}
END_TEST

/// Power laws about the rate under which their stress falls off, 1e-6/s, in a translation of all: there rates are the differences of
/// velocities.
START_TEST(same_slow_forces)
{
    static const LockstepCase example = {"slow", SCENE("0.005", "rk4\"", "stvk", LAWS, "", BAR), 0};
    static const double sizes[] = {0, 1e-10, 1e-8, 1e-7, 1e-5};
    const bool f64 = _i > 0;
    Simulation simulations[2];
    lockstep_pair(&example, f64, simulations);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *memory = calloc(4 * n, sizeof *memory), *x = memory, *v = memory + n, *a = memory + 2 * n,
           *b = memory + 3 * n;
    uint32_t random = 11;
    stir(&simulations[0], 1, true, &random, x, v);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        double powers[2][DAMPING_TYPES + 2];
        for (size_t i = 0; i < n; ++i)
            v[i] = 0.5 + sizes[s] * noise_of(&random);
        accelerate(&simulations[0], x, v, a);
        find_powers(&simulations[0], powers[0]);
        accelerate(&simulations[1], x, v, b);
        find_powers(&simulations[1], powers[1]);
        const double largest = largest_of(a, n), off = largest_difference(a, b, n),
                     power = powers[0][DAMPING_POWER_LAW],
                     power_off = fabs(power - powers[1][DAMPING_POWER_LAW]);
        printf("%s velocities of %g m/s: forces off by %.1e of %.3g, powers by %.1e of %.3g\n",
               f64 ? "f64" : "f32", sizes[s], off, largest, power_off, power);
        ck_assert(sizes[s] > 0 ? largest > 0 && power > 0 : largest_of(b, n) == 0 && power_off == 0);
        // The slots of single precision hold velocities to 2^-48 of 1/2 m/s.
        const double known = f64 ? 1e-16 : 2e-15, unknown = sizes[s] > 0 ? known / sizes[s] : 0;
        ck_assert_double_le(off, ((f64 ? 1e-9 : 1e-5) + 16 * unknown) * largest);
        ck_assert_double_le(power_off, ((f64 ? 1e-9 : 1e-5) + 16 * unknown) * power);
    }
    free(memory);
    lockstep_stop(simulations);
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
    {"solid, dry, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "neo_hookean", LAW("200", "0"), "", BAR), 3},
    {"solid, thinning, implicit_midpoint",
     SCENE("0.005", "implicit_midpoint\"", "stvk", LAW("200", "0.5"), "", BAR), 3},
    {"solid, linear law, bdf2", SCENE("0.005", "bdf2\"", "neo_hookean", LAW("200", "1"), "", BAR), 3},
    {"solid, thickening, corrected, variational",
     SCENE("0.005", "variational\", \"alpha\": 0.5", "stvk", CORRECTED_LAW("20", "2"), "", BAR), 3},
    {"solid, laws, implicit_euler", SCENE("0.005", "implicit_euler\"", "stvk", LAWS, "", BAR), 3},
    {"solid, laws, a_search", SCENE("0.005", "a_search\"", "stvk", LAWS, "", BAR), 2},
    {"solid, laws, thrown, tr_bdf2", SCENE("0.005", "tr_bdf2\"", "neo_hookean", LAWS, "", THROWN), 2},
    {"solid, laws, rk4", SCENE("0.0002", "rk4\"", "stvk", LAWS, "", BAR), 3},
    {"solid, laws, explicit",
     SCENE("0.0002", "variational\", \"alpha\": 0", "stable_neo_hookean", LAWS, "", BAR), 3},
    {"membrane, dry, bdf2", SCENE("0.005", "bdf2\"", "stvk", LAW("200", "0"), "", SHELL("none")), 3},
    {"hinges, thinning, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "neo_hookean", LAW("200", "0.5") ", " RAYLEIGH, "",
           SHELL("discrete_shells")),
     3},
    {"cable, dry, sdirk2", SCENE("0.005", "sdirk2\"", "stvk", LAW("200", "0"), "", ROPE), 3},
    {"solid, steep, sdirk2", SCENE("0.005", "sdirk2\"", "stvk", LAW("1", "3") ", " LAW("1e-3", "6"), "", BAR),
     3},
    {"cable, thickening, trapezoidal", SCENE("0.005", "trapezoidal\"", "stvk", LAW("20", "2"), "", ROPE), 3},
    {"law among others, friction, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "stvk", LAW("200", "0.5") ", " MASS, BARRIER, BAR "," PLAIN), 3},
    {"held in part, tr_bdf2",
     SCENE("0.005", "tr_bdf2\"", "stvk", CORRECTED("rayleigh") ", " MASS, "", SLIDING), 3},
};
enum { STEPS = sizeof steps / sizeof *steps, STEP_OF_ALL = 6, STEP_MIXED = 21, STEP_OF_LAWS = 27 };

/// The trials of the last direction, from `halvings` on.
static void compare_trials(Simulation simulations[2], const NewtonDirection *direction, int32_t halvings,
                           double allowed)
{
    NewtonTrials trials[2];
    double worst[2] = {0, 0};
    for (int k = 0; k < 2; ++k)
        ASSERT_OK(context, device_newton_trials(simulations[k].device, halvings, &trials[k]));
    ck_assert_double_eq(trials[0].longest, 1);
    ck_assert_double_eq(trials[1].longest, 1);
    for (int i = 0; i < trials[0].count && i < trials[1].count; ++i) {
        const double size = ldexp(fabs(direction->slope), -(halvings + i));
        const double noise = fmax(trials[0].noise[i], trials[1].noise[i]);
        worst[0] = fmax(worst[0],
                        fabs(trials[0].difference[i] - trials[1].difference[i]) / (allowed * size + noise));
        worst[1] = fmax(worst[1], fabs(trials[0].slope[i] - trials[1].slope[i]) / fabs(direction->slope));
    }
    printf("  from %d halvings: differences off by %.1e of what is allowed, slopes by %.1e\n", halvings,
           worst[0], worst[1]);
    ck_assert_double_le(worst[0], 1);
    ck_assert_double_le(worst[1], allowed);
}

/// A direction and its trials, of models that look at the shape the stage began with, not at the iterate's. C/t is twice the
/// stiffness. Bounds are those of test_vulkan_newton.c.
START_TEST(same_direction)
{
    static const LockstepCase examples[] = {
        {"direction", SCENE("0.005", "implicit_euler\"", "stvk", ALL, "", BAR "," PLAIN "," AFFINE), 0},
        {"direction with laws",
         SCENE("0.005", "implicit_euler\"", "stvk", LAWS, "", BAR "," PLAIN "," AFFINE), 0}};
    const bool f64 = _i > 1;
    const LockstepCase *example = &examples[_i % 2];
    const NewtonSettings settings = {
        .linear_tolerance = f64 ? 1e-13 : 1e-6, .linear_max_iterations = 1000, .project = true};
    Simulation simulations[2];
    NewtonDirection direction[2];
    // The CPU path may factor small matrices: then its gradient's norm is another.
    static const char solver[] = "{\"type\": \"newton\", \"linear\": {\"preconditioner\": \"block_jacobi\"}}";
    lockstep_start(context, example, solver, &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    lockstep_start(context, example, solver, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &simulations[1]);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *x = calloc(2 * n, sizeof *x), *v = x + n;
    uint32_t random = 3;
    ASSERT_OK(context, device_state_read(simulations[0].device, SLOT_VELOCITY, v));
    for (int k = 0; k < 2; ++k) {
        Device *device = simulations[k].device;
        ASSERT_OK(context, device_state_read(simulations[0].device, SLOT_POSITION, x));
        ASSERT_OK(context, device_state_write(device, SLOT_BASE_POSITION, x));
        ASSERT_OK(context, device_state_write(device, SLOT_STAGE, x));
        for (size_t i = 0; i < n; ++i)
            x[i] += 0.005 * v[i];
        ASSERT_OK(context, device_state_write(device, SLOT_TARGET, x));
        ASSERT_OK(context, device_stage_set(device, &(Stage){.a = 0.005, .time = 0.005}));
        for (size_t i = 0; i < n; ++i)
            x[i] -= 0.002 * v[i];
        random = 3;
        for (size_t i = 0; i < n; ++i)
            x[i] += 1e-3 * noise_of(&random);
        ASSERT_OK(context, device_state_write(device, SLOT_STAGE, x));
        ASSERT_OK(context, device_newton_direction(device, &settings, &direction[k]));
    }
    const NewtonDirection *a = &direction[0], *b = &direction[1];
    const double allowed = f64 ? 1e-10 : 2 * 0x1p-24 * a->linear_iterations * a->linear_iterations;
    const double off[] = {fabs(a->largest - b->largest) / a->largest,
                          fabs(a->gradient - b->gradient) / a->gradient,
                          fabs(a->slope - b->slope) / fabs(a->slope)};
    printf("%s %s: %d and %d iterations, largest %.3e off by %.1e; gradient by %.1e, slope by %.1e, "
           "allowed %.1e\n",
           f64 ? "f64" : "f32", example->name, a->linear_iterations, b->linear_iterations, a->largest, off[0],
           off[1], off[2], allowed);
    ck_assert_double_lt(a->slope, 0);
    for (int i = 0; i < 3; ++i)
        ck_assert_double_le(off[i], allowed);
    compare_trials(simulations, a, 0, allowed);
    compare_trials(simulations, a, 4, allowed);
    free(x);
    lockstep_stop(simulations);
}
END_TEST

START_TEST(same_steps)
{
    damping_steps(&steps[_i % STEPS], _i >= STEPS, 1e-5);
}
END_TEST

/// device_forces after a step of both from one state: what reactions are made of, damping at a pin that moves among it.
START_TEST(same_reactions)
{
    const bool f64 = _i > 0;
    Simulation simulations[2];
    double *found[2][2];
    lockstep_pair(&steps[0], f64, simulations);
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
    lockstep_stop(simulations);
}
END_TEST

// ---------------------------------------------------------------- the same bytes

START_TEST(same_bytes)
{
    static const int chosen[] = {STEP_OF_ALL, STEP_MIXED, STEP_OF_LAWS};
    lockstep_same_bytes(&steps[chosen[_i]]);
}
END_TEST

// ---------------------------------------------------------------- what it costs

static void costs_of_damping(const char *damping, DeviceInfo costs[2])
{
    char text[3000];
    snprintf(text, sizeof text, SCENE("0.005", "implicit_euler\"", "stvk", "%s", "", BAR), damping);
    lockstep_costs(&(LockstepCase){"costs", text, 0}, costs);
}

START_TEST(costs_a_dispatch_each)
{
    static const char *const names[] = {"direction", "trials"};
    DeviceInfo without[2], with[2], laws[2];
    costs_of_damping("", without);
    costs_of_damping(STRAIN_RATE, with);
    costs_of_damping(LAWS, laws);
    for (int k = 0; k < 2; ++k) {
        printf("%s: %lld, with damping %lld dispatches; %lld waits, %lld bytes between host and device\n",
               names[k], (long long)without[k].dispatches, (long long)with[k].dispatches,
               (long long)with[k].host_waits, (long long)with[k].bytes_transferred);
        ck_assert_int_eq(with[k].dispatches, without[k].dispatches + 1);
        ck_assert_int_eq(with[k].host_waits, without[k].host_waits);
        ck_assert_int_eq(with[k].bytes_transferred, without[k].bytes_transferred);
        // Of laws alone their forces and blocks, or trials, of each kind of element.
        ck_assert_int_eq(laws[k].dispatches, without[k].dispatches + (k == 0 ? 2 : 1));
        ck_assert_int_eq(laws[k].host_waits, without[k].host_waits);
        ck_assert_int_eq(laws[k].bytes_transferred, without[k].bytes_transferred);
    }
    printf("memory: %zu bytes, with damping %zu, with laws %zu\n", without[1].memory, with[1].memory,
           laws[1].memory);
}
END_TEST

Suite *damping_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    const int precisions = vulkan->float64 ? 2 : 1;
    Suite *suite = suite_create("damping on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    for (int i = 0; i < 2 * KINDS; ++i)
        if (vulkan_test_runs(vulkan, i % KINDS, i >= KINDS))
            tcase_add_loop_test(tests, same_forces, i, i + 1);
    tcase_add_loop_test(tests, same_slow_forces, 0, precisions);
    for (int i = 0; i < 4; ++i)
        if (vulkan_test_runs(vulkan, i % 2, i > 1))
            tcase_add_loop_test(tests, same_direction, i, i + 1);
    for (int step = 0; step < precisions * STEPS; ++step)
        if (vulkan_test_runs(vulkan, step % STEPS, step >= STEPS))
            tcase_add_loop_test(tests, same_steps, step, step + 1);
    tcase_add_loop_test(tests, same_reactions, 0, precisions);
    tcase_add_loop_test(tests, same_bytes, 0, 3);
    tcase_add_test(tests, costs_a_dispatch_each);
    suite_add_tcase(suite, tests);
    return suite;
}
