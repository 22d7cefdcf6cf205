// Quadratic forms of the rate X = U^T F' V of D x = U diag(s) V^T, of 1 to 3 columns, as damping has them of kinds whose density is one
// of the stretches s. Second derivatives by
//
//     x_ii twice, i = 0 ..         x_ii and x_kk, of the pairs 01 02 12       FORM_MIXED
//     x_ik twice, x_ki twice, both, pair by pair                              FORM_SHEAR
//     where there are fewer columns than three: x_2j twice, j = 0 ..          FORM_NORMAL
//
// Of one column the last is by what is across the axis, either way. Define ELEMENT_COLUMNS before.
#ifndef COMMON_ELEMENTS_PRINCIPAL_FORM_GLSL
#define COMMON_ELEMENTS_PRINCIPAL_FORM_GLSL

#include "common/real.glsl"

#define FORM_PAIRS (ELEMENT_COLUMNS * (ELEMENT_COLUMNS - 1) / 2)
#define FORM_MIXED ELEMENT_COLUMNS
#define FORM_SHEAR (FORM_MIXED + FORM_PAIRS)
#define FORM_NORMAL (FORM_SHEAR + 3 * FORM_PAIRS)
#if ELEMENT_COLUMNS < 3
#define FORM_SIZE (FORM_NORMAL + ELEMENT_COLUMNS)
#else
#define FORM_SIZE FORM_NORMAL
#endif

/// The pairs (i, k), i < k.
int form_first(int pair)
{
    return pair == 2 ? 1 : 0;
}

int form_second(int pair)
{
    return pair == 0 ? 1 : 2;
}

/// What is left when the axes stand still: of the stretches' rates alone, with a factor for each stretch.
void form_keep_stretches(real factor[ELEMENT_COLUMNS], inout real form[FORM_SIZE])
{
    for (int i = 0; i < ELEMENT_COLUMNS; ++i)
        form[i] *= factor[i] * factor[i];
    for (int pair = 0; pair < FORM_PAIRS; ++pair)
        form[FORM_MIXED + pair] *= factor[form_first(pair)] * factor[form_second(pair)];
    for (int k = FORM_SHEAR; k < FORM_SIZE; ++k)
        form[k] = real(0.0);
}

#endif
