// Constraints on a few points of bodies, twin of src/physics/constraint/constraint.h. Columns are exact numbers, and values are differences of
// such, so that single precision has a constraint's error to its last digits. Slopes and stiffness are real.
#ifndef COMMON_PHYSICS_CONSTRAINT_CONSTRAINT_GLSL
#define COMMON_PHYSICS_CONSTRAINT_CONSTRAINT_GLSL

#include "common/constraints/kinds.glsl"
#include "common/project3.glsl"
#include "common/real.glsl"
#include "common/real_math.glsl"

struct ConstraintLocal {
    real value[CONSTRAINT_ROWS_MOST];
    real3 slope[CONSTRAINT_ROWS_MOST][CONSTRAINT_COLUMNS_MOST];
};

/// |y| - rest as (|y|^2 - rest^2)/(|y| + rest).
void constraint_length(Exact3 y[CONSTRAINT_COLUMNS_MOST], Exact rest, inout ConstraintLocal local)
{
    const real3 way = exact3_value(y[0]);
    const real size = length(way), sum = size + exact_value(rest);
    if (sum > real(0.0))
        local.value[0] = exact_difference(exact_dot(y[0], y[0]), exact_multiply(rest, rest)) / sum;
    if (size > real(0.0))
        local.slope[0][0] = way / size;
}

void constraint_point(Exact3 y[CONSTRAINT_COLUMNS_MOST], inout ConstraintLocal local)
{
    const real3 way = exact3_value(y[0]);
    for (int r = 0; r < 3; ++r) {
        local.value[r] = way[r];
        local.slope[r][0][r] = real(1.0);
    }
}

/// t_k.e
void constraint_axis(Exact3 y[CONSTRAINT_COLUMNS_MOST], inout ConstraintLocal local)
{
    for (int r = 0; r < 2; ++r) {
        local.value[r] = exact_value(exact_dot(y[r], y[2]));
        local.slope[r][r] = exact3_value(y[2]);
        local.slope[r][2] = exact3_value(y[r]);
    }
}

/// atan2(a.t_2, a.t_1) - rest
void constraint_turn(Exact3 y[CONSTRAINT_COLUMNS_MOST], Exact rest, inout ConstraintLocal local)
{
    const real along = exact_value(exact_dot(y[2], y[0])), across = exact_value(exact_dot(y[2], y[1])),
               size = along * along + across * across;
    const real3 pointer = exact3_value(y[2]);
    local.value[0] = real_atan2(across, along) - exact_value(rest);
    if (size > real(0.0)) {
        local.slope[0][0] = -across / size * pointer;
        local.slope[0][1] = along / size * pointer;
        local.slope[0][2] = (along * exact3_value(y[1]) - across * exact3_value(y[0])) / size;
    }
}

/// The angle between two vectors less `rest`.
void constraint_angle(Exact3 y[CONSTRAINT_COLUMNS_MOST], Exact rest, inout ConstraintLocal local)
{
    const real3 a = exact3_value(y[0]), b = exact3_value(y[1]), across = cross(a, b);
    const real sine = length(across);
    const real3 normal = sine > real(0.0) ? across / sine : real3(0.0);
    local.value[0] = real_atan2(sine, exact_value(exact_dot(y[0], y[1]))) - exact_value(rest);
    if (dot(a, a) > real(0.0))
        local.slope[0][0] = cross(a, normal) / dot(a, a);
    if (dot(b, b) > real(0.0))
        local.slope[0][1] = cross(normal, b) / dot(b, b);
}

/// Where the columns of a row of Green's strain are: (11, 22, 33, 12, 23, 13), of two columns (11, 22, 12).
void constraint_strain_columns(uint columns, uint row, out uint first, out uint second)
{
    const uint normal = columns == 3u ? 3u : 2u;
    first = row < normal ? row : columns == 3u && row == 4u ? 1u : 0u;
    second = row < normal ? row : columns == 3u && row > 3u ? 2u : 1u;
}

void constraint_strain(uint columns, Exact3 y[CONSTRAINT_COLUMNS_MOST], inout ConstraintLocal local)
{
    const uint rows = columns == 3u ? 6u : 3u;
    for (uint r = 0u; r < rows; ++r) {
        uint c, d;
        constraint_strain_columns(columns, r, c, d);
        const Exact product = exact_dot(y[c], y[d]);
        local.value[r] =
            c == d ? real(0.5) * exact_difference(product, exact(real(1.0))) : exact_value(product);
        local.slope[r][c] = exact3_value(y[d]);
        local.slope[r][d] = exact3_value(y[c]);
    }
}

/// Values and slopes of a constraint of `kind` at the columns y.
void constraint_evaluate(uint kind, Exact3 y[CONSTRAINT_COLUMNS_MOST], Exact rest, out ConstraintLocal local)
{
    for (int r = 0; r < CONSTRAINT_ROWS_MOST; ++r) {
        local.value[r] = real(0.0);
        for (int c = 0; c < CONSTRAINT_COLUMNS_MOST; ++c)
            local.slope[r][c] = real3(0.0);
    }
    if (kind == CONSTRAINT_KIND_LENGTH)
        constraint_length(y, rest, local);
    else if (kind == CONSTRAINT_KIND_POINT)
        constraint_point(y, local);
    else if (kind == CONSTRAINT_KIND_AXIS)
        constraint_axis(y, local);
    else if (kind == CONSTRAINT_KIND_TURN)
        constraint_turn(y, rest, local);
    else if (kind == CONSTRAINT_KIND_ANGLE)
        constraint_angle(y, rest, local);
    else
        constraint_strain(CONSTRAINT_COLUMNS[kind], y, local);
}

/// -lambda/|y| across, as 00 11 22 01 02 12.
void constraint_length_stiffness(Exact3 y[CONSTRAINT_COLUMNS_MOST], real lambda, bool clamped, out real block[6])
{
    const real3 way = exact3_value(y[0]);
    const real size = length(way);
    const real3 n = size > real(0.0) ? way / size : real3(0.0);
    const real across = size > real(0.0) && !(clamped && lambda > real(0.0)) ? -lambda / size : real(0.0);
    for (int k = 0; k < 3; ++k)
        block[k] = across * (real(1.0) - n[k] * n[k]);
    block[3] = -across * n.x * n.y;
    block[4] = -across * n.x * n.z;
    block[5] = -across * n.y * n.z;
}

/// Minus the geometric stiffness: of a length its 3x3 block, of others what the columns are coupled by, the same in all three directions;
/// 00 11 22 01 02 12.
void constraint_stiffness(uint kind, Exact3 y[CONSTRAINT_COLUMNS_MOST], real lambda[CONSTRAINT_ROWS_MOST], bool clamped,
                          out real products[6])
{
    for (int k = 0; k < 6; ++k)
        products[k] = real(0.0);
    if (kind == CONSTRAINT_KIND_LENGTH) {
        constraint_length_stiffness(y, lambda[0], clamped, products);
        return;
    }
    if (kind == CONSTRAINT_KIND_AXIS) {
        products[4] = -lambda[0];
        products[5] = -lambda[1];
    } else if (kind == CONSTRAINT_KIND_SOLID) {
        for (int r = 0; r < 4; ++r)
            products[r] = -lambda[r];
        products[4] = -lambda[5];
        products[5] = -lambda[4];
    } else if (kind == CONSTRAINT_KIND_MEMBRANE) {
        products[0] = -lambda[0];
        products[1] = -lambda[1];
        products[3] = -lambda[2];
    } else {
        return;
    }
    if (clamped)
        project3(products);
}

#endif
