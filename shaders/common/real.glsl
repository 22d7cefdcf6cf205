// One source, two precisions. `real` is what local quantities (edges, F, stresses) are computed in: float, or double
// with VELA_F64. Unknowns and their sums are `Exact`: float-float, or double. Both take 8 bytes, Exact3 takes 24.
#ifndef COMMON_REAL_GLSL
#define COMMON_REAL_GLSL

#ifdef VELA_F64

#define real double
#define real2 dvec2
#define real3 dvec3
#define real4 dvec4
#define real3x3 dmat3
#define Exact double
#define Exact3 dvec3
#define REAL_ROUNDOFF 1.1102230246251565e-16lf ///< 2^-53

Exact exact(double a) { return a; }
Exact exact_add(Exact a, Exact b) { return a + b; }
Exact exact_multiply(Exact a, Exact b) { return a * b; }
double exact_difference(Exact a, Exact b) { return a - b; }
double exact_value(Exact a) { return a; }
/// a b as an exact number.
Exact exact_product(double a, double b) { return a * b; }
Exact3 exact3(dvec3 a) { return a; }
Exact3 exact3_from(Exact x, Exact y, Exact z) { return dvec3(x, y, z); }
Exact3 exact3_add(Exact3 a, Exact3 b) { return a + b; }
Exact3 exact3_scale(Exact s, Exact3 a) { return s * a; }
Exact3 exact3_subtract(Exact3 a, Exact3 b) { return a - b; }
dvec3 exact3_difference(Exact3 a, Exact3 b) { return a - b; }
dvec3 exact3_value(Exact3 a) { return a; }
Exact exact3_component(Exact3 a, int i) { return a[i]; }
bool exact_is_finite(Exact a) { return (unpackDouble2x32(a).y & 0x7ff00000u) != 0x7ff00000u; }

#else

#include "common/float_float.glsl"

#define real float
#define real2 vec2
#define real3 vec3
#define real4 vec4
#define real3x3 mat3
#define Exact FloatFloat
#define Exact3 FloatFloat3
#define REAL_ROUNDOFF 5.9604644775390625e-8 ///< 2^-24

Exact exact(float a) { return FloatFloat(a, 0.0); }
Exact exact_add(Exact a, Exact b) { return float_float_add(a, b); }
Exact exact_multiply(Exact a, Exact b) { return float_float_multiply(a, b); }
float exact_difference(Exact a, Exact b) { return float_float_difference(a, b); }
float exact_value(Exact a) { return a.hi + a.lo; }
/// a b as an exact number.
Exact exact_product(float a, float b) { return two_product(a, b); }
Exact3 exact3(vec3 a) { return FloatFloat3(a, vec3(0.0)); }
Exact3 exact3_from(Exact x, Exact y, Exact z) { return float_float3(x, y, z); }
Exact3 exact3_add(Exact3 a, Exact3 b) { return float_float3_add(a, b); }
Exact3 exact3_scale(Exact s, Exact3 a) { return float_float3_scale(s, a); }
Exact3 exact3_subtract(Exact3 a, Exact3 b) { return float_float3_add(a, FloatFloat3(-b.hi, -b.lo)); }
vec3 exact3_difference(Exact3 a, Exact3 b) { return float_float3_difference(a, b); }
vec3 exact3_value(Exact3 a) { return a.hi + a.lo; }
Exact exact3_component(Exact3 a, int i) { return component(a, i); }
bool exact_is_finite(Exact a) { return (floatBitsToUint(a.hi) & 0x7f800000u) != 0x7f800000u; }

#endif

Exact exact_dot(Exact3 a, Exact3 b)
{
    Exact sum = exact_multiply(exact3_component(a, 0), exact3_component(b, 0));
    sum = exact_add(sum, exact_multiply(exact3_component(a, 1), exact3_component(b, 1)));
    return exact_add(sum, exact_multiply(exact3_component(a, 2), exact3_component(b, 2)));
}

Exact exact_negative(Exact a)
{
    return exact_multiply(exact(real(-1.0)), a);
}

#endif
