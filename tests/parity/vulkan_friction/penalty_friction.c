// Penalty contact with spheres and with friction on the Vulkan device against the CPU path, for both solvers: every step starts from the
// CPU's state; what friction takes, its forces on obstacles and ADMM's multipliers are compared too. Then the same bytes twice,
// whatever room the lists begin with. Bounds are those of solids (test_vulkan_lockstep.c).
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"
#include "physics/skin_fixture.h"

#include "device/vulkan/vulkan_device.h"

static VelaContext *context;

#define FINE BINARY_DIR "/vulkan_penalty_friction.obj"

#define MATERIALS(slick)                                                                                     \
    "\"materials\": {\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, "    \
    "\"poissons_ratio\": 0.3}, \"slick\": {\"model\": \"stvk\", \"density\": 500, \"youngs_modulus\": 1e5, " \
    "\"poissons_ratio\": 0.3, \"friction\": " slick "}}"
#define BEGIN(integrator, slick)                                                                             \
    "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"integrator\": {" integrator            \
    "}, " MATERIALS(slick)
/// A turntable that rises, a ball that comes and spins, a wall without friction.
#define OBSTACLES                                                                                                  \
    "\"obstacles\": [{\"name\": \"table\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0.05, 1, 0.02]}, "       \
    "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0.3, 0.2, 0], \"rotate\": {\"axis\": [0, 1, 0.2], " \
    "\"degrees\": 90}}]}, "                                                                                        \
    "{\"name\": \"ball\", \"sphere\": {\"center\": [0.6, 0.07, 0], \"radius\": 0.1}, \"motion\": [{\"time\": 0}, " \
    "{\"time\": 1, \"translate\": [-0.5, 0.1, 0], \"rotate\": {\"axis\": [0, 0, 1], \"degrees\": 120}}]}, "        \
    "{\"name\": \"wall\", \"friction\": 0, \"plane\": {\"point\": [-0.09, 0, 0], \"normal\": [1, 0.1, 0]}}]"
#define CONTACT(friction)                                                                                    \
    "\"contact\": {\"model\": \"penalty\", \"stiffness\": 300, \"friction\": " friction "}"
#define NODES                                                                                                                               \
    "\"bodies\": [{\"name\": \"block\", \"material\": \"soft\", \"translate\": [0, 0.048, 0], \"velocity\": "                               \
    "[0.6, -0.2, 0.3], \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [3, 1, 1]}}}, "                                       \
    "{\"name\": \"sheet\", \"type\": \"shell\", \"bending\": \"quadratic\", \"material\": \"slick\", \"thickness\": 0.004, \"translate\": " \
    "[0.6, 0.168, 0], \"velocity\": [0.2, -0.2, 0], \"geometry\": {\"sheet\": {\"size\": [0.2, 0.2], "                                      \
    "\"cells\": [3, 3]}}}, "                                                                                                                \
    "{\"name\": \"rope\", \"type\": \"cable\", \"material\": \"soft\", \"radius\": 0.01, \"bending_modulus\": 1e6, "                        \
    "\"velocity\": [0.3, -0.2, 0], \"geometry\": {\"cable\": {\"from\": [0.2, 0.02, 0.3], \"to\": [0.5, -0.03, 0.4], "                      \
    "\"segments\": 5}}, \"pins\": [{\"select\": {\"nodes\": [0]}}]}], "
/// Vertices that are sums of nodes: affine bodies, a skin.
#define SUMS                                                                                                                  \
    "\"bodies\": [{\"name\": \"die\", \"type\": \"affine\", \"material\": \"soft\", \"stiffness\": 1e5, "                     \
    "\"translate\": [0, 0.045, 0], \"velocity\": [0.5, -0.3, 0.2], \"angular_velocity\": [0, 3, -2], "                        \
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}}, "                                           \
    "{\"name\": \"coated\", \"material\": \"soft\", \"translate\": [0.3, 0.07, 0], \"velocity\": [0, -0.3, 0.4], "            \
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}, "                                            \
    "\"skin\": {\"mesh\": \"" FINE "\", \"contact\": true}}, "                                                                \
    "{\"name\": \"beam\", \"type\": \"affine\", \"material\": \"slick\", \"stiffness\": 1e5, \"translate\": [0.6, 0.19, 0], " \
    "\"velocity\": [0.3, -0.2, 0], \"geometry\": {\"box\": {\"size\": [0.3, 0.05, 0.05], \"cells\": [3, 1, 1]}}}], "

/// `slick`: friction of one of the materials.
#define SCENE(integrator, bodies, friction, slick)                                                           \
    BEGIN(integrator, slick) ", " bodies CONTACT(friction) ", " OBSTACLES "}"

#define NEWTON(tolerance, linear)                                                                            \
    "{\"type\": \"newton\", \"tolerance\": " tolerance ", \"linear\": {\"tolerance\": " linear "}}"
#define ADMM(tolerance) "{\"type\": \"admm\", \"max_iterations\": 2000, \"tolerance\": " tolerance "}"

static const struct {
    LockstepCase example;
    bool is_admm;
} cases[] = {
    {{"newton, nodes, implicit Euler", SCENE("\"type\": \"implicit_euler\"", NODES, "0.4", "0.1"), 4}, false},
    {{"newton, nodes, TR-BDF2", SCENE("\"type\": \"tr_bdf2\"", NODES, "0.4", "0.1"), 3}, false},
    {{"newton, sums, implicit Euler", SCENE("\"type\": \"implicit_euler\"", SUMS, "0.4", "0.1"), 4}, false},
    {{"newton, sums, variational", SCENE("\"type\": \"variational\"", SUMS, "0.4", "0.1"), 3}, false},
    {{"newton, no friction", SCENE("\"type\": \"implicit_midpoint\"", NODES, "0", "0"), 2}, false},
    {{"admm, implicit Euler", SCENE("\"type\": \"implicit_euler\"", NODES, "0.4", "0.1"), 4}, true},
    {{"admm, TR-BDF2", SCENE("\"type\": \"tr_bdf2\"", NODES, "0.4", "0.1"), 3}, true},
    {{"admm, variational", SCENE("\"type\": \"variational\"", NODES, "0.4", "0.1"), 3}, true},
    {{"admm, no friction", SCENE("\"type\": \"implicit_midpoint\"", NODES, "0", "0"), 2}, true},
};
enum { CASES = sizeof cases / sizeof *cases };
static const char *const solvers[2][2] = {{NEWTON("1e-5", "1e-6"), NEWTON("1e-10", "1e-11")},
                                          {ADMM("1e-6"), ADMM("1e-12")}};

static const char *solver_of(int c, bool f64)
{
    return solvers[cases[c].is_admm][f64];
}

static double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static double difference_of(const double *a, const double *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

// Both devices at the end of the same step: forces of friction, the multipliers of ADMM.
static void compare_forces(Simulation *cpu, Simulation *gpu, double allowed)
{
    const size_t pulls = 3 * (size_t)cpu->model.penalty_count * (size_t)model_surface_vertices(&cpu->model),
                 multipliers = model_penalty_coordinates(&cpu->model),
                 state = device_solver_state_size(cpu->device);
    double *values[2], *states[2];
    Simulation *const both[2] = {cpu, gpu};
    ck_assert_uint_eq(state, device_solver_state_size(gpu->device));
    for (int k = 0; k < 2; ++k) {
        values[k] = calloc(pulls, sizeof *values[k]);
        states[k] = calloc(state + 1, sizeof *states[k]);
        ASSERT_OK(context, device_penalty_friction(both[k]->device, values[k]));
        ASSERT_OK(context, device_solver_state_read(both[k]->device, states[k]));
    }
    const double largest = largest_of(values[0], pulls), off = difference_of(values[0], values[1], pulls);
    printf("  friction off by %.1e of %g N", off / fmax(largest, 1e-300), largest);
    ck_assert(cpu->model.contact.has_friction ? largest > 0 : largest == 0);
    ck_assert_double_le(off, allowed * largest);
    if (state > 0) {
        const double *w[2] = {states[0] + state - multipliers, states[1] + state - multipliers};
        const double size = largest_of(w[0], multipliers), apart = difference_of(w[0], w[1], multipliers);
        printf(", multipliers by %.1e of %g N", apart / size, size);
        ck_assert_double_gt(size, 0);
        ck_assert_double_le(apart, allowed * size);
    }
    printf("\n");
    for (int k = 0; k < 2; ++k) {
        free(values[k]);
        free(states[k]);
    }
}

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    const int c = _i % CASES;
    const LockstepCase *example = &cases[c].example;
    Simulation cpu, gpu;
    Comparison comparison;
    Arena arena = arena_make(context);
    lockstep_start(context, example, solver_of(c, f64), &(DeviceChoice){"cpu", NULL}, &cpu);
    lockstep_start(context, example, solver_of(c, f64), &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &gpu);
    ASSERT_OK(context, comparison_create(&cpu, &gpu, true, &arena, &comparison));
    const DeviationBounds bounds = deviation_bounds(f64 ? 1e-9 : 1e-5, f64);
    double deepest = 0, taken = 0;
    for (int step = 0; step < example->steps; ++step) {
        Deviation d;
        double value, bound;
        const double before = cpu.integrator.state.dissipated;
        ASSERT_OK(context, comparison_step(&comparison, &d));
        const double losses[2] = {cpu.integrator.state.dissipated - before,
                                  gpu.integrator.state.dissipated - before};
        taken += losses[0];
        printf("%s %s step %d: x %.2e v %.2e p %.2e H %.2e, iterations %d/%d, gap %g, loss %g off by %.1e\n",
               f64 ? "f64" : "f32", example->name, step, d.position, d.velocity, d.momentum, d.energy,
               d.iterations[0], d.iterations[1], cpu.diagnosis.min_distance, losses[0],
               (losses[1] - losses[0]) / fmax(losses[0], 1e-300));
        const char *beyond = deviation_beyond(&d, &bounds, &value, &bound);
        ck_assert_msg(!beyond, "step %d: differ by %g in %s, expected at most %g", step, value, beyond,
                      bound);
        ck_assert_double_eq_tol(cpu.diagnosis.min_distance, gpu.diagnosis.min_distance, f64 ? 1e-8 : 1e-5);
        ck_assert_double_le(fabs(losses[1] - losses[0]), (f64 ? 1e-7 : 1e-3) * fabs(losses[0]));
        compare_forces(&cpu, &gpu, f64 ? 1e-7 : 1e-3);
        deepest = fmin(deepest, cpu.diagnosis.min_distance);
    }
    ck_assert_double_lt(deepest, -1e-3);
    ck_assert(cpu.model.contact.has_friction ? taken > 0 : taken == 0);
    arena_clear(&arena);
    simulation_destroy(&gpu);
    simulation_destroy(&cpu);
}
END_TEST

// ---------------------------------------------------------------- what friction does, in single precision

/// A low block on a floor under a gravity that is inclined, or that it slides over.
static void start_block(Simulation *simulation, const char *solver, const char *precision,
                        const char *gravity, double step, double speed, double friction)
{
    static char text[2000];
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 100}, \"gravity\": %s, "
        "\"integrator\": {\"type\": \"implicit_euler\"}, \"materials\": {\"m\": {\"model\": \"arap\", "
        "\"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0.3}}, \"bodies\": [{\"geometry\": "
        "{\"box\": {\"size\": [0.2, 0.04, 0.2], \"cells\": [3, 1, 3]}}, \"material\": \"m\", \"translate\": "
        "[0, 0.01902, 0], \"velocity\": [%g, 0, 0]}], \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], "
        "\"normal\": [0, 1, 0]}}], \"contact\": {\"model\": \"penalty\", \"stiffness\": 1000, \"friction\": %g}}",
        step, gravity, speed, friction);
    lockstep_start(context, &(LockstepCase){"block", text, 0}, solver, &(DeviceChoice){"vulkan", precision},
                   simulation);
}

static void steps_until(Simulation *simulation, int64_t last)
{
    StepReport report;
    while (simulation->step < last)
        ASSERT_OK(context, simulation_step(simulation, &report));
}

static const char *const block_solvers[] = {
    "{\"type\": \"newton\", \"tolerance\": 1e-6, \"linear\": {\"tolerance\": 1e-5}}",
    "{\"type\": \"admm\", \"max_iterations\": 500}", "{\"type\": \"admm\", \"max_iterations\": 5}"};

// As test_penalty_friction.c asks of the CPU path: mu g, to 1 %.
START_TEST(a_block_slides)
{
    const double friction = 0.3, mass = 1.6;
    Simulation simulation;
    start_block(&simulation, block_solvers[_i], "f32", "[0, -9.81, 0]", 0.01, 3, friction);
    steps_until(&simulation, 10);
    const double before = simulation.diagnosis.linear_momentum[0];
    steps_until(&simulation, 30);
    const double slowed = (before - simulation.diagnosis.linear_momentum[0]) / mass / 0.2;
    printf("%s: decelerates by %.5f mu g\n", block_solvers[_i], slowed / (friction * 9.81));
    ck_assert_double_le(fabs(slowed - friction * 9.81), 0.01 * friction * 9.81);
    ck_assert_double_gt(simulation.integrator.state.dissipated, 0);
    simulation_destroy(&simulation);
}
END_TEST

static const struct {
    const char *solver, *precision;
    double allowed; ///< m within a second
} stays[] = {{"{\"type\": \"newton\", \"tolerance\": 1e-6, \"linear\": {\"tolerance\": 1e-5}}", "f32", 1e-3},
             {"{\"type\": \"admm\"}", "f32", 2e-6},
             {"{\"type\": \"admm\"}", "f64", 1e-8}};

// On a slope whose tangent is 0.5, with a friction of 0.6. By Newton's method it creeps with less than friction_speed; with ADMM what sticks does not
// move, in double precision. In single precision elements' forces are rounded by E 2^-24 times a cell's side of 0.07 m x 0.04 m, which moves a
// vertex on its spring of 1000 N/m by 2e-7 m.
START_TEST(a_block_stays)
{
    Simulation simulation;
    start_block(&simulation, stays[_i].solver, stays[_i].precision, "[4.3871653716526, -8.7743307433052, 0]",
                0.04, 0, 0.6);
    steps_until(&simulation, 100);
    const size_t count = 3 * (size_t)simulation.model.node_count;
    double *x[2];
    for (int k = 0; k < 2; ++k) {
        x[k] = calloc(count, sizeof *x[k]);
        ASSERT_OK(context, device_state_read(simulation.device, SLOT_POSITION, x[k]));
        steps_until(&simulation, 125);
    }
    const double moved = difference_of(x[0], x[1], count);
    printf("%s, %s: moves %.2e m within a second\n", stays[_i].solver, stays[_i].precision, moved);
    ck_assert_double_le(moved, stays[_i].allowed);
    for (int k = 0; k < 2; ++k)
        free(x[k]);
    simulation_destroy(&simulation);
}
END_TEST

static const int repeated[] = {1, 2, 6};

// Twice, the second time with rooms that are too small at first.
START_TEST(same_bytes_whatever_the_room)
{
    const int c = repeated[_i];
    double *ends[2];
    size_t bytes = 0;
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        StepReport report;
        lockstep_start(context, &cases[c].example, solver_of(c, false), &(DeviceChoice){"vulkan", "f32"},
                       &simulation);
        VulkanContact *contact = ((VulkanDevice *)simulation.device)->contact;
        if (k == 1)
            contact->rooms = (ContactRooms){.friction = 2, .pairs = 3, .entries = 20, .blocks = 5};
        for (int step = 0; step < 2; ++step)
            ASSERT_OK(context, simulation_step(&simulation, &report));
        ck_assert_int_eq(contact->regrowths > 0, k);
        bytes = simulation_state_size(&simulation) * sizeof *ends[k];
        ends[k] = calloc(1, bytes);
        ASSERT_OK(context, simulation_state_read(&simulation, ends[k]));
        simulation_destroy(&simulation);
    }
    ck_assert_mem_eq(ends[0], ends[1], bytes);
    free(ends[0]);
    free(ends[1]);
}
END_TEST

static void write_skin(void)
{
    write_cube_skin(FINE, 0.095, 3);
}

Suite *penalty_friction_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("penalty contact with friction on Vulkan");
    TCase *tests = tcase_create("parity");
    tcase_add_unchecked_fixture(tests, write_skin, NULL);
    for (int i = 0; i < 2 * CASES; ++i)
        if (vulkan_test_runs(vulkan, i % CASES, i >= CASES))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    tcase_add_loop_test(tests, same_bytes_whatever_the_room, 0, sizeof repeated / sizeof *repeated);
    suite_add_tcase(suite, tests);
    TCase *blocks = tcase_create("blocks");
    // A driver without float64 is one more, and slow: one solver each, but in tools/proof.sh.
    const bool every_solver = vulkan->float64 || vulkan->whole;
    tcase_add_loop_test(blocks, a_block_slides, 0, every_solver ? 3 : 1);
    for (int i = every_solver ? 0 : 1; i < 3; ++i)
        if (vulkan_test_runs(vulkan, i > 0, i == 2)) // the last two are one case
            tcase_add_loop_test(blocks, a_block_stays, i, i + 1);
    suite_add_tcase(suite, blocks);
    return suite;
}
