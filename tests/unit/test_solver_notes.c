// What solvers say between two iterations, and that they stop there when they are asked to: on one particle, whose device is
// neither of the two there are.
#include "particle_device.h"

#include "base/clock.h"

typedef struct Notes {
    int count;
    SolverNote last;
} Notes;

static void count_note(void *user, const SolverNote *note)
{
    Notes *notes = user;
    ck_assert_int_eq(note->iteration, ++notes->count);
    notes->last = *note;
}

START_TEST(newton_says_how_far_it_is)
{
    ParticleDevice particle;
    Notes notes = {0};
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1, spring(100), 1, 0);
    particle.context->note = count_note;
    particle.context->note_user = &notes;
    Integrator integrator = particle_integrator(&particle);
    StepReport report;
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, 0.1, &report));
    ck_assert_int_gt(notes.count, 0);
    ck_assert_int_eq(notes.count, report.solver.iterations);
    ck_assert_double_eq(notes.last.residual, report.solver.primal);
    ck_assert_int_eq(notes.last.pairs, -1);
    particle_stop(&particle);
}
END_TEST

START_TEST(newton_heeds_an_interrupt)
{
    ParticleDevice particle;
    particle_start(&particle, INTEGRATOR_IMPLICIT_EULER, 1, spring(100), 1, 0);
    Integrator integrator = particle_integrator(&particle);
    StepReport report;
    // Asked just now: the step ends by itself within the second of grace, and the interrupt stands.
    vela_context_interrupt(particle.context);
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, 0.1, &report));
    ck_assert(particle.context->interrupted && particle.context->stop_at > clock_seconds());
    // The grace is over.
    particle.context->stop_at = clock_seconds() - 1;
    ck_assert_int_eq(integrator_step(&integrator, 0, 0.1, &report), VELA_ERROR_INTERRUPTED);
    ck_assert_str_eq(vela_context_message(particle.context), "interrupted after iteration 1");
    // It has been answered.
    ASSERT_OK(particle.context, integrator_step(&integrator, 0, 0.1, &report));
    particle_stop(&particle);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("solver notes");
    TCase *tests = tcase_create("newton");
    tcase_add_test(tests, newton_says_how_far_it_is);
    tcase_add_test(tests, newton_heeds_an_interrupt);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
