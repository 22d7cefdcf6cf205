// Barrier contact on whole bodies (theory.md section 8): two of them collide in free space under every integrator, keep their
// linear momentum and never intersect, as a checker finds that knows nothing of contact.
#include "device/cpu/contact/barrier_contact.h"
#include "device/cpu/cpu_device.h"
#include "physics_fixture.h"
#include "sim/verify.h"
#include "without_factor.h"

enum { STEPS = 26 };

static const char two_boxes[] =
    "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 100}, \"gravity\": [0, 0, 0],"
    " \"integrator\": {%s}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-10},"
    " \"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, \"youngs_modulus\": 1e5, "
    "\"poissons_ratio\": 0.3}},"
    " \"bodies\": ["
    "{\"name\": \"left\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}, \"material\": \"m\","
    " \"translate\": [-0.07, 0, 0], \"velocity\": [2, 0.1, 0], \"angular_velocity\": [1, 3, 5]},"
    "{\"name\": \"right\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}, \"material\": \"m\","
    " \"rotate\": {\"axis\": [1, 1, 0], \"degrees\": 40}, \"translate\": [0.09, 0.02, 0.01], \"velocity\": [-1, 0, 0.2]}],"
    " \"contact\": {\"model\": \"barrier\", \"distance\": 0.003, \"stiffness\": 1e3%s}}";

static const struct {
    const char *integrator;
    double step; ///< s
    int steps;
    /// Energy at the end, of the start's. Those that damp take some and give none; those that hold the energy stay close to it; a
    /// collision that midpoint and trapezoidal steps of this length do not resolve excites them, by this much and no more.
    double least, most;
} cases[] = {
    {"\"type\": \"implicit_euler\"", 0.002, STEPS, 0.3, 1},
    {"\"type\": \"bdf2\"", 0.002, STEPS, 0.7, 1},
    {"\"type\": \"tr_bdf2\"", 0.002, STEPS, 0.8, 1},
    {"\"type\": \"variational\"", 0.002, STEPS, 0.9, 1.4},
    {"\"type\": \"a_search\"", 0.002, STEPS, 0.9, 1.001},
    {"\"type\": \"trapezoidal\"", 0.002, STEPS, 0.9, 2},
    {"\"type\": \"implicit_midpoint\"", 0.002, STEPS, 0.9, 1.4},
    {"\"type\": \"sdirk2\"", 0.002, STEPS, 0.8, 1},
    {"\"type\": \"variational\", \"alpha\": 0.3", 0.002, STEPS, 0.9, 1.3},
    {"\"type\": \"a1\"", 0.002, STEPS, 0.9, 1.001},
    {"\"type\": \"blending\"", 0.002, STEPS, 0.9, 1.001},
    {"\"type\": \"variational\", \"alpha\": 0", 1e-4, 10 * STEPS, 0.97, 1.03},
    {"\"type\": \"rk4\"", 1e-4, 10 * STEPS, 0.999, 1.001},
};
enum { RUBBING = 5 }; ///< the first so many cases

// Sum of m|v|, kg m/s.
static double momentum_size(Simulation *simulation)
{
    const double *v = slot_values(simulation, SLOT_VELOCITY);
    double size = 0;
    for (int32_t i = 0; i < simulation->model.node_count; ++i)
        size += simulation->model.masses[i] * norm3(v + 3 * i);
    return size;
}

/// What a collision was like.
typedef struct Collision {
    double drift;   ///< of the linear momentum, of sum m|v|
    double closest; ///< m
    double energy;  ///< at the end, of the start's
    double loss;    ///< J
    int substeps, iterations;
} Collision;

static Collision collide(Simulation *simulation, int steps)
{
    Verification verification;
    Collision found = {.closest = INFINITY};
    const Diagnosis start = simulation->diagnosis;
    const double size = momentum_size(simulation);
    ASSERT_OK(simulation->context, verification_create(simulation, &verification));
    for (int n = 0; n < steps; ++n) {
        const StepReport report = step_once(simulation);
        double drift[3];
        ck_assert_int_lt(report.solver.stop, STOP_LINE_SEARCH);
        ASSERT_OK(simulation->context, verification_check(&verification));
        subtract3(report.end.linear_momentum, start.linear_momentum, drift);
        found.drift = fmax(found.drift, norm3(drift) / size);
        found.closest = fmin(found.closest, report.end.min_distance);
        found.substeps += report.substeps;
        found.iterations += report.solver.iterations;
    }
    found.energy = diagnosis_total(&simulation->diagnosis) / diagnosis_total(&start);
    found.loss = simulation->integrator.state.dissipated;
    return found;
}

START_TEST(two_bodies_collide)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, two_boxes, cases[_i].step, cases[_i].integrator,
                    "neo_hookean", "");
    const Collision found = collide(&simulation, cases[_i].steps);
    printf(
        "%s: momentum drifts by %.1e, energy %.3f of the start's, closest %.2g m, %d substeps, %.1f iterations a step\n",
        cases[_i].integrator, found.drift, found.energy, found.closest, found.substeps,
        (double)found.iterations / cases[_i].steps);
    ck_assert_double_le(found.drift, 1e-9);
    ck_assert_double_lt(found.closest, 0.003);
    ck_assert_double_gt(found.closest, 0);
    ck_assert_double_eq(found.loss, 0);
    ck_assert_double_ge(found.energy, cases[_i].least);
    ck_assert_double_le(found.energy, cases[_i].most);
    simulation_stop(&simulation);
}
END_TEST

// Friction acts between the two bodies, so it takes energy and no momentum.
START_TEST(two_bodies_rub)
{
    static const char *const friction[] = {", \"friction\": 0.5",
                                           ", \"friction\": 0.5, \"friction_iterations\": 3",
                                           ", \"friction\": 0.5, \"friction_model\": \"semi_implicit\""};
    for (size_t f = 0; f < sizeof friction / sizeof *friction; ++f) {
        Simulation simulation;
        simulation_make(threads_context(1), &simulation, two_boxes, cases[_i].step, cases[_i].integrator,
                        "neo_hookean", friction[f]);
        const Collision found = collide(&simulation, cases[_i].steps);
        printf("%s%s: momentum drifts by %.1e, energy %.3f of the start's, friction took %.3g J\n",
               cases[_i].integrator, friction[f], found.drift, found.energy, found.loss);
        ck_assert_double_le(found.drift, 1e-9);
        ck_assert_double_gt(found.loss, 0);
        simulation_stop(&simulation);
    }
}
END_TEST

// One thread and two: the same bits.
START_TEST(threads_do_not_matter)
{
    Simulation one, two;
    simulation_make(threads_context(1), &one, two_boxes, 0.002, "\"type\": \"a_search\"", "neo_hookean",
                    ", \"friction\": 0.3");
    simulation_make(threads_context(2), &two, two_boxes, 0.002, "\"type\": \"a_search\"", "neo_hookean",
                    ", \"friction\": 0.3");
    for (int n = 0; n < STEPS; ++n) {
        step_once(&one);
        step_once(&two);
        ck_assert_mem_eq(slot_values(&one, SLOT_POSITION), slot_values(&two, SLOT_POSITION),
                         3 * (size_t)one.model.node_count * sizeof(double));
    }
    simulation_stop(&one);
    simulation_stop(&two);
}
END_TEST

// Of what is done in one iteration: parts before which threads ask whether to go on.
static int words;

// With a second gone by since every word, each of these questions brings one.
static void count_word(void *user, const SolverNote *note)
{
    VelaContext *context = user;
    (void)note;
    context->noted_at = -10;
    ++words;
}

// What contact does along d after a part of it: the sum of |gradient . d| over the candidates, J.
static double work_along(BarrierContact *contact, const double *x, const double *d, double part)
{
    const double *from = barrier_vertices(contact, x, contact->x),
                 *motion = barrier_vertices(contact, d, contact->d);
    double sum = 0, at[12], way[12], gradient[12];
    CandidateWalk walk = candidate_walk_from(&contact->candidates, 0);
    for (int32_t i = 0; i < contact->candidates.count; ++i) {
        const Candidate *candidate = candidate_walk_next(&walk);
        gather_vertices(candidate->vertices, from, at);
        gather_vertices(candidate->vertices, motion, way);
        for (int k = 0; k < 12; ++k)
            at[k] += part * way[k];
        double slope = 0;
        if (candidate_gradient(candidate, at, gradient))
            for (int k = 0; k < 12; ++k)
                slope += gradient[k] * way[k];
        sum += fabs(slope);
    }
    return sum;
}

/// An iteration that takes long says so and heeds an interrupt, in all of its parts that take long.
START_TEST(iterations_can_be_interrupted)
{
    Simulation simulation;
    VelaContext *context = threads_context(1);
    const NewtonSettings settings = {.linear_tolerance = 1e-8, .linear_max_iterations = 1000};
    simulation_make(context, &simulation, two_boxes, 0.002, "\"type\": \"implicit_euler\"", "neo_hookean",
                    "");
    Device *device = simulation.device;
    BarrierContact *contact = ((CpuDevice *)device)->barrier;
    StepReport report;
    leave_out_factor(device);
    while (!isfinite(simulation.diagnosis.min_distance))
        ASSERT_OK(context, simulation_step(&simulation, &report));
    NewtonDirection direction;
    NewtonTrials trials;
    context->note_user = context;
    context->noted_at = -10;
    context->note = count_word;
    ASSERT_OK(context, device_newton_direction(device, &settings, &direction));
    printf("%d pairs, %d linear iterations: %d words\n", (int)contact->pair_count,
           (int)direction.linear_iterations, words);
    ck_assert_int_gt(contact->pair_count, 0);
    // Bundles of pairs and of the matrix' rows, iterations of the linear solve, and what lies between.
    const int pairs = (contact->pair_count + BARRIER_BUNDLE - 1) / BARRIER_BUNDLE,
              rows = (simulation.model.node_count + BARRIER_BUNDLE - 1) / BARRIER_BUNDLE;
    ck_assert_int_eq(words, pairs + 1 + rows + 1 + direction.linear_iterations + 2);
    double *x = ((CpuDevice *)device)->slots[SLOT_STAGE], *d = ((CpuDevice *)device)->newton.direction, safe;
    words = 0;
    ASSERT_OK(context, barrier_sweep(contact, x, d));
    ck_assert_int_gt(words, 1); // a task at least
    const int chunks = barrier_chunk_count(contact->candidates.count);
    words = 0;
    ASSERT_OK(context, barrier_safe_part(contact, &safe));
    ck_assert_int_eq(words, chunks + 1);
    ContactTrial trial;
    words = 0;
    barrier_trials(contact, x, d, 1, 1, &safe, &trial);
    ck_assert_int_eq(words, chunks);
    const double work = work_along(contact, x, d, safe);
    ck_assert_double_gt(work, 0);
    ck_assert_double_eq_tol(trial.work, work, 1e-10 * work);
    for (int i = 0; i < 2; ++i) {
        vela_context_interrupt(context);
        context->stop_at = 1e-9; // the grace is over
        const VelaResult result = i == 0 ? device_newton_direction(device, &settings, &direction)
                                         : device_newton_trials(device, 0, &trials);
        ck_assert_int_eq(result, VELA_ERROR_INTERRUPTED);
        ck_assert_ptr_nonnull(strstr(vela_context_message(context), "interrupted before iteration"));
        // It has been answered.
        ASSERT_OK(context, device_newton_direction(device, &settings, &direction));
    }
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    const int count = sizeof cases / sizeof *cases;
    Suite *suite = suite_create("barrier contact");
    TCase *tests = tcase_create("two bodies");
    tcase_add_loop_test(tests, two_bodies_collide, 0, count);
    tcase_add_loop_test(tests, two_bodies_rub, 0, RUBBING);
    tcase_add_test(tests, threads_do_not_matter);
    tcase_add_test(tests, iterations_can_be_interrupted);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
