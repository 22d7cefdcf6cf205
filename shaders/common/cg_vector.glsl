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

#endif
