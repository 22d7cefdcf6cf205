// Singular value decomposition: reconstruction, rotations, order and signs, small singular values, independent lanes,
// warm start, and equal bits on every instruction set.
#include "base/matrix3.h"
#include "check_main.h"
#include "formula_kernels.h"
#include "random_matrix.h"

#include <string.h>

enum { BLOCKS = 512, COUNT = BLOCKS * LANE_COUNT };

typedef struct Decomposition {
    Lanes U[BLOCKS][9], s[BLOCKS][3], V[BLOCKS][9];
} Decomposition;

static Lanes input[BLOCKS][9], reordered[BLOCKS][9];
static Decomposition output[3], again;

static void read_lanes(const Lanes *lanes, int lane, int count, double *out)
{
    for (int i = 0; i < count; ++i)
        out[i] = lanes[i][lane];
}

static void fill_input(void)
{
    RandomState random = {20231};
    for (int i = 0; i < COUNT; ++i) {
        double F[9];
        random_deformation(&random, i, F);
        for (int k = 0; k < 9; ++k)
            input[i / LANE_COUNT][k][i % LANE_COUNT] = F[k];
    }
}

static void check_rotation(const double R[9], int index)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double dot = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
            ck_assert_msg(fabs(dot - (i == j)) < 4e-15, "case %d: columns %d %d: %g", index, i, j, dot);
        }
    ck_assert_msg(matrix3_determinant(R) > 0.5, "case %d: determinant %g", index, matrix3_determinant(R));
}

static void check_decompositions(const Decomposition *result)
{
    double worst = 0;
    for (int i = 0; i < COUNT; ++i) {
        double F[9], U[9], s[3], V[9];
        read_lanes(input[i / LANE_COUNT], i % LANE_COUNT, 9, F);
        read_lanes(result->U[i / LANE_COUNT], i % LANE_COUNT, 9, U);
        read_lanes(result->s[i / LANE_COUNT], i % LANE_COUNT, 3, s);
        read_lanes(result->V[i / LANE_COUNT], i % LANE_COUNT, 9, V);
        check_rotation(U, i);
        check_rotation(V, i);
        ck_assert_msg(s[0] >= s[1] && s[1] >= fabs(s[2]), "case %d: %g %g %g", i, s[0], s[1], s[2]);
        const double det = matrix3_determinant(F);
        if (fabs(det) > 1e-14 * s[0] * s[0] * s[0])
            ck_assert_msg((det > 0) == (s[2] > 0), "case %d: det %g, s %g", i, det, s[2]);
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) {
                double sum = 0;
                for (int k = 0; k < 3; ++k)
                    sum += U[3 * row + k] * s[k] * V[3 * column + k];
                const double error = fabs(sum - F[3 * row + column]);
                ck_assert_msg(error <= 4e-15 * s[0], "case %d: error %g of %g", i, error, s[0]);
                if (s[0] > 0)
                    worst = fmax(worst, error / s[0]);
            }
    }
    printf("svd3: largest error %.2e of s_0\n", worst);
}

START_TEST(decompositions_are_right)
{
    fill_input();
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    list[0]->svd(BLOCKS, (const Lanes(*)[9])input, output[0].U, output[0].s, output[0].V);
    check_decompositions(&output[0]);
}
END_TEST

START_TEST(instruction_sets_agree)
{
    fill_input();
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    for (int k = 0; k < count; ++k) {
        list[k]->svd(BLOCKS, (const Lanes(*)[9])input, output[k].U, output[k].s, output[k].V);
        ck_assert_msg(memcmp(&output[0], &output[k], sizeof output[0]) == 0, "%s gives other bits",
                      list[k]->name);
    }
    for (int k = 0; k < count; ++k) {
        list[k]->svd_two(BLOCKS, (const Lanes(*)[9])input, output[k].U, output[k].s, output[k].V);
        ck_assert_msg(memcmp(&output[0], &output[k], sizeof output[0]) == 0,
                      "two at once: %s gives other bits", list[k]->name);
    }
    again = output[0];
    for (int k = 0; k < count; ++k) {
        list[k]->svd_from(BLOCKS, (const Lanes(*)[9])input, output[k].U, output[k].s, output[k].V);
        list[k]->svd_two_from(BLOCKS, (const Lanes(*)[9])input, again.U, again.s, again.V);
        ck_assert_msg(memcmp(&output[0], &output[k], sizeof output[0]) == 0, "warm: %s gives other bits",
                      list[k]->name);
        ck_assert_msg(memcmp(&output[0], &again, sizeof again) == 0, "warm, two at once: %s gives other bits",
                      list[k]->name);
        list[k]->svd(BLOCKS, (const Lanes(*)[9])input, again.U, again.s, again.V);
    }
}
END_TEST

START_TEST(lanes_do_not_depend_on_each_other)
{
    fill_input();
    // The same matrices among other neighbours: case i moves to place 37 i mod COUNT.
    for (int i = 0; i < COUNT; ++i) {
        const int place = (37 * i) % COUNT;
        for (int k = 0; k < 9; ++k)
            reordered[place / LANE_COUNT][k][place % LANE_COUNT] = input[i / LANE_COUNT][k][i % LANE_COUNT];
    }
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    for (int kernels = 0; kernels < count; ++kernels) {
        list[kernels]->svd(BLOCKS, (const Lanes(*)[9])input, output[0].U, output[0].s, output[0].V);
        list[kernels]->svd(BLOCKS, (const Lanes(*)[9])reordered, again.U, again.s, again.V);
        for (int i = 0; i < COUNT; ++i) {
            const int place = (37 * i) % COUNT;
            double a[9], b[9];
            read_lanes(output[0].U[i / LANE_COUNT], i % LANE_COUNT, 9, a);
            read_lanes(again.U[place / LANE_COUNT], place % LANE_COUNT, 9, b);
            ck_assert_msg(memcmp(a, b, sizeof a) == 0, "%s: U of case %d", list[kernels]->name, i);
            read_lanes(output[0].V[i / LANE_COUNT], i % LANE_COUNT, 9, a);
            read_lanes(again.V[place / LANE_COUNT], place % LANE_COUNT, 9, b);
            ck_assert_msg(memcmp(a, b, sizeof a) == 0, "%s: V of case %d", list[kernels]->name, i);
            read_lanes(output[0].s[i / LANE_COUNT], i % LANE_COUNT, 3, a);
            read_lanes(again.s[place / LANE_COUNT], place % LANE_COUNT, 3, b);
            ck_assert_msg(memcmp(a, b, 3 * sizeof *a) == 0, "%s: s of case %d", list[kernels]->name, i);
        }
    }
}
END_TEST

START_TEST(warm_start_gives_the_same)
{
    fill_input();
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    Decomposition *cold = &output[0], *warm = &output[1];
    list[0]->svd(BLOCKS, (const Lanes(*)[9])input, cold->U, cold->s, cold->V);
    // From V disturbed by rotations of 1e-3, and from the identity.
    for (int start = 0; start < 2; ++start) {
        for (int i = 0; i < COUNT; ++i) {
            double V[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, R[9];
            if (start == 0) {
                read_lanes(cold->V[i / LANE_COUNT], i % LANE_COUNT, 9, V);
                matrix3_rotation((const double[3]){0.6, 0.0, 0.8}, 1e-3, R);
                matrix3_multiply(V, R, V);
            }
            for (int k = 0; k < 9; ++k)
                warm->V[i / LANE_COUNT][k][i % LANE_COUNT] = V[k];
        }
        list[0]->svd_from(BLOCKS, (const Lanes(*)[9])input, warm->U, warm->s, warm->V);
        check_decompositions(warm);
        for (int i = 0; i < COUNT; ++i) {
            double a[3], b[3];
            read_lanes(cold->s[i / LANE_COUNT], i % LANE_COUNT, 3, a);
            read_lanes(warm->s[i / LANE_COUNT], i % LANE_COUNT, 3, b);
            for (int k = 0; k < 3; ++k)
                ck_assert_msg(fabs(a[k] - b[k]) <= 4e-15 * a[0], "case %d: %g, %g", i, a[k], b[k]);
        }
    }
}
END_TEST

START_TEST(errors_do_not_add_up_over_warm_starts)
{
    fill_input();
    const FormulaKernels *list[3];
    const FormulaKernels *kernels = list[formula_kernels_list(list) - 1];
    kernels->svd(BLOCKS, (const Lanes(*)[9])input, output[0].U, output[0].s, output[0].V);
    for (int step = 0; step < 200; ++step) {
        for (int b = 0; b < BLOCKS; ++b) // turn the columns a little, so that V has to follow
            for (int row = 0; row < 3; ++row) {
                const Lanes x = input[b][3 * row], y = input[b][3 * row + 1];
                input[b][3 * row] = 0.96 * x - 0.28 * y;
                input[b][3 * row + 1] = 0.28 * x + 0.96 * y;
            }
        kernels->svd_from(BLOCKS, (const Lanes(*)[9])input, output[0].U, output[0].s, output[0].V);
    }
    check_decompositions(&output[0]);
}
END_TEST

START_TEST(small_singular_values_keep_their_digits)
{
    // Columns of very different lengths: s is known to relative accuracy (F = W diag(d) with W = rotation times a
    // well-conditioned triangular matrix; here W orthogonal, so that s = d exactly up to rounding).
    RandomState random = {77};
    Lanes s[1][3], U[1][9], V[1][9], F[1][9];
    const FormulaKernels *list[3];
    formula_kernels_list(list);
    for (int repeat = 0; repeat < 200; ++repeat) {
        double d[LANE_COUNT][3];
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            double R[9];
            random_rotation(&random, R);
            for (int i = 0; i < 3; ++i)
                d[lane][i] = pow(10, random_between(&random, -8, 8));
            for (int k = 0; k < 9; ++k)
                F[0][k][lane] = R[k] * d[lane][k % 3];
        }
        list[0]->svd(1, (const Lanes(*)[9])F, U, s, V);
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            double *e = d[lane];
            for (int pass = 0; pass < 2; ++pass)
                for (int i = 0; i < 2; ++i)
                    if (e[i] < e[i + 1]) {
                        const double larger = e[i + 1];
                        e[i + 1] = e[i], e[i] = larger;
                    }
            for (int i = 0; i < 3; ++i)
                ck_assert_msg(fabs(s[0][i][lane] / e[i] - 1) < 1e-14, "%.17g instead of %.17g", s[0][i][lane],
                              e[i]);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("svd3");
    TCase *cases = tcase_create("svd3");
    tcase_add_test(cases, decompositions_are_right);
    tcase_add_test(cases, instruction_sets_agree);
    tcase_add_test(cases, lanes_do_not_depend_on_each_other);
    tcase_add_test(cases, warm_start_gives_the_same);
    tcase_add_test(cases, errors_do_not_add_up_over_warm_starts);
    tcase_add_test(cases, small_singular_values_keep_their_digits);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
