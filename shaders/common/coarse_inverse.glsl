// What pivots of the coarse space count as.
#ifndef COMMON_COARSE_INVERSE_GLSL
#define COMMON_COARSE_INVERSE_GLSL

#include "abi/coarse.h"
#include "common/real.glsl"

/// What all motions before round of a pivot, of what the diagonal was. One that is no larger is that of a motion that the others make up already, which moves nothing,
/// or of a stiff body that nothing holds, which its mass alone resists: it counts as that much, for left out it would be found
/// last. A negative one is that of a motion along which the matrix is not positive definite, and is left out.
#ifdef VELA_F64
#define SMALLEST_PIVOT 1e-12lf
#else
#define SMALLEST_PIVOT 1e-6
#endif

real pivot_inverse(real pivot, real before)
{
    const real least = real(SMALLEST_PIVOT) * before;
    return before > real(0.0) && pivot >= -least ? real(1.0) / max(pivot, least) : real(0.0);
}

/// In a cluster, whose motions may nearly make up one another where they bend: then small ones are left out.
real cluster_pivot_inverse(bool bends, real pivot, real before)
{
    return bends && !(pivot > real(SMALLEST_THIN_PIVOT) * before) ? real(0.0) : pivot_inverse(pivot, before);
}

#endif
