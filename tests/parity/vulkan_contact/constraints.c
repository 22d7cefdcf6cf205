// Systems of constraints on the Vulkan device against the CPU path's: every step starts from the CPU's state. In double precision both
// solve to 1e-11; in single precision, the deviations are what its residual of 1.2e-7 leaves.
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

#include "device/vulkan/constraints/constraint_term.h"

static VelaContext *context;

#define SCENE(bodies, constraints, more)                                                                      \
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [0.5, -9.81, 1]," more        \
    "\"materials\": {\"slack\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1,"              \
    "\"poissons_ratio\": 0.3}, \"damped\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e7," \
    "\"poissons_ratio\": 0.3, \"damping\": [{\"type\": \"strain_rate\", \"shear\": 3e4}, {\"type\":"          \
    "\"rayleigh\", \"time\": 0.01}, {\"type\": \"power_law\", \"coefficient\": 100, \"exponent\": 1.5}]},"    \
    "\"firm\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e7,"                             \
    "\"poissons_ratio\": 0.3}}, \"bodies\": [" bodies "], \"constraints\": [" constraints "]}"
#define LINK(name, x)                                                                                        \
    "{\"name\": \"" name "\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [1, 0.2, 0.1], "      \
    "\"cells\": [1, 1, 1]}}, \"material\": \"firm\", \"translate\": [" x ", 0, 0]}"
#define LINE(more)                                                                                           \
    "{\"name\": \"line\", \"type\": \"cable\", \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": "     \
    "[0.6, 0, 0], \"segments\": 6}}, \"material\": \"slack\", \"radius\": 0.01" more "}"
#define BETWEEN(first, second)                                                                               \
    "\"between\": [{\"body\": \"line\", \"node\": " first "}, {\"body\": \"line\", \"node\": " second "}]"
#define ROD(first, second) "{\"type\": \"distance\", " BETWEEN(first, second) "}"
#define RODS                                                                                                 \
    ROD("0", "1") "," ROD("1", "2") "," ROD("2", "3") "," ROD("3", "4") "," ROD("4", "5") "," ROD("5", "6")
#define HELD ", \"pins\": [{\"select\": {\"nodes\": [0]}}]"

// A ball in the world, a hinge, a hinge with stops that are reached; and something that stretches.
static const char articulated[] = SCENE(
    LINK("a", "0.5") "," LINK("b", "1.5") "," LINK("c", "2.5") "," LINE(", \"translate\": [0, 1, 0]" HELD),
    "{\"type\": \"ball\", \"between\": [\"a\", \"world\"], \"at\": [0, 0, 0]},"
    "{\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [1, 0, 0], \"axis\": [0, 1, 2]},"
    "{\"type\": \"hinge\", \"between\": [\"b\", \"c\"], \"at\": [2, 0, 0], \"axis\": [0, 0, 1], "
    "\"limits_degrees\": [-0.5, 3]}",
    "");
// A moving point of the world, pins in part, a rod that is there twice.
static const char led[] = SCENE(
    LINE(", \"pins\": [{\"select\": {\"nodes\": [6]}, \"axes\": \"z\", \"frame\": {\"axis\": [0, 1, 1], "
         "\"degrees\": 30}}]"),
    RODS
    "," ROD("2",
            "3") ","
                 "{\"type\": \"attach\", \"between\": [{\"body\": \"line\", \"node\": 0}, {\"point\": [0, 0, "
                 "0], \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 2, 1]}]}]}",
    "");
// Sides that are reached, an angle, a compliance.
static const char sided[] = SCENE(
    LINE(HELD),
    RODS ","
         "{\"type\": \"distance\", \"side\": \"at_most\", \"length\": 0.606, \"between\": [{\"body\": "
         "\"line\", \"node\": 6}, {\"point\": [0, 0.1, 0]}]}, {\"type\": \"distance\", \"side\": "
         "\"at_least\", \"length\": 0.28, \"between\": [{\"body\": \"line\", \"node\": 3}, {\"point\": "
         "[0.3, -0.3, 0]}]}, {\"type\": \"angle\", \"angle_degrees\": 170, \"compliance\": 0.02, "
         "\"between\": [{\"body\": \"line\", \"node\": 0}, {\"body\": \"line\", \"node\": 1}, {\"body\": "
         "\"line\", \"node\": 2}]}",
    "");
// Cloth, a solid and a damped cable in constraint form; a damped solid, contact with friction and air beside them.
static const char forms[] = SCENE(
    "{\"name\": \"net\", \"type\": \"shell\", \"geometry\": {\"sheet\": {\"size\": [1, 1], \"cells\": [3, "
    "3]}}, \"material\": \"firm\", \"thickness\": 0.001, \"formulation\": \"constraint\", \"pins\": "
    "[{\"select\": {\"nodes\": [0, 3]}}]},"
    "{\"name\": \"bar\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [2, 1, 1]}}, "
    "\"material\": \"firm\", \"formulation\": \"constraint\", \"velocity\": [0.5, -0.5, 0], \"translate\": "
    "[0, -1.949, 0]},"
    "{\"name\": \"block\", \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, "
    "\"material\": \"damped\", \"velocity\": [0.5, -0.5, 0], \"translate\": [1, -1.949, 0]},"
    "{\"name\": \"rope\", \"type\": \"cable\", \"formulation\": \"constraint\", \"geometry\": {\"cable\": "
    "{\"from\": [2, 0, 0], \"to\": [2.5, 0, 0], \"segments\": 4}}, \"material\": \"damped\", \"radius\": "
    "0.01, \"pins\": [{\"select\": {\"nodes\": [0]}}]}",
    "",
    "\"obstacles\": [{\"plane\": {\"point\": [0, -2, 0], \"normal\": [0, 1, 0]}}], \"contact\": {\"model\": "
    "\"penalty\", \"stiffness\": 2000, \"friction\": 0.3}, \"air\": {\"drag\": 2},");

static const struct {
    LockstepCase example;
    const char *more; ///< of the solver
    double allowed;   ///< in single precision
    double forces;    ///< off in single precision after two steps, of the largest
} cases[] = {
    {{"articulated", articulated, 4}, "", 1e-7, 2e-5},
    {{"led", led, 4}, "", 1e-7, 1e-6},
    {{"led, without stiffness", led, 2}, ", \"geometric_stiffness\": false", 1e-7, 1e-6},
    {{"sided", sided, 6}, ", \"geometric_stiffness\": \"exact\"", 1e-6, 3e-4},
    {{"forms", forms, 4}, "", 3e-7, 1e-3},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

static void describe_solver(int which, bool float64, char *text, size_t size)
{
    snprintf(
        text, size,
        "{\"type\": \"compliant\", \"strict\": true, \"linear\": {\"type\": \"minres\", \"tolerance\": %s, "
        "\"max_iterations\": 4000}%s}",
        float64 ? "1e-11" : "1e-8", cases[which].more);
}

START_TEST(steps_in_lockstep)
{
    char solver[160];
    const bool float64 = _i >= CASE_COUNT;
    describe_solver(_i % CASE_COUNT, float64, solver, sizeof solver);
    lockstep(context, &cases[_i % CASE_COUNT].example, solver, float64 ? "f64" : "f32",
             float64 ? 1e-11 : cases[_i % CASE_COUNT].allowed);
}
END_TEST

static double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/// One step of both from one state: multipliers in the layout that both share, energy, error, and forces at all nodes by them.
START_TEST(what_is_left_of_a_step)
{
    const bool float64 = _i >= CASE_COUNT;
    const LockstepCase *example = &cases[_i % CASE_COUNT].example;
    char solver[160];
    Simulation both[2];
    double *state[2], *forces[2];
    describe_solver(_i % CASE_COUNT, float64, solver, sizeof solver);
    for (int k = 0; k < 2; ++k) {
        StepReport report;
        lockstep_start(context, example, solver,
                       k == 0 ? &(DeviceChoice){"cpu", NULL}
                              : &(DeviceChoice){"vulkan", float64 ? "f64" : "f32"},
                       &both[k]);
        ASSERT_OK(context, simulation_step(&both[k], &report));
        ASSERT_OK(context, simulation_step(&both[k], &report));
        state[k] = calloc(device_solver_state_size(both[k].device), sizeof *state[k]);
        forces[k] = calloc(3 * (size_t)both[k].model.node_count, sizeof *forces[k]);
        ASSERT_OK(context, device_solver_state_read(both[k].device, state[k]));
        ASSERT_OK(context, device_forces(both[k].device, SLOT_TARGET, SLOT_POSITION, 0.02, false));
        ASSERT_OK(context, device_state_read(both[k].device, SLOT_TARGET, forces[k]));
    }
    const size_t rows = device_solver_state_size(both[0].device), n = 3 * (size_t)both[0].model.node_count;
    ck_assert_uint_eq(device_solver_state_size(both[1].device), rows);
    const double off[2] = {largest_difference(state[0], state[1], rows) / largest_of(state[0], rows),
                           largest_difference(forces[0], forces[1], n) / largest_of(forces[0], n)};
    const Diagnosis *d[2] = {&both[0].diagnosis, &both[1].diagnosis};
    printf("%s %s: multipliers off by %.1e, forces by %.1e; energy %g %g, error %.2g %.2g\n",
           float64 ? "f64" : "f32", example->name, off[0], off[1], d[0]->constraint, d[1]->constraint,
           d[0]->constraint_error, d[1]->constraint_error);
    ck_assert_double_gt(largest_of(state[0], rows), 0);
    const double allowed = float64 ? 3e-9 : cases[_i % CASE_COUNT].forces;
    ck_assert_double_le(off[0], allowed);
    ck_assert_double_le(off[1], allowed);
    ck_assert_double_eq_tol(d[0]->constraint, d[1]->constraint,
                            (float64 ? 1e-7 : 1e-4) * d[0]->constraint + 1e-12);
    ck_assert_double_eq_tol(d[0]->constraint_error, d[1]->constraint_error, float64 ? 1e-11 : 3e-7);
    for (int k = 0; k < 2; ++k) {
        free(state[k]);
        free(forces[k]);
        simulation_destroy(&both[k]);
    }
}
END_TEST

/// Same bytes on a second run that begins from a state in the middle, with recordings cut otherwise.
START_TEST(same_bytes)
{
    Simulation both[2];
    double *states[2];
    char solver[160];
    describe_solver(0, false, solver, sizeof solver);
    for (int k = 0; k < 2; ++k) {
        StepReport report;
        lockstep_start(context, &cases[0].example, solver, &(DeviceChoice){"vulkan", "f32"}, &both[k]);
        states[k] = calloc(simulation_state_size(&both[k]), sizeof *states[k]);
        for (int step = 0; step < 4; ++step) {
            if (k == 1 && step == 2)
                ASSERT_OK(context, simulation_state_write(&both[1], states[0], 2));
            VulkanDevice *device = (VulkanDevice *)both[k].device;
            if (k == 1) { // the shortest recordings, again and again
                device->constraints->wanted_iterations = 0;
                device->seconds_per_iteration = 1;
            }
            ASSERT_OK(context, simulation_step(&both[k], &report));
            if (k == 0 && step == 1)
                ASSERT_OK(context, simulation_state_read(&both[0], states[0]));
        }
    }
    for (int k = 0; k < 2; ++k)
        ASSERT_OK(context, simulation_state_read(&both[k], states[k]));
    ck_assert_mem_eq(states[0], states[1], simulation_state_size(&both[0]) * sizeof *states[0]);
    for (int k = 0; k < 2; ++k) {
        free(states[k]);
        simulation_destroy(&both[k]);
    }
}
END_TEST

/// "direct" by name is refused; without a name it is MINRES there.
START_TEST(direct_is_the_cpus)
{
    static const char *const solvers[] = {
        "solver={\"type\": \"compliant\", \"linear\": {\"type\": \"direct\"}}",
        "solver={\"type\": \"compliant\"}"};
    for (int k = 0; k < 2; ++k) {
        Simulation simulation = {.context = context, .arena = arena_make(context)};
        ASSERT_OK(context, scene_parse(context, "direct", articulated, strlen(articulated), 1, &solvers[k],
                                       &simulation.arena, &simulation.scene));
        ASSERT_OK(context, model_build(context, &simulation.scene, &simulation.arena, &simulation.model));
        const VelaResult result = shared_gpu_start(&simulation, &(DeviceChoice){"vulkan", "f32"});
        ck_assert_int_eq(result, k == 0 ? VELA_ERROR_UNSUPPORTED : VELA_OK);
        if (k == 0)
            ck_assert_ptr_nonnull(strstr(vela_context_message(context), "expected \"minres\""));
        else
            ck_assert_int_eq(simulation.device->constraint_solve, CONSTRAINT_SOLVE_MINRES);
        simulation_destroy(&simulation);
    }
}
END_TEST

Suite *constraints_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("constraints on Vulkan");
    TCase *tests = tcase_create("systems");
    // What is left of a step is looked at in the other precision than the case's steps.
    for (int i = 0; i < 2 * CASE_COUNT; ++i) {
        if (vulkan_test_runs(vulkan, i % CASE_COUNT, i >= CASE_COUNT))
            tcase_add_loop_test(tests, steps_in_lockstep, i, i + 1);
        if (vulkan_test_runs(vulkan, i % CASE_COUNT + 1, i >= CASE_COUNT))
            tcase_add_loop_test(tests, what_is_left_of_a_step, i, i + 1);
    }
    tcase_add_test(tests, same_bytes);
    tcase_add_test(tests, direct_is_the_cpus);
    suite_add_tcase(suite, tests);
    return suite;
}
