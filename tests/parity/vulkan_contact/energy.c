// Energy control with barrier contact on the Vulkan device (theory.md sections 4 and 8): a coarse ball is thrown at the floor with the
// speed of a fall of 1 m and comes back, by A-search, on the device and on the CPU path.
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

enum { STEPS = 30 };

static const LockstepCase ball = {
    "ball",
    "{\"version\": 1, \"time\": {\"step\": \"1/120\", \"duration\": 100}, \"gravity\": [0, -9.81, 0],"
    " \"integrator\": {\"type\": \"a_search\"}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", "
    "\"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}},"
    " \"bodies\": [{\"geometry\": {\"ball\": {\"radius\": 0.05, \"resolution\": 4}}, \"material\": \"m\", "
    "\"translate\": [0, 0.1, 0], \"velocity\": [0.5, -4.429, 0]}],"
    " \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}],"
    " \"contact\": {\"model\": \"barrier\", \"distance\": 1e-3, \"stiffness\": 1e5}}",
    STEPS};

typedef struct Bounce {
    int touching, roots;
    double on_target;       ///< largest distance from the target where a root was found, of m g 1 m
    double off_target;      ///< the same anywhere
    double heights[STEPS];  ///< of the centre, m
    double energies[STEPS]; ///< of m g 1 m
} Bounce;

/// The state's energy as the CPU path sees it, J.
static double energy_in_double(Simulation *simulation, Simulation *judge)
{
    static const Slot slots[] = {SLOT_POSITION, SLOT_VELOCITY};
    Diagnosis diagnosis;
    double *values = calloc(3 * (size_t)judge->model.node_count, sizeof *values);
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, device_state_read(simulation->device, slots[k], values));
        ASSERT_OK(context, device_state_write(judge->device, slots[k], values));
    }
    free(values);
    ASSERT_OK(context, device_diagnose(judge->device, SLOT_POSITION, SLOT_VELOCITY, 0, &diagnosis));
    return diagnosis_total(&diagnosis);
}

static void bounce(const DeviceChoice *choice, Bounce *found)
{
    static const char solver[] = "{\"type\": \"newton\"}";
    Simulation simulation, judge;
    lockstep_start(context, &ball, solver, choice, &simulation);
    lockstep_start(context, &ball, solver, &(DeviceChoice){"cpu", NULL}, &judge);
    *found = (Bounce){0};
    const double fall = simulation.diagnosis.gravitational / simulation.diagnosis.center[1], // m g 1 m
        start = diagnosis_total(&simulation.diagnosis);
    for (int step = 0; step < STEPS; ++step) {
        StepReport report;
        ASSERT_OK(context, simulation_step(&simulation, &report));
        const double distance = fabs(energy_in_double(&simulation, &judge) - report.target) / fall;
        ck_assert_double_le(fabs(report.target - start), 1e-6 * start);
        found->touching += report.end.contact > 0;
        found->off_target = fmax(found->off_target, distance);
        if (report.alpha_case == ALPHA_ROOT) {
            ++found->roots;
            found->on_target = fmax(found->on_target, distance);
        }
        found->heights[step] = report.end.center[1];
        found->energies[step] = diagnosis_total(&report.end) / fall;
    }
    simulation_destroy(&judge);
    simulation_destroy(&simulation);
    printf(
        "%s %s: in contact after %d steps of %d, %d roots, there off the target by at most %.1e of m g 1 m, elsewhere %.3f; "
        "from %.3f to %.3f m\n",
        choice->device, choice->precision ? choice->precision : "f64", found->touching, STEPS, found->roots,
        found->on_target, found->off_target, 0.1, found->heights[STEPS - 1]);
}

START_TEST(the_ball_stays_on_its_target)
{
    static Bounce cpu, gpu;
    bounce(&(DeviceChoice){"cpu", NULL}, &cpu);
    bounce(&(DeviceChoice){"vulkan", _i == 1 ? "f64" : "f32"}, &gpu);
    double height = 0, energy = 0;
    for (int step = 0; step < STEPS; ++step) {
        height = fmax(height, fabs(gpu.heights[step] - cpu.heights[step]));
        energy = fmax(energy, fabs(gpu.energies[step] - cpu.energies[step]));
    }
    printf("heights differ by %.1e m, energies by %.1e of m g 1 m\n", height, energy);
    ck_assert_int_ge(gpu.touching, 2);
    ck_assert_int_ge(3 * gpu.roots, STEPS);
    ck_assert_int_le(abs(gpu.roots - cpu.roots), _i == 1 ? 0 : 3);
    ck_assert_double_le(gpu.on_target, _i == 1 ? 1e-9 : 1e-5);
    ck_assert_double_le(fabs(gpu.off_target - cpu.off_target), _i == 1 ? 1e-9 : 0.01);
    ck_assert_double_le(height, _i == 1 ? 1e-9 : 1e-3);
}
END_TEST

Suite *energy_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("energy control on Vulkan");
    TCase *tests = tcase_create("ball");
    for (int i = 0; i < 2; ++i)
        if (vulkan_test_runs(vulkan, 0, i == 1))
            tcase_add_loop_test(tests, the_ball_stays_on_its_target, i, i + 1);
    suite_add_tcase(suite, tests);
    return suite;
}
