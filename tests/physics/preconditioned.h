/// z = P^-1 r of the CPU path's preconditioner, and what has to hold of it whatever it is made of.
#ifndef TESTS_PRECONDITIONED_H
#define TESTS_PRECONDITIONED_H

#include "physics_fixture.h"

#include "device/cpu/cpu_device.h"
#include "device/cpu/newton/newton.h"

#include <math.h>
#include <stdlib.h>

/// z = P^-1 r, 3 numbers a row of Newton's matrix; returns r.z as the preconditioner tells it.
static inline double apply_preconditioner(const Simulation *simulation, const double *r, double *z)
{
    NewtonData *newton = &((CpuDevice *)simulation->device)->newton;
    CpuPreconditioner *preconditioner = newton->linear.preconditioner;
    double product = 0;
    for (int32_t part = 0; part < newton->matrix.part_count; ++part)
        preconditioner_restrict(preconditioner, part, r);
    for (int32_t part = 0; preconditioner_has_contact(preconditioner) && part < newton->matrix.part_count;
         ++part)
        preconditioner_restrict_contact(preconditioner, part, r);
    preconditioner_begin_coarse(preconditioner);
    preconditioner_end_coarse(preconditioner);
    product += preconditioner_coarse_product(preconditioner);
    for (int32_t part = 0; part < newton->matrix.part_count; ++part)
        product += preconditioner_solve_blocks(preconditioner, part, r, z);
    for (int32_t part = 0; part < newton->matrix.part_count; ++part)
        preconditioner_turn(preconditioner, part, z, 0, z);
    return product;
}

/// P^-1 is symmetric and positive definite, and r.z what it tells.
static inline void check_symmetric_and_positive(const Simulation *simulation)
{
    const int32_t n = 3 * ((CpuDevice *)simulation->device)->newton.matrix.row_count;
    double *r[2], *z[2], products[2], own[2] = {0}, across[2] = {0}, size = 0;
    for (int k = 0; k < 2; ++k) {
        r[k] = calloc((size_t)n + 1, sizeof **r);
        z[k] = calloc((size_t)n + 1, sizeof **z);
        ck_assert(r[k] && z[k]);
        for (int32_t i = 0; i < n; ++i)
            r[k][i] = sin(1 + i * (1 + k)) / (1 + k);
        products[k] = apply_preconditioner(simulation, r[k], z[k]);
    }
    for (int32_t i = 0; i < n; ++i)
        for (int k = 0; k < 2; ++k) {
            own[k] += r[k][i] * z[k][i];
            across[k] += r[k][i] * z[1 - k][i];
            size += fabs(r[k][i] * z[1 - k][i]);
        }
    for (int k = 0; k < 2; ++k) {
        ck_assert_double_gt(own[k], 0);
        ck_assert_double_eq_tol(own[k], products[k], 1e-10 * own[k]);
        free(r[k]);
        free(z[k]);
    }
    ck_assert_double_eq_tol(across[0], across[1], 1e-11 * size);
}

/// Solves by conjugate gradients to 1e-10, with contact groups or without, for the direction to `solution`; returns their iterations.
static inline int32_t solve_direction(const Simulation *simulation, bool grouped, double *solution)
{
    CpuDevice *device = (CpuDevice *)simulation->device;
    NewtonData *newton = &device->newton;
    const NewtonSettings settings = {.linear_tolerance = 1e-10, .linear_max_iterations = 5000};
    NewtonDirection direction = {0};
    LinearReport report;
    newton->linear.alternative = INT32_MAX;
    ASSERT_OK(simulation->context,
              preconditioner_update(newton->linear.preconditioner, device->slots[SLOT_STAGE], grouped));
    cpu_newton_right(device, &direction);
    ASSERT_OK(simulation->context,
              conjugate_gradients(&newton->linear, &settings, newton->solution, &report));
    memcpy(solution, newton->solution, 3 * (size_t)newton->matrix.row_count * sizeof *solution);
    return report.iterations;
}

#endif
