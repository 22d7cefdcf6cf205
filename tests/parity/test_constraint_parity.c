// Kinds of constraint in GLSL against C, in both precisions: values, slopes, geometric stiffness, clamped and not. Columns are exact on the
// device, so that single precision has the values of lengths, points, axes and strains to a rounding of themselves, however small.
#include "formula_parity.h"
#include "physics/constraint/constraint.h"
#include "random_matrix.h"

#include "../shaders/constraint_parity.h"

#include <float.h>
#include <math.h>

enum { CASES = 512 };

static FormulaParity parity;
static double inputs[CASES][PARITY_INPUTS], outputs[CASES][PARITY_OUTPUTS];

/// Columns that meet a constraint, lengths, hinges, strains, but for a tiny part; or more than that.
static void fill(RandomState *random, int32_t kind, bool float64, int i)
{
    double *in = inputs[i], R[9];
    const double close = pow(10, random_between(random, -7, -1)), part = i % 2 == 0 ? close : 1;
    random_rotation(random, R);
    if (kind == CONSTRAINT_KIND_TURN) { // its pointer turns in the plane of the others
        const double angle = random_between(random, -3.1, 3.1);
        for (int k = 0; k < 3; ++k)
            R[6 + k] = cos(angle) * R[k] + sin(angle) * R[3 + k];
    }
    for (int k = 0; k < 9; ++k)
        in[PARITY_COLUMNS + k] = R[k] + part * random_between(random, -0.2, 0.2);
    in[PARITY_REST] = kind == CONSTRAINT_KIND_LENGTH ? 1 : random_between(random, -0.5, 0.5);
    for (int r = 0; r < CONSTRAINT_ROWS_MOST; ++r)
        in[PARITY_LAMBDA + r] = random_between(random, -100, 100);
    in[PARITY_CLAMP] = i / 2 % 2;
    for (int k = 0; k < PARITY_INPUTS && !float64; ++k)
        in[k] = (float)in[k];
}

/// What of the host's matrix the device has: the block of a length, else what two columns are coupled by.
static double stiffness_entry(int32_t kind, const double *matrix, int k)
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    const int columns = constraint_kinds[kind].columns, size = 3 * columns;
    if (kind == CONSTRAINT_KIND_LENGTH)
        return matrix[3 * first[k] + second[k]];
    return first[k] < columns && second[k] < columns ? matrix[size * 3 * first[k] + 3 * second[k]] : 0;
}

static void compare(int32_t kind, int i, double eps, double exact, double worst[3])
{
    const double *in = inputs[i], *out = outputs[i];
    const bool clamp = in[PARITY_CLAMP] != 0, is_angle = constraint_kinds[kind].is_angle;
    double matrix[CONSTRAINT_STIFFNESS_MOST] = {0}, size = 0;
    ConstraintLocal local;
    const double(*y)[3] = (const double(*)[3])(in + PARITY_COLUMNS);
    constraint_evaluate(kind, y, in[PARITY_REST], &local);
    constraint_stiffness(kind, y, in + PARITY_LAMBDA, clamp, matrix);
    for (int k = 0; k < 6; ++k)
        size = fmax(size, fabs(in[PARITY_LAMBDA + k]));
    for (int r = 0; r < CONSTRAINT_ROWS_MOST; ++r) {
        // Angles are differences of rounded ones; the host's own lengths and strains are off by roundings of theirs.
        const double off = fabs(out[PARITY_VALUES + r] - local.value[r]),
                     allowed = is_angle ? 8 * eps : 4 * eps * fabs(local.value[r]) + exact;
        worst[0] = fmax(worst[0], off / allowed);
        for (int k = 0; k < 3 * CONSTRAINT_COLUMNS_MOST; ++k) {
            const double slope = local.slope[r][k / 3][k % 3];
            worst[1] = fmax(worst[1], fabs(out[PARITY_SLOPES + 9 * r + k] - slope) / (16 * eps));
        }
    }
    for (int k = 0; k < 6; ++k)
        worst[2] = fmax(worst[2], fabs(out[PARITY_STIFFNESS + k] - stiffness_entry(kind, matrix, k)) /
                                      (32 * eps * size));
}

START_TEST(formulas_agree)
{
    const int32_t kind = _i % CONSTRAINT_KIND_COUNT;
    const bool float64 = _i >= CONSTRAINT_KIND_COUNT;
    RandomState random = {(uint64_t)(7 + _i)};
    double worst[3] = {0};
    if (float64 && !parity.device->float64)
        return;
    for (int i = 0; i < CASES; ++i)
        fill(&random, kind, float64, i);
    formula_parity_run(&parity, "constraint_parity", float64, (uint32_t)kind, CASES, PARITY_INPUTS,
                       &inputs[0][0], PARITY_OUTPUTS, &outputs[0][0]);
    for (int i = 0; i < CASES; ++i)
        compare(kind, i, float64 ? DBL_EPSILON : FLT_EPSILON, float64 ? 8 * DBL_EPSILON : 1e-12, worst);
    printf("%s, %s: values %.2f of what is allowed, slopes %.2f, stiffness %.2f\n",
           constraint_kinds[kind].name, float64 ? "f64" : "f32", worst[0], worst[1], worst[2]);
    for (int k = 0; k < 3; ++k)
        ck_assert_double_le(worst[k], 1);
}
END_TEST

int main(void)
{
    const int code = formula_parity_begin(&parity);
    if (code != 0)
        return code;
    Suite *suite = suite_create("constraints, GLSL against C");
    TCase *tests = tcase_create("kinds");
    tcase_add_loop_test(tests, formulas_agree, 0, 2 * CONSTRAINT_KIND_COUNT);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite), messages = formula_parity_end(&parity);
    return failed || messages > 0;
}
