// Eigenvalues of small symmetric matrices and their projection (base/symmetric_eigen.h), and that in lanes (base/symmetric_project.h).
#include "check_main.h"
#include "random_matrix.h"

#include "base/symmetric_project.h"

#include <float.h>

enum { MOST = SYMMETRIC_MAX_SIZE };

/// A matrix with random, equal, zero, graded (1 to 1e-20), huge or tiny eigenvalues, diagonal, or of small integers.
static void random_symmetric(RandomState *random, int kind, int size, double *matrix)
{
    double vectors[MOST * MOST];
    memset(matrix, 0, (size_t)(size * size) * sizeof *matrix);
    for (int k = 0; k < size; ++k) {
        double value = random_between(random, -1, 1);
        value = kind == 1 ? (k % 2 == 0 ? 1 : -1) : kind == 2 && k > 1 ? 0 : value;
        value *= kind == 3 ? pow(10, -20.0 * k / size) : kind == 4 ? 1e200 : kind == 5 ? 1e-200 : 1;
        double *v = vectors + size * k, length = 0;
        for (int j = 0; j < size; ++j)
            v[j] = random_between(random, -1, 1);
        for (int i = 0; i < k; ++i) { // Gram-Schmidt
            double along = 0;
            for (int j = 0; j < size; ++j)
                along += v[j] * vectors[size * i + j];
            for (int j = 0; j < size; ++j)
                v[j] -= along * vectors[size * i + j];
        }
        for (int j = 0; j < size; ++j)
            length += v[j] * v[j];
        for (int j = 0; j < size; ++j)
            v[j] /= sqrt(length);
        for (int i = 0; i < size * size; ++i)
            matrix[i] += value * (v[i / size] * v[i % size]);
    }
    for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j) {
            if (kind == 6)
                matrix[size * i + j] = i == j ? i % 3 - 1 : 0;
            if (kind == 7)
                matrix[size * i + j] = (double)(random_bits(random) % 3) - 1;
            matrix[size * j + i] = matrix[size * i + j];
        }
}

START_TEST(decomposition)
{
    RandomState random = {401};
    for (int i = 0; i < 4000; ++i) {
        const int size = 1 + i / 8 % MOST;
        double matrix[MOST * MOST], work[MOST * MOST], values[MOST], vectors[MOST * MOST], norm = 0;
        random_symmetric(&random, i % 8, size, matrix);
        memcpy(work, matrix, sizeof work);
        symmetric_eigen(size, work, values, vectors);
        for (int k = 0; k < size * size; ++k)
            norm = fmax(norm, fabs(matrix[k]));
        const double rounding = 8 * size * DBL_EPSILON;
        for (int a = 0; a < size; ++a)
            for (int b = 0; b < size; ++b) {
                double product = 0, image = 0; // v_a.v_b and (A v_a)_b
                for (int j = 0; j < size; ++j) {
                    product += vectors[size * a + j] * vectors[size * b + j];
                    image += matrix[size * b + j] * vectors[size * a + j];
                }
                ck_assert_double_eq_tol(product, a == b ? 1 : 0, rounding);
                ck_assert_double_le(fabs(image - values[a] * vectors[size * a + b]), rounding * norm);
            }
    }
}
END_TEST

// The projection has the same eigenvectors, without the negative values: P - A has the others, with sign.
START_TEST(projection)
{
    RandomState random = {409};
    for (int i = 0; i < 2000; ++i) {
        const int size = 1 + i / 8 % MOST;
        double matrix[MOST * MOST], projected[MOST * MOST], rest[MOST * MOST], values[MOST],
            vectors[MOST * MOST];
        double norm = 0, trace = 0;
        random_symmetric(&random, i % 8, size, matrix);
        memcpy(projected, matrix, sizeof matrix);
        symmetric_project(size, projected);
        for (int k = 0; k < size * size; ++k)
            norm = fmax(norm, fabs(matrix[k]));
        for (int k = 0; k < size * size && norm > 0; ++k) {
            ck_assert_double_eq(projected[k], projected[size * (k % size) + k / size]);
            rest[k] = projected[k] - matrix[k];
            trace += projected[k] / norm * (rest[k] / norm);
        }
        if (norm == 0)
            continue;
        const double rounding = 16 * size * DBL_EPSILON;
        ck_assert_double_eq_tol(trace, 0, size * rounding);
        for (int which = 0; which < 2; ++which) {
            symmetric_eigen(size, which == 0 ? projected : rest, values, vectors);
            for (int k = 0; k < size; ++k)
                ck_assert_double_ge(values[k], -rounding * norm);
        }
    }
}
END_TEST

// Matrices of different kinds side by side are projected as each is by itself.
START_TEST(projection_in_lanes)
{
    RandomState random = {419};
    static const int sizes[] = {9, 3, 1, 12};
    for (int i = 0; i < 1000; ++i) {
        const int size = sizes[i % 4];
        double expected[PACK_COUNT][MOST * MOST], norms[PACK_COUNT] = {0};
        Pack matrix[MOST * MOST];
        for (int lane = 0; lane < PACK_COUNT; ++lane) {
            random_symmetric(&random, (i / 4 + 3 * lane) % 8, size, expected[lane]);
            for (int k = 0; k < size * size; ++k) {
                matrix[k][lane] = k % size <= k / size ? expected[lane][k] : NAN; // not read
                norms[lane] = fmax(norms[lane], fabs(expected[lane][k]));
            }
            symmetric_project(size, expected[lane]);
        }
        packs_project(size, matrix);
        for (int lane = 0; lane < PACK_COUNT; ++lane)
            for (int k = 0; k < size * size; ++k)
                if (k % size <= k / size)
                    ck_assert_double_le(fabs(matrix[k][lane] - expected[lane][k]),
                                        16 * size * DBL_EPSILON * norms[lane]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("symmetric_eigen");
    TCase *cases = tcase_create("symmetric_eigen");
    tcase_add_test(cases, decomposition);
    tcase_add_test(cases, projection);
    tcase_add_test(cases, projection_in_lanes);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
