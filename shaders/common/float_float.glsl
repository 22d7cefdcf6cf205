// Numbers as unevaluated sums hi + lo of two floats, |lo| <= ulp(hi)/2: 48 bits. Every operation that must not be
// reassociated or contracted is `precise`; that the driver kept it is proved at start-up (compute/self_test).
// Knuth's two-sum, Dekker's product: GLSL's fma() need not be fused, so it is not used here.
#ifndef COMMON_FLOAT_FLOAT_GLSL
#define COMMON_FLOAT_FLOAT_GLSL

struct FloatFloat {
    float hi, lo;
};

struct FloatFloat3 {
    vec3 hi, lo;
};

/// a + b exactly.
FloatFloat two_sum(float a, float b)
{
    precise float sum = a + b;
    precise float part = sum - a;
    precise float error = (a - (sum - part)) + (b - part);
    return FloatFloat(sum, error);
}

/// a + b exactly, where |a| >= |b| or a = 0.
FloatFloat quick_two_sum(float a, float b)
{
    precise float sum = a + b;
    precise float error = b - (sum - a);
    return FloatFloat(sum, error);
}

/// a b exactly, for |a|, |b| < 1e34 and |a b| > 1e-30.
FloatFloat two_product(float a, float b)
{
    precise float scaled_a = 4097.0 * a, scaled_b = 4097.0 * b;
    precise float high_a = scaled_a - (scaled_a - a), high_b = scaled_b - (scaled_b - b);
    precise float low_a = a - high_a, low_b = b - high_b;
    precise float product = a * b;
    precise float error = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
    return FloatFloat(product, error);
}

FloatFloat float_float_add(FloatFloat a, FloatFloat b)
{
    const FloatFloat high = two_sum(a.hi, b.hi);
    const FloatFloat low = two_sum(a.lo, b.lo);
    precise float carry = high.lo + low.hi;
    const FloatFloat sum = quick_two_sum(high.hi, carry);
    precise float rest = sum.lo + low.lo;
    return quick_two_sum(sum.hi, rest);
}

FloatFloat float_float_multiply(FloatFloat a, FloatFloat b)
{
    const FloatFloat high = two_product(a.hi, b.hi);
    precise float rest = high.lo + (a.hi * b.lo + a.lo * b.hi);
    return quick_two_sum(high.hi, rest);
}

/// a - b, rounded to a float once the leading parts have cancelled.
float float_float_difference(FloatFloat a, FloatFloat b)
{
    const FloatFloat high = two_sum(a.hi, -b.hi);
    precise float rest = high.lo + (a.lo - b.lo);
    precise float difference = high.hi + rest;
    return difference;
}

FloatFloat3 float_float3(FloatFloat x, FloatFloat y, FloatFloat z)
{
    return FloatFloat3(vec3(x.hi, y.hi, z.hi), vec3(x.lo, y.lo, z.lo));
}

FloatFloat component(FloatFloat3 a, int i)
{
    return FloatFloat(a.hi[i], a.lo[i]);
}

/// The same three times side by side.
FloatFloat3 two_sum3(vec3 a, vec3 b)
{
    precise vec3 sum = a + b;
    precise vec3 part = sum - a;
    precise vec3 error = (a - (sum - part)) + (b - part);
    return FloatFloat3(sum, error);
}

FloatFloat3 quick_two_sum3(vec3 a, vec3 b)
{
    precise vec3 sum = a + b;
    precise vec3 error = b - (sum - a);
    return FloatFloat3(sum, error);
}

FloatFloat3 float_float3_add(FloatFloat3 a, FloatFloat3 b)
{
    const FloatFloat3 high = two_sum3(a.hi, b.hi);
    const FloatFloat3 low = two_sum3(a.lo, b.lo);
    precise vec3 carry = high.lo + low.hi;
    const FloatFloat3 sum = quick_two_sum3(high.hi, carry);
    precise vec3 rest = sum.lo + low.lo;
    return quick_two_sum3(sum.hi, rest);
}

vec3 float_float3_difference(FloatFloat3 a, FloatFloat3 b)
{
    const FloatFloat3 high = two_sum3(a.hi, -b.hi);
    precise vec3 rest = high.lo + (a.lo - b.lo);
    precise vec3 difference = high.hi + rest;
    return difference;
}

FloatFloat3 float_float3_scale(FloatFloat s, FloatFloat3 a)
{
    return float_float3(float_float_multiply(s, component(a, 0)), float_float_multiply(s, component(a, 1)),
                        float_float_multiply(s, component(a, 2)));
}

#endif
