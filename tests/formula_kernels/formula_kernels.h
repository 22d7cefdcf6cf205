/// The formulas written in Lanes, compiled once for every instruction set, so that tests can compare the bits and
/// benchmarks the speed. All arrays are of Lanes; `blocks` is their number.
#ifndef TESTS_FORMULA_KERNELS_H
#define TESTS_FORMULA_KERNELS_H

#include "base/lanes.h"

typedef struct FormulaKernels {
    const char *name;
    void (*log)(int blocks, const Lanes *x, Lanes *out);
    void (*exp)(int blocks, const Lanes *x, Lanes *out);
    void (*svd)(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9]);
    void (*svd_from)(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9]);
    /// Two blocks at once; `blocks` is even.
    void (*svd_two)(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9]);
    void (*svd_two_from)(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9]);
    void (*density)(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa, const Lanes *lambda,
                    Lanes *out);
    void (*above_rest)(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa, const Lanes *lambda,
                       Lanes *out);
    void (*stress)(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa, const Lanes *lambda,
                   Lanes (*out)[3]);
    void (*hessian)(int blocks, int model, const Lanes (*s)[3], const Lanes *kappa, const Lanes *lambda,
                    Lanes (*out)[12]);
    void (*prox)(int blocks, int model, const Lanes (*q)[3], const Lanes *kappa, const Lanes *lambda,
                 const Lanes *rho, Lanes (*s)[3]);
    void (*piola)(int blocks, const Lanes (*U)[9], const Lanes (*stress)[3], const Lanes (*V)[9],
                  Lanes (*P)[9]);
    void (*assemble)(int blocks, bool project, const Lanes (*hessian)[12], const Lanes (*U)[9],
                     const Lanes (*V)[9], Lanes (*H)[81]);
} FormulaKernels;

extern const FormulaKernels formula_kernels_baseline;
#if defined(VELA_X86_64)
extern const FormulaKernels formula_kernels_avx2;
extern const FormulaKernels formula_kernels_avx512;
#endif

/// Those that this processor can run, the baseline first; returns how many.
static inline int formula_kernels_list(const FormulaKernels *list[3])
{
    int count = 0;
    list[count++] = &formula_kernels_baseline;
#if defined(VELA_X86_64)
    if (__builtin_cpu_supports("avx2"))
        list[count++] = &formula_kernels_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        list[count++] = &formula_kernels_avx512;
#endif
    return count;
}

#endif
