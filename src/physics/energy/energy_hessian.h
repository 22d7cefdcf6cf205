/// The order of the twelve numbers that <model>_hessian returns for an isotropic density psi(s_0, s_1, s_2), all in Pa.
/// They are the whole 9x9 Hessian d2 psi/dF2 in its eigenbasis (theory.md section 3, Smith 2019).
#ifndef PHYSICS_ENERGY_ENERGY_HESSIAN_H
#define PHYSICS_ENERGY_ENERGY_HESSIAN_H

enum {
    ENERGY_HESSIAN_BLOCK = 0, ///< psi_ij: 00 11 22 01 02 12, on u_i v_i^T
    ENERGY_HESSIAN_TWIST = 6, ///< (psi_i + psi_j)/(s_i + s_j): 01 02 12, on (u_i v_j^T - u_j v_i^T)/sqrt 2
    ENERGY_HESSIAN_FLIP = 9,  ///< (psi_i - psi_j)/(s_i - s_j): 01 02 12, on (u_i v_j^T + u_j v_i^T)/sqrt 2
    ENERGY_HESSIAN_SIZE = 12
};

/// Where F lies on the edge to another rotation, s_i + s_j = 0, a twist may go to infinity: its denominator stops here.
#define ENERGY_HESSIAN_LEAST_SUM 1e-12

#endif
