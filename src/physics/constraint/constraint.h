/// Constraints phi = -C lambda on a few points of bodies (theory.md section 10): what every kind makes of its columns
///
///     y_c = sum over its nodes a of w_ac x_a,   each a 3-vector, 1 to 3 of them,
///
/// values phi (1 to 6 rows), their slopes dphi/dy, and the second derivatives that geometric stiffness is made of. The kinds are those of
/// abi/constraint.h. Forces are slope^T lambda.
#ifndef PHYSICS_CONSTRAINT_CONSTRAINT_H
#define PHYSICS_CONSTRAINT_CONSTRAINT_H

#include "abi/constraint.h"
#include "base/matrix3.h"
#include "base/symmetric_eigen.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// Rows and columns of a kind.
typedef struct ConstraintKind {
    const char *name;
    int32_t rows, columns;
    bool is_angle; ///< its value is in rad, not in m or a strain
    bool is_strain;
} ConstraintKind;

static const ConstraintKind constraint_kinds[CONSTRAINT_KIND_COUNT] = {
    [CONSTRAINT_KIND_LENGTH] = {"length", 1, 1, false, false},
    [CONSTRAINT_KIND_POINT] = {"point", 3, 1, false, false},
    [CONSTRAINT_KIND_AXIS] = {"axis", 2, 3, false, false},
    [CONSTRAINT_KIND_TURN] = {"turn", 1, 3, true, false},
    [CONSTRAINT_KIND_ANGLE] = {"angle", 1, 2, true, false},
    [CONSTRAINT_KIND_SOLID] = {"solid", 6, 3, false, true},
    [CONSTRAINT_KIND_MEMBRANE] = {"membrane", 3, 2, false, true},
};

/// Values and slopes at one place.
typedef struct ConstraintLocal {
    double value[CONSTRAINT_ROWS_MOST];
    double slope[CONSTRAINT_ROWS_MOST][CONSTRAINT_COLUMNS_MOST][3];
} ConstraintLocal;

/// |y| - rest. Two points at one place have no direction between them: there the slope is 0.
static inline void constraint_length(const double y[][3], double rest, ConstraintLocal *local)
{
    const double length = norm3(y[0]);
    local->value[0] = length - rest;
    for (int i = 0; i < 3; ++i)
        local->slope[0][0][i] = length > 0 ? y[0][i] / length : 0;
}

static inline void constraint_point(const double y[][3], ConstraintLocal *local)
{
    for (int r = 0; r < 3; ++r) {
        local->value[r] = y[0][r];
        local->slope[r][0][r] = 1;
    }
}

/// t_k.e: what lies on the axis of a hinge in one body stays there in the other.
static inline void constraint_axis(const double y[][3], ConstraintLocal *local)
{
    for (int r = 0; r < 2; ++r) {
        local->value[r] = dot3(y[r], y[2]);
        memcpy(local->slope[r][r], y[2], sizeof local->slope[r][r]);
        memcpy(local->slope[r][2], y[r], sizeof local->slope[r][2]);
    }
}

/// atan2(a.t_2, a.t_1) - rest, the first within half a turn.
static inline void constraint_turn(const double y[][3], double rest, ConstraintLocal *local)
{
    const double along = dot3(y[2], y[0]), across = dot3(y[2], y[1]), size = along * along + across * across;
    local->value[0] = atan2(across, along) - rest;
    for (int i = 0; i < 3 && size > 0; ++i) {
        local->slope[0][0][i] = -across * y[2][i] / size;
        local->slope[0][1][i] = along * y[2][i] / size;
        local->slope[0][2][i] = (along * y[1][i] - across * y[0][i]) / size;
    }
}

/// The angle between two vectors less `rest`. Where they are parallel it has no slope.
static inline void constraint_angle(const double y[][3], double rest, ConstraintLocal *local)
{
    double normal[3], across[2][3];
    cross3(y[0], y[1], normal);
    const double sine = normalize3(normal), squares[2] = {dot3(y[0], y[0]), dot3(y[1], y[1])};
    local->value[0] = atan2(sine, dot3(y[0], y[1])) - rest;
    cross3(y[0], normal, across[0]); // away from the other one, in their plane
    cross3(normal, y[1], across[1]);
    for (int c = 0; c < 2; ++c)
        for (int i = 0; i < 3 && squares[c] > 0; ++i)
            local->slope[0][c][i] = across[c][i] / squares[c];
}

/// Green's strain as (11, 22, 33, 2*12, 2*23, 2*13), of two columns (11, 22, 2*12): where the columns of a row are.
static inline void constraint_strain_columns(int columns, int row, int *first, int *second)
{
    static const int all[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    static const int plane[3][2] = {{0, 0}, {1, 1}, {0, 1}};
    const int *pair = columns == 3 ? all[row] : plane[row];
    *first = pair[0];
    *second = pair[1];
}

static inline void constraint_strain(int columns, const double y[][3], ConstraintLocal *local)
{
    const int rows = columns == 3 ? 6 : 3;
    for (int r = 0; r < rows; ++r) {
        int c, d;
        constraint_strain_columns(columns, r, &c, &d);
        local->value[r] = c == d ? 0.5 * (dot3(y[c], y[c]) - 1) : dot3(y[c], y[d]);
        memcpy(local->slope[r][c], y[d], sizeof local->slope[r][c]);
        memcpy(local->slope[r][d], y[c], sizeof local->slope[r][d]);
    }
}

/// Values and slopes of a constraint of `kind` at the columns y; `rest` is what a length or an angle is measured from.
static inline void constraint_evaluate(int32_t kind, const double y[][3], double rest, ConstraintLocal *local)
{
    *local = (ConstraintLocal){0};
    switch (kind) {
    case CONSTRAINT_KIND_LENGTH:
        constraint_length(y, rest, local);
        break;
    case CONSTRAINT_KIND_POINT:
        constraint_point(y, local);
        break;
    case CONSTRAINT_KIND_AXIS:
        constraint_axis(y, local);
        break;
    case CONSTRAINT_KIND_TURN:
        constraint_turn(y, rest, local);
        break;
    case CONSTRAINT_KIND_ANGLE:
        constraint_angle(y, rest, local);
        break;
    default:
        constraint_strain(constraint_kinds[kind].columns, y, local);
    }
}

/// Most numbers of geometric stiffness: columns x 3, squared.
enum { CONSTRAINT_STIFFNESS_MOST = 9 * CONSTRAINT_COLUMNS_MOST * CONSTRAINT_COLUMNS_MOST };

// -lambda d^2|y|/dy^2: -lambda/|y| across. Tension, lambda < 0, is what makes it positive.
static inline void constraint_length_stiffness(const double y[][3], double lambda, bool clamp, double *matrix)
{
    const double length = norm3(y[0]);
    const double across = length > 0 && !(clamp && lambda > 0) ? -lambda / length : 0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            matrix[3 * i + k] = length > 0 ? across * ((i == k) - y[0][i] * y[0][k] / (length * length)) : 0;
}

/// -sum over the rows of lambda d^2phi/dy^2: minus the geometric stiffness in the columns (3 columns squared numbers, row-major, column
/// after column), `clamp`ed to the nearest matrix without negative eigenvalues. Turns and angles have none (theory.md section 10).
static inline void constraint_stiffness(int32_t kind, const double y[][3], const double *lambda, bool clamp,
                                        double *matrix)
{
    const int columns = constraint_kinds[kind].columns, size = 3 * columns;
    double products[CONSTRAINT_COLUMNS_MOST * CONSTRAINT_COLUMNS_MOST] = {0};
    memset(matrix, 0, (size_t)(size * size) * sizeof *matrix);
    if (kind == CONSTRAINT_KIND_LENGTH) {
        constraint_length_stiffness(y, lambda[0], clamp, matrix);
        return;
    }
    // The others are sums of products of columns: phi = y_c.y_d, the same in all three directions.
    if (kind == CONSTRAINT_KIND_AXIS)
        for (int r = 0; r < 2; ++r)
            products[3 * r + 2] = products[6 + r] = -lambda[r];
    else if (constraint_kinds[kind].is_strain)
        for (int r = 0; r < constraint_kinds[kind].rows; ++r) {
            int c, d;
            constraint_strain_columns(columns, r, &c, &d);
            products[columns * c + d] = products[columns * d + c] = -lambda[r];
        }
    else
        return;
    if (clamp)
        symmetric_project(columns, products);
    for (int c = 0; c < columns; ++c)
        for (int d = 0; d < columns; ++d)
            for (int i = 0; i < 3; ++i)
                matrix[size * (3 * c + i) + 3 * d + i] = products[columns * c + d];
}

#endif
