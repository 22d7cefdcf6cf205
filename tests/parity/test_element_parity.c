// Kinds of element in GLSL against C, in both precisions: energy, stress, slope, prox and all blocks of the Hessian, true and
// projected.
//
// A number may differ by CHANGE_FACTOR times what changing all inputs by one eps (2^-23 or 2^-52) does to the C result, plus
// VALUE_FACTOR eps of the largest number it is computed from, plus what ROUNDING_FACTOR roundings of D x do to it. Of kinds that take D x exactly in single precision, D x is known to
// 2^-45: their energies and stresses near rest have to agree far below a rounding of D x.
#include "abi/constraint.h"
#include "element_response.h"
#include "formula_parity.h"
#include "model/elements.h"
#include "random_matrix.h"

#include "../shaders/element_parity.h"

#include <math.h>
#include <string.h>

enum { CASES = 1024, CHANGE_FACTOR = 6, VALUE_FACTOR = 32, ROUNDING_FACTOR = 4 };

static FormulaParity parity;
static double inputs[CASES][ELEMENT_PARITY_INPUTS], outputs[CASES][ELEMENT_PARITY_OUTPUTS];

/// What is compared: every kind but tetrahedra (test_energy_parity.c), and what has several formulas with each.
static const struct {
    int kind, model;
    const char *ending;
} compared[] = {
    {ELEMENT_SEGMENT, ENERGY_ARAP, "segment"},     {ELEMENT_BEND, ENERGY_ARAP, "bend"},
    {ELEMENT_AFFINE, ENERGY_ARAP, "affine"},       {ELEMENT_PRESSURE, ENERGY_ARAP, "pressure"},
    {ELEMENT_MEMBRANE, ENERGY_STVK, "membrane"},   {ELEMENT_MEMBRANE, ENERGY_NEO_HOOKEAN, "membrane"},
    {ELEMENT_HINGE, ENERGY_ARAP, "hinge"},         {ELEMENT_QUADRATIC_HINGE, ENERGY_ARAP, "quadratic_hinge"},
    {ELEMENT_PLATE, ENERGY_ARAP, "plate"},         {ELEMENT_LINK, FORMULA_BOTH, "link"},
    {ELEMENT_LINK, FORMULA_AT_MOST, "link"},       {ELEMENT_LINK, FORMULA_AT_LEAST, "link"},
    {ELEMENT_JOINT, JOINT_AXIS, "joint"},          {ELEMENT_JOINT, JOINT_TURN_AT_MOST, "joint"},
    {ELEMENT_JOINT, JOINT_TURN_AT_LEAST, "joint"}, {ELEMENT_JOINT, JOINT_ANGLE, "joint"},
    {ELEMENT_JOINT, JOINT_ANGLE_AT_MOST, "joint"}, {ELEMENT_JOINT, JOINT_ANGLE_AT_LEAST, "joint"}};
enum { COMPARED_COUNT = sizeof compared / sizeof *compared };

static bool is_exact(int kind)
{
    return kind == ELEMENT_SEGMENT || kind == ELEMENT_AFFINE || kind == ELEMENT_MEMBRANE ||
           kind == ELEMENT_QUADRATIC_HINGE || kind == ELEMENT_PLATE || kind == ELEMENT_LINK ||
           kind == ELEMENT_JOINT;
}

static bool has_rest(int kind)
{
    return kind == ELEMENT_HINGE || kind == ELEMENT_LINK || kind == ELEMENT_JOINT;
}

/// D x: generic, near rest; cables straight, nearly straight, bent up to 170 degrees.
static void fill_value(RandomState *random, int kind, int i, double F[9])
{
    const double a = random_between(random, 0.3, 2.5), b = random_between(random, 0.3, 2.5),
                 c = random_between(random, 0.3, 2.5), close = pow(10, random_between(random, -9, -2));
    double R[9];
    random_rotation(random, R);
    if (kind == ELEMENT_SEGMENT) {
        for (int k = 0; k < 3; ++k)
            F[k] = (i % 2 == 0 ? a : 1 + close) * R[3 * k];
    } else if (kind == ELEMENT_BEND) {
        const double angle = i % 4 == 0   ? close
                             : i % 4 == 1 ? random_between(random, 0, 1.5)
                                          : random_between(random, 0, 3);
        for (int k = 0; k < 3; ++k) {
            F[2 * k] = a * R[3 * k];
            F[2 * k + 1] = (i % 3 == 0 ? 1.01 * a : b) * (cos(angle) * R[3 * k] + sin(angle) * R[3 * k + 1]);
        }
    } else if (kind == ELEMENT_HINGE) {
        random_hinge(random, i % 4 == 0 ? close : random_between(random, -2.8, 2.8), F);
    } else if (kind == ELEMENT_LINK) { // from its rest, 1 or 0, too
        for (int k = 0; k < 3; ++k)
            F[k] = (i % 4 == 1 ? 1 + close : i % 4 == 3 ? close : a) * R[3 * k];
    } else if (kind == ELEMENT_JOINT) {
        random_joint(random, random_between(random, 0.3, 2.8), F);
    } else if (kind == ELEMENT_QUADRATIC_HINGE || kind == ELEMENT_PLATE) {
        for (int k = 0; k < element_size(&element_kinds[kind]); ++k)
            F[k] = (i % 2 == 0 ? close : 1) * R[k];
    } else if (kind == ELEMENT_MEMBRANE) {
        const double s[3][2] = {{1 + close, 1 - close}, {a, b}, {a + 1, 0.5 * a}};
        random_membrane(random, s[i % 3], F);
    } else {
        // Singular values apart: where two are nearly the same their axes are not defined, and blocks are.
        const double s[3][3] = {{1 + close, 1, 1 - close}, {a, b, c}, {a + 1, a, -0.5 * a}};
        random_with_values(random, s[i % 3], F);
    }
}

static void fill_inputs(int kind, bool float64)
{
    RandomState random = {4711};
    for (int i = 0; i < CASES; ++i) {
        double *in = inputs[i], F[9] = {0};
        memset(in, 0, sizeof inputs[i]);
        fill_value(&random, kind, i, F);
        for (int k = 0; k < 9; ++k) {
            in[ELEMENT_PARITY_F + k] = F[k];
            in[ELEMENT_PARITY_CHANGE + k] = random_between(&random, -1, 1);
        }
        for (int k = 0; k < element_shape_size(&element_kinds[kind]); ++k)
            in[ELEMENT_PARITY_SHAPES + k] =
                kind == ELEMENT_HINGE && k % 4 != 0 ? 0 : random_between(&random, -1, 1);
        in[ELEMENT_PARITY_KAPPA] = pow(10, random_between(&random, -1, 4));
        // Or what the element is measured from.
        in[ELEMENT_PARITY_LAMBDA] = kind == ELEMENT_LINK ? i % 4 < 2
                                    : has_rest(kind)
                                        ? (i % 3 == 0 ? 0 : random_between(&random, -1, 1))
                                        : in[ELEMENT_PARITY_KAPPA] * random_between(&random, 0, 3);
        in[ELEMENT_PARITY_RHO] = in[ELEMENT_PARITY_KAPPA] * pow(10, random_between(&random, -1.5, 1.5));
        in[ELEMENT_PARITY_PROJECT] = i / 4 % 2;
        for (int k = 0; k < ELEMENT_PARITY_INPUTS && !float64; ++k)
            in[k] = (double)(float)in[k];
        for (int k = 0; k < 9 && !float64 && is_exact(kind); ++k)
            in[ELEMENT_PARITY_LOW + k] = (double)(float)(F[k] - in[ELEMENT_PARITY_F + k]);
    }
}

/// Lane 0 has the inputs, the others the inputs changed by up to one eps each.
static Lanes changed(RandomState *random, double value, double eps)
{
    Lanes lanes = lanes_set(value);
    for (int lane = 1; lane < LANE_COUNT; ++lane)
        lanes[lane] *= 1 + eps * (random_between(random, -1, 1) < 0 ? 1 : -1);
    return lanes;
}

/// By how much a lane differs from lane 0 at most.
static double spread(Lanes value)
{
    double most = 0;
    for (int lane = 1; lane < LANE_COUNT; ++lane)
        most = fmax(most, fabs(value[lane] - value[0]));
    return most;
}

/// The error in units of what is allowed.
static double check_value(double value, Lanes expected, double own, const char *what, int kind, int i)
{
    const double error = fabs(value - expected[0]), tolerance = CHANGE_FACTOR * spread(expected) + own;
    ck_assert_msg(error <= tolerance, "%s, case %d: %s is %.9g instead of %.9g, allowed %g",
                  element_kinds[kind].name, i, what, value, expected[0], tolerance);
    return tolerance > 0 ? error / tolerance : 0;
}

/// w times a result of C, w = 1 as in the inputs: kappa is that of GLSL.
static void check_case(RandomState *random, int kind, int model, int i, bool float64, double worst[3],
                       int *left_out)
{
    const double *in = inputs[i], *out = outputs[i], eps = float64 ? 0x1p-52 : 0x1p-23;
    const bool is_angle = kind == ELEMENT_JOINT && model != JOINT_AXIS; // of rounded vectors
    const double eps_f = !float64 && is_exact(kind) && !is_angle ? 0x1p-45 : eps, own = VALUE_FACTOR * eps;
    const int size = element_size(&element_kinds[kind]), corners = element_kinds[kind].corners;
    const bool project = in[ELEMENT_PARITY_PROJECT] > 0;
    ElementInput input = {.material = {model, in[ELEMENT_PARITY_KAPPA], in[ELEMENT_PARITY_LAMBDA]},
                          .volume = lanes_set(1),
                          .rho = changed(random, in[ELEMENT_PARITY_RHO], eps),
                          .has_rest = has_rest(kind),
                          .rest = lanes_set(in[ELEMENT_PARITY_LAMBDA])},
                 rounded;
    for (int k = 0; k < 9; ++k) {
        input.F[k] = changed(random, in[ELEMENT_PARITY_F + k] + in[ELEMENT_PARITY_LOW + k], eps_f);
        input.D[k] = changed(random, in[ELEMENT_PARITY_CHANGE + k], eps);
    }
    for (int k = 0; k < ELEMENT_PARITY_SHAPE_SIZE; ++k)
        input.G[k] = changed(random, in[ELEMENT_PARITY_SHAPES + k], eps);
    rounded = input; // Hessian and prox work with rounded numbers in any case
    for (int k = 0; k < 9; ++k)
        rounded.F[k] = changed(random, input.F[k][0], eps);
    ElementResponse r, of_rounded;
    element_response[kind](&input, &r);
    element_response[kind](&rounded, &of_rounded);
    double stress = 0, length = 0;
    for (int k = 0; k < size; ++k) {
        stress = fmax(stress, fabs(r.stress[k][0]));
        length = fmax(length, fabs(input.F[k][0]));
    }
    // Where a rounding decides whether a bend gives up an edge, its prox is not compared.
    bool on_edge = false;
    for (int c = 0; c < 2 && kind == ELEMENT_BEND; ++c) {
        const bool given_up = out[ELEMENT_PARITY_PROX + c] == 0 && out[ELEMENT_PARITY_PROX + 2 + c] == 0;
        for (int lane = 0; lane < LANE_COUNT; ++lane)
            on_edge |= given_up != (of_rounded.prox[c][lane] == 0 && of_rounded.prox[2 + c][lane] == 0);
    }
    *left_out += on_edge;
    const double rounding = ROUNDING_FACTOR * eps_f;
    double error = check_value(
        out[ELEMENT_PARITY_ENERGY], r.density,
        own * fabs(r.density[0]) + rounding * (r.magnitude[0] + rounding * r.stiffness), "energy", kind, i);
    error = fmax(error, check_value(out[ELEMENT_PARITY_SLOPE], r.slope,
                                    own * 3 * stress + rounding * r.stiffness, "slope", kind, i));
    error = fmax(error, check_value(out[ELEMENT_PARITY_MAGNITUDE], r.magnitude,
                                    own * r.magnitude[0] + rounding * r.stiffness, "magnitude", kind, i));
    for (int k = 0; k < size; ++k) {
        error = fmax(error, check_value(out[ELEMENT_PARITY_STRESS + k], r.stress[k],
                                        own * stress + rounding * r.stiffness, "stress", kind, i));
        if (!on_edge)
            worst[1] = fmax(worst[1], check_value(out[ELEMENT_PARITY_PROX + k], of_rounded.prox[k],
                                                  own * length, "prox", kind, i));
    }
    worst[0] = fmax(worst[0], error);
    const Lanes(*K)[9] = (const Lanes(*)[9])(project ? of_rounded.projected : of_rounded.K);
    double largest = 0, shape = 0;
    for (int k = 0; k < 9; ++k)
        shape = fmax(shape, fabs(in[ELEMENT_PARITY_SHAPES + k]));
    for (int k = 0; k < 9 * corners * (corners + 1) / 2; ++k)
        largest = fmax(largest, fabs(K[k / 9][k % 9][0]));
    for (int b = 0; b < corners * corners * 9; ++b) {
        Lanes block;
        for (int l = 0; l < LANE_COUNT; ++l)
            block[l] = response_block(K, corners, b / 9 / corners, b / 9 % corners, b % 9 / 3, b % 3, l);
        worst[2] =
            fmax(worst[2], check_value(out[ELEMENT_PARITY_BLOCKS + b], block,
                                       own * largest + ROUNDING_FACTOR * eps * r.stiffness * shape * shape,
                                       project ? "projected Hessian" : "Hessian", kind, i));
    }
}

START_TEST(device_agrees)
{
    const int kind = compared[_i % COMPARED_COUNT].kind, model = compared[_i % COMPARED_COUNT].model;
    const bool float64 = _i >= COMPARED_COUNT;
    if (float64 && !parity.device->float64) {
        printf("%s has no float64: not compared\n", parity.device->info.name);
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "element_parity_%s", compared[_i % COMPARED_COUNT].ending);
    fill_inputs(kind, float64);
    formula_parity_run(&parity, name, float64, model, CASES, ELEMENT_PARITY_INPUTS, inputs[0],
                       ELEMENT_PARITY_OUTPUTS, outputs[0]);
    RandomState random = {42};
    double worst[3] = {0};
    int left_out = 0;
    for (int i = 0; i < CASES; ++i)
        check_case(&random, kind, model, i, float64, worst, &left_out);
    ck_assert_int_le(left_out, CASES / 200);
    printf("%s, %s: of what is allowed: energy and stress %.2f, prox %.2f, Hessian %.2f\n",
           element_kinds[kind].name, float64 ? "double" : "float", worst[0], worst[1], worst[2]);
}
END_TEST

int main(void)
{
    const int code = formula_parity_begin(&parity);
    if (code != 0)
        return code;
    Suite *suite = suite_create("element parity");
    TCase *cases = tcase_create("element parity");
    tcase_add_loop_test(cases, device_agrees, 0, 2 * COMPARED_COUNT);
    suite_add_tcase(suite, cases);
    const int result = test_run(suite), messages = formula_parity_end(&parity);
    return result || messages > 0;
}
