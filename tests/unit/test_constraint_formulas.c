// Constraints' formulas (physics/constraint): slopes and geometric stiffness against finite differences, known values, what clamping
// leaves.
#include "check_main.h"
#include "random_matrix.h"

#include "physics/constraint/constraint.h"

enum { TRIALS = 200, SIZE_MOST = 3 * CONSTRAINT_COLUMNS_MOST };

static void random_columns(RandomState *random, double y[CONSTRAINT_COLUMNS_MOST][3])
{
    for (int c = 0; c < CONSTRAINT_COLUMNS_MOST; ++c)
        for (int i = 0; i < 3; ++i)
            y[c][i] = random_between(random, -2, 2);
}

// Central differences of the values, second order: what is left is about (1e-4)^2 of third derivatives of order 10^2.
START_TEST(slopes_are_the_derivatives_of_values)
{
    RandomState random = {1};
    const double step = 1e-5;
    for (int32_t kind = 0; kind < CONSTRAINT_KIND_COUNT; ++kind)
        for (int trial = 0; trial < TRIALS; ++trial) {
            double y[CONSTRAINT_COLUMNS_MOST][3], size = 1;
            const double rest = random_between(&random, -1, 1);
            ConstraintLocal local, sides[2];
            random_columns(&random, y);
            constraint_evaluate(kind, (const double(*)[3])y, rest, &local);
            for (int r = 0; r < constraint_kinds[kind].rows; ++r)
                for (int c = 0; c < constraint_kinds[kind].columns; ++c)
                    size = fmax(size, norm3(local.slope[r][c]));
            if (size > 30 || fabs(fabs(local.value[0] + rest) - 3.14159) < 0.01)
                continue; // near where an angle has no slope, or its cut
            for (int c = 0; c < constraint_kinds[kind].columns; ++c)
                for (int i = 0; i < 3; ++i) {
                    for (int side = 0; side < 2; ++side) {
                        const double kept = y[c][i];
                        y[c][i] += side == 0 ? -step : step;
                        constraint_evaluate(kind, (const double(*)[3])y, rest, &sides[side]);
                        y[c][i] = kept;
                    }
                    for (int r = 0; r < constraint_kinds[kind].rows; ++r) {
                        const double slope = (sides[1].value[r] - sides[0].value[r]) / (2 * step);
                        ck_assert_double_eq_tol(local.slope[r][c][i], slope, 1e-5 * size * size * size);
                    }
                }
        }
}
END_TEST

START_TEST(stiffness_is_the_derivative_of_forces)
{
    RandomState random = {2};
    const double step = 1e-5;
    for (int32_t kind = 0; kind < CONSTRAINT_KIND_COUNT; ++kind)
        for (int trial = 0; trial < TRIALS; ++trial) {
            const int size = 3 * constraint_kinds[kind].columns;
            double y[CONSTRAINT_COLUMNS_MOST][3], lambda[CONSTRAINT_ROWS_MOST],
                matrix[CONSTRAINT_STIFFNESS_MOST];
            random_columns(&random, y);
            for (int r = 0; r < CONSTRAINT_ROWS_MOST; ++r)
                lambda[r] = random_between(&random, -1, 1);
            constraint_stiffness(kind, (const double(*)[3])y, lambda, false, matrix);
            if (constraint_kinds[kind].is_angle) { // none, by definition
                for (int k = 0; k < size * size; ++k)
                    ck_assert(matrix[k] == 0);
                continue;
            }
            if (norm3(y[0]) < 0.3)
                continue;
            for (int column = 0; column < size; ++column) {
                ConstraintLocal sides[2];
                for (int side = 0; side < 2; ++side) {
                    const double kept = y[column / 3][column % 3];
                    y[column / 3][column % 3] += side == 0 ? -step : step;
                    constraint_evaluate(kind, (const double(*)[3])y, 0.5, &sides[side]);
                    y[column / 3][column % 3] = kept;
                }
                for (int row = 0; row < size; ++row) {
                    double change = 0;
                    for (int r = 0; r < constraint_kinds[kind].rows; ++r)
                        change -= lambda[r] *
                                  (sides[1].slope[r][row / 3][row % 3] - sides[0].slope[r][row / 3][row % 3]);
                    ck_assert_double_eq_tol(matrix[size * row + column], change / (2 * step), 1e-7);
                }
            }
        }
}
END_TEST

// The clamped matrix has no negative eigenvalue, is the other one where that has none, and lies between: K' - K has none either.
START_TEST(clamping_adds_and_never_takes)
{
    RandomState random = {3};
    for (int32_t kind = 0; kind < CONSTRAINT_KIND_COUNT; ++kind)
        for (int trial = 0; trial < TRIALS; ++trial) {
            const int size = 3 * constraint_kinds[kind].columns;
            double y[CONSTRAINT_COLUMNS_MOST][3], lambda[CONSTRAINT_ROWS_MOST];
            double exact[CONSTRAINT_STIFFNESS_MOST], clamped[CONSTRAINT_STIFFNESS_MOST],
                difference[CONSTRAINT_STIFFNESS_MOST], values[SIZE_MOST], vectors[SIZE_MOST * SIZE_MOST];
            random_columns(&random, y);
            for (int r = 0; r < CONSTRAINT_ROWS_MOST; ++r)
                lambda[r] = random_between(&random, -1, 1);
            constraint_stiffness(kind, (const double(*)[3])y, lambda, false, exact);
            constraint_stiffness(kind, (const double(*)[3])y, lambda, true, clamped);
            for (int k = 0; k < size * size; ++k)
                difference[k] = clamped[k] - exact[k];
            symmetric_eigen(size, clamped, values, vectors);
            for (int k = 0; k < size; ++k)
                ck_assert_double_ge(values[k], -1e-12);
            symmetric_eigen(size, difference, values, vectors);
            for (int k = 0; k < size; ++k)
                ck_assert_double_ge(values[k], -1e-12);
        }
}
END_TEST

START_TEST(values_are_what_their_names_say)
{
    ConstraintLocal local;
    const double quarter = 0.5 * 3.14159265358979323846;
    const double columns[3][3] = {{3, 0, 0}, {0, 4, 0}, {0, 2, 0}};
    constraint_evaluate(CONSTRAINT_KIND_LENGTH, columns, 1, &local);
    ck_assert_double_eq_tol(local.value[0], 2, 1e-15);
    constraint_evaluate(CONSTRAINT_KIND_ANGLE, columns, 0.5, &local);
    ck_assert_double_eq_tol(local.value[0], quarter - 0.5, 1e-15);
    constraint_evaluate(CONSTRAINT_KIND_TURN, columns, 0.25, &local);
    ck_assert_double_eq_tol(local.value[0], quarter - 0.25, 1e-15);
    constraint_evaluate(CONSTRAINT_KIND_AXIS, columns, 0, &local);
    ck_assert_double_eq_tol(local.value[0], 0, 1e-15);
    ck_assert_double_eq_tol(local.value[1], 8, 1e-15);
    constraint_evaluate(CONSTRAINT_KIND_SOLID, columns, 0, &local);
    const double strains[6] = {4, 7.5, 1.5, 0, 8, 0};
    for (int r = 0; r < 6; ++r)
        ck_assert_double_eq_tol(local.value[r], strains[r], 1e-15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("constraint formulas");
    TCase *formulas = tcase_create("constraints");
    tcase_add_test(formulas, slopes_are_the_derivatives_of_values);
    tcase_add_test(formulas, stiffness_is_the_derivative_of_forces);
    tcase_add_test(formulas, clamping_adds_and_never_takes);
    tcase_add_test(formulas, values_are_what_their_names_say);
    suite_add_tcase(suite, formulas);
    return test_run(suite);
}
