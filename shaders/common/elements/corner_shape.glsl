// G_a of an element that keeps G_1, G_2, ... among its data (element_axes). Define ELEMENT_CORNERS and ELEMENT_COLUMNS before.
#ifndef COMMON_ELEMENTS_CORNER_SHAPE_GLSL
#define COMMON_ELEMENTS_CORNER_SHAPE_GLSL

/// Number `column` of G_a, at: that of G_1. G_0 is minus the sum of the others.
real element_shape(uint at, uint corner, uint column)
{
    if (corner > 0u)
        return element_data(at + ELEMENT_COLUMNS * (corner - 1u) + column);
    real sum = real(0.0);
    for (uint a = 0u; a < ELEMENT_CORNERS - 1u; ++a)
        sum -= element_data(at + ELEMENT_COLUMNS * a + column);
    return sum;
}

#endif
