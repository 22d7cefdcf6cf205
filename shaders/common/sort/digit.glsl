// The digit that a pass sorts by. Declare the buffer `keys`, and key_words and shift before: keys of key_words words, the least
// significant one first.
#ifndef COMMON_SORT_DIGIT_GLSL
#define COMMON_SORT_DIGIT_GLSL

#include "abi/sort.h"

uint key_digit(uint item)
{
    return keys[key_words * item + shift / 32u] >> shift % 32u & uint(SORT_DIGITS - 1);
}

#endif
