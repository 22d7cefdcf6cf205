// Compiled once for every instruction set, with KERNEL_ISA set to its name.
#include "formula_kernels.h"

#include "base/svd3.h"
#include "physics/energy/energy.h"
#include "physics/energy/projected_hessian.h"

static void run_log(int blocks, const Lanes *x, Lanes *out)
{
    for (int b = 0; b < blocks; ++b)
        out[b] = lanes_log(x[b]);
}

static void run_exp(int blocks, const Lanes *x, Lanes *out)
{
    for (int b = 0; b < blocks; ++b)
        out[b] = lanes_exp(x[b]);
}

static void run_svd(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9])
{
    for (int b = 0; b < blocks; ++b)
        svd3(F[b], U[b], s[b], V[b]);
}

static void run_svd_from(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9])
{
    for (int b = 0; b < blocks; ++b)
        svd3_from(F[b], U[b], s[b], V[b]);
}

static void run_svd_two(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9])
{
    for (int b = 0; b < blocks; b += 2)
        svd3_two(F + b, U + b, s + b, V + b);
}

static void run_svd_two_from(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9])
{
    for (int b = 0; b < blocks; b += 2)
        svd3_two_from(F + b, U + b, s + b, V + b);
}

static void run_density(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa, const Lanes *lambda,
                        Lanes *out)
{
    for (int b = 0; b < blocks; ++b)
        out[b] = energy_density(model, s[b], kappa[b], lambda[b]);
}

static void run_above_rest(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa,
                           const Lanes *lambda, Lanes *out)
{
    for (int b = 0; b < blocks; ++b)
        out[b] = energy_density_above_rest(model, s[b], kappa[b], lambda[b]);
}

static void run_stress(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa, const Lanes *lambda,
                       Lanes (*out)[3])
{
    for (int b = 0; b < blocks; ++b)
        energy_stress(model, s[b], kappa[b], lambda[b], out[b]);
}

static void run_hessian(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa, const Lanes *lambda,
                        Lanes (*out)[12])
{
    for (int b = 0; b < blocks; ++b)
        energy_hessian(model, s[b], kappa[b], lambda[b], out[b]);
}

static void run_prox(int blocks, int model, const Lanes (*q)[3], const Lanes *kappa, const Lanes *lambda,
                     const Lanes *rho, Lanes (*s)[3])
{
    for (int b = 0; b < blocks; ++b)
        energy_prox(model, q[b], kappa[b], lambda[b], rho[b], s[b]);
}

static void run_piola(int blocks, const Lanes (*U)[9], const Lanes (*stress)[3], const Lanes (*V)[9],
                      Lanes (*P)[9])
{
    for (int b = 0; b < blocks; ++b)
        piola_stress(U[b], stress[b], V[b], P[b]);
}

static void run_assemble(int blocks, bool project, const Lanes (*hessian)[12], const Lanes (*U)[9],
                         const Lanes (*V)[9], Lanes (*H)[81])
{
    for (int b = 0; b < blocks; ++b)
        projected_hessian(hessian[b], U[b], V[b], project, H[b]);
}

#define KERNELS_NAME_OF(isa) formula_kernels_##isa
#define KERNELS_NAME(isa) KERNELS_NAME_OF(isa)
#define TEXT_OF(isa) #isa
#define TEXT(isa) TEXT_OF(isa)

const FormulaKernels KERNELS_NAME(KERNEL_ISA) = {
    .name = TEXT(KERNEL_ISA),
    .log = run_log,
    .exp = run_exp,
    .svd = run_svd,
    .svd_from = run_svd_from,
    .svd_two = run_svd_two,
    .svd_two_from = run_svd_two_from,
    .density = run_density,
    .above_rest = run_above_rest,
    .stress = run_stress,
    .hessian = run_hessian,
    .prox = run_prox,
    .piola = run_piola,
    .assemble = run_assemble,
};
