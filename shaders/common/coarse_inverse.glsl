// Which motions of the coarse space are left out.
#ifndef COMMON_COARSE_INVERSE_GLSL
#define COMMON_COARSE_INVERSE_GLSL

#include "abi/coarse.h"
#include "common/real.glsl"

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or along
/// which the matrix is not positive definite: it is left out. Beyond the rounding of a pivot by all motions before.
#ifdef VELA_F64
#define SMALLEST_PIVOT 1e-12lf
#else
#define SMALLEST_PIVOT 1e-5
#endif

real pivot_inverse_above(real least, real pivot, real before)
{
    return pivot > least * max(before, real(0.0)) ? real(1.0) / pivot : real(0.0);
}

real pivot_inverse(real pivot, real before)
{
    return pivot_inverse_above(real(SMALLEST_PIVOT), pivot, before);
}

/// In a cluster, whose motions may nearly make up one another where they bend.
real cluster_pivot_inverse(bool bends, real pivot, real before)
{
    return pivot_inverse_above(bends ? real(SMALLEST_THIN_PIVOT) : real(SMALLEST_PIVOT), pivot, before);
}

#endif
