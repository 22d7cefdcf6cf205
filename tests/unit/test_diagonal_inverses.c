// Inverses of diagonal blocks as conjugate gradients read them: rounded ones act as the exact ones do, in every direction, and those that rounding
// would spoil are not rounded.
#include "base/matrix3.h"
#include "check_main.h"
#include "device/cpu/kernels.h"

#include <math.h>
#include <string.h>

/// Three orthonormal vectors, those of a reflection.
static void make_vectors(int turn, double vectors[9])
{
    const double axis[3] = {sin(1.0 + turn), sin(2.0 + 3 * turn), 1.5},
                 length_sq = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    for (int i = 0; i < 9; ++i)
        vectors[i] = (i % 4 == 0) - 2 * axis[i % 3] * axis[i / 3] / length_sq;
}

/// A block that has them as eigenvectors, with the eigenvalues size, size/sqrt(condition) and size/condition.
static void make_block(double size, double condition, const double vectors[9], double block[9])
{
    const double values[3] = {size, size / sqrt(condition), size / condition};
    for (int i = 0; i < 9; ++i) {
        block[i] = 0;
        for (int k = 0; k < 3; ++k)
            block[i] += values[k] * vectors[3 * k + i % 3] * vectors[3 * k + i / 3];
    }
}

static const double conditions[] = {1, 3, 1e2, 2e3, 1e5, 1e8};
enum { CONDITIONS = sizeof conditions / sizeof *conditions, PACKED_CONDITIONS = 4, TURNS = 20 };

/// Along every eigenvector r.z is that of the exact inverse within a thousandth.
START_TEST(same_in_every_direction)
{
    const double condition = conditions[_i];
    const bool is_packed = _i < PACKED_CONDITIONS;
    double exact[2][9] = {{0}}, block[9], vectors[9], r[4] = {0}, z[4] = {0}, right[3];
    float packed[1][PACKED_NUMBERS];
    const DiagonalInverses inverses = {exact, packed};
    for (int turn = 0; turn < TURNS; ++turn) {
        make_vectors(turn, vectors);
        make_block(1e3, condition, vectors, block);
        matrix3_inverse(block, exact[0]);
        diagonal_inverse_pack(block, exact[0], packed[0]);
        ck_assert_int_eq(packed[0][0] > 0, is_packed);
        const double rounding = 1e-14 * (exact[0][0] + exact[0][4] + exact[0][8]);
        for (int k = 0; k < 3; ++k) {
            memcpy(r, vectors + 3 * k, 3 * sizeof *r);
            matrix3_apply(exact[0], r, right);
            const double product = kernels_choose()->solve_blocks(&inverses, NULL, 0, 1, r, z),
                         expected = dot3(r, right);
            ck_assert_double_eq_tol(product, dot3(r, z), rounding);
            ck_assert_double_eq_tol(product, expected, is_packed ? 1e-3 * expected : rounding);
        }
    }
}
END_TEST

/// Nothing is rounded to 0, to infinity or to what has few digits; nor what a block without an inverse has.
START_TEST(rounded_to_digits)
{
    static const struct {
        double size;
        bool is_packed;
    } sizes[] = {{1e-40, false}, {1e-20, true}, {1, true}, {1e20, true}, {1e40, false}};
    double block[9], vectors[9], inverse[9];
    float packed[PACKED_NUMBERS];
    make_vectors(1, vectors);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        make_block(sizes[i].size, 2, vectors, block);
        matrix3_inverse(block, inverse);
        diagonal_inverse_pack(block, inverse, packed);
        ck_assert_int_eq(packed[0] > 0, sizes[i].is_packed);
    }
    memset(block, 0, sizeof block);
    diagonal_inverse_pack(block, block, packed);
    ck_assert_float_eq(packed[0], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inverses of diagonal blocks");
    TCase *tests = tcase_create("inverses");
    tcase_add_loop_test(tests, same_in_every_direction, 0, CONDITIONS);
    tcase_add_test(tests, rounded_to_digits);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
