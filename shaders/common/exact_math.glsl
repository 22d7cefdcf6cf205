// Quotients and roots of exact numbers.
#ifndef COMMON_EXACT_MATH_GLSL
#define COMMON_EXACT_MATH_GLSL

#include "common/real.glsl"

/// a/b, to a rounding or two.
Exact exact_divide(Exact a, Exact b)
{
    const real first = exact_value(a) / exact_value(b);
    const Exact rest = exact_add(a, exact_negative(exact_multiply(exact(first), b)));
    return exact_add(exact(first), exact(exact_value(rest) / exact_value(b)));
}

/// 1/sqrt(a) of a > 0, likewise.
Exact exact_inverse_root(Exact a)
{
    const real first = real(1.0) / sqrt(exact_value(a));
    const Exact rest = exact_add(exact(real(1.0)), exact_negative(exact_multiply(exact_product(first, first), a)));
    return exact_add(exact(first), exact(real(0.5) * first * exact_value(rest)));
}

/// What is left of it beside its value.
real exact_rest(Exact a)
{
#ifdef VELA_F64
    return real(0.0);
#else
    return exact_difference(a, exact(exact_value(a)));
#endif
}

#endif
