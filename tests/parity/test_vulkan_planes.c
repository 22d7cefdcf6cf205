// The penalty of a plane in GLSL against the one in C: gaps of every size and sign, 0 among them, and rises that stay on one side,
// cross, end at the plane or are lost beside the gap; the gap of a sphere, down to one that is lost beside the radius, and how it
// changes; the prox of friction.
#include "formula_parity.h"
#include "random_matrix.h"

#include "../shaders/plane_parity.h"
#include "physics/contact/friction.h"
#include "physics/contact/penalty_shape.h"
#include "physics/contact/plane_penalty.h"

#include <math.h>

enum { CASES = 8192 };

static FormulaParity parity;
static double inputs[CASES][PARITY_INPUTS], outputs[CASES][PARITY_OUTPUTS];

static double power_between(RandomState *random, double low, double high)
{
    return pow(10, random_between(random, low, high));
}

static double sign(RandomState *random)
{
    return random_bits(random) % 2 ? 1 : -1;
}

static void fill_inputs(bool float64)
{
    RandomState random = {20240607};
    for (int i = 0; i < CASES; ++i) {
        double *in = inputs[i];
        in[PARITY_STIFFNESS] = power_between(&random, -2, 8);
        const double gap = sign(&random) * power_between(&random, i % 8 < 4 ? -3 : -12, 1);
        in[PARITY_GAP] = i % 8 == 7 ? 0 : gap;
        if (!float64) // so that a rise of minus the gap ends at the plane
            in[PARITY_GAP] = (double)(float)in[PARITY_GAP];
        const double crossing = -in[PARITY_GAP] * random_between(&random, 0.5, 1.5);
        in[PARITY_RISE] = i % 5 == 0   ? crossing
                          : i % 5 == 1 ? -in[PARITY_GAP]
                          : i % 5 == 2 ? 0
                          : i % 5 == 3 ? sign(&random) * power_between(&random, -12, -6) * fabs(gap)
                                       : sign(&random) * power_between(&random, -12, 1);
        const double radius = power_between(&random, -3, 3),
                     depth = i % 16 == 0 ? 1 : power_between(&random, -9, -1);
        double direction[3] = {random_between(&random, -1, 1), random_between(&random, -1, 1),
                               random_between(&random, 0.1, 1)};
        normalize3(direction);
        in[PARITY_RADIUS] = radius;
        in[PARITY_LIMIT] = radius * power_between(&random, -9, 0);
        for (int k = 0; k < 3; ++k) {
            in[PARITY_ARM + k] = radius * (1 - depth) * direction[k];
            in[PARITY_WAY + k] = sign(&random) * radius * power_between(&random, -9, 0);
        }
        in[PARITY_INERTIA] = in[PARITY_STIFFNESS] * power_between(&random, -6, 2);
        for (int k = 0; k < PARITY_INPUTS && !float64; ++k)
            in[k] = (double)(float)in[k];
    }
}

/// Largest difference in units of eps of what the result is made from.
static double check(int i, int output, double expected, double size, double eps)
{
    const double value = outputs[i][output], error = fabs(value - expected);
    const double *in = inputs[i];
    // Below that single precision has fewer digits, or none.
    const double least = eps > 1e-10 ? 1e-36 : 0;
    ck_assert_msg(error <= 4 * eps * size + least,
                  "case %d, number %d: %.9g instead of %.9g; stiffness %.9g, gap %.9g, rise %.9g", i, output,
                  value, expected, in[PARITY_STIFFNESS], in[PARITY_GAP], in[PARITY_RISE]);
    return size > least / eps ? error / (eps * size) : 0;
}

/// The gap of float-float numbers has no error of |r| but that of the double precision that judges it.
static double check_sphere(int i, double eps)
{
    const double *in = inputs[i], *arm = in + PARITY_ARM, *way = in + PARITY_WAY, radius = in[PARITY_RADIUS];
    double worst = 0, normal[3], left[3] = {way[0], way[1], way[2]};
    const double gap = sphere_gap(arm, radius, normal), rise = sphere_gap_rise(arm, way);
    friction_prox(in[PARITY_LIMIT], left);
    worst = fmax(worst, check(i, PARITY_SPHERE_GAP, gap, fabs(gap) + 0x1p-50 / eps * radius, eps));
    // d.(2 r + d) is rounded from its parts.
    const double parts = norm3(way) * (2 * norm3(arm) + norm3(way));
    worst = fmax(worst, check(i, PARITY_SPHERE_RISE, rise, parts / fmax(norm3(arm), 0.5 * norm3(way)), eps));
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, check(i, PARITY_NORMAL + k, normal[k], 1, eps));
        worst = fmax(worst, check(i, PARITY_FRICTION_PROX + k, left[k], fabs(way[k]), eps));
    }
    return worst;
}

static double check_case(int i, double eps)
{
    const double *in = inputs[i], k = in[PARITY_STIFFNESS], gap = in[PARITY_GAP], rise = in[PARITY_RISE];
    double magnitude, worst = 0;
    const double change = plane_penalty_change(k, gap, rise, &magnitude);
    const double energy = plane_penalty_energy(k, gap), slope = plane_penalty_slope(k, gap),
                 weight = plane_penalty_weight(k, in[PARITY_INERTIA]),
                 prox = plane_penalty_prox(k, weight, gap);
    worst = fmax(worst, check(i, PARITY_ENERGY, energy, energy, eps));
    worst = fmax(worst, check(i, PARITY_SLOPE, slope, fabs(slope), eps));
    worst = fmax(worst, check(i, PARITY_CURVATURE, plane_penalty_curvature(k, gap), 0, eps));
    worst = fmax(worst, check(i, PARITY_WEIGHT, weight, weight, eps));
    worst = fmax(worst, check(i, PARITY_PROX, prox, fabs(prox), eps));
    worst = fmax(worst, check(i, PARITY_CHANGE, change, magnitude, eps));
    worst = fmax(worst, check(i, PARITY_MAGNITUDE, magnitude, magnitude, eps));
    return fmax(worst, check_sphere(i, eps));
}

START_TEST(device_agrees)
{
    const bool float64 = _i != 0;
    if (float64 && !parity.device->float64) {
        printf("%s has no float64: not compared\n", parity.device->info.name);
        return;
    }
    fill_inputs(float64);
    formula_parity_run(&parity, "plane_parity", float64, 0, CASES, PARITY_INPUTS, inputs[0], PARITY_OUTPUTS,
                       outputs[0]);
    double worst = 0;
    for (int i = 0; i < CASES; ++i)
        worst = fmax(worst, check_case(i, float64 ? 0x1p-53 : 0x1p-24));
    printf("%s: off by %.2f roundings\n", float64 ? "double" : "float", worst);
}
END_TEST

int main(void)
{
    const int code = formula_parity_begin(&parity);
    if (code != 0)
        return code;
    Suite *suite = suite_create("plane parity");
    TCase *cases = tcase_create("plane parity");
    tcase_add_loop_test(cases, device_agrees, 0, 2);
    suite_add_tcase(suite, cases);
    const int result = test_run(suite), messages = formula_parity_end(&parity);
    return result || messages > 0;
}
