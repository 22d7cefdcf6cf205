// The order of the twelve numbers that <model>_hessian returns; twin of src/physics/energy/energy_hessian.h.
#ifndef COMMON_PHYSICS_ENERGY_ENERGY_HESSIAN_GLSL
#define COMMON_PHYSICS_ENERGY_ENERGY_HESSIAN_GLSL

#include "common/real.glsl"

const int ENERGY_HESSIAN_BLOCK = 0; ///< psi_ij: 00 11 22 01 02 12, on u_i v_i^T
const int ENERGY_HESSIAN_TWIST = 6; ///< 01 02 12, on (u_i v_j^T - u_j v_i^T)/sqrt 2
const int ENERGY_HESSIAN_FLIP = 9;  ///< 01 02 12, on (u_i v_j^T + u_j v_i^T)/sqrt 2
const int ENERGY_HESSIAN_SIZE = 12;

/// Where s_i + s_j = 0 a twist may go to infinity: its denominator stops here (in float the rounding error of the sum).
#ifdef VELA_F64
const double ENERGY_HESSIAN_LEAST_SUM = 1e-12lf;
#else
const float ENERGY_HESSIAN_LEAST_SUM = 1e-6;
#endif

#endif
