// What dissipates beside the plain models, in ADMM (theory.md sections 6 and 7): damping that rigid motions do not feel, power laws that see
// velocity gradients, forms that are not lagged, variational damping and the air. All find the motion of Newton's method.
#include "skin_fixture.h"

#include "physics/dissipation/power_law.h"
#include "physics_fixture.h"

#define FREE_SOLID                                                                                                             \
    "{\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [3, 1, 1]}}, \"material\": \"m\", \"twist\": {\"axis\": " \
    "[1, 0, 0], \"degrees\": 30}, \"angular_velocity\": [1, 2, 3], \"velocity_gradient\": [[2, 0, 0], [0, -1, 0], [0, 0, 0]]"
#define FREE_CLOTH                                                                                                                \
    "{\"type\": \"shell\", \"thickness\": 0.004, \"bending\": \"quadratic\", \"geometry\": {\"sheet\": {\"size\": [0.3, 0.2], "   \
    "\"cells\": [3, 2]}}, \"material\": \"m\", \"angular_velocity\": [1, 2, 3], \"velocity_gradient\": [[1, 0, 0], [0.5, 1, 0], " \
    "[0, 0, 0]]"
#define FREE_ROPE                                                                                                                   \
    "{\"type\": \"cable\", \"radius\": 0.02, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [0.5, 0.1, 0], "               \
    "\"segments\": 5}}, \"material\": \"m\", \"angular_velocity\": [0, 0, 4], \"velocity_gradient\": [[2, 0, 0], [0.5, 0, 0], [0, " \
    "0, 0]], \"bending_modulus\": 1e4"

static const char solid[] =
    FREE_SOLID ", \"pins\": [{\"select\": {\"box\": [[-0.21, -1, -1], [-0.19, 1, 1]]}}]}",
                  cloth[] = FREE_CLOTH ", \"pins\": [{\"select\": {\"nodes\": [0]}}]}",
                  rope[] = FREE_ROPE ", \"pins\": [{\"select\": {\"nodes\": [0]}}]}",
                  free_solid[] = FREE_SOLID "}", free_cloth[] = FREE_CLOTH "}", free_rope[] = FREE_ROPE "}",
                  skinned[] =
                      FREE_SOLID ", \"skin\": {\"mesh\": \"alternating_terms_skin.obj\", \"contact\": true}}";

static const char
    newton[] =
        "{\"type\": \"newton\", \"tolerance\": 1e-11, \"lag_iterations\": 50, \"linear\": {\"tolerance\": "
        "1e-11}}",
    admm[] = "{\"type\": \"admm\", \"tolerance\": 1e-11, \"max_iterations\": 20000, \"lag_iterations\": 50}";

enum { VALUES = 300 };

typedef struct Outcome {
    double x[VALUES];
    double damped[DAMPING_TYPES], work, total, momentum[6];
    int64_t iterations;
} Outcome;

typedef struct Case {
    const char *integrator, *model, *damping, *air, *body;
    double stiffness;
} Case;

static void run(const char *solver, const Case *set, int steps, Outcome *outcome)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 10}, \"integrator\": {\"type\": %s}, \"solver\": "
        "%s, \"air\": %s, \"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, \"youngs_modulus\": %g, "
        "\"poissons_ratio\": 0.3, \"damping\": [%s]}}, \"bodies\": [%s]}",
        set->integrator, solver, set->air ? set->air : "{\"drag\": 0}", set->model ? set->model : "stvk",
        set->stiffness > 0 ? set->stiffness : 1e5, set->damping, set->body);
    *outcome = (Outcome){0};
    ck_assert_int_le(3 * simulation.model.node_count, VALUES);
    for (int n = 0; n < steps; ++n)
        outcome->iterations += step_once(&simulation).solver.iterations;
    ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_POSITION, outcome->x));
    memcpy(outcome->damped, simulation.integrator.state.damped, sizeof outcome->damped);
    memcpy(outcome->momentum, simulation.diagnosis.linear_momentum, 3 * sizeof(double));
    memcpy(outcome->momentum + 3, simulation.diagnosis.angular_momentum, 3 * sizeof(double));
    outcome->work = simulation.integrator.state.work;
    outcome->total = diagnosis_total(&simulation.diagnosis);
    simulation_stop(&simulation);
}

static double apart(const Outcome *a, const Outcome *b)
{
    double most = 0;
    for (int i = 0; i < VALUES; ++i)
        most = fmax(most, fabs(a->x[i] - b->x[i]));
    return most;
}

static void compare(const Case *cases, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        Outcome expected, found;
        run(newton, &cases[k], 4, &expected);
        run(admm, &cases[k], 4, &found);
        printf("case %zu, %s: %.2e m apart, %lld against %lld iterations\n", k, cases[k].integrator,
               apart(&expected, &found), (long long)found.iterations, (long long)expected.iterations);
        double taken = 0;
        for (int type = 0; type < DAMPING_TYPES; ++type) {
            taken += expected.damped[type];
            ck_assert_double_eq_tol(found.damped[type], expected.damped[type],
                                    1e-6 * expected.damped[type] + 1e-12);
        }
        ck_assert_double_gt(taken, 0);
        ck_assert_double_le(apart(&expected, &found), 1e-7);
        ck_assert_double_eq_tol(found.total, expected.total, 1e-6 * fabs(expected.total));
        ck_assert_double_eq_tol(found.work, expected.work, 1e-6 * (fabs(expected.work) + 1e-6));
    }
}

#define LAW(exponent, correction)                                                                            \
    "{\"type\": \"power_law\", \"coefficient\": 200, \"exponent\": " exponent                                \
    ", \"correction\": \"" correction "\"}"

START_TEST(rigid_motions_are_not_felt)
{
    static const char
        blind[] =
            "{\"type\": \"rayleigh\", \"time\": 0.01, \"mass\": 0.5, \"correction\": \"rigid_velocity\"}",
        strong[] = "{\"type\": \"rayleigh\", \"time\": 0.3, \"correction\": \"rigid_velocity\"}",
        both[] = "{\"type\": \"rayleigh\", \"time\": 0.003, \"correction\": \"rigid_velocity\"}, {\"type\": "
                 "\"strain_rate\", \"shear\": 30}, " LAW("1.5", "rigid_velocity");
    static const Case cases[] = {
        {"\"tr_bdf2\"", NULL, blind, NULL, free_solid, 0},
        {"\"implicit_midpoint\"", NULL, blind, NULL, free_cloth, 0},
        {"\"variational\"", NULL, blind, NULL, free_rope, 0},
        {"\"bdf2\"", NULL, strong, NULL, free_solid, 0},
        {"\"tr_bdf2\"", NULL, strong, NULL, free_cloth, 0},
        {"\"implicit_midpoint\"", NULL, both, NULL, free_solid, 0},
        {"\"tr_bdf2\"", NULL, blind, NULL, solid, 0},
        {"\"tr_bdf2\"", NULL, LAW("0.7", "rigid_velocity"), NULL, free_cloth, 0},
    };
    compare(cases, sizeof cases / sizeof *cases);
}
END_TEST

START_TEST(power_laws_see_velocity_gradients)
{
    static const Case cases[] = {
        {"\"tr_bdf2\"", NULL, LAW("1.5", "velocity_gradient"), NULL, free_solid, 0},
        {"\"implicit_midpoint\"", NULL, LAW("0.7", "velocity_gradient"), NULL, free_solid, 0},
        {"\"variational\"", NULL, LAW("2", "velocity_gradient"), NULL, solid, 0},
        {"\"tr_bdf2\"", NULL, LAW("1", "velocity_gradient") ", " LAW("3", "none"), NULL, free_solid, 0},
    };
    compare(cases, sizeof cases / sizeof *cases);
}
END_TEST

/// The prox over axes is where its gradient is 0, for exponents from 0 up and rates over decades; with equal axes it is that of one rate.
START_TEST(the_prox_over_axes)
{
    static const double exponents[] = {0, 0.3, 0.7, 1, 1.5, 2, 5};
    static const double lambda[] = {1, 1, 1, 1.02, 1.3, 0};
    double worst = 0;
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; ++e)
        for (int decade = -6; decade <= 6; ++decade) {
            const double volume = 1e-4, duration = 0.01, rho = 3;
            const double d[] = {3e-3, -1e-3, 2e-5, 1e-3, -2e-3, 4e-3};
            double left[6], square = 0;
            Damping law = {.type = DAMPING_POWER_LAW, .exponent = exponents[e]};
            law.coefficient = pow(10, decade) * rho * 1e-3 / volume * pow(duration / 1e-3, law.exponent);
            power_law_prox_axes(&law, volume, duration, rho, 6, lambda, d, left);
            for (int m = 0; m < 6; ++m)
                square += lambda[m] * left[m] * d[m] * left[m] * d[m];
            ck_assert_double_eq(left[5], 1);
            if (square == 0) { // held: dry friction is not less than the pull
                double pull = 0;
                for (int m = 0; m < 5; ++m)
                    pull += d[m] * d[m] / lambda[m];
                ck_assert_double_eq(law.exponent, 0);
                ck_assert_double_le(rho * sqrt(pull), volume * law.coefficient);
                continue;
            }
            const double force = volume * law.coefficient * pow(duration, -law.exponent) *
                                 pow(square, 0.5 * (law.exponent - 1));
            for (int m = 0; m < 6; ++m) {
                const double gradient = force * lambda[m] * left[m] * d[m] + rho * (left[m] - 1) * d[m];
                worst = fmax(worst, fabs(gradient) / (rho * fabs(d[m])));
            }
            const double ones[] = {1, 1}, same[] = {3e-3, 4e-3};
            power_law_prox_axes(&law, volume, duration, rho, 2, ones, same, left);
            ck_assert_double_eq_tol(left[0], power_law_prox(&law, volume, duration, rho, 5e-3), 1e-12);
        }
    printf("gradient left of the pull: %.1e\n", worst);
    ck_assert_double_le(worst, 1e-12);
}
END_TEST

START_TEST(forms_that_are_not_lagged)
{
    static const Case cases[] = {
        {"\"tr_bdf2\"", NULL, "{\"type\": \"rayleigh\", \"time\": 0.01, \"form\": \"implicit\"}", NULL,
         free_solid, 0},
        {"\"implicit_midpoint\"", NULL,
         "{\"type\": \"strain_rate\", \"shear\": 300, \"form\": \"second_order\"}", NULL, cloth, 0},
        {"\"tr_bdf2\"", NULL,
         "{\"type\": \"power_law\", \"coefficient\": 200, \"exponent\": 1.5, \"form\": \"implicit\"}", NULL,
         rope, 0},
        {"\"tr_bdf2\"", NULL, "{\"type\": \"principal_strain\", \"time\": 0.01, \"form\": \"second_order\"}",
         NULL, solid, 0},
    };
    compare(cases, sizeof cases / sizeof *cases);
}
END_TEST

#define ALPHA(value) "\"variational\", \"alpha\": " value

START_TEST(variational_damping)
{
    static const char
        some[] = "{\"type\": \"variational\", \"time\": 0.003}",
        much[] = "{\"type\": \"variational\", \"time\": 0.1}",
        both[] = "{\"type\": \"variational\", \"time\": 0.002}, {\"type\": \"rayleigh\", \"time\": 0.002}";
    static const Case cases[] = {
        {ALPHA("0.5"), NULL, some, NULL, free_solid, 0},
        {ALPHA("0.4"), "neo_hookean", some, NULL, solid, 0},
        {ALPHA("0.5"), "symmetric_dirichlet", much, NULL, solid, 0},
        {ALPHA("0.7"), "fixed_corotated", some, NULL, solid, 0},
        {ALPHA("0.5"), "neo_hookean", some, NULL, cloth, 0},
        {ALPHA("0.6"), NULL, much, NULL, free_cloth, 0},
        {ALPHA("0.5"), NULL, both, NULL, rope, 0},
    };
    compare(cases, sizeof cases / sizeof *cases);
}
END_TEST

START_TEST(air)
{
    static const char wind[] = "{\"drag\": 20, \"wind\": [3, 0, 1]}",
                      thick[] = "{\"drag\": 2000, \"wind\": [1, 0, 1]}";
    static const Case cases[] = {
        {"\"tr_bdf2\"", NULL, "", wind, solid, 0},
        {"\"implicit_midpoint\"", NULL, "", wind, cloth, 0},
        {"\"variational\"", NULL, "", wind, free_rope, 0},
        {"\"bdf2\"", NULL, "", thick, free_cloth, 0},
        {"\"tr_bdf2\"", NULL, "{\"type\": \"rayleigh\", \"time\": 0.002}", thick, free_solid, 0},
        {"\"tr_bdf2\"", NULL, "", wind, skinned, 0},
    };
    write_cube_skin(BINARY_DIR "/alternating_terms_skin.obj", 0.045, 2);
    compare(cases, sizeof cases / sizeof *cases);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alternating_terms");
    TCase *tests = tcase_create("alternating_terms");
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, rigid_motions_are_not_felt);
    tcase_add_test(tests, the_prox_over_axes);
    tcase_add_test(tests, power_laws_see_velocity_gradients);
    tcase_add_test(tests, forms_that_are_not_lagged);
    tcase_add_test(tests, variational_damping);
    tcase_add_test(tests, air);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
