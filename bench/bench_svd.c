// Nanoseconds per matrix on one core: singular value decomposition (cold, warm, two blocks at once) and the prox of every
// energy model, on each instruction set. usage: bench_svd
#define _DEFAULT_SOURCE
#include <stdio.h>

#ifdef BENCH_HAVE_FORMULAS
#include "abi/energy_model.h"
#include "formula_kernels.h"
#include "random_matrix.h"

#include <time.h>

enum { BLOCKS = 512, REPEATS = 40 };

static Lanes F[BLOCKS][9], U[BLOCKS][9], s[BLOCKS][3], V[BLOCKS][9], start[BLOCKS][9], q[BLOCKS][3],
    out[BLOCKS][3];
static Lanes kappa[BLOCKS], lambda[BLOCKS], rho[BLOCKS];

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// Deformations as a simulation has them: rotation times singular values of 1 +- `strain`.
static void fill(double strain)
{
    RandomState random = {2024};
    for (int i = 0; i < BLOCKS * LANE_COUNT; ++i) {
        double values[3], matrix[9];
        for (int k = 0; k < 3; ++k)
            q[i / LANE_COUNT][k][i % LANE_COUNT] = values[k] = 1 + random_between(&random, -strain, strain);
        random_with_values(&random, values, matrix);
        for (int k = 0; k < 9; ++k)
            F[i / LANE_COUNT][k][i % LANE_COUNT] = matrix[k];
    }
    for (int b = 0; b < BLOCKS; ++b)
        kappa[b] = lanes_set(1), lambda[b] = lanes_set(4), rho[b] = lanes_set(6);
}

typedef void SvdFunction(int blocks, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9]);

/// Best of REPEATS. `disturbance`: relative change of F since V was computed; negative: V is not used.
static double time_svd(const FormulaKernels *kernels, SvdFunction *function, double disturbance)
{
    RandomState random = {7};
    static Lanes moved[BLOCKS][9];
    for (int b = 0; b < BLOCKS; ++b)
        for (int k = 0; k < 9; ++k)
            for (int lane = 0; lane < LANE_COUNT; ++lane)
                moved[b][k][lane] = F[b][k][lane] + fmax(disturbance, 0) * random_between(&random, -1, 1);
    kernels->svd(BLOCKS, (const Lanes(*)[9])F, U, s, start);
    double best = INFINITY;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        for (int b = 0; b < BLOCKS; ++b)
            for (int k = 0; k < 9; ++k)
                V[b][k] = start[b][k];
        const double begin = seconds();
        function(BLOCKS, (const Lanes(*)[9])moved, U, s, V);
        best = fmin(best, seconds() - begin);
    }
    return best / (BLOCKS * LANE_COUNT) * 1e9;
}

static double time_prox(const FormulaKernels *kernels, int model)
{
    double best = INFINITY;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        const double begin = seconds();
        kernels->prox(BLOCKS, model, (const Lanes(*)[3])q, kappa, lambda, rho, out);
        best = fmin(best, seconds() - begin);
    }
    return best / (BLOCKS * LANE_COUNT) * 1e9;
}

int main(void)
{
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    static const double strains[] = {0.01, 0.3};
    for (int i = 0; i < 2; ++i) {
        fill(strains[i]);
        printf("strain %g, ns per matrix\n%-9s %6s %6s %9s %9s %9s %9s | prox: arap, symmetric_dirichlet, "
               "symmetric_gradient, neo_hookean\n",
               strains[i], "", "cold", "two", "from same", "from 1e-5", "from 1e-3", "two, 1e-3");
        for (int k = 0; k < count; ++k) {
            printf("%-9s %6.1f %6.1f %9.1f %9.1f %9.1f %9.1f |", list[k]->name,
                   time_svd(list[k], list[k]->svd, -1), time_svd(list[k], list[k]->svd_two, -1),
                   time_svd(list[k], list[k]->svd_from, 0), time_svd(list[k], list[k]->svd_from, 1e-5),
                   time_svd(list[k], list[k]->svd_from, 1e-3),
                   time_svd(list[k], list[k]->svd_two_from, 1e-3));
            for (int model = 0; model < ENERGY_MODEL_COUNT; ++model)
                printf(" %6.1f", time_prox(list[k], model));
            printf("\n");
        }
    }
    return 0;
}
#else
int main(void)
{
    printf("built without tests (VELA_TESTS=OFF), which hold the kernels\n");
    return 0;
}
#endif
