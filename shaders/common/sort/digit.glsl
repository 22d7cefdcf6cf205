// The digit that a pass of a sort is by, of four keys at once: their lower and their higher words.
#ifndef COMMON_SORT_DIGIT_GLSL
#define COMMON_SORT_DIGIT_GLSL

#include "abi/sort.h"

uvec4 key_digits(uvec4 low, uvec4 high, uint bits, uint pass)
{
    const uint shift = bits * pass;
    uvec4 digits = shift < 32u ? low >> shift : high >> shift - 32u;
    if (shift < 32u && shift + bits > 32u)
        digits |= high << 32u - shift;
    return digits & (1u << bits) - 1u;
}

/// Where a pass finds how often each workgroup's items have each digit.
uint table_row(uint pass, uint group)
{
    return pass % SORT_TABLES * SORT_TABLE + group * SORT_DIGITS;
}

#endif
