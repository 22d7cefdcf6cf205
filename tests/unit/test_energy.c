// Elastic energies: values at rest, stress and Hessian against finite differences (theory.md section 12), the
// projection against a 9x9 eigensolver, barriers, and equal bits on every instruction set.
#include "check_main.h"
#include "energy_names.h"
#include "formula_kernels.h"
#include "random_matrix.h"

#include "physics/element/tet.h"

#include <string.h>

enum {
    CASES = 64,
    BLOCKS = CASES
}; // one case is one block: its lanes are eight copies of what is to be compared

/// Everything about eight deformation gradients at once.
typedef struct Response {
    Lanes U[9], s[3], V[9], density, stress[3], P[9], hessian[12];
} Response;

static void evaluate(const FormulaKernels *kernels, int model, const Lanes F[9], double kappa_value,
                     double lambda_value, Response *r)
{
    const Lanes kappa = lanes_set(kappa_value), lambda = lanes_set(lambda_value);
    kernels->svd(1, (const Lanes(*)[9])F, &r->U, &r->s, &r->V);
    kernels->density(1, model, (const Lanes(*)[3]) & r->s, &kappa, &lambda, &r->density);
    kernels->stress(1, model, (const Lanes(*)[3]) & r->s, &kappa, &lambda, &r->stress);
    kernels->piola(1, (const Lanes(*)[9]) & r->U, (const Lanes(*)[3]) & r->stress, (const Lanes(*)[9]) & r->V,
                   &r->P);
    kernels->hessian(1, model, (const Lanes(*)[3]) & r->s, &kappa, &lambda, &r->hessian);
}

static void assemble(const FormulaKernels *kernels, const Response *r, bool project, Lanes H[81])
{
    kernels->assemble(1, project, (const Lanes(*)[12]) & r->hessian, (const Lanes(*)[9]) & r->U,
                      (const Lanes(*)[9]) & r->V, (Lanes(*)[81])H);
}

/// Singular values of case `i`: generic, equal, nearly equal; without a barrier inverted too. |s_i + s_j| > 0.3.
static void case_values(RandomState *random, int model, int i, double s[3])
{
    const double a = random_between(random, 0.3, 2.5), b = random_between(random, 0.3, 2.5),
                 c = random_between(random, 0.3, 2.5), close = pow(10, random_between(random, -12, -3));
    const double table[8][3] = {{a, b, c},         {1, 1, 1},
                                {a, a, b},         {a, a, a},
                                {a, a + close, b}, {1 + close, 1, 1 - close},
                                {a, b, c},         {a + close, a, a - close}};
    memcpy(s, table[i % 8], 3 * sizeof *s);
    if (!energy_is_barrier(model) && i / 8 % 2 == 1) {
        s[2] = -s[2];
        for (int k = 0; k < 2; ++k)
            if (s[k] + s[2] < 0.35)
                s[k] = 0.35 - s[2];
    }
}

/// `ratio` kappa, from where stable_neo_hookean begins.
static double lambda_of(int model, double kappa, double ratio)
{
    return kappa * (model == ENERGY_STABLE_NEO_HOOKEAN ? ratio + 1 : ratio);
}

static double smallest_value(const double s[3])
{
    return fmin(fmin(fabs(s[0]), fabs(s[1])), fabs(s[2]));
}

START_TEST(rest_values)
{
    const double kappa = 1.7e4, lambda = 3.1e4;
    static const double rest[ENERGY_MODEL_COUNT] = {0, 3, 1.5}; // of kappa
    const double ratio = lambda / kappa;
    const double psi11[ENERGY_MODEL_COUNT] = {
        1, 4, 2, 2 + ratio, 2 + ratio, 2 + ratio, 1 + ratio, 2 + ratio,
    };
    static const bool is_barrier[ENERGY_MODEL_COUNT] = {false, true, true, true};
    Lanes F[9];
    for (int k = 0; k < 9; ++k)
        F[k] = lanes_set(k % 4 == 0);
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    for (int model = 0; model < ENERGY_MODEL_COUNT; ++model) {
        Response r;
        evaluate(list[0], model, F, kappa, lambda, &r);
        ck_assert_double_eq(r.density[0], rest[model] * kappa);
        const Lanes density = energy_rest_density(model, lanes_set(kappa), lanes_set(lambda));
        ck_assert_double_eq(density[0], rest[model] * kappa);
        const Lanes s[3] = {lanes_set(1.25), lanes_set(0.5), lanes_set(0.75)}, mu = lanes_set(kappa),
                    other = lanes_set(lambda);
        const Lanes difference = energy_density(model, s, mu, other) - energy_rest_density(model, mu, other);
        ck_assert_double_eq_tol(energy_density_above_rest(model, s, mu, other)[0], difference[0],
                                1e-14 * 3 * kappa);
        for (int i = 0; i < 9; ++i)
            ck_assert_double_eq(r.P[i][0], 0);
        for (int k = 0; k < 3; ++k)
            ck_assert_double_eq_tol(r.hessian[k][0], psi11[model] * kappa, 1e-9);
        ck_assert_double_eq_tol(energy_psi11(model, kappa, lambda), psi11[model] * kappa, 1e-9);
        ck_assert_int_eq(energy_is_barrier(model), is_barrier[model]);
    }
}
END_TEST

/// A simple shear by gamma has the singular values sqrt(1 + gamma^2/4) +- gamma/2 and 1, and the energy mu gamma^2/2.
START_TEST(shear_modulus_is_that_of_a_simple_shear)
{
    const double kappa = 1.7e4, gamma = 1e-4, middle = sqrt(1 + gamma * gamma / 4);
    const Lanes s[3] = {lanes_set(middle + gamma / 2), lanes_set(1), lanes_set(middle - gamma / 2)};
    for (int model = 0; model < ENERGY_MODEL_COUNT; ++model) {
        const double lambda = lambda_of(model, kappa, 1.8);
        const Lanes density = energy_density_above_rest(model, s, lanes_set(kappa), lanes_set(lambda));
        const double modulus = energy_shear_modulus(model, kappa, lambda);
        ck_assert_double_eq_tol(density[0] / (0.5 * gamma * gamma), modulus, 1e-3 * modulus);
    }
}
END_TEST

/// Hooke's law at rest: 2 mu + lambda and lambda in the block, no resistance to rotation, 2 mu to shear; for models of one
/// parameter shear alone.
START_TEST(rest_is_linear_elasticity)
{
    const double mu = 1.7e4, lame = 3.1e4;
    static const double shear[ENERGY_MODEL_COUNT] = {1, 4, 2}; // psi11/kappa of those without lambda
    for (int model = 0; model < ENERGY_MODEL_COUNT; ++model) {
        const bool full = energy_has_lambda(model);
        const Lanes one[3] = {lanes_set(1), lanes_set(1), lanes_set(1)};
        Lanes hessian[12];
        energy_hessian(model, one, lanes_set(full ? mu : 2 * mu / shear[model]),
                       lanes_set(lambda_of(model, mu, lame / mu)), hessian);
        for (int k = 0; k < 12; ++k) {
            const double expected = k < 3   ? 2 * mu + (full ? lame : 0)
                                    : k < 6 ? (full ? lame : 0)
                                    : k < 9 ? 0
                                            : 2 * mu;
            ck_assert_double_eq_tol(hessian[k][0], expected, 1e-9);
        }
    }
}
END_TEST

START_TEST(small_strains_keep_their_digits)
{
    // Strains of a millionth, of which psi is the square, 1e-12: the textbook formulas in long double have 1e-7 of it.
    const double mu = 3, lambda = 5;
    const long double x[3] = {0x1p-20L, -0x1.8p-21L, 0x1.4p-20L};
    Lanes s[3];
    long double squares = 0, trace = 0, volume = 1, strain = 0, strains = 0;
    for (int k = 0; k < 3; ++k) {
        const long double value = 1 + x[k], e = (value * value - 1) / 2;
        s[k] = lanes_set((double)value);
        squares += x[k] * x[k], trace += x[k], volume *= value, strain += e, strains += e * e;
    }
    const long double change = volume - 1, b = 1 + mu / (long double)lambda;
    const long double expected[4] = {
        mu * squares + lambda / 2 * trace * trace, mu * squares + lambda / 2 * change * change,
        mu * strain + lambda / 2 * (volume - b) * (volume - b) - mu * mu / 2 / (long double)lambda,
        mu * strains + lambda / 2 * strain * strain};
    for (int model = ENERGY_COROTATED; model <= ENERGY_STVK; ++model) {
        const double value = energy_density_above_rest(model, s, lanes_set(mu), lanes_set(lambda))[0];
        const double error = (double)(value / expected[model - ENERGY_COROTATED] - 1);
        ck_assert_msg(fabs(error) < 1e-6, "%s: density %.17g off by %g", model_name(model), value, error);
    }
}
END_TEST

START_TEST(finite_differences)
{
    const int model = _i;
    RandomState random = {99};
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    double worst_gradient = 0, worst_hessian = 0;
    for (int i = 0; i < CASES * 4; ++i) {
        const double kappa = 2.5e3, lambda = lambda_of(model, kappa, i % 3 == 0 ? 0 : i % 3 == 1 ? 1.5 : 50);
        // Third derivatives are of the order of lambda, and grow with it far from rest.
        const double stiffness = energy_is_barrier(model) ? kappa : energy_psi11(model, kappa, lambda);
        double s[3], F[9];
        case_values(&random, model, i, s);
        random_with_values(&random, s, F);
        if (i % 16 == 1)
            matrix3_rotation((const double[3]){0, 0, 1}, 0, F); // the identity itself
        const double step = 1e-5 * smallest_value(s);
        // Eight random unit directions, one in each lane.
        Lanes at[9], direction[9], before[9], after[9];
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            double norm = 0;
            for (int k = 0; k < 9; ++k) {
                direction[k][lane] = random_between(&random, -1, 1);
                norm += direction[k][lane] * direction[k][lane];
            }
            for (int k = 0; k < 9; ++k) {
                direction[k][lane] /= sqrt(norm);
                at[k][lane] = F[k];
                before[k][lane] = F[k] - step * direction[k][lane];
                after[k][lane] = F[k] + step * direction[k][lane];
            }
        }
        Response r, r0, r1;
        Lanes H[81];
        evaluate(list[0], model, at, kappa, lambda, &r);
        evaluate(list[0], model, before, kappa, lambda, &r0);
        evaluate(list[0], model, after, kappa, lambda, &r1);
        assemble(list[0], &r, false, H);
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            double expected = 0, distance = 0, difference[9], image[9] = {0}, size = 0;
            for (int k = 0; k < 9; ++k)
                distance += direction[k][lane] * (after[k][lane] - before[k][lane]);
            for (int k = 0; k < 9; ++k) {
                expected += r.P[k][lane] * direction[k][lane];
                difference[k] = (r1.P[k][lane] - r0.P[k][lane]) / distance;
                for (int l = 0; l < 9; ++l)
                    image[k] += H[9 * k + l][lane] * direction[l][lane];
                size = fmax(size, fabs(image[k]));
            }
            const double gradient_error = fabs((r1.density[lane] - r0.density[lane]) / distance - expected) /
                                          fmax(fabs(expected), stiffness);
            ck_assert_msg(gradient_error < 1e-8, "%s, s %g %g %g, lambda %g: stress off by %g",
                          model_name(model), s[0], s[1], s[2], lambda, gradient_error);
            worst_gradient = fmax(worst_gradient, gradient_error);
            for (int k = 0; k < 9; ++k) {
                const double error = fabs(difference[k] - image[k]) / fmax(size, stiffness);
                ck_assert_msg(error < 1e-8, "%s, s %g %g %g, lambda %g: Hessian off by %g", model_name(model),
                              s[0], s[1], s[2], lambda, error);
                worst_hessian = fmax(worst_hessian, error);
            }
        }
    }
    printf("%s: finite differences agree to %.1e (stress), %.1e (Hessian)\n", model_name(model),
           worst_gradient, worst_hessian);
}
END_TEST

/// Eigenvalues of a symmetric 9x9 matrix by Jacobi's method; Q's columns are the eigenvectors.
static void eigen9(double A[81], double Q[81])
{
    for (int k = 0; k < 81; ++k)
        Q[k] = k % 10 == 0;
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < 9; ++p)
            for (int q = p + 1; q < 9; ++q) {
                if (A[9 * p + q] == 0)
                    continue;
                const double d = (A[10 * q] - A[10 * p]) / (2 * A[9 * p + q]);
                const double t = (d < 0 ? -1 : 1) / (fabs(d) + sqrt(d * d + 1)), c = 1 / sqrt(t * t + 1),
                             s = t * c;
                for (int k = 0; k < 9; ++k) {
                    const double a = A[9 * k + p], b = A[9 * k + q], u = Q[9 * k + p], v = Q[9 * k + q];
                    A[9 * k + p] = c * a - s * b, A[9 * k + q] = s * a + c * b;
                    Q[9 * k + p] = c * u - s * v, Q[9 * k + q] = s * u + c * v;
                }
                for (int k = 0; k < 9; ++k) {
                    const double a = A[9 * p + k], b = A[9 * q + k];
                    A[9 * p + k] = c * a - s * b, A[9 * q + k] = s * a + c * b;
                }
            }
}

START_TEST(projection_clamps_the_eigenvalues)
{
    const int model = _i;
    RandomState random = {5};
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    int clamped = 0;
    for (int i = 0; i < CASES; ++i) {
        const double kappa = 10, lambda = lambda_of(model, kappa, i % 3);
        Lanes F[9], H[81], projected[81];
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            double s[3], f[9];
            case_values(&random, model, i, s);
            random_with_values(&random, s, f);
            for (int k = 0; k < 9; ++k)
                F[k][lane] = f[k];
        }
        Response r;
        evaluate(list[0], model, F, kappa, lambda, &r);
        assemble(list[0], &r, false, H);
        assemble(list[0], &r, true, projected);
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            double A[81], Q[81], size = 0;
            for (int k = 0; k < 81; ++k)
                A[k] = H[k][lane], size = fmax(size, fabs(A[k]));
            eigen9(A, Q);
            for (int row = 0; row < 9; ++row) {
                clamped += A[10 * row] < -1e-9 * size;
                for (int column = 0; column < 9; ++column) {
                    double sum = 0;
                    for (int k = 0; k < 9; ++k)
                        sum += Q[9 * row + k] * fmax(A[10 * k], 0) * Q[9 * column + k];
                    const double value = projected[9 * row + column][lane];
                    ck_assert_msg(fabs(sum - value) < 1e-12 * size, "%s: %g instead of %g", model_name(model),
                                  value, sum);
                    ck_assert(value == projected[9 * column + row][lane]);
                }
            }
        }
    }
    ck_assert_int_gt(clamped, 0);
}
END_TEST

START_TEST(barriers)
{
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    const Lanes s[1][3] = {
        {{1, 1, 1, 1, 1e-3, 2, 0, 1}, {1, 1, 1, 1, 1e-3, 1, 0, 0.5}, {-1, 0, -0.0, -1e-9, 1e-3, 1, 0, -0.5}}};
    const Lanes kappa = lanes_set(1), lambda = lanes_set(1);
    for (int model = 0; model < ENERGY_MODEL_COUNT; ++model) {
        Lanes density;
        list[0]->density(1, model, s, &kappa, &lambda, &density);
        for (int lane = 0; lane < LANE_COUNT; ++lane)
            if (energy_is_barrier(model) && s[0][2][lane] <= 0)
                ck_assert_msg(isinf(density[lane]) && density[lane] > 0, "%s, lane %d: %g", model_name(model),
                              lane, density[lane]);
            else
                ck_assert_msg(isfinite(density[lane]), "%s, lane %d: %g", model_name(model), lane,
                              density[lane]);
    }
}
END_TEST

START_TEST(at_the_edge_to_another_rotation)
{
    static const int models[3] = {ENERGY_ARAP, ENERGY_COROTATED, ENERGY_FIXED_COROTATED};
    static const double flips[3] = {3, 6, 6};
    // s_1 + s_2 = 0: the unprojected twist goes to -inf, everything must stay finite and the projection 0. (lambda = 0)
    Lanes s[1][3] = {{lanes_set(2), lanes_set(0.5), lanes_set(-0.5)}}, hessian[1][12], H[1][81], U[1][9];
    const Lanes kappa = lanes_set(3), lambda = lanes_set(0);
    for (int k = 0; k < 9; ++k)
        U[0][k] = lanes_set(k % 4 == 0);
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    for (int i = 0; i < 3; ++i) {
        list[0]->hessian(1, models[i], (const Lanes(*)[3])s, &kappa, &lambda, hessian);
        list[0]->assemble(1, true, (const Lanes(*)[12])hessian, (const Lanes(*)[9])U, (const Lanes(*)[9])U,
                          H);
        ck_assert(hessian[0][8][0] < -1e6 && isfinite(hessian[0][8][0]));
        ck_assert_double_eq(H[0][9 * 5 + 5][0], 0.5 * flips[i]); // only the flip part
        ck_assert_double_eq(H[0][9 * 5 + 7][0], 0.5 * flips[i]);
    }
}
END_TEST

/// Largest errors of density, beside the stresses, and of slope, beside |P| |D| and what a strain of 1 would take; both beside how flat F is.
typedef struct StrainErrors {
    double density, slope;
} StrainErrors;

// Of F with these singular values and of its change D: the density as it is, and the slope by singular values. F's own rounding takes
// as much of a density as a stress times that, and of a flat element's least singular value more.
static void check_strain_form(const double s[3], RandomState *random, double kappa, double lambda,
                              StrainErrors *worst)
{
    const ElementMaterial material = {ENERGY_NEO_HOOKEAN, kappa, lambda};
    const double least = smallest_value(s), largest = fmax(fmax(s[0], s[1]), s[2]);
    long double shear = 0, volume = 0;
    double f[9];
    Lanes F[9], D[9], det, slope, magnitude, expected_slope, work;
    TetLocal local;
    for (int k = 0; k < 3; ++k) {
        const long double x = (long double)s[k] - 1, log_stretch = log1pl(x);
        shear += x + x * x / 2 - log_stretch;
        volume += log_stretch;
    }
    const double exact = (double)(kappa * shear + lambda / 2 * volume * volume);
    random_with_values(random, s, f);
    for (int k = 0; k < 9; ++k) {
        F[k] = lanes_set(f[k]);
        D[k] = lanes_set(random_between(random, -1, 1));
    }
    tet_decompose(1, (const Lanes(*)[9]) & F, &local);
    tet_slope(&material, &local, D, &expected_slope, &work);
    const double density = tet_strain_slope(&material, F, D, &slope, &magnitude)[0];
    ck_assert(density == tet_strain_density(&material, F, &det)[0]);
    ck_assert_double_eq_tol(det[0], tet_determinant(&local)[0], 1e-14 * largest * largest * largest);
    const double condition = largest / least, size = condition * (exact + work[0]),
                 reach = condition * (work[0] + kappa + lambda) / least * largest;
    worst->density = fmax(worst->density, size > 0 ? fabs(density - exact) / size : 0);
    worst->slope = fmax(worst->slope, fabs(slope[0] - expected_slope[0]) / reach);
    // What rounding is told from; at rest the stresses themselves are rounding.
    ck_assert_double_ge(magnitude[0], 0.57 * work[0] - 1e-14 * (kappa + lambda));
    ck_assert_double_le(magnitude[0], 3.01 * work[0] + 1e-14 * (kappa + lambda));
}

START_TEST(strains_say_what_singular_values_say)
{
    RandomState random = {31};
    StrainErrors any = {0}, near_rest = {0}, flat = {0};
    for (int i = 0; i < 40 * CASES; ++i) {
        const double lambda = i % 3 == 0   ? 0
                              : i % 3 == 1 ? 1.5
                                           : 50,
                     size = pow(10, random_between(&random, -9, -2)),
                     thin = pow(10, random_between(&random, -7, -1));
        double s[3];
        case_values(&random, ENERGY_NEO_HOOKEAN, i % 8 == 1 || i % 8 == 5 ? 0 : i, s);
        check_strain_form(s, &random, 1, lambda, &any);
        for (int k = 0; k < 3; ++k)
            s[k] = 1 + size * random_between(&random, -1, 1);
        check_strain_form(s, &random, 1, lambda, &near_rest);
        check_strain_form((double[3]){random_between(&random, 0.5, 2), random_between(&random, 0.5, 2), thin},
                          &random, 1, lambda, &flat);
    }
    printf("strain forms, density and slope: any %.1e %.1e, near rest %.1e %.1e, flat %.1e %.1e\n",
           any.density, any.slope, near_rest.density, near_rest.slope, flat.density, flat.slope);
    const StrainErrors all[3] = {any, near_rest, flat};
    for (int k = 0; k < 3; ++k) {
        ck_assert_double_lt(all[k].density, 1e-14);
        ck_assert_double_lt(all[k].slope, 1e-14);
    }
    // Inverted, and at rest.
    const ElementMaterial material = {ENERGY_NEO_HOOKEAN, 2, 3};
    Lanes F[9], det;
    for (int k = 0; k < 9; ++k)
        F[k] = lanes_set(k % 4 == 0 ? 1 : 0);
    ck_assert_double_eq(tet_strain_density(&material, F, &det)[0], 0);
    F[8] = lanes_set(-0.5);
    ck_assert_double_eq(tet_strain_density(&material, F, &det)[0], INFINITY);
    F[8] = lanes_set(0);
    ck_assert_double_eq(tet_strain_density(&material, F, &det)[0], INFINITY);
}
END_TEST

START_TEST(instruction_sets_agree)
{
    RandomState random = {6};
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    for (int model = 0; model < ENERGY_MODEL_COUNT; ++model)
        for (int i = 0; i < CASES; ++i) {
            Lanes F[9], H[3][81];
            Response r[3];
            memset(r, 0, sizeof r);
            for (int lane = 0; lane < LANE_COUNT; ++lane) {
                double s[3], f[9];
                case_values(&random, model, i + lane, s);
                random_with_values(&random, s, f);
                for (int k = 0; k < 9; ++k)
                    F[k][lane] = f[k];
            }
            for (int k = 0; k < count; ++k) {
                evaluate(list[k], model, F, 10, 25, &r[k]);
                assemble(list[k], &r[k], true, H[k]);
                ck_assert_msg(memcmp(&r[0], &r[k], sizeof r[0]) == 0, "%s on %s", model_name(model),
                              list[k]->name);
                ck_assert_msg(memcmp(H[0], H[k], sizeof H[0]) == 0, "%s on %s", model_name(model),
                              list[k]->name);
            }
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("energy");
    TCase *cases = tcase_create("energy");
    tcase_add_test(cases, rest_values);
    tcase_add_test(cases, rest_is_linear_elasticity);
    tcase_add_test(cases, shear_modulus_is_that_of_a_simple_shear);
    tcase_add_test(cases, small_strains_keep_their_digits);
    tcase_add_loop_test(cases, finite_differences, 0, ENERGY_MODEL_COUNT);
    tcase_add_loop_test(cases, projection_clamps_the_eigenvalues, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(cases, barriers);
    tcase_add_test(cases, at_the_edge_to_another_rotation);
    tcase_add_test(cases, strains_say_what_singular_values_say);
    tcase_add_test(cases, instruction_sets_agree);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
