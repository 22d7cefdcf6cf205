#include "device/cpu/conjugate_gradients.h"

#include <string.h>

/// Rows that are summed together, whatever the number of threads.
enum { ROWS_PER_CHUNK = 512 };

static int32_t chunk_count(const BlockMatrix *matrix)
{
    return (matrix->row_count + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK;
}

static int32_t chunk_end(const BlockMatrix *matrix, int32_t chunk)
{
    const int32_t end = (chunk + 1) * ROWS_PER_CHUNK;
    return end < matrix->row_count ? end : matrix->row_count;
}

static double dot_chunk(const BlockMatrix *matrix, int32_t chunk, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 3 * (size_t)chunk * ROWS_PER_CHUNK; i < 3 * (size_t)chunk_end(matrix, chunk); ++i)
        sum += a[i] * b[i];
    return sum;
}

static double sum_chunks(const ConjugateGradients *solver)
{
    double sum = 0;
    for (int32_t c = 0; c < chunk_count(solver->matrix); ++c)
        sum += solver->sums[c];
    return sum;
}

VelaResult conjugate_gradients_allocate(Arena *arena, ConjugateGradients *solver)
{
    const size_t n = 3 * (size_t)solver->matrix->column_count;
    TRY(ARENA_ARRAY(arena, solver->residual, n));
    TRY(ARENA_ARRAY(arena, solver->direction, n));
    TRY(ARENA_ARRAY(arena, solver->preconditioned, n));
    TRY(ARENA_ARRAY(arena, solver->product, n));
    return ARENA_ARRAY(arena, solver->sums, chunk_count(solver->matrix));
}

// z = P^-1 r; returns r.z.
static double precondition(ConjugateGradients *solver)
{
    preconditioner_apply(solver->preconditioner, solver->residual, solver->preconditioned);
#pragma omp parallel for schedule(static) num_threads(solver->threads)
    for (int32_t c = 0; c < chunk_count(solver->matrix); ++c)
        solver->sums[c] = dot_chunk(solver->matrix, c, solver->residual, solver->preconditioned);
    return sum_chunks(solver);
}

// product = A direction; returns direction.product.
static double multiply(ConjugateGradients *solver)
{
    const BlockMatrix *matrix = solver->matrix;
#pragma omp parallel for schedule(static) num_threads(solver->threads)
    for (int32_t c = 0; c < chunk_count(matrix); ++c) {
        solver->kernels->multiply(matrix, c * ROWS_PER_CHUNK, chunk_end(matrix, c), solver->direction,
                                  solver->product);
        solver->sums[c] = dot_chunk(matrix, c, solver->direction, solver->product);
    }
    return sum_chunks(solver);
}

void conjugate_gradients(ConjugateGradients *solver, double tolerance, int32_t max_iterations,
                         double *solution, LinearReport *report)
{
    const size_t n = 3 * (size_t)solver->matrix->row_count;
    memset(solution, 0, n * sizeof *solution);
    double product = precondition(solver);
    const double start = product, target = tolerance * tolerance * start;
    memcpy(solver->direction, solver->preconditioned, n * sizeof *solution);
    *report = (LinearReport){.norm = sqrt(start)};
    while (product > target && report->iterations < max_iterations) {
        const double curvature = multiply(solver);
        if (!(curvature > 0)) {
            report->indefinite = true;
            if (report->iterations == 0)
                memcpy(solution, solver->direction, n * sizeof *solution);
            break;
        }
        const double alpha = product / curvature;
#pragma omp parallel for schedule(static) num_threads(solver->threads)
        for (size_t i = 0; i < n; ++i) {
            solution[i] += alpha * solver->direction[i];
            solver->residual[i] -= alpha * solver->product[i];
        }
        const double next = precondition(solver), beta = next / product;
        product = next;
#pragma omp parallel for schedule(static) num_threads(solver->threads)
        for (size_t i = 0; i < n; ++i)
            solver->direction[i] = solver->preconditioned[i] + beta * solver->direction[i];
        ++report->iterations;
    }
    report->residual = start > 0 ? sqrt(product / start) : 0;
}
