// The prox operators: stationary to rounding, the global minimum, right for extreme inputs and stiffnesses, Moreau's
// identity, and equal bits on every instruction set.
#include "check_main.h"
#include "energy_names.h"
#include "formula_kernels.h"
#include "random_matrix.h"

#include "physics/energy/energy.h"

#include <string.h>

enum { BLOCKS = 1024, COUNT = BLOCKS * LANE_COUNT };

static Lanes q[BLOCKS][3], kappa[BLOCKS], lambda[BLOCKS], rho[BLOCKS], s[3][BLOCKS][3], stress[BLOCKS][3];

typedef struct Case {
    double q[3], kappa, lambda, rho;
} Case;

static Case cases_in[COUNT];

static double power_between(RandomState *random, double low, double high)
{
    return pow(10, random_between(random, low, high));
}

/// Inputs near rest, compressed, stretched, negative and extreme; K/rho from 1e-3 to 1e3, lambda/kappa 0 to 1e4, from 1
/// for stable_neo_hookean. Models that accept inversion, but for arap, need sorted inputs.
static void fill_cases(int model)
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
        if (prox_inverts(model))
            sort_values(c->q);
        if (model == ENERGY_STABLE_NEO_HOOKEAN)
            c->lambda += c->kappa;
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
             model_name(model), c->q[0], c->q[1], c->q[2], c->kappa, c->lambda, c->rho, value[0], value[1],
             value[2]);
}

static double objective(int model, const Case *c, const double v[3])
{
    double squares = 0, distance = 0, trace = -3, strain = 0, strains = 0, inverses = 0, logarithms = 0;
    const double volume = v[0] * v[1] * v[2];
    for (int i = 0; i < 3; ++i) {
        const double e = 0.5 * (v[i] * v[i] - 1);
        distance += c->rho / 2 * (v[i] - c->q[i]) * (v[i] - c->q[i]);
        squares += (v[i] - 1) * (v[i] - 1);
        trace += v[i], strain += e, strains += e * e;
        inverses += 1 / (v[i] * v[i]), logarithms += log(v[i]);
    }
    switch (model) {
    case ENERGY_ARAP:
        return distance + c->kappa / 2 * squares;
    case ENERGY_SYMMETRIC_DIRICHLET:
        return distance + c->kappa * strain + c->kappa / 2 * inverses;
    case ENERGY_SYMMETRIC_GRADIENT:
        return distance + c->kappa * strain - c->kappa * logarithms;
    case ENERGY_NEO_HOOKEAN:
        return distance + c->kappa * strain - c->kappa * logarithms + c->lambda / 2 * logarithms * logarithms;
    case ENERGY_COROTATED:
        return distance + c->kappa * squares + c->lambda / 2 * trace * trace;
    case ENERGY_FIXED_COROTATED:
        return distance + c->kappa * squares + c->lambda / 2 * (volume - 1) * (volume - 1);
    case ENERGY_STABLE_NEO_HOOKEAN:
        return distance + c->kappa * strain - c->kappa * (volume - 1) +
               c->lambda / 2 * (volume - 1) * (volume - 1);
    default:
        return distance + c->kappa * strains + c->lambda / 2 * strain * strain;
    }
}

enum { TERMS_MOST = 8 };

/// The terms whose sum is the objective's derivative by v[k]; their sizes say how exact it can be. Returns their number.
static int derivative_terms(int model, const Case *c, const double v[3], int k, double terms[TERMS_MOST])
{
    const double area = v[k == 0 ? 1 : 0] * v[k == 2 ? 1 : 2], volume = area * v[k];
    int count = 0;
    terms[count++] = c->rho * v[k];
    terms[count++] = -c->rho * c->q[k];
    switch (model) {
    case ENERGY_ARAP:
        terms[count++] = c->kappa * v[k];
        terms[count++] = -c->kappa;
        break;
    case ENERGY_SYMMETRIC_DIRICHLET:
        terms[count++] = c->kappa * v[k];
        terms[count++] = -c->kappa / (v[k] * v[k] * v[k]);
        break;
    case ENERGY_SYMMETRIC_GRADIENT:
        terms[count++] = c->kappa * v[k];
        terms[count++] = -c->kappa / v[k];
        break;
    case ENERGY_NEO_HOOKEAN: // log J is known to a rounding error only
        terms[count++] = c->kappa * v[k];
        terms[count++] = -c->kappa / v[k];
        for (int i = 0; i < 3; ++i)
            terms[count++] = c->lambda * log(v[i]) / v[k];
        break;
    case ENERGY_COROTATED:
        terms[count++] = 2 * c->kappa * v[k];
        terms[count++] = -2 * c->kappa;
        for (int i = 0; i < 3; ++i)
            terms[count++] = c->lambda * v[i];
        terms[count++] = -3 * c->lambda;
        break;
    case ENERGY_FIXED_COROTATED:
        terms[count++] = 2 * c->kappa * v[k];
        terms[count++] = -2 * c->kappa;
        terms[count++] = c->lambda * volume * area;
        terms[count++] = -c->lambda * area;
        break;
    case ENERGY_STABLE_NEO_HOOKEAN:
        terms[count++] = c->kappa * v[k];
        terms[count++] = c->lambda * volume * area;
        terms[count++] = -(c->lambda + c->kappa) * area;
        break;
    default:
        terms[count++] = c->kappa * v[k] * v[k] * v[k];
        terms[count++] = -c->kappa * v[k];
        for (int i = 0; i < 3; ++i)
            terms[count++] = c->lambda / 2 * v[i] * v[i] * v[k];
        terms[count++] = -3 * c->lambda / 2 * v[k];
    }
    return count;
}

/// The objective's derivatives, and the sizes of their terms.
static void derivatives(int model, const Case *c, const double v[3], double sums[3], double sizes[3])
{
    for (int k = 0; k < 3; ++k) {
        double terms[TERMS_MOST];
        const int count = derivative_terms(model, c, v, k, terms);
        sums[k] = sizes[k] = 0;
        for (int t = 0; t < count; ++t)
            sums[k] += terms[t], sizes[k] += fabs(terms[t]);
    }
}

/// At the edge to another rotation, s_1 + s_2 = 0, corotated's objective may grow inwards and be stationary along the
/// edge only. Returns whether v is there, and replaces the derivatives by those along the edge.
static bool along_the_edge(const double v[3], double sums[3], double sizes[3])
{
    if (v[2] != -v[1])
        return false;
    const bool corner = v[0] == v[1]; // s_0 + s_2 = 0 too
    ck_assert(sums[1] + sums[2] >= -1e-12 * sizes[1]);
    ck_assert(!corner || (sums[0] >= -1e-12 * sizes[0] && sums[1] >= -1e-12 * sizes[1]));
    sums[1] += (corner ? sums[0] : 0) - sums[2];
    if (corner)
        sums[0] = 0;
    sums[2] = 0;
    return true;
}

START_TEST(prox_is_stationary)
{
    const int model = _i;
    fill_cases(model);
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    double worst = 0;
    int edges = 0, inverted = 0;
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        double v[3], sums[3], sizes[3];
        char text[400];
        for (int k = 0; k < 3; ++k)
            v[k] = s[0][i / LANE_COUNT][k][i % LANE_COUNT];
        describe(text, model, c, v);
        derivatives(model, c, v, sums, sizes);
        edges += model == ENERGY_COROTATED && along_the_edge(v, sums, sizes);
        inverted += v[2] < 0;
        if (prox_inverts(model))
            ck_assert_msg(v[0] >= (1 - 1e-14) * v[1] && v[1] >= (1 - 1e-14) * fabs(v[2]), "%s", text);
        for (int k = 0; k < 3; ++k) {
            if (model == ENERGY_ARAP && v[k] == 0) {
                ck_assert_msg(sums[k] >= 0, "%s", text);
                continue;
            }
            ck_assert_msg(isfinite(v[k]) && (v[k] > 0 || prox_inverts(model)), "%s", text);
            ck_assert_msg(fabs(sums[k]) <= 1e-12 * sizes[k], "%s: gradient %g of %g", text, sums[k],
                          sizes[k]);
            worst = fmax(worst, fabs(sums[k]) / sizes[k]);
        }
    }
    printf("%s: largest gradient %.2e; %d inverted, %d on the edge to another rotation\n", model_name(model),
           worst, inverted, edges);
    ck_assert((inverted > 0) == (prox_inverts(model)));
    ck_assert((edges > 0) == (model == ENERGY_COROTATED));
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
    fill_cases(ENERGY_NEO_HOOKEAN);
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

START_TEST(unique_prox_is_the_minimum)
{
    // These objectives have one stationary point, which is then the minimum; here against points around it, to be sure
    // that the gradient above is that of the objective.
    const int model = _i;
    const bool signed_values = model == ENERGY_STVK;
    if (model == ENERGY_NEO_HOOKEAN || model == ENERGY_FIXED_COROTATED || model == ENERGY_STABLE_NEO_HOOKEAN)
        return;
    fill_cases(model);
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        double v[3];
        char text[400];
        for (int k = 0; k < 3; ++k)
            v[k] = s[0][i / LANE_COUNT][k][i % LANE_COUNT];
        if ((model == ENERGY_ARAP && (v[0] == 0 || v[1] == 0 || v[2] == 0)) ||
            (model == ENERGY_COROTATED && v[2] == -v[1]))
            continue;
        describe(text, model, c, v);
        const double value = objective(model, c, v);
        static const double factors[] = {1e-3, 0.5, 0.99, 1.01, 2, 1e3, -0.5, -1, -2};
        for (int k = 0; k < 3; ++k)
            for (int f = 0; f < (signed_values ? 9 : 6); ++f) {
                double other[3] = {v[0], v[1], v[2]};
                other[k] *= factors[f];
                const double there = objective(model, c, other);
                ck_assert_msg(there >= value - 1e-12 * fabs(value), "%s: %.17g, but %.17g with factor %g",
                              text, value, there, factors[f]);
            }
    }
}
END_TEST

/// With s_2 = x and the others the larger roots of s^2 - p s = x^2 - p_2 x, the derivative of the objective by s_2,
/// divided by that of |s|^2/2; p = (rho q + what the energy has at s = 0)/total. Fills v.
static double volume_branch(int model, const Case *c, double x, double v[3])
{
    const bool fixed = model == ENERGY_FIXED_COROTATED;
    const double shear = fixed ? 2 * c->kappa : c->kappa, total = shear + c->rho;
    double p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = (c->rho * c->q[i] + (fixed ? shear : 0)) / total;
    const double e = x * (x - p[2]);
    for (int i = 0; i < 2; ++i)
        v[i] = 0.5 * (p[i] + sqrt(fmax(p[i] * p[i] + 4 * e, 0)));
    v[2] = x;
    const double area = v[0] * v[1], pressure = c->lambda * (x * area - 1) - (fixed ? 0 : c->kappa);
    return x - p[2] + pressure / total * area;
}

enum { SCAN = 220 }; // points on either side of 0, 11 decades

START_TEST(volume_prox_is_the_minimum)
{
    // All local minima, by a scan over s_2. Where the penalty is at least half the stiffness, as ADMM has it, the result
    // is the lowest of them, except that for elements stretched in all directions the one close to q is preferred to a
    // flattened one.
    const int model = _i;
    fill_cases(model);
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    double places[2 * SCAN + 1];
    for (int i = -SCAN; i <= SCAN; ++i)
        places[SCAN + i] = copysign(pow(10, 11.0 * abs(i) / SCAN - 10), i);
    int others = 0, several = 0, usual = 0, usual_others = 0;
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        double v[3], best[3] = {0}, best_value = INFINITY, last = NAN, last_x = 0, trial[3];
        for (int k = 0; k < 3; ++k)
            v[k] = s[0][i / LANE_COUNT][k][i % LANE_COUNT];
        const double value = objective(model, c, v), reach = 3 + fabs(c->q[2]);
        int found = 0;
        for (int at = 0; at < 2 * SCAN + 1; ++at) {
            const double x = reach * places[at], g = volume_branch(model, c, x, trial);
            if (!(last < 0 && g >= 0)) {
                last = g, last_x = x;
                continue;
            }
            double low = last_x, high = x;
            for (int step = 0; step < 50; ++step) {
                const double middle = 0.5 * (low + high);
                if (volume_branch(model, c, middle, trial) < 0)
                    low = middle;
                else
                    high = middle;
            }
            const double there = objective(model, c, trial);
            if (there < best_value)
                best_value = there, memcpy(best, trial, sizeof best);
            ++found;
            last = g, last_x = x;
        }
        const bool as_admm = c->rho >= 0.5 * energy_psi11(model, c->kappa, c->lambda);
        const bool other = value - best_value > 1e-9 * (fabs(value) + c->kappa + c->lambda);
        several += found > 1, others += other, usual += as_admm, usual_others += as_admm && other;
        char text[400];
        describe(text, model, c, v);
        ck_assert_msg(!as_admm || !other || c->q[2] > 2.5, "%s: %.15g, but %.15g at %.15g %.15g %.15g", text,
                      value, best_value, best[0], best[1], best[2]);
        ck_assert_msg(found >= 1, "%s: no minimum on the scan", text);
    }
    printf("%s: %d of %d inputs have several minima, the lowest was missed %d times; of %d with a usual "
           "penalty %d "
           "times\n",
           model_name(model), several, COUNT, others, usual, usual_others);
}
END_TEST

START_TEST(moreau_identity)
{
    // rho (q - s) = w psi'(s), with psi' from the stress function.
    const int model = _i;
    fill_cases(model);
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[0]);
    list[0]->stress(BLOCKS, model, (const Lanes(*)[3])s[0], kappa, lambda, stress);
    for (int i = 0; i < COUNT; ++i) {
        const Case *c = &cases_in[i];
        double values[3];
        for (int k = 0; k < 3; ++k)
            values[k] = s[0][i / LANE_COUNT][k][i % LANE_COUNT];
        if (model == ENERGY_COROTATED && values[2] == -values[1])
            continue;
        for (int k = 0; k < 3; ++k) {
            const double v = values[k], p = stress[i / LANE_COUNT][k][i % LANE_COUNT];
            if (model == ENERGY_ARAP && v == 0)
                continue;
            double terms[TERMS_MOST], size = 0;
            const int count = derivative_terms(model, c, values, k, terms);
            for (int j = 0; j < count; ++j)
                size += fabs(terms[j]);
            ck_assert_msg(fabs(c->rho * (c->q[k] - v) - p) <= 1e-12 * size, "%s: q %g, s %g",
                          model_name(model), c->q[k], v);
        }
    }
}
END_TEST

START_TEST(lambda_zero_is_symmetric_gradient)
{
    fill_cases(ENERGY_NEO_HOOKEAN);
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
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    for (int model = 0; model < ENERGY_MODEL_COUNT; ++model) {
        fill_cases(model);
        for (int k = 0; k < count; ++k) {
            list[k]->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, s[k]);
            ck_assert_msg(memcmp(s[0], s[k], sizeof s[0]) == 0, "%s on %s", model_name(model), list[k]->name);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("energy prox");
    TCase *cases = tcase_create("prox");
    tcase_add_loop_test(cases, prox_is_stationary, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(cases, neo_hookean_prox_is_the_minimum);
    tcase_add_loop_test(cases, unique_prox_is_the_minimum, 0, ENERGY_MODEL_COUNT);
    tcase_add_loop_test(cases, volume_prox_is_the_minimum, ENERGY_FIXED_COROTATED,
                        ENERGY_STABLE_NEO_HOOKEAN + 1);
    tcase_add_loop_test(cases, moreau_identity, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(cases, lambda_zero_is_symmetric_gradient);
    tcase_add_test(cases, instruction_sets_agree);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
