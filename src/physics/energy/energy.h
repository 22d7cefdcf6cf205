/// The elastic energies by number (ENERGY_* of abi/energy_model.h), eight elements at a time, all of one model.
///
/// `s` are the signed singular values of F (base/svd3.h); kappa and lambda are the model's parameters in Pa (theory.md
/// section 3; kappa is mu where a model has a lambda, which is at least 0, at least kappa for stable_neo_hookean). Functions
/// without suffix take Lanes, those ending in _pack one register of them. Twin: shaders/common/physics/energy/energy.glsl.
#ifndef PHYSICS_ENERGY_ENERGY_H
#define PHYSICS_ENERGY_ENERGY_H

#include "abi/energy_model.h"
#include "base/lanes.h"
#include "physics/energy/arap.h"
#include "physics/energy/corotated.h"
#include "physics/energy/energy_hessian.h"
#include "physics/energy/fixed_corotated.h"
#include "physics/energy/neo_hookean.h"
#include "physics/energy/stable_neo_hookean.h"
#include "physics/energy/stvk.h"
#include "physics/energy/symmetric_dirichlet.h"
#include "physics/energy/symmetric_gradient.h"

/// psi - psi at rest, Pa, without the cancellation of subtracting the two; +infinity where a barrier model does not accept
/// s.
LANES_INLINE Pack energy_density_above_rest_pack(int model, const Pack s[3], Pack kappa, Pack lambda)
{
    switch (model) {
    case ENERGY_ARAP:
        return arap_energy_above_rest(s, kappa, lambda);
    case ENERGY_SYMMETRIC_DIRICHLET:
        return symmetric_dirichlet_energy_above_rest(s, kappa, lambda);
    case ENERGY_SYMMETRIC_GRADIENT:
        return symmetric_gradient_energy_above_rest(s, kappa, lambda);
    case ENERGY_NEO_HOOKEAN:
        return neo_hookean_energy_above_rest(s, kappa, lambda);
    case ENERGY_COROTATED:
        return corotated_energy_above_rest(s, kappa, lambda);
    case ENERGY_FIXED_COROTATED:
        return fixed_corotated_energy_above_rest(s, kappa, lambda);
    case ENERGY_STABLE_NEO_HOOKEAN:
        return stable_neo_hookean_energy_above_rest(s, kappa, lambda);
    default:
        return stvk_energy_above_rest(s, kappa, lambda);
    }
}

/// Density psi, Pa, rest energy included; +infinity where a barrier model does not accept s.
LANES_INLINE Pack energy_density_pack(int model, const Pack s[3], Pack kappa, Pack lambda)
{
    switch (model) {
    case ENERGY_ARAP:
        return arap_energy(s, kappa, lambda);
    case ENERGY_SYMMETRIC_DIRICHLET:
        return symmetric_dirichlet_energy(s, kappa, lambda);
    case ENERGY_SYMMETRIC_GRADIENT:
        return symmetric_gradient_energy(s, kappa, lambda);
    case ENERGY_NEO_HOOKEAN:
        return neo_hookean_energy(s, kappa, lambda);
    case ENERGY_COROTATED:
        return corotated_energy(s, kappa, lambda);
    case ENERGY_FIXED_COROTATED:
        return fixed_corotated_energy(s, kappa, lambda);
    case ENERGY_STABLE_NEO_HOOKEAN:
        return stable_neo_hookean_energy(s, kappa, lambda);
    default:
        return stvk_energy(s, kappa, lambda);
    }
}

/// psi at rest, Pa.
LANES_INLINE Pack energy_rest_density_pack(int model, Pack kappa, Pack lambda)
{
    switch (model) {
    case ENERGY_ARAP:
        return arap_rest_energy(kappa, lambda);
    case ENERGY_SYMMETRIC_DIRICHLET:
        return symmetric_dirichlet_rest_energy(kappa, lambda);
    case ENERGY_SYMMETRIC_GRADIENT:
        return symmetric_gradient_rest_energy(kappa, lambda);
    case ENERGY_NEO_HOOKEAN:
        return neo_hookean_rest_energy(kappa, lambda);
    case ENERGY_COROTATED:
        return corotated_rest_energy(kappa, lambda);
    case ENERGY_FIXED_COROTATED:
        return fixed_corotated_rest_energy(kappa, lambda);
    case ENERGY_STABLE_NEO_HOOKEAN:
        return stable_neo_hookean_rest_energy(kappa, lambda);
    default:
        return stvk_rest_energy(kappa, lambda);
    }
}

/// psi_i, Pa: the first Piola stress is U diag(psi_i) V^T.
LANES_INLINE void energy_stress_pack(int model, const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    switch (model) {
    case ENERGY_ARAP:
        arap_stress(s, kappa, lambda, stress);
        break;
    case ENERGY_SYMMETRIC_DIRICHLET:
        symmetric_dirichlet_stress(s, kappa, lambda, stress);
        break;
    case ENERGY_SYMMETRIC_GRADIENT:
        symmetric_gradient_stress(s, kappa, lambda, stress);
        break;
    case ENERGY_NEO_HOOKEAN:
        neo_hookean_stress(s, kappa, lambda, stress);
        break;
    case ENERGY_COROTATED:
        corotated_stress(s, kappa, lambda, stress);
        break;
    case ENERGY_FIXED_COROTATED:
        fixed_corotated_stress(s, kappa, lambda, stress);
        break;
    case ENERGY_STABLE_NEO_HOOKEAN:
        stable_neo_hookean_stress(s, kappa, lambda, stress);
        break;
    default:
        stvk_stress(s, kappa, lambda, stress);
        break;
    }
}

/// The twelve second derivatives, Pa, in the order of ENERGY_HESSIAN_*.
LANES_INLINE void energy_hessian_pack(int model, const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    switch (model) {
    case ENERGY_ARAP:
        arap_hessian(s, kappa, lambda, hessian);
        break;
    case ENERGY_SYMMETRIC_DIRICHLET:
        symmetric_dirichlet_hessian(s, kappa, lambda, hessian);
        break;
    case ENERGY_SYMMETRIC_GRADIENT:
        symmetric_gradient_hessian(s, kappa, lambda, hessian);
        break;
    case ENERGY_NEO_HOOKEAN:
        neo_hookean_hessian(s, kappa, lambda, hessian);
        break;
    case ENERGY_COROTATED:
        corotated_hessian(s, kappa, lambda, hessian);
        break;
    case ENERGY_FIXED_COROTATED:
        fixed_corotated_hessian(s, kappa, lambda, hessian);
        break;
    case ENERGY_STABLE_NEO_HOOKEAN:
        stable_neo_hookean_hessian(s, kappa, lambda, hessian);
        break;
    default:
        stvk_hessian(s, kappa, lambda, hessian);
        break;
    }
}

/// argmin over s of w psi(s) + rho/2 |s - q|^2 (theory.md section 5), where kappa and lambda are already multiplied by
/// the weight w and have rho's unit. q are signed singular values, q_0 >= q_1 >= |q_2|. s > 0 for barrier models, s >= 0 for
/// arap; the others return s in the same order, s_2 < 0 where the element stays inverted.
LANES_INLINE void energy_prox_pack(int model, const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    switch (model) {
    case ENERGY_ARAP:
        arap_prox(q, kappa, lambda, rho, s);
        break;
    case ENERGY_SYMMETRIC_DIRICHLET:
        symmetric_dirichlet_prox(q, kappa, lambda, rho, s);
        break;
    case ENERGY_SYMMETRIC_GRADIENT:
        symmetric_gradient_prox(q, kappa, lambda, rho, s);
        break;
    case ENERGY_NEO_HOOKEAN:
        neo_hookean_prox(q, kappa, lambda, rho, s);
        break;
    case ENERGY_COROTATED:
        corotated_prox(q, kappa, lambda, rho, s);
        break;
    case ENERGY_FIXED_COROTATED:
        fixed_corotated_prox(q, kappa, lambda, rho, s);
        break;
    case ENERGY_STABLE_NEO_HOOKEAN:
        stable_neo_hookean_prox(q, kappa, lambda, rho, s);
        break;
    default:
        stvk_prox(q, kappa, lambda, rho, s);
        break;
    }
}

/// psi_ii at rest, Pa, of one element: the measure of stiffness that ADMM's penalties are taken from.
static inline double energy_psi11(int model, double kappa, double lambda)
{
    switch (model) {
    case ENERGY_ARAP:
        return kappa;
    case ENERGY_SYMMETRIC_DIRICHLET:
        return 4.0 * kappa;
    case ENERGY_SYMMETRIC_GRADIENT:
        return 2.0 * kappa;
    case ENERGY_STABLE_NEO_HOOKEAN:
        return kappa + lambda;
    default:
        return 2.0 * kappa + lambda;
    }
}

/// Shear modulus at rest, Pa: half of the flip term of the Hessian there, whatever the model.
static inline double energy_shear_modulus(int model, double kappa, double lambda)
{
    const Pack rest[3] = {pack_set(1.0), pack_set(1.0), pack_set(1.0)};
    Pack hessian[12];
    energy_hessian_pack(model, rest, pack_set(kappa), pack_set(lambda), hessian);
    return 0.5 * hessian[ENERGY_HESSIAN_FLIP][0];
}

/// Whether psi is infinite for inverted elements, so that steps must be cut before one inverts.
static inline bool energy_is_barrier(int model)
{
    return model >= ENERGY_SYMMETRIC_DIRICHLET && model <= ENERGY_NEO_HOOKEAN;
}

/// Whether psi depends on lambda.
static inline bool energy_has_lambda(int model)
{
    return model >= ENERGY_NEO_HOOKEAN;
}

// ---------------------------------------------------------------- for Lanes
/// energy_density_above_rest_pack for Lanes.
LANES_INLINE Lanes energy_density_above_rest(int model, const Lanes s[3], Lanes kappa, Lanes lambda)
{
    Lanes energy;
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack values[3], parameters[2], result;
        packs_load(s, part, 3, values), packs_load(&kappa, part, 1, &parameters[0]);
        packs_load(&lambda, part, 1, &parameters[1]);
        result = energy_density_above_rest_pack(model, values, parameters[0], parameters[1]);
        packs_store(&result, part, 1, &energy);
    }
    return energy;
}

/// energy_density_pack for Lanes.
LANES_INLINE Lanes energy_density(int model, const Lanes s[3], Lanes kappa, Lanes lambda)
{
    Lanes energy;
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack values[3], parameters[2], result;
        packs_load(s, part, 3, values), packs_load(&kappa, part, 1, &parameters[0]);
        packs_load(&lambda, part, 1, &parameters[1]);
        result = energy_density_pack(model, values, parameters[0], parameters[1]);
        packs_store(&result, part, 1, &energy);
    }
    return energy;
}

/// energy_rest_density_pack for Lanes.
LANES_INLINE Lanes energy_rest_density(int model, Lanes kappa, Lanes lambda)
{
    Lanes energy;
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack parameters[2], result;
        packs_load(&kappa, part, 1, &parameters[0]), packs_load(&lambda, part, 1, &parameters[1]);
        result = energy_rest_density_pack(model, parameters[0], parameters[1]);
        packs_store(&result, part, 1, &energy);
    }
    return energy;
}

/// energy_stress_pack for Lanes.
LANES_INLINE void energy_stress(int model, const Lanes s[3], Lanes kappa, Lanes lambda, Lanes stress[3])
{
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack values[3], parameters[2], result[3];
        packs_load(s, part, 3, values), packs_load(&kappa, part, 1, &parameters[0]);
        packs_load(&lambda, part, 1, &parameters[1]);
        energy_stress_pack(model, values, parameters[0], parameters[1], result);
        packs_store(result, part, 3, stress);
    }
}

/// energy_hessian_pack for Lanes.
LANES_INLINE void energy_hessian(int model, const Lanes s[3], Lanes kappa, Lanes lambda, Lanes hessian[12])
{
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack values[3], parameters[2], result[12];
        packs_load(s, part, 3, values), packs_load(&kappa, part, 1, &parameters[0]);
        packs_load(&lambda, part, 1, &parameters[1]);
        energy_hessian_pack(model, values, parameters[0], parameters[1], result);
        packs_store(result, part, 12, hessian);
    }
}

/// energy_prox_pack for Lanes. `s` may be `q`.
LANES_INLINE void energy_prox(int model, const Lanes q[3], Lanes kappa, Lanes lambda, Lanes rho, Lanes s[3])
{
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack values[3], parameters[3], result[3];
        packs_load(q, part, 3, values), packs_load(&kappa, part, 1, &parameters[0]);
        packs_load(&lambda, part, 1, &parameters[1]), packs_load(&rho, part, 1, &parameters[2]);
        energy_prox_pack(model, values, parameters[0], parameters[1], parameters[2], result);
        packs_store(result, part, 3, s);
    }
}

#endif
