// Shaders against C: singular value decomposition, energies, derivatives, prox, logarithm and exponential, in both
// precisions, on the best Vulkan device there is (a software driver will do).
//
// What may differ, and why (eps = 2^-23 or 2^-52):
//   decomposition   U, V orthogonal, F = U diag(s) V^T and s to SVD_FACTOR eps of s_0: some twenty rotations, each with
//                   a few roundings; Vulkan divides to 2.5 ulp and takes roots to 3 ulp in float
//   density, stress, Hessian, prox
//                   CHANGE_FACTOR times what changing all inputs by one eps does to the C result (the formula's own
//                   condition, measured with seven random changes), plus VALUE_FACTOR eps of the value (of the terms that a
//                   twist is the difference of)
//   block, piola    products of the above: PRODUCT_FACTOR eps of the largest entry that meets them, plus the change
//   log             LOG_FACTOR eps of the value; exp: in float 4 + 2 |x| eps (Vulkan's own), in double LOG_FACTOR eps
#include "energy_names.h"
#include "formula_kernels.h"
#include "formula_parity.h"
#include "random_matrix.h"

#include "../shaders/energy_parity.h"
#include "physics/energy/energy.h"

#include <string.h>

enum {
    CASES = 4096,
    SVD_FACTOR = 16,
    CHANGE_FACTOR = 6,
    VALUE_FACTOR = 8,
    PRODUCT_FACTOR = 16,
    LOG_FACTOR = 4
};

static FormulaParity parity;
static const FormulaKernels *kernels;
static double inputs[CASES][PARITY_INPUTS], outputs[CASES][PARITY_OUTPUTS];

static double power_between(RandomState *random, double low, double high)
{
    return pow(10, random_between(random, low, high));
}

/// Singular values: at rest, generic, nearly equal, extreme; without a barrier also inverted and on the edge to it.
static void fill_values(RandomState *random, int model, int i, double s[3])
{
    const double a = random_between(random, 0.2, 3), close = power_between(random, -9, -2);
    for (int k = 0; k < 3; ++k)
        s[k] = i % 6 == 0   ? 1 + random_between(random, -0.1, 0.1)
               : i % 6 == 1 ? random_between(random, 0.1, 3)
               : i % 6 == 2 ? a * (1 + k * close)
               : i % 6 == 3 ? (k == 2 ? random_between(random, 0.2, 3) : a)
               : i % 6 == 4 ? power_between(random, -2, 2)
                            : 1 + close * k;
    if (!energy_is_barrier(model) && i % 12 >= 6)
        s[2] = i % 6 == 2 ? -s[1] : -s[2]; // s_1 + s_2 = 0 among them
    if (prox_inverts(model))
        sort_values(s);
}

static void fill_inputs(int model, bool float64)
{
    RandomState random = {1234567};
    for (int i = 0; i < CASES; ++i) {
        double *in = inputs[i];
        random_deformation(&random, i, in + PARITY_F);
        fill_values(&random, model, i, in + PARITY_VALUES);
        const int kind = i % 5;
        for (int k = 0; k < 3; ++k) {
            in[PARITY_Q + k] = kind == 0   ? 1 + random_between(&random, -0.1, 0.1)
                               : kind == 1 ? random_between(&random, -1, 3)
                               : kind == 2 ? power_between(&random, -4, 2)
                               : kind == 3 ? (k == 2 ? -1 : 1) * power_between(&random, -3, 1.5)
                                           : (k > 0 ? in[PARITY_Q] : random_between(&random, -1, 3));
        }
        in[PARITY_RHO] = power_between(&random, -4, 6);
        in[PARITY_KAPPA] = in[PARITY_RHO] * power_between(&random, -2, 2);
        in[PARITY_LAMBDA] = i % 4 == 0 ? 0 : in[PARITY_KAPPA] * power_between(&random, -2, 3);
        if (model == ENERGY_STABLE_NEO_HOOKEAN)
            in[PARITY_LAMBDA] += in[PARITY_KAPPA];
        if (prox_inverts(model))
            sort_values(in + PARITY_Q);
        in[PARITY_ARGUMENT] =
            i % 2 == 0 ? random_between(&random, -80, 80) : 1 + power_between(&random, -9, 0);
        for (int k = 0; k < 6; ++k)
            in[PARITY_SHAPES + k] = random_between(&random, -1, 1);
        if (!float64)
            for (int k = 0; k < PARITY_INPUTS; ++k)
                in[k] = (double)(float)in[k];
    }
}

// ---------------------------------------------------------------- comparisons
static void check_rotation(const double R[9], double tolerance, const char *name, int i)
{
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) {
            const double dot = R[p] * R[q] + R[3 + p] * R[3 + q] + R[6 + p] * R[6 + q];
            ck_assert_msg(fabs(dot - (p == q)) <= tolerance, "case %d: %s, columns %d %d: %g", i, name, p, q,
                          dot);
        }
    ck_assert_msg(matrix3_determinant(R) > 0.5, "case %d: det %s", i, name);
}

static double check_decomposition(int i, double eps)
{
    const double *F = inputs[i] + PARITY_F, *U = outputs[i] + PARITY_U, *s = outputs[i] + PARITY_S,
                 *V = outputs[i] + PARITY_V;
    Lanes f[1][9], u[1][9], values[1][3], v[1][9];
    for (int k = 0; k < 9; ++k)
        f[0][k] = lanes_set(F[k]);
    kernels->svd(1, (const Lanes(*)[9])f, u, values, v);
    const double tolerance = SVD_FACTOR * eps, size = values[0][0][0];
    check_rotation(U, tolerance, "U", i);
    check_rotation(V, tolerance, "V", i);
    ck_assert_msg(s[0] >= s[1] && s[1] >= fabs(s[2]), "case %d: %g %g %g", i, s[0], s[1], s[2]);
    double worst = 0;
    for (int k = 0; k < 3; ++k)
        worst = fmax(worst, fabs(s[k] - values[0][k][0]));
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
            double sum = 0;
            for (int k = 0; k < 3; ++k)
                sum += U[3 * row + k] * s[k] * V[3 * column + k];
            worst = fmax(worst, fabs(sum - F[3 * row + column]));
        }
    ck_assert_msg(worst <= tolerance * size, "case %d: decomposition off by %g of %g", i, worst, size);
    return size > 0 ? worst / size / eps : 0;
}

/// Lane 0 has the inputs, the others the inputs changed by up to one eps each.
static Lanes changed(RandomState *random, double value, double eps)
{
    Lanes lanes = lanes_set(value);
    for (int lane = 1; lane < LANE_COUNT; ++lane)
        lanes[lane] *= 1 + eps * (random_bits(random) % 2 ? 1 : -1);
    return lanes;
}

/// |value - expected[0]| in units of the tolerance, which is CHANGE_FACTOR times the largest change among the lanes plus
/// `own`.
static double check_value(double value, Lanes expected, double own, const char *what, int model, int i)
{
    if (isinf(expected[0])) {
        ck_assert_msg(value == expected[0], "%s, case %d: %s is %g instead of %g", model_name(model), i, what,
                      value, expected[0]);
        return 0;
    }
    double change = 0;
    for (int lane = 1; lane < LANE_COUNT; ++lane)
        change = fmax(change, fabs(expected[lane] - expected[0]));
    const double error = fabs(value - expected[0]), tolerance = CHANGE_FACTOR * change + own;
    const double *in = inputs[i];
    ck_assert_msg(
        error <= tolerance,
        "%s, case %d: %s is %.9g instead of %.9g, tolerance %g; values %.9g %.9g %.9g, q %.9g %.9g %.9g, "
        "kappa %.9g, lambda %.9g, rho %.9g",
        model_name(model), i, what, value, expected[0], tolerance, in[PARITY_VALUES], in[PARITY_VALUES + 1],
        in[PARITY_VALUES + 2], in[PARITY_Q], in[PARITY_Q + 1], in[PARITY_Q + 2], in[PARITY_KAPPA],
        in[PARITY_LAMBDA], in[PARITY_RHO]);
    return tolerance > 0 ? error / tolerance : 0;
}

/// sum_jl G_aj H_(ij)(kl) G_bl of the case's two corners.
static Lanes block_of(const Lanes H[81], const Lanes V[9], const double *shapes, int i, int k)
{
    Lanes sum = lanes_set(0);
    for (int j = 0; j < 3; ++j)
        for (int l = 0; l < 3; ++l) {
            Lanes a = lanes_set(0), b = lanes_set(0);
            for (int m = 0; m < 3; ++m)
                a += V[3 * j + m] * shapes[m], b += V[3 * l + m] * shapes[3 + m];
            sum += a * H[9 * (3 * i + j) + 3 * k + l] * b;
        }
    return sum;
}

/// P and a block of the projected Hessian, on the C side with the device's own U and V (which are checked above).
static double check_products(int i, int model, double eps, const Lanes stress[3], const Lanes hessian[12])
{
    const double *in = inputs[i], *out = outputs[i];
    Lanes U[9], V[9], P[9], H[81];
    for (int k = 0; k < 9; ++k)
        U[k] = lanes_set(out[PARITY_U + k]), V[k] = lanes_set(out[PARITY_V + k]);
    kernels->piola(1, (const Lanes(*)[9]) & U, (const Lanes(*)[3])stress, (const Lanes(*)[9]) & V,
                   (Lanes(*)[9]) & P);
    kernels->assemble(1, true, (const Lanes(*)[12])hessian, (const Lanes(*)[9]) & U, (const Lanes(*)[9]) & V,
                      (Lanes(*)[81]) & H);
    double stress_size = 0, size = 0, worst = 0;
    for (int k = 0; k < 3; ++k)
        stress_size = fmax(stress_size, fabs(stress[k][0]));
    for (int k = 0; k < 12; ++k)
        size = fmax(size, k < 6 ? fabs(hessian[k][0]) : hessian[k][0]);
    for (int row = 0; row < 9; ++row) {
        const Lanes block = block_of(H, V, in + PARITY_SHAPES, row / 3, row % 3);
        worst = fmax(worst, check_value(out[PARITY_BLOCK + row], block, PRODUCT_FACTOR * eps * size, "block",
                                        model, i));
        worst = fmax(worst, check_value(out[PARITY_PIOLA + row], P[row], PRODUCT_FACTOR * eps * stress_size,
                                        "P", model, i));
    }
    return worst;
}

static void check_energy(RandomState *random, int i, int model, double eps, double worst[3])
{
    const double *in = inputs[i], *out = outputs[i];
    const double own = VALUE_FACTOR * eps,
                 stiffness = energy_psi11(model, in[PARITY_KAPPA], in[PARITY_LAMBDA]);
    Lanes s[3], q[3], density, above_rest, stress[3], hessian[12], prox[3];
    for (int k = 0; k < 3; ++k) {
        s[k] = changed(random, in[PARITY_VALUES + k], eps);
        q[k] = changed(random, in[PARITY_Q + k], eps);
    }
    const Lanes kappa = changed(random, in[PARITY_KAPPA], eps),
                lambda = changed(random, in[PARITY_LAMBDA], eps), rho = changed(random, in[PARITY_RHO], eps);
    kernels->density(1, model, (const Lanes(*)[3]) & s, &kappa, &lambda, &density);
    kernels->above_rest(1, model, (const Lanes(*)[3]) & s, &kappa, &lambda, &above_rest);
    kernels->stress(1, model, (const Lanes(*)[3]) & s, &kappa, &lambda, (Lanes(*)[3]) & stress);
    kernels->hessian(1, model, (const Lanes(*)[3]) & s, &kappa, &lambda, (Lanes(*)[12]) & hessian);
    kernels->prox(1, model, (const Lanes(*)[3]) & q, &kappa, &lambda, &rho, (Lanes(*)[3]) & prox);

    // In double the difference to the rest energy is taken as it is, to a rounding error of kappa.
    const double in_double = VALUE_FACTOR * 0x1p-52 * kappa[0];
    double error =
        check_value(out[PARITY_DENSITY], density, own * fabs(density[0]) + in_double, "density", model, i);
    error = fmax(error, check_value(out[PARITY_ABOVE_REST], above_rest, own * fabs(above_rest[0]) + in_double,
                                    "density above rest", model, i));
    for (int k = 0; k < 3; ++k)
        error = fmax(error, check_value(out[PARITY_STRESS + k], stress[k], own * fabs(stress[k][0]), "stress",
                                        model, i));
    for (int k = 0; k < 12; ++k) {
        // The terms that a twist is the difference of, a flip the sum.
        const int pair = (k - 6) % 3;
        const double size =
            k < 6 ? fabs(hessian[k][0]) : fabs(hessian[6 + pair][0]) + fabs(hessian[9 + pair][0]);
        if (fabs(hessian[k][0]) >
            1e5 * stiffness) // towards infinity it stops earlier in float than in double
            ck_assert_msg(out[PARITY_HESSIAN + k] / hessian[k][0] > 0 &&
                              fabs(out[PARITY_HESSIAN + k]) > 1e4 * kappa[0],
                          "case %d: twist %g instead of %g", i, out[PARITY_HESSIAN + k], hessian[k][0]);
        else
            error = fmax(error,
                         check_value(out[PARITY_HESSIAN + k], hessian[k], own * size, "Hessian", model, i));
    }
    worst[0] = fmax(worst[0], error);
    for (int k = 0; k < 3; ++k)
        worst[1] = fmax(worst[1],
                        check_value(out[PARITY_PROX + k], prox[k], own * fabs(prox[k][0]), "prox", model, i));
    worst[2] = fmax(worst[2], check_products(i, model, eps, stress, hessian));
}

static void check_log_and_exp(int i, double eps, bool float64)
{
    const double x = inputs[i][PARITY_ARGUMENT], logarithm = log(fabs(x)), exponential = exp(x);
    ck_assert_msg(fabs(outputs[i][PARITY_LOG] - logarithm) <= LOG_FACTOR * eps * fabs(logarithm),
                  "log %.17g = %.17g", x, outputs[i][PARITY_LOG]);
    const double factor = float64 ? LOG_FACTOR : 4 + 2 * fabs(x);
    ck_assert_msg(fabs(outputs[i][PARITY_EXP] - exponential) <= factor * eps * exponential,
                  "exp %.17g = %.17g", x, outputs[i][PARITY_EXP]);
}

START_TEST(device_agrees)
{
    const int model = _i % ENERGY_MODEL_COUNT;
    const bool float64 = _i >= ENERGY_MODEL_COUNT;
    if (float64 && !parity.device->float64) {
        printf("%s has no float64: not compared\n", parity.device->info.name);
        return;
    }
    const double eps = float64 ? 0x1p-52 : 0x1p-23;
    fill_inputs(model, float64);
    formula_parity_run(&parity, "energy_parity", float64, (uint32_t)model, CASES, PARITY_INPUTS, inputs[0],
                       PARITY_OUTPUTS, outputs[0]);
    RandomState random = {42};
    double decomposition = 0, worst[3] = {0};
    for (int i = 0; i < CASES; ++i) {
        decomposition = fmax(decomposition, check_decomposition(i, eps));
        check_energy(&random, i, model, eps, worst);
        check_log_and_exp(i, eps, float64);
    }
    printf("%s, %s: decomposition off by %.1f eps; of the tolerances used: derivatives %.2f, prox %.2f, "
           "products %.2f\n",
           model_name(model), float64 ? "double" : "float", decomposition, worst[0], worst[1], worst[2]);
}
END_TEST

int main(void)
{
    const int code = formula_parity_begin(&parity);
    if (code != 0)
        return code;
    const FormulaKernels *list[3];
    kernels = list[formula_kernels_list(list) - 1];

    Suite *suite = suite_create("energy parity");
    TCase *cases = tcase_create("energy parity");
    tcase_add_loop_test(cases, device_agrees, 0, 2 * ENERGY_MODEL_COUNT);
    suite_add_tcase(suite, cases);
    const int result = test_run(suite), messages = formula_parity_end(&parity);
    return result || messages > 0;
}
