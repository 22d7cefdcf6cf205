// A step of ADMM and of the product's Newton's method against Newton's method on the same objective, written here in the variables of theory.md section 2
// (VES): q_{k+1} = argmin 1/(2 h^2) |q - z^k|_M^2 + Phi((q + q_k)/2), z^k = 2 q_k - q_{k-1} - h^2/2 M^-1 grad Phi(q_mid).
#include "newton_bodies.h"

enum { STEPS = 8 };

static bool newton_direction(const Model *model, double time, double a, const double *x, bool project,
                             double *direction)
{
    static double A[REFERENCE_UNKNOWNS * REFERENCE_UNKNOWNS];
    const int size = 3 * model->node_count;
    memset(A, 0, sizeof *A * (size_t)size * (size_t)size);
    for (int i = 0; i < size; ++i)
        A[(size + 1) * i] = model->masses[i / 3] / (a * a);
    reference_add_hessian(model, time, x, project, A);
    reference_fix(model, A);
    if (!dense_factor(A, size))
        return false;
    dense_solve(A, size, direction);
    return true;
}

/// theory.md section 11: projected Hessian and backtracking far away, the true one and full steps close by.
/// Returns the number of steps.
static int newton_solve(const Model *model, double time, double a, const double *target, double *x)
{
    const int size = 3 * model->node_count;
    double gradient[REFERENCE_UNKNOWNS], direction[REFERENCE_UNKNOWNS], trial[REFERENCE_UNKNOWNS],
        last = INFINITY;
    for (int step = 1; step <= 200; ++step) {
        const double value = objective(model, time, a, target, x, gradient);
        for (int i = 0; i < size; ++i)
            direction[i] = -gradient[i];
        if (last > 1e-3 || !newton_direction(model, time, a, x, false, direction))
            ck_assert(newton_direction(model, time, a, x, true, direction));
        double moved = 0, slope = 0, share = 1;
        for (int i = 0; i < size; ++i) {
            moved = fmax(moved, fabs(direction[i]));
            slope += gradient[i] * direction[i];
        }
        for (;; share *= 0.5) {
            ck_assert_double_gt(share, 1e-12);
            for (int i = 0; i < size; ++i)
                trial[i] = x[i] + share * direction[i];
            double unused[REFERENCE_UNKNOWNS];
            if (moved < 1e-9 ||
                objective(model, time, a, target, trial, unused) <= value + 1e-4 * share * slope)
                break;
        }
        memcpy(x, trial, (size_t)size * sizeof *x);
        if (moved < 1e-14 || (moved < 1e-11 && moved > 0.5 * last))
            return step;
        last = moved;
    }
    ck_abort_msg("the reference's Newton has not converged");
}

/// One step of VES: q and z in, the next ones out; the pinned nodes stand where the scene has them.
static int reference_step(const Model *model, double time, double h, double *q, double *z)
{
    const int size = 3 * model->node_count;
    double target[REFERENCE_UNKNOWNS], x[REFERENCE_UNKNOWNS], gradient[REFERENCE_UNKNOWNS],
        pins[REFERENCE_UNKNOWNS];
    for (int i = 0; i < size; ++i) {
        target[i] = 0.5 * (z[i] + q[i]);
        x[i] = q[i];
    }
    model_pin_positions(model, time + 0.5 * h, pins);
    for (int32_t p = 0; p < model->pin_count; ++p)
        memcpy(x + 3 * model->pin_nodes[p], pins + 3 * p, 3 * sizeof *x);
    const int steps = newton_solve(model, time + 0.5 * h, 0.5 * h, target, x);
    reference_potential(model, time + 0.5 * h, x, gradient);
    for (int i = 0; i < size; ++i) {
        const double next = 2 * x[i] - q[i];
        z[i] = 2 * next - q[i] - 0.5 * h * h * gradient[i] / model->masses[i / 3];
        q[i] = next;
    }
    model_pin_positions(model, time + h, pins);
    for (int32_t p = 0; p < model->pin_count; ++p)
        memcpy(q + 3 * model->pin_nodes[p], pins + 3 * p, 3 * sizeof *q);
    return steps;
}

START_TEST(step_equals_newton)
{
    static const char *const solvers[2][2] = {
        {"ADMM", "\"type\": \"admm\", \"tolerance\": 1e-12, \"max_iterations\": 5000, \"strict\": true"},
        {"Newton", "\"type\": \"newton\", \"tolerance\": 1e-9, \"strict\": true"}};
    const int model = _i % ENERGY_MODEL_COUNT, situation = _i / ENERGY_MODEL_COUNT % SITUATION_COUNT;
    const char *const *solver = solvers[_i / ENERGY_MODEL_COUNT / SITUATION_COUNT];
    Simulation simulation;
    make_body(&simulation, model, situation, solver[1]);
    const Model *body = &simulation.model;
    const double h = simulation.scene.step;
    const int size = 3 * body->node_count;
    ck_assert_int_le(size, REFERENCE_UNKNOWNS);
    double q[REFERENCE_UNKNOWNS], z[REFERENCE_UNKNOWNS], worst = 0, touch = 0;
    for (int i = 0; i < size; ++i) {
        q[i] = body->initial_positions[i];
        z[i] = q[i] + h * body->initial_velocities[i];
    }
    int iterations = 0, newton = 0;
    for (int step = 0; step < STEPS; ++step) {
        newton += reference_step(body, step * h, h, q, z);
        const StepReport report = step_once(&simulation);
        iterations += report.solver.iterations;
        touch = fmax(touch, report.end.contact);
        ck_assert_int_eq(report.substeps, 1);
        worst = fmax(worst, largest_difference(slot_values(&simulation, SLOT_POSITION), q, (size_t)size));
    }
    printf("%s, %s: %s against the reference after %d steps: %.2g m; %.1f iterations and %.1f Newton steps a "
           "step\n",
           model_name(model), situations[situation][0], solver[0], STEPS, worst, (double)iterations / STEPS,
           (double)newton / STEPS);
    ck_assert_double_le(worst, 1e-9 * 0.49);  // of the body's diagonal, 0.49 m
    ck_assert(situation < 2 || touch > 0.01); // the planes did push
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("newton");
    TCase *steps = tcase_create("steps");
    tcase_add_loop_test(steps, step_equals_newton, 0, 2 * SITUATION_COUNT * ENERGY_MODEL_COUNT);
    suite_add_tcase(suite, steps);
    return test_run(suite);
}
