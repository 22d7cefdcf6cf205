// The prox operators: stationary to rounding, the global minimum, right for extreme inputs and stiffnesses, Moreau's
// identity, and equal bits on every instruction set.
#include "check_main.h"
#include "formula_kernels.h"
#include "random_matrix.h"

#include "abi/energy_model.h"

#include <string.h>

enum { BLOCKS = 1024, COUNT = BLOCKS * LANE_COUNT };

static const char *const model_names[ENERGY_MODEL_COUNT] = {"arap", "symmetric_dirichlet",
                                                            "symmetric_gradient", "neo_hookean"};

static Lanes q[BLOCKS][3], kappa[BLOCKS], lambda[BLOCKS], rho[BLOCKS], s[3][BLOCKS][3], stress[BLOCKS][3];

typedef struct Case {
    double q[3], kappa, lambda, rho;
} Case;

static Case cases_in[COUNT];

static double power_between(RandomState *random, double low, double high)
{
    return pow(10, random_between(random, low, high));
}

/// Inputs near rest, compressed, stretched, negative and extreme; K/rho from 1e-3 to 1e3, lambda/kappa 0 to 1e4.
static void fill_cases(void)
{
    RandomState random = {4711};
    for (int i = 0; i < COUNT; ++i) {
        Case *c = &cases_in[i];
        const int kind = i % 8;
        for (int k = 0; k < 3; ++k) {
            if (kind == 0)
                c->q[k] = 1 + random_between(&random, -0.1, 0.1);
            else if (kind == 1)
                c->q[k] = random_between(&random, 0.1, 3);
            else if (kind == 2)
                c->q[k] = power_between(&random, -6, 3);
            else if (kind == 3)
                c->q[k] = random_between(&random, -2, 2);
            else if (kind == 4)
                c->q[k] = -power_between(&random, -6, 3);
            else if (kind == 5)
                c->q[k] = k == 2 ? -power_between(&random, -6, 3) : power_between(&random, -6, 3);
            else if (kind == 6)
                c->q[k] = k == 0 ? power_between(&random, -6, 3) : c->q[0]; // all equal
            else
                c->q[k] = k == 0   ? random_between(&random, -1, 3)
                          : k == 1 ? c->q[0]
                                   : random_between(&random, -1, 3);
        }
        c->rho = power_between(&random, -6, 6);
        c->kappa = c->rho * power_between(&random, -3, 3);
        const int ratio = (int)(random_bits(&random) % 4);
        c->lambda = c->kappa * (ratio == 0   ? 0
                                : ratio == 1 ? random_between(&random, 0, 10)
                                             : power_between(&random, -4, 4));
        for (int k = 0; k < 3; ++k)
            q[i / LANE_COUNT][k][i % LANE_COUNT] = c->q[k];
        kappa[i / LANE_COUNT][i % LANE_COUNT] = c->kappa;
        lambda[i / LANE_COUNT][i % LANE_COUNT] = c->lambda;
        rho[i / LANE_COUNT][i % LANE_COUNT] = c->rho;
    }
}

static void describe(char text[400], int model, const Case *c, const double value[3])
{
    snprintf(text, 400, "%s: q %.17g %.17g %.17g, kappa %.17g, lambda %.17g, rho %.17g: s %.17g %.17g %.17g",
             model_names[model], c->q[0], c->q[1], c->q[2], c->kappa, c->lambda, c->rho, value[0], value[1],
             value[2]);
}

static double objective(int model, const Case *c, const double v[3])
{
    double energy = 0;
    const double log_volume = log(v[0]) + log(v[1]) + log(v[2]);
    for (int i = 0; i < 3; ++i) {
        energy += c->rho / 2 * (v[i] - c->q[i]) * (v[i] - c->q[i]);
        if (model == ENERGY_ARAP)
            energy += c->kappa / 2 * (v[i] - 1) * (v[i] - 1);
        else
            energy += c->kappa / 2 * v[i] * v[i];
        if (model == ENERGY_SYMMETRIC_DIRICHLET)
            energy += c->kappa / 2 / (v[i] * v[i]);
    }
    if (model == ENERGY_SYMMETRIC_GRADIENT || model == ENERGY_NEO_HOOKEAN)
        energy -= c->kappa * log_volume;
    if (model == ENERGY_NEO_HOOKEAN)
        energy += c->lambda / 2 * log_volume * log_volume;
    return energy;
}

START_TEST(prox_is_stationary)
{
    fill_cases();
    const int model = _i;
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    double worst = 0;
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        double v[3];
        char text[400];
        for (int k = 0; k < 3; ++k)
            v[k] = s[0][i / LANE_COUNT][k][i % LANE_COUNT];
        describe(text, model, c, v);
        const double log_volume = log(v[0]) + log(v[1]) + log(v[2]);
        for (int k = 0; k < 3; ++k) {
            double terms[4] = {c->rho * v[k], -c->rho * c->q[k], c->kappa * v[k], 0};
            if (model == ENERGY_ARAP)
                terms[3] = -c->kappa;
            else if (model == ENERGY_SYMMETRIC_DIRICHLET)
                terms[3] = -c->kappa / (v[k] * v[k] * v[k]);
            else if (model == ENERGY_SYMMETRIC_GRADIENT)
                terms[3] = -c->kappa / v[k];
            else
                terms[3] = (c->lambda * log_volume - c->kappa) / v[k];
            double sum = 0, size = 0;
            for (int t = 0; t < 4; ++t)
                sum += terms[t], size += fabs(terms[t]);
            if (model == ENERGY_NEO_HOOKEAN) // log J is known to a rounding error only
                size += c->lambda / v[k] * (fabs(log(v[0])) + fabs(log(v[1])) + fabs(log(v[2])));
            if (model == ENERGY_ARAP && v[k] == 0) {
                ck_assert_msg(sum >= 0, "%s", text);
                continue;
            }
            ck_assert_msg(v[k] > 0 && isfinite(v[k]), "%s", text);
            ck_assert_msg(fabs(sum) <= 1e-12 * size, "%s: gradient %g of %g", text, sum, size);
            worst = fmax(worst, fabs(sum) / size);
        }
    }
    printf("%s: largest gradient %.2e\n", model_names[model], worst);
}
END_TEST

/// The function whose zeros are the stationary points with the smaller or larger root for v[m] = x and larger roots for
/// the others; NaN where there are none. Fills v.
static double branch(const Case *c, int m, double x, double v[3])
{
    const double total = c->kappa + c->rho, e = x * x - c->rho * c->q[m] / total * x;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const double b = c->rho * c->q[i] / total, disc = b * b + 4 * e;
        if (i == m)
            v[i] = x;
        else if (disc < 0)
            return NAN;
        else
            v[i] = b >= 0 ? (b + sqrt(disc)) / 2 : 2 * e / (sqrt(disc) - b);
        if (v[i] <= 0)
            return NAN;
        sum += log(v[i]);
    }
    return c->lambda / total * sum + e - c->kappa / total;
}

START_TEST(neo_hookean_prox_is_the_minimum)
{
    // The global one, except that the minimum on the larger roots, close to q, is preferred to a flattened one.
    fill_cases();
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, ENERGY_NEO_HOOKEAN, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    int smaller_root = 0, other_minimum = 0;
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        double v[3], best[3] = {0}, best_value = INFINITY;
        for (int k = 0; k < 3; ++k)
            v[k] = s[0][i / LANE_COUNT][k][i % LANE_COUNT];
        const double value = objective(ENERGY_NEO_HOOKEAN, c, v);
        // At a minimum at most one value is the smaller root of its quadratic: scan each in turn.
        for (int m = 0; m < 3; ++m) {
            double last = NAN, last_x = 0, trial[3];
            for (double exponent = -9; exponent < 4; exponent += 0.02) {
                const double x = pow(10, exponent), g = branch(c, m, x, trial);
                if ((last < 0) == (g < 0) || isnan(last) || isnan(g)) {
                    last = g, last_x = x;
                    continue;
                }
                double low = last_x, high = x;
                for (int step = 0; step < 60; ++step) {
                    const double middle = 0.5 * (low + high);
                    if ((branch(c, m, middle, trial) < 0) == (last < 0))
                        low = middle;
                    else
                        high = middle;
                }
                const double found = objective(ENERGY_NEO_HOOKEAN, c, trial);
                if (found < best_value)
                    best_value = found, memcpy(best, trial, sizeof best);
                last = g, last_x = x;
            }
        }
        const double total = c->kappa + c->rho;
        bool larger_roots = true;
        double size = 0;
        for (int k = 0; k < 3; ++k) {
            larger_roots = larger_roots && 2 * v[k] >= c->rho * c->q[k] / total * (1 - 1e-9);
            size += c->rho * (v[k] * v[k] + c->q[k] * c->q[k]) + c->kappa * v[k] * v[k];
        }
        smaller_root += !larger_roots;
        if ((value - best_value) / size > 1e-9) {
            char text[400];
            describe(text, ENERGY_NEO_HOOKEAN, c, v);
            // Only where J is beyond e^(1 + mu/lambda), the log^2 term is not convex and there are two minima.
            ck_assert_msg(larger_roots && log(v[0] * v[1] * v[2]) > 1 + c->kappa / c->lambda,
                          "%s: %.15g, but %.15g at %.15g %.15g %.15g", text, value, best_value, best[0],
                          best[1], best[2]);
            ++other_minimum;
        }
    }
    printf("neo_hookean: %d of %d solutions on the smaller root, %d with a lower second minimum\n",
           smaller_root, COUNT, other_minimum);
    ck_assert_int_gt(smaller_root, 0);
    ck_assert_int_lt(other_minimum, COUNT / 200);
}
END_TEST

START_TEST(convex_prox_is_the_minimum)
{
    // The other objectives are convex on s > 0 and separate, so a stationary point is the minimum; here against points
    // around it, to be sure that the gradient above is that of the objective.
    fill_cases();
    const int model = _i;
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        double v[3];
        char text[400];
        for (int k = 0; k < 3; ++k)
            v[k] = s[0][i / LANE_COUNT][k][i % LANE_COUNT];
        if (model == ENERGY_ARAP && (v[0] == 0 || v[1] == 0 || v[2] == 0))
            continue;
        describe(text, model, c, v);
        const double value = objective(model, c, v);
        static const double factors[] = {1e-3, 0.5, 0.99, 1.01, 2, 1e3};
        for (int k = 0; k < 3; ++k)
            for (int f = 0; f < 6; ++f) {
                double other[3] = {v[0], v[1], v[2]};
                other[k] *= factors[f];
                const double there = objective(model, c, other);
                ck_assert_msg(there >= value - 1e-12 * fabs(value), "%s: %.17g, but %.17g with factor %g",
                              text, value, there, factors[f]);
            }
    }
}
END_TEST

START_TEST(moreau_identity)
{
    // rho (q - s) = w psi'(s), with psi' from the stress function.
    fill_cases();
    const int model = _i;
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    list[0]->stress(BLOCKS, model, (const Lanes(*)[3])s[0], kappa, lambda, stress);
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        for (int k = 0; k < 3; ++k) {
            const double v = s[0][i / LANE_COUNT][k][i % LANE_COUNT],
                         p = stress[i / LANE_COUNT][k][i % LANE_COUNT];
            if (model == ENERGY_ARAP && v == 0)
                continue;
            const double size = c->rho * (fabs(c->q[k]) + v) + c->kappa * (v + 1 / v) +
                                (model == ENERGY_SYMMETRIC_DIRICHLET ? c->kappa / (v * v * v) : 0) +
                                (model == ENERGY_NEO_HOOKEAN ? c->lambda * 10 / v : 0);
            ck_assert_msg(fabs(c->rho * (c->q[k] - v) - p) <= 1e-12 * size, "%s: q %g, s %g",
                          model_names[model], c->q[k], v);
        }
    }
}
END_TEST

START_TEST(lambda_zero_is_symmetric_gradient)
{
    fill_cases();
    for (int b = 0; b < BLOCKS; ++b)
        lambda[b] = lanes_set(0);
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, ENERGY_NEO_HOOKEAN, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    list[0]->prox(BLOCKS, ENERGY_SYMMETRIC_GRADIENT, (const Lanes(*)[3])q, kappa, lambda, rho, s[1]);
    ck_assert(memcmp(s[0], s[1], sizeof s[0]) == 0);
}
END_TEST

START_TEST(instruction_sets_agree)
{
    fill_cases();
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    for (int model = 0; model < ENERGY_MODEL_COUNT; ++model)
        for (int k = 0; k < count; ++k) {
            list[k]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[k]);
            ck_assert_msg(memcmp(s[0], s[k], sizeof s[0]) == 0, "%s on %s", model_names[model],
                          list[k]->name);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("energy prox");
    TCase *cases = tcase_create("prox");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, prox_is_stationary, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(cases, neo_hookean_prox_is_the_minimum);
    tcase_add_loop_test(cases, convex_prox_is_the_minimum, 0, ENERGY_NEO_HOOKEAN);
    tcase_add_loop_test(cases, moreau_identity, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(cases, lambda_zero_is_symmetric_gradient);
    tcase_add_test(cases, instruction_sets_agree);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
