// The elastic energies by number; twin of src/physics/energy/energy.h. Where the model is a specialization constant the
// driver keeps one case of each switch.
#ifndef COMMON_PHYSICS_ENERGY_ENERGY_GLSL
#define COMMON_PHYSICS_ENERGY_ENERGY_GLSL

#include "abi/energy_model.h"
#include "common/physics/energy/arap.glsl"
#include "common/physics/energy/corotated.glsl"
#include "common/physics/energy/energy_hessian.glsl"
#include "common/physics/energy/fixed_corotated.glsl"
#include "common/physics/energy/neo_hookean.glsl"
#include "common/physics/energy/stable_neo_hookean.glsl"
#include "common/physics/energy/stvk.glsl"
#include "common/physics/energy/symmetric_dirichlet.glsl"
#include "common/physics/energy/symmetric_gradient.glsl"
#include "common/real.glsl"

/// psi - psi at rest, Pa, without the cancellation of subtracting the two (which leaves nothing in float for strains of a
/// thousandth); +infinity where a barrier model does not accept s.
real energy_density_above_rest(int model, real s[3], real kappa, real lambda)
{
    switch (model) {
    case ENERGY_ARAP: return arap_energy_above_rest(s, kappa, lambda);
    case ENERGY_SYMMETRIC_DIRICHLET: return symmetric_dirichlet_energy_above_rest(s, kappa, lambda);
    case ENERGY_SYMMETRIC_GRADIENT: return symmetric_gradient_energy_above_rest(s, kappa, lambda);
    case ENERGY_NEO_HOOKEAN: return neo_hookean_energy_above_rest(s, kappa, lambda);
    case ENERGY_COROTATED: return corotated_energy_above_rest(s, kappa, lambda);
    case ENERGY_FIXED_COROTATED: return fixed_corotated_energy_above_rest(s, kappa, lambda);
    case ENERGY_STABLE_NEO_HOOKEAN: return stable_neo_hookean_energy_above_rest(s, kappa, lambda);
    default: return stvk_energy_above_rest(s, kappa, lambda);
    }
}

/// Density psi, Pa, rest energy included; +infinity where a barrier model does not accept s.
real energy_density(int model, real s[3], real kappa, real lambda)
{
    switch (model) {
    case ENERGY_ARAP: return arap_energy(s, kappa, lambda);
    case ENERGY_SYMMETRIC_DIRICHLET: return symmetric_dirichlet_energy(s, kappa, lambda);
    case ENERGY_SYMMETRIC_GRADIENT: return symmetric_gradient_energy(s, kappa, lambda);
    case ENERGY_NEO_HOOKEAN: return neo_hookean_energy(s, kappa, lambda);
    case ENERGY_COROTATED: return corotated_energy(s, kappa, lambda);
    case ENERGY_FIXED_COROTATED: return fixed_corotated_energy(s, kappa, lambda);
    case ENERGY_STABLE_NEO_HOOKEAN: return stable_neo_hookean_energy(s, kappa, lambda);
    default: return stvk_energy(s, kappa, lambda);
    }
}

/// psi at rest, Pa.
real energy_rest_density(int model, real kappa, real lambda)
{
    switch (model) {
    case ENERGY_ARAP: return arap_rest_energy(kappa, lambda);
    case ENERGY_SYMMETRIC_DIRICHLET: return symmetric_dirichlet_rest_energy(kappa, lambda);
    case ENERGY_SYMMETRIC_GRADIENT: return symmetric_gradient_rest_energy(kappa, lambda);
    case ENERGY_NEO_HOOKEAN: return neo_hookean_rest_energy(kappa, lambda);
    case ENERGY_COROTATED: return corotated_rest_energy(kappa, lambda);
    case ENERGY_FIXED_COROTATED: return fixed_corotated_rest_energy(kappa, lambda);
    case ENERGY_STABLE_NEO_HOOKEAN: return stable_neo_hookean_rest_energy(kappa, lambda);
    default: return stvk_rest_energy(kappa, lambda);
    }
}

/// psi_i, Pa: the first Piola stress is U diag(psi_i) V^T.
void energy_stress(int model, real s[3], real kappa, real lambda, out real stress[3])
{
    switch (model) {
    case ENERGY_ARAP: arap_stress(s, kappa, lambda, stress); break;
    case ENERGY_SYMMETRIC_DIRICHLET: symmetric_dirichlet_stress(s, kappa, lambda, stress); break;
    case ENERGY_SYMMETRIC_GRADIENT: symmetric_gradient_stress(s, kappa, lambda, stress); break;
    case ENERGY_NEO_HOOKEAN: neo_hookean_stress(s, kappa, lambda, stress); break;
    case ENERGY_COROTATED: corotated_stress(s, kappa, lambda, stress); break;
    case ENERGY_FIXED_COROTATED: fixed_corotated_stress(s, kappa, lambda, stress); break;
    case ENERGY_STABLE_NEO_HOOKEAN: stable_neo_hookean_stress(s, kappa, lambda, stress); break;
    default: stvk_stress(s, kappa, lambda, stress); break;
    }
}

/// The twelve second derivatives, Pa, in the order of ENERGY_HESSIAN_*.
void energy_hessian(int model, real s[3], real kappa, real lambda, out real hessian[12])
{
    switch (model) {
    case ENERGY_ARAP: arap_hessian(s, kappa, lambda, hessian); break;
    case ENERGY_SYMMETRIC_DIRICHLET: symmetric_dirichlet_hessian(s, kappa, lambda, hessian); break;
    case ENERGY_SYMMETRIC_GRADIENT: symmetric_gradient_hessian(s, kappa, lambda, hessian); break;
    case ENERGY_NEO_HOOKEAN: neo_hookean_hessian(s, kappa, lambda, hessian); break;
    case ENERGY_COROTATED: corotated_hessian(s, kappa, lambda, hessian); break;
    case ENERGY_FIXED_COROTATED: fixed_corotated_hessian(s, kappa, lambda, hessian); break;
    case ENERGY_STABLE_NEO_HOOKEAN: stable_neo_hookean_hessian(s, kappa, lambda, hessian); break;
    default: stvk_hessian(s, kappa, lambda, hessian); break;
    }
}

/// argmin over s of w psi(s) + rho/2 |s - q|^2, kappa and lambda already multiplied by w; q_0 >= q_1 >= |q_2|.
void energy_prox(int model, real q[3], real kappa, real lambda, real rho, out real s[3])
{
    switch (model) {
    case ENERGY_ARAP: arap_prox(q, kappa, lambda, rho, s); break;
    case ENERGY_SYMMETRIC_DIRICHLET: symmetric_dirichlet_prox(q, kappa, lambda, rho, s); break;
    case ENERGY_SYMMETRIC_GRADIENT: symmetric_gradient_prox(q, kappa, lambda, rho, s); break;
    case ENERGY_NEO_HOOKEAN: neo_hookean_prox(q, kappa, lambda, rho, s); break;
    case ENERGY_COROTATED: corotated_prox(q, kappa, lambda, rho, s); break;
    case ENERGY_FIXED_COROTATED: fixed_corotated_prox(q, kappa, lambda, rho, s); break;
    case ENERGY_STABLE_NEO_HOOKEAN: stable_neo_hookean_prox(q, kappa, lambda, rho, s); break;
    default: stvk_prox(q, kappa, lambda, rho, s); break;
    }
}

/// psi_ii at rest, Pa.
real energy_psi11(int model, real kappa, real lambda)
{
    switch (model) {
    case ENERGY_ARAP: return kappa;
    case ENERGY_SYMMETRIC_DIRICHLET: return 4.0 * kappa;
    case ENERGY_SYMMETRIC_GRADIENT: return 2.0 * kappa;
    case ENERGY_STABLE_NEO_HOOKEAN: return kappa + lambda;
    default: return 2.0 * kappa + lambda;
    }
}

/// Whether psi is infinite for inverted elements.
bool energy_is_barrier(int model)
{
    return model >= ENERGY_SYMMETRIC_DIRICHLET && model <= ENERGY_NEO_HOOKEAN;
}

#endif
