// The symmetric 3x3 blocks of the global matrix and its preconditioner.
#ifndef COMMON_CG_VECTOR_GLSL
#define COMMON_CG_VECTOR_GLSL

#include "common/real.glsl"

/// m v for a symmetric m: 00 11 22 01 02 12.
real3 symmetric_apply(real m[6], real3 v)
{
    return real3(m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                 m[4] * v.x + m[5] * v.y + m[2] * v.z);
}

/// m = L D L^T as 1/D_0 1/D_1 1/D_2 L_10 L_20 L_21. Solving with the factors is symmetric and positive definite whatever
/// their rounding; a rounded inverse of a block with one stiff direction need not be. Where m is not positive definite,
/// which true Hessians do not promise: a multiple of the identity of its diagonal's size.
void factor_block(real m[6], out real factor[6])
{
    const real l10 = m[3] / m[0], l20 = m[4] / m[0], d1 = m[1] - l10 * m[3], rest = m[5] - l10 * m[4];
    const real l21 = rest / d1, d2 = m[2] - l20 * m[4] - l21 * rest;
    const bool sound = m[0] > real(0.0) && d1 > real(0.0) && d2 > real(0.0);
    const real size = max(abs(m[0]), max(abs(m[1]), abs(m[2])));
    const real other = size > real(0.0) ? real(1.0) / size : real(0.0);
    factor[0] = sound ? real(1.0) / m[0] : other;
    factor[1] = sound ? real(1.0) / d1 : other;
    factor[2] = sound ? real(1.0) / d2 : other;
    factor[3] = sound ? l10 : real(0.0);
    factor[4] = sound ? l20 : real(0.0);
    factor[5] = sound ? l21 : real(0.0);
}

/// m^-1 r from factor_block's factors; 0 where they are 0.
real3 solve_block(real factor[6], real3 r)
{
    const real y1 = r.y - factor[3] * r.x, y2 = r.z - factor[4] * r.x - factor[5] * y1;
    real3 z;
    z.z = factor[2] * y2;
    z.y = factor[1] * y1 - factor[5] * z.z;
    z.x = factor[0] * r.x - factor[3] * z.y - factor[4] * z.z;
    return z;
}

#endif
