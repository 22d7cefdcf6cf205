// U and V of the shape D x = U diag(s) V^T that an element's copy looks at, of kinds that have all of damping. Its numbers are those of
// element_data from 0 on (abi/damping.h).
#ifndef COMMON_ELEMENTS_COPY_AXES_GLSL
#define COMMON_ELEMENTS_COPY_AXES_GLSL

#include "common/elements/damping_copies.glsl"

#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0

#define COPY_V (FORM_SIZE + FORM_AXES - ELEMENT_SHAPES)
#define COPY_STRETCHES (COPY_V + 9)
#if COPY_V + (ELEMENT_COLUMNS > 1) * ELEMENT_COLUMNS * ELEMENT_COLUMNS + (ELEMENT_COLUMNS == 3) * 3 != COPY_SHAPE
#error "the kind's number in abi/damping.h is not what its shape has"
#endif

real shape_axis(int row, int column)
{
    return element_data(FORM_SIZE + FORM_STRIDE * uint(row) + uint(column));
}

#if ELEMENT_COLUMNS > 1

real shape_turn(int row, int column)
{
    return element_data(COPY_V + ELEMENT_COLUMNS * uint(row) + uint(column));
}

/// U^T m V
void to_axes(real m[ELEMENT_SIZE], out real x[ELEMENT_SIZE])
{
    for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
        real3 column = real3(0.0);
        for (int k = 0; k < ELEMENT_COLUMNS; ++k)
            column += shape_turn(k, j) * real3(m[k], m[ELEMENT_COLUMNS + k], m[2 * ELEMENT_COLUMNS + k]);
        for (int i = 0; i < 3; ++i)
            x[ELEMENT_COLUMNS * i + j] = shape_axis(0, i) * column.x + shape_axis(1, i) * column.y + shape_axis(2, i) * column.z;
    }
}

/// U x V^T
void from_axes(real x[ELEMENT_SIZE], out real m[ELEMENT_SIZE])
{
    for (int k = 0; k < ELEMENT_COLUMNS; ++k) {
        real3 row = real3(0.0);
        for (int j = 0; j < ELEMENT_COLUMNS; ++j)
            row += shape_turn(k, j) * real3(x[j], x[ELEMENT_COLUMNS + j], x[2 * ELEMENT_COLUMNS + j]);
        for (int i = 0; i < 3; ++i)
            m[ELEMENT_COLUMNS * i + k] = shape_axis(i, 0) * row.x + shape_axis(i, 1) * row.y + shape_axis(i, 2) * row.z;
    }
}

#endif

#endif

#endif
