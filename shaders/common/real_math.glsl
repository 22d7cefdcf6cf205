// Logarithm and exponential in `real`. GLSL has neither for double; for float it has them, but Vulkan asks only for an
// absolute error of 2^-21 between 1/2 and 2, where log J of a solid lives. The method is that of base/lanes.h.
#ifndef COMMON_REAL_MATH_GLSL
#define COMMON_REAL_MATH_GLSL

#include "common/real.glsl"

#ifdef VELA_F64

double real_infinity() { return packDouble2x32(uvec2(0u, 0x7ff00000u)); }
double real_nan() { return packDouble2x32(uvec2(0u, 0x7ff80000u)); }

/// 2^k for -1022 <= k <= 1023.
double real_power_of_two(int k) { return packDouble2x32(uvec2(0u, uint(k + 1023) << 20)); }

/// The k of 2^k <= a < 2^(k+1), for a >= 2^-1022.
int real_exponent(double a) { return int((unpackDouble2x32(a).y >> 20) & 0x7ffu) - 1023; }

/// Natural logarithm, within 1 ulp. log(0) = -inf, log(inf) = inf, NaN for negative numbers and NaN.
double real_log(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -real_infinity() : real_nan();
    if (isinf(x))
        return x;
    int k = -1023;
    if (x < 2.2250738585072014e-308lf) {
        x *= 18014398509481984.0lf;
        k -= 54;
    }
    // x = 2^k m with m in [sqrt(1/2), sqrt(2)); 0x3fe6a09e is the upper word of sqrt(1/2)
    const uvec2 bits = unpackDouble2x32(x);
    const uint high = bits.y + (0x3ff00000u - 0x3fe6a09eu);
    k += int(high >> 20);
    const double f = packDouble2x32(uvec2(bits.x, (high & 0x000fffffu) + 0x3fe6a09eu)) - 1.0lf;

    const double t = f / (2.0lf + f), z = t * t, half_square = 0.5lf * f * f;
    const double coefficients[7] = double[7](0.6666666666666735lf, 0.39999999999412905lf, 0.28571428742822313lf,
                                             0.22222198524780024lf, 0.1818356702668869lf, 0.15313976981448257lf,
                                             0.14796728543448734lf);
    double r = coefficients[6];
    for (int i = 5; i >= 0; --i)
        r = r * z + coefficients[i];
    r *= z;
    const double low = double(k) * 1.9082149292705877e-10lf, top = double(k) * 0.6931471803691238lf;
    return top - ((half_square - (t * (half_square + r) + low)) - f);
}

/// x - log(1 + x), log(1 + x) as in real_log1p.
double real_minus_log1p(double x)
{
    precise double rounded = 1.0lf + x;
    precise double away = rounded - 1.0lf;
    return away == 0.0lf ? 0.0lf : x - real_log(rounded) * (x / away);
}

/// e^x, within 1 ulp; overflows to inf, underflows through the subnormal numbers to 0.
double real_exp(double x)
{
    if (isnan(x))
        return x;
    const double bounded = clamp(x, -760.0lf, 720.0lf), k = floor(bounded * 1.4426950408889634lf + 0.5lf);
    const double high = bounded - k * 0.6931471803691238lf, low = k * 1.9082149292705877e-10lf, r = high - low;
    const double coefficients[10] =
        double[10](0.5000000000000011lf, 0.1666666666666641lf, 0.04166666666652973lf, 0.00833333333349498lf,
                   0.001388888894375879lf, 0.0001984126950576047lf, 2.480149295080446e-05lf, 2.7557586818814346e-06lf,
                   2.763030585965515e-07lf, 2.5000013831782824e-08lf);
    double q = coefficients[9];
    for (int i = 8; i >= 0; --i)
        q = q * r + coefficients[i];
    const double value = 1.0lf + (high - (low - r * r * q));
    const int first = int(k) / 2; // 2^k alone may be out of range
    return value * real_power_of_two(first) * real_power_of_two(int(k) - first);
}

#else

float real_infinity() { return uintBitsToFloat(0x7f800000u); }
float real_nan() { return uintBitsToFloat(0x7fc00000u); }

/// 2^k for -126 <= k <= 127.
float real_power_of_two(int k) { return uintBitsToFloat(uint(k + 127) << 23); }

/// The k of 2^k <= a < 2^(k+1), for a >= 2^-126.
int real_exponent(float a) { return int((floatBitsToUint(a) >> 23) & 0xffu) - 127; }

/// Natural logarithm, within 3 ulp (a division is allowed 2.5). log(0) and subnormal numbers give -inf.
float real_log(float x)
{
    if (!(x >= 1.17549435e-38))
        return x >= 0.0 ? -real_infinity() : real_nan();
    const uint bits = floatBitsToUint(x);
    if (bits == 0x7f800000u)
        return x;
    const uint high = bits + (0x3f800000u - 0x3f3504f3u);
    const float k = float(int(high >> 23) - 127);
    const float f = uintBitsToFloat((high & 0x007fffffu) + 0x3f3504f3u) - 1.0;
    const float t = f / (2.0 + f), z = t * t, half_square = 0.5 * f * f;
    const float r = z * (0.6666666666 + z * (0.4 + z * (0.2857142857 + z * 0.2222222222)));
    // log 2 in two parts, the first of 15 bits
    return k * 0.693145752 - ((half_square - (t * (half_square + r) + k * 1.42860682e-6)) - f);
}

/// x - log(1 + x) to a few ulp, also for small x, where it is about x^2/2: with t = x/(2 + x), log(1 + x) = 2 atanh t and
/// x - 2 t = x t.
float real_minus_log1p(float x)
{
    if (abs(x) > 0.3)
        return x - real_log(1.0 + x);
    const float t = x / (2.0 + x), z = t * t;
    return t * (x - 2.0 * z * (0.3333333333 + z * (0.2 + z * (0.1428571429 + z * (0.1111111111 + z * 0.0909090909)))));
}

/// e^x; GLSL's own, good to 3 + 2 |x| ulp.
float real_exp(float x) { return exp(x); }

#endif

/// log(1 + x) to a few ulp, also for small x (Kahan): the logarithm of 1 + x as it is rounded, times x over what that is away from 1.
real real_log1p(real x)
{
    precise real rounded = real(1.0) + x;
    precise real away = rounded - real(1.0);
    return away == real(0.0) ? x : real_log(rounded) * (x / away);
}

/// e^x - 1 to a few ulp, also for small x (Kahan): what e^x as it is rounded is away from 1, times x over its logarithm.
real real_expm1(real x)
{
    if (x > real(1.0))
        return real_exp(x) - real(1.0);
    precise real rounded = real_exp(x);
    precise real away = rounded - real(1.0);
    return away == real(0.0) ? x : rounded > real(0.0) ? away * (x / real_log(rounded)) : real(-1.0);
}

/// The angle of (x, y), from -pi to pi; 0 for (0, 0). Vulkan's own is good to 4096 ulp.
real real_atan2(real y, real x)
{
#ifdef VELA_F64
    const int count = 12;
    const real coefficients[12] =
        real[12](1.0lf, -0.33333333333333121163lf, 0.19999999999940891462lf, -0.14285714279250244942lf,
                 0.11111110744919658237lf, -0.090908968090640270761lf, 0.076920453309022249521lf, -0.066629518136291900881lf,
                 0.058468782973308725201lf, -0.050351024566015518428lf, 0.037965257453865936236lf, -0.017805397205419445228lf);
    const real pi = 3.14159265358979323846lf;
#else
    const int count = 6;
    const real coefficients[6] = real[6](1.0, -0.333333069, 0.19998183, -0.142395327, 0.105698288, -0.0602630523);
    const real pi = 3.14159265;
#endif
    const real sum = sqrt(x * x + y * y) + abs(x), half_angle = sum > real(0.0) ? abs(y) / sum : real(0.0);
    const real t = half_angle / (real(1.0) + sqrt(real(1.0) + half_angle * half_angle)), z = t * t;
    real p = coefficients[count - 1];
    for (int k = count - 2; k >= 0; --k)
        p = p * z + coefficients[k];
    const real angle = real(4.0) * (t * p), result = x < real(0.0) ? pi - angle : angle;
    return y < real(0.0) ? -result : result;
}

#endif
