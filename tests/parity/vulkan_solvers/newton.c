// Newton's method on the Vulkan device against the CPU path: one direction and its trials from the same state through the
// device table, and whole steps of every integrator, each from the CPU's state. The scene has a body of every material, one
// of them told not to invert, pins that move, and two planes.
//
// What may differ: in double, both devices do the same operations in other orders. In single precision (u = 2^-24) a
// deformation gradient is off by some u, a stress by that times the stiffness. A gradient is a sum of such forces, so it is
// off by some u of the largest of them however small it is itself, and a direction by some u times the condition of the
// preconditioned matrix, which the conjugate gradients' iterations tell: their number is about the root of it.
#include "parity/shared_gpu.h"
#include "parity/vulkan_fixture.h"
#include "physics/physics_fixture.h"
#include "without_factor.h"

#include "device/cpu/cpu_device.h"
#include "device/cpu/linear/matrix_parts.h"
#include "device/vulkan/vulkan.h"
#include "model/build.h"
#include "model/group_turns.h"
#include "scene/parse.h"

enum { TEXT_SIZE = 1 << 14, STEPS = 2 };

typedef struct Pair {
    Simulation cpu, gpu;
    bool f64;
    size_t size; ///< numbers of a node vector
} Pair;

static VelaContext *context;
static Pair pairs[2]; ///< single, double precision; started by the first test that asks

// ---------------------------------------------------------------- the scene
static size_t append(char *text, size_t used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + used, TEXT_SIZE - used, format, arguments);
    va_end(arguments);
    ck_assert(length > 0 && used + (size_t)length < TEXT_SIZE);
    return used + (size_t)length;
}

static void write_scene(char *text, double tolerance)
{
    size_t at = append(text, 0,
                       "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {\"type\": "
                       "\"newton\", \"tolerance\": %g, \"strict\": true, \"linear\": {\"tolerance\": 1e-6}}, "
                       "\"materials\": {",
                       tolerance);
    for (int m = 0; m < ENERGY_MODEL_COUNT; ++m)
        at = append(text, at,
                    "%s\"%s\": {\"model\": \"%s\", \"density\": 1000, \"youngs_modulus\": %g, "
                    "\"poissons_ratio\": 0.3%s}",
                    m ? ", " : "", model_name(m), model_name(m), 4e4 * (m + 1),
                    m == ENERGY_ARAP ? ", \"prevent_inversion\": true" : "");
    at = append(text, at, "}, \"bodies\": [");
    for (int m = 0; m < ENERGY_MODEL_COUNT; ++m)
        at = append(
            text, at,
            "%s{\"name\": \"%s\", \"type\": \"solid\", \"material\": \"%s\", \"translate\": [%g, 0, 0], "
            "\"velocity\": [0.3, -1.5, 0.2], \"angular_velocity\": [3, -2, 5], "
            "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 2, 2]}}%s}",
            m ? ", " : "", model_name(m), model_name(m), 0.4 * m,
            m == ENERGY_NEO_HOOKEAN
                ? ", \"pins\": [{\"select\": {\"box\": [[-9, 0.04, -9], [9, 9, 9]]}, \"motion\": "
                  "[{\"time\": 0}, {\"time\": 1, \"translate\": [1, 2, -1]}]}]"
                : "");
    append(text, at,
           "], \"contact\": {\"model\": \"penalty\", \"stiffness\": 300}, \"obstacles\": ["
           "{\"name\": \"a\", \"plane\": {\"point\": [0, -0.055, 0], \"normal\": [0, 1, 0]}},"
           "{\"name\": \"b\", \"plane\": {\"point\": [0, -0.052, 0], \"normal\": [0.02, 1, 0.1]}}]}");
}

static void start(const char *text, const DeviceChoice *choice, Simulation *simulation)
{
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "newton", text, strlen(text), 0, NULL, &simulation->arena,
                                   &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    // As many groups on both devices: the gradient's norm is the preconditioner's.
    NodeOrder *order = &simulation->model.order;
    order->group_count = matrix_part_count(&simulation->model);
    ASSERT_OK(context, ARENA_ARRAY(&simulation->arena, order->group_starts, order->group_count + 1));
    const RowGraph graph = node_groups_graph(&simulation->model, order);
    node_groups_cut(&graph, 0, order->group_count, order->group_starts);
    GroupCouples couples;
    group_couples_find(&simulation->model, order, order->group_count, order->group_starts, &couples);
    order->turn_levels = group_turns_find(&couples, order->group_turns);
    simulation->scene.integrator =
        (IntegratorType)(INTEGRATOR_RK4 + 1); // none: the device has the slots of all
    ASSERT_OK(context, shared_gpu_start(simulation, choice));
}

static Pair *pair_of(bool f64)
{
    static char text[TEXT_SIZE];
    Pair *pair = &pairs[f64];
    if (pair->size > 0)
        return pair;
    write_scene(text, f64 ? 1e-7 : 1e-4);
    start(text, &(DeviceChoice){"cpu", NULL}, &pair->cpu);
    leave_out_factor(pair->cpu.device);
    start(text, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &pair->gpu);
    pair->f64 = f64;
    pair->size = 3 * (size_t)pair->cpu.model.node_count;
    return pair;
}

// ---------------------------------------------------------------- one direction
/// How large the differences to the rest shape, and to the inertial target, are.
typedef struct Situation {
    const char *name;
    double strain, offset, scale, a;
    bool project;
} Situation;

static const Situation situations[] = {
    {"projected", 0.03, 0.05, 0.9, 0.01, true},
    {"true", 0.003, 0.05, 1, 0.002, false},
    {"small", 1e-5, 1e-6, 1, 0.01, true},
    {"far", 0.03, 1, 0.9, 0.001, true}, // elements would invert
};
enum { SITUATIONS = sizeof situations / sizeof *situations };

static double noise_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

/// A deformed stage, the same on both devices: every body scaled about its first node, with noise.
static void write_stage(Pair *pair, const Situation *situation)
{
    const Model *model = &pair->cpu.model;
    uint32_t random = 7;
    double *x = calloc(pair->size, sizeof *x), *target = calloc(pair->size, sizeof *target);
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const double *origin = model->initial_positions + 3 * body->first_node;
        for (size_t i = 3 * (size_t)body->first_node; i < 3 * (size_t)(body->first_node + body->node_count);
             ++i) {
            const double from = origin[i % 3], strain = 0.05 * situation->strain * noise_of(&random);
            x[i] = from + situation->scale * (model->initial_positions[i] - from) + strain;
            target[i] = x[i] + 0.1 * situation->offset * noise_of(&random);
        }
    }
    const Stage stage = {.a = situation->a, .time = 0.005};
    Simulation *const both[2] = {&pair->cpu, &pair->gpu};
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_STAGE, x));
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_TARGET, target));
        ASSERT_OK(context, device_stage_set(both[k]->device, &stage));
    }
    free(x);
    free(target);
}

static double relative(double a, double b, double size)
{
    return size > 0 ? fabs(a - b) / size : fabs(a - b);
}

/// The direction as it is taken: SLOT_STAGE after a step minus before, and where pinned nodes are after the whole of it.
static double direction_difference(Pair *pair, double largest)
{
    double *before = slot_values(&pair->cpu, SLOT_STAGE), *after[2], worst = 0;
    ASSERT_OK(context, device_newton_accept(pair->cpu.device, 1));
    ASSERT_OK(context, device_newton_accept(pair->gpu.device, 1));
    after[0] = slot_values(&pair->cpu, SLOT_STAGE);
    after[1] = slot_values(&pair->gpu, SLOT_STAGE);
    const double *target = slot_values(&pair->gpu, SLOT_TARGET);
    for (size_t i = 0; i < pair->size; ++i)
        worst = fmax(worst, relative(after[0][i] - before[i], after[1][i] - before[i], largest));
    for (int32_t p = 0; p < pair->cpu.model.pin_count; ++p) {
        const size_t i = 3 * (size_t)pair->cpu.model.pin_nodes[p];
        ck_assert_mem_eq(after[1] + i, target + i, 3 * sizeof *target);
    }
    return worst;
}

static void check_trials(const Pair *pair, const NewtonDirection *direction, int32_t halvings, double allowed)
{
    NewtonTrials trials[2];
    ASSERT_OK(context, device_newton_trials(pair->cpu.device, halvings, &trials[0]));
    ASSERT_OK(context, device_newton_trials(pair->gpu.device, halvings, &trials[1]));
    double worst[3] = {relative(trials[0].longest, trials[1].longest, 1)};
    // A step is found by halving intervals down to a thousandth: whether one more would do is for rounding to say. Then the
    // values are those of other steps, near a bound where they change fast.
    ck_assert_double_le(worst[0], pair->f64 ? 0 : 2e-3 * trials[0].longest);
    allowed += 8 * worst[0];
    for (int i = 0; i < trials[0].count && i < trials[1].count; ++i) {
        ck_assert_int_eq(isfinite(trials[0].difference[i]), isfinite(trials[1].difference[i]));
        if (!isfinite(trials[0].difference[i]))
            continue;
        const double step = ldexp(trials[0].longest, -(halvings + i)), size = step * fabs(direction->slope);
        const double noise = fmax(trials[0].noise[i], trials[1].noise[i]);
        const double off = fabs(trials[0].difference[i] - trials[1].difference[i]);
        worst[1] = fmax(worst[1], off / (allowed * size + noise));
        worst[2] = fmax(worst[2], relative(trials[0].slope[i], trials[1].slope[i], fabs(direction->slope)));
    }
    printf(
        "  from %d halvings: longest %.17g off by %.1e, differences by %.2f of what they may, slopes by %.1e; "
        "noise %.1e of the decrease\n",
        halvings, trials[0].longest, worst[0], worst[1], worst[2],
        trials[1].noise[0] / fabs(direction->slope));
    ck_assert_double_le(worst[1], 1);
    ck_assert_double_le(worst[2], allowed);
}

// Of ways shorter and longer than the direction, and of the direction once more, where the whole of it is admissible: only then does the
// solver leave it.
static void check_ways(const Pair *pair, const NewtonDirection *direction, double allowed)
{
    static const double parts[] = {0.4, 1.7, 1};
    NewtonTrials trials;
    ASSERT_OK(context, device_newton_trials(pair->cpu.device, 0, &trials));
    for (size_t k = 0; trials.longest == 1 && k < sizeof parts / sizeof *parts; ++k) {
        NewtonDirection way = *direction;
        way.slope *= parts[k];
        ASSERT_OK(context, device_newton_way(pair->cpu.device, parts[k], false));
        ASSERT_OK(context, device_newton_way(pair->gpu.device, parts[k], false));
        check_trials(pair, &way, 0, allowed);
    }
}

START_TEST(same_direction)
{
    const bool f64 = _i >= SITUATIONS;
    const Situation *situation = &situations[_i % SITUATIONS];
    Pair *pair = pair_of(f64);
    const NewtonSettings settings = {
        .linear_tolerance = f64 ? 1e-13 : 1e-6, .linear_max_iterations = 1000, .project = situation->project};
    NewtonDirection direction[2];
    write_stage(pair, situation);
    ASSERT_OK(context, device_newton_direction(pair->cpu.device, &settings, &direction[0]));
    ASSERT_OK(context, device_newton_direction(pair->gpu.device, &settings, &direction[1]));
    const NewtonDirection *a = &direction[0], *b = &direction[1];
    const double iterations = a->linear_iterations;
    printf("%s, %s: %d and %d iterations, largest %.3e, off by %.1e; gradient by %.1e, slope by %.1e\n",
           f64 ? "double" : "float", situation->name, a->linear_iterations, b->linear_iterations, a->largest,
           relative(a->largest, b->largest, a->largest), relative(a->gradient, b->gradient, a->gradient),
           relative(a->slope, b->slope, fabs(a->slope)));
    const double allowed = f64 ? 1e-10 : 2 * 0x1p-24 * iterations * iterations;
    ck_assert(!a->indefinite && !b->indefinite && a->bad_node == -1 && b->bad_node == -1);
    ck_assert_double_le(relative(a->largest, b->largest, a->largest), allowed);
    ck_assert_double_le(relative(a->gradient, b->gradient, a->gradient), allowed);
    ck_assert_double_le(relative(a->slope, b->slope, fabs(a->slope)), allowed);
    ck_assert_double_le(relative(a->pin_gap, b->pin_gap, a->pin_gap), f64 ? 0 : 0x1p-24);
    ck_assert_double_gt(a->pin_gap, 0);
    ck_assert_double_le(b->linear_residual, settings.linear_tolerance);
    check_trials(pair, a, 0, allowed);
    check_trials(pair, a, 4, allowed);
    check_ways(pair, a, allowed);
    const double off = direction_difference(pair, a->largest);
    printf("  direction off by %.1e\n", off);
    ck_assert_double_le(off, allowed);
}
END_TEST

/// Far into compression and with hardly any inertia the true Hessian is indefinite, and both devices say so; one iteration
/// of the linear solver does not reach the tolerance.
START_TEST(curvature_and_limits)
{
    const Situation squeezed = {"squeezed", 0.1, 0.05, 0.3, 0.3, false};
    Pair *pair = pair_of(_i == 1);
    Simulation *const both[2] = {&pair->cpu, &pair->gpu};
    for (int k = 0; k < 2; ++k) {
        NewtonDirection direction;
        NewtonSettings settings = {.linear_tolerance = 1e-5, .linear_max_iterations = 1000, .project = false};
        write_stage(pair, &squeezed);
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &direction));
        ck_assert(direction.indefinite);
        ck_assert_double_gt(direction.largest, 0);
        settings.project = true;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &direction));
        ck_assert(!direction.indefinite);
        settings.linear_max_iterations = 1;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &direction));
        ck_assert_int_eq(direction.linear_iterations, 1);
        ck_assert_double_gt(direction.linear_residual, settings.linear_tolerance);
    }
}
END_TEST

/// The tolerance of a solve follows from the gradient at its own iterate, on both devices: rough far from the solution, the
/// settings' own near it.
START_TEST(tolerance_of_this_gradient)
{
    const Situation squeezed = {"squeezed", 0.1, 0.05, 0.3, 0.3, false};
    Pair *pair = pair_of(_i == 1);
    Simulation *const both[2] = {&pair->cpu, &pair->gpu};
    write_stage(pair, &squeezed);
    for (int k = 0; k < 2; ++k) {
        NewtonDirection direction;
        NewtonSettings settings = {.linear_tolerance = 1e-5, .linear_max_iterations = 1000, .project = true};
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &direction));
        ck_assert(direction.is_exact && direction.linear_residual <= 1e-5 * (1 + 1e-6));
        const double g = direction.gradient;
        const int32_t iterations = direction.linear_iterations;
        // 0.9 (g/last)^2: no gradient before, above the loosest, between, and nearly the settings' own.
        const double last[] = {0, g, 20 * g, 100 * g}, wanted[] = {0.02, 0.02, 0.9 / 400, 1e-5};
        for (int i = 0; i < 4; ++i) {
            settings.forcing = (LinearForcing){.loosest = 0.02, .factor = 0.9, .last = last[i], .nearly = 10};
            ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &direction));
            ck_assert_double_le(fabs(direction.gradient - g), 1e-6 * g);
            ck_assert_int_eq(direction.is_exact, i == 3);
            ck_assert_double_le(direction.linear_residual, wanted[i] * (1 + 1e-5));
            if (i < 3) {
                ck_assert_double_gt(direction.linear_residual, 1e-2 * wanted[i]);
                ck_assert_int_lt(direction.linear_iterations, iterations);
            }
        }
    }
}
END_TEST

/// What the loosest tolerance would leave rough is solved on where it is short, as far as its length asks for, on both devices; and what the gradient
/// wants exactly is not where another direction has to follow.
START_TEST(short_directions_are_solved_on)
{
    const Situation squeezed = {"squeezed", 0.1, 0.05, 0.3, 0.3, false};
    Pair *pair = pair_of(_i == 1);
    Simulation *const both[2] = {&pair->cpu, &pair->gpu};
    write_stage(pair, &squeezed);
    double size = 0;
    for (int k = 0; k < 2; ++k) {
        NewtonDirection rough, exact, short_one, shorter, long_one, followed;
        NewtonSettings settings = {.linear_tolerance = 1e-5,
                                   .linear_max_iterations = 1000,
                                   .project = true,
                                   .forcing = {.loosest = 0.02, .factor = 0.9, .nearly = 10}};
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &rough));
        // Where residuals do not tell, to the settings' tolerance, however short.
        settings.short_direction = 100 * rough.largest;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &exact));
        ck_assert(exact.is_exact);
        ck_assert_double_le(exact.linear_residual, 1e-5 * (1 + 1e-6));
        settings.forcing.settled = 0.02;
        size = k == 0 ? rough.largest : size;
        settings.short_direction = 1.5 * size;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &short_one));
        settings.short_direction = 100 * size;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &shorter));
        settings.short_direction = 0.5 * size;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &long_one));
        settings.forcing.last = 1000 * rough.gradient;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &followed));
        settings.short_direction = 0;
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &exact));
        ck_assert(!rough.is_exact && short_one.is_exact && shorter.is_exact && !long_one.is_exact &&
                  !followed.is_exact && exact.is_exact);
        ck_assert_double_gt(rough.linear_residual, 1e-4);
        ck_assert_double_le(short_one.linear_residual, 1.5e-5 * (1 + 1e-2));
        ck_assert_double_le(shorter.linear_residual, 1e-3 * (1 + 1e-2));
        ck_assert_double_gt(shorter.linear_residual, 1e-5);
        ck_assert_double_le(followed.linear_residual, 0.5 * SETTLED_LONG * (1 + 1e-2));
        ck_assert_double_gt(followed.linear_residual, 1e-5);
        ck_assert_double_le(exact.linear_residual, 1e-5 * (1 + 1e-6));
        ck_assert_int_gt(short_one.linear_iterations, shorter.linear_iterations);
        ck_assert_int_gt(shorter.linear_iterations, rough.linear_iterations);
        ck_assert_int_gt(exact.linear_iterations, followed.linear_iterations);
        ck_assert_int_eq(long_one.linear_iterations, rough.linear_iterations);
    }
}
END_TEST

START_TEST(same_mass_dot)
{
    Pair *pair = pair_of(_i == 1);
    const Slot slots[4][2] = {{SLOT_VELOCITY, SLOT_VELOCITY},
                              {SLOT_POSITION, SLOT_VELOCITY},
                              {SLOT_STAGE, SLOT_VELOCITY},
                              {SLOT_POSITION, SLOT_STAGE}};
    double values[2][4];
    ASSERT_OK(context, device_mass_dot(pair->cpu.device, 4, slots, values[0]));
    ASSERT_OK(context, device_mass_dot(pair->gpu.device, 4, slots, values[1]));
    for (int i = 0; i < 4; ++i) // 44 bits of products and sums
        ck_assert_double_le(relative(values[0][i], values[1][i], fabs(values[0][3]) + fabs(values[0][0])),
                            1e-12);
}
END_TEST

/// The plan that `vela check` prints is what is allocated, and Newton's method carries nothing from step to step.
START_TEST(memory_as_planned)
{
    const Pair *pair = pair_of(_i == 1);
    DeviceInfo info;
    device_information(pair->gpu.device, &info);
    const size_t planned = vulkan_device_memory(&pair->gpu.model, pair->f64);
    // The plan aligns every buffer as any device might ask for.
    ck_assert_uint_le(info.memory, planned);
    ck_assert_uint_le(planned - info.memory, 1 << 14);
    ck_assert_uint_eq(device_solver_state_size(pair->gpu.device), 0);
}
END_TEST

// ---------------------------------------------------------------- whole steps
static const char *const integrator_names[INTEGRATOR_RK4] = {
    "implicit_euler", "bdf2",        "trapezoidal", "implicit_midpoint", "tr_bdf2",
    "sdirk2",         "variational", "a1",          "a_search",          "blending"};

/// Devices do not know the integrator: the simulations change theirs and begin anew.
static void begin_anew(Simulation *simulation, IntegratorType type, const double *positions,
                       const double *velocities)
{
    simulation->scene.integrator = type;
    simulation->integrator.state = (IntegratorState){0};
    simulation->step = 0;
    ASSERT_OK(context, device_state_write(simulation->device, SLOT_POSITION, positions));
    ASSERT_OK(context, device_state_write(simulation->device, SLOT_VELOCITY, velocities));
}

static void lockstep(Pair *pair, IntegratorType type, double allowed)
{
    const Model *model = &pair->cpu.model;
    begin_anew(&pair->cpu, type, model->initial_positions, model->initial_velocities);
    begin_anew(&pair->gpu, type, model->initial_positions, model->initial_velocities);
    const size_t size = simulation_state_size(&pair->cpu);
    ck_assert_uint_eq(size, simulation_state_size(&pair->gpu));
    double *state = calloc(size, sizeof *state), diagonal = 0.4 * (ENERGY_MODEL_COUNT - 1) + 0.2;
    for (int step = 0; step < STEPS; ++step) {
        ASSERT_OK(context, simulation_state_read(&pair->cpu, state));
        ASSERT_OK(context, simulation_state_write(&pair->gpu, state, pair->cpu.step));
        const StepReport a = step_once(&pair->cpu), b = step_once(&pair->gpu);
        const double off = largest_difference(slot_values(&pair->cpu, SLOT_POSITION),
                                              slot_values(&pair->gpu, SLOT_POSITION), pair->size);
        printf("%s %s step %d: x %.1e of the size, v %.1e m/s; iterations %d/%d, linear %d/%d, stop %s/%s, "
               "shortest %g/%g\n",
               pair->f64 ? "f64" : "f32", integrator_names[type], step, off / diagonal,
               largest_difference(slot_values(&pair->cpu, SLOT_VELOCITY),
                                  slot_values(&pair->gpu, SLOT_VELOCITY), pair->size),
               a.solver.iterations, b.solver.iterations, a.solver.linear_iterations,
               b.solver.linear_iterations, stop_name(a.solver.stop), stop_name(b.solver.stop),
               a.solver.shortest_step, b.solver.shortest_step);
        ck_assert_msg(off <= allowed * diagonal,
                      "%s, step %d: positions differ by %g of the size, expected at most %g",
                      integrator_names[type], step, off / diagonal, allowed);
    }
    free(state);
}

START_TEST(same_steps)
{
    const bool f64 = _i >= INTEGRATOR_RK4;
    lockstep(pair_of(f64), (IntegratorType)(_i % INTEGRATOR_RK4), f64 ? 1e-8 : 1e-5);
}
END_TEST

static void destroy_pairs(void)
{
    for (int k = 0; k < 2; ++k) {
        simulation_destroy(&pairs[k].gpu);
        simulation_destroy(&pairs[k].cpu);
    }
}

Suite *newton_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("Newton's method on Vulkan against the CPU");
    TCase *tests = tcase_create("parity");
    tcase_add_unchecked_fixture(tests, NULL, destroy_pairs);
    const int precisions = vulkan->float64 ? 2 : 1;
    for (int i = 0; i < 2 * SITUATIONS; ++i)
        if (vulkan_test_runs(vulkan, i % SITUATIONS, i >= SITUATIONS))
            tcase_add_loop_test(tests, same_direction, i, i + 1);
    tcase_add_loop_test(tests, tolerance_of_this_gradient, 0, precisions);
    tcase_add_loop_test(tests, short_directions_are_solved_on, 0, precisions);
    tcase_add_loop_test(tests, curvature_and_limits, 0, precisions);
    tcase_add_loop_test(tests, same_mass_dot, 0, precisions);
    tcase_add_loop_test(tests, memory_as_planned, 0, precisions);
    for (int i = 0; i < 2 * INTEGRATOR_RK4; ++i)
        if (vulkan_test_runs(vulkan, i % INTEGRATOR_RK4, i >= INTEGRATOR_RK4))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    suite_add_tcase(suite, tests);
    return suite;
}
