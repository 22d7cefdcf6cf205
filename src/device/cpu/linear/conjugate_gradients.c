#include "device/cpu/linear/conjugate_gradients.h"

#include <math.h>
#include <string.h>

VelaResult conjugate_gradients_allocate(Arena *arena, ConjugateGradients *solver)
{
    const size_t n =
        3 * (size_t)solver->matrix->column_count; // kernels read one number more of what they multiply
    TRY(rounded_matrix_create(arena, solver->matrix, ROUNDED_BLOCKS_LEAST, solver->threads,
                              &solver->rounded));
    TRY(ARENA_ARRAY(arena, solver->shares, solver->threads));
    TRY(ARENA_ARRAY(arena, solver->residual, n + 1));
    TRY(ARENA_ARRAY(arena, solver->direction, n + 1));
    TRY(ARENA_ARRAY(arena, solver->preconditioned, n));
    return ARENA_ARRAY(arena, solver->product, n);
}

// The functions below are called by all threads of one parallel region, which share the matrix's parts. What they return is
// the same in every thread: each sums the parts itself, in their order.

static double sum_parts(const BlockMatrix *matrix, const double *sums)
{
    double sum = 0;
    for (int32_t part = 0; part < matrix->part_count; ++part)
        sum += sums[part];
    return sum;
}

// Numbers of a part of a vector.
static size_t part_size(const BlockMatrix *matrix, int32_t part)
{
    return 3 * (size_t)(matrix->part_start[part + 1] - matrix->part_start[part]);
}

// The parts of a thread: first_part to end_part - 1.
static int32_t first_part(const ConjugateGradients *solver)
{
    return solver->shares[omp_get_thread_num()];
}

static int32_t end_part(const ConjugateGradients *solver)
{
    return omp_get_thread_num() + 1 == omp_get_num_threads() ? solver->matrix->part_count
                                                             : solver->shares[omp_get_thread_num() + 1];
}

// Parts follow one another in a thread's share, which has as much to do as others': contact's blocks are where it is.
static void cut_shares(ConjugateGradients *solver)
{
    const BlockMatrix *matrix = solver->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    double blocks[PARTS_MOST + 1] = {0};
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const int32_t first = matrix->part_start[part], end = matrix->part_start[part + 1];
        blocks[part + 1] = blocks[part] + (matrix->row_start[end] - matrix->row_start[first]);
        if (changing->row_start && first < end)
            blocks[part + 1] += changing->row_end[end - 1] - changing->row_start[first];
    }
    const double all = blocks[matrix->part_count];
    int32_t part = 0;
    for (int t = 0; t < solver->threads; ++t) {
        while (part < matrix->part_count && blocks[part] + blocks[part + 1] < 2 * all * t / solver->threads)
            ++part;
        solver->shares[t] = part;
    }
}

// product = A direction; returns direction.product.
static double multiply(ConjugateGradients *solver)
{
    const BlockMatrix *matrix = solver->matrix;
    for (int32_t part = first_part(solver); part < end_part(solver); ++part) {
        const int32_t first = matrix->part_start[part], end = matrix->part_start[part + 1];
        solver->curvatures[part] =
            solver->is_rounded
                ? solver->kernels->multiply_rounded(&solver->rounded, first, end,
                                                    rounded_matrix_room(&solver->rounded), solver->direction,
                                                    solver->product)
                : solver->kernels->multiply(matrix, first, end, solver->direction, solver->product);
    }
    team_wait(&solver->team);
    return sum_parts(matrix, solver->curvatures);
}

// solution += alpha direction, residual r -= alpha product, and most of z = P^-1 r; returns r.z. Two threads solve on the
// coarse space, and do their parts of the rest where one would wait for the other, which others do meanwhile.
static double move(ConjugateGradients *solver, double alpha, double *solution)
{
    const BlockMatrix *matrix = solver->matrix;
    for (int32_t part = first_part(solver); part < end_part(solver); ++part) {
        const size_t first = 3 * (size_t)matrix->part_start[part];
        solver->kernels->add(part_size(matrix, part), -alpha, solver->product + first,
                             solver->residual + first);
        preconditioner_restrict(solver->preconditioner, part, solver->residual);
    }
    team_wait(&solver->team);
    if (preconditioner_has_contact(solver->preconditioner)) {
#pragma omp for schedule(static) nowait
        for (int32_t part = 0; part < matrix->part_count; ++part)
            preconditioner_restrict_contact(solver->preconditioner, part, solver->residual);
        team_wait(&solver->team);
    }
#pragma omp master
    solver->goes_on = context_goes_on(solver->context);
    preconditioner_begin_coarse(solver->preconditioner);
    for (int32_t part = first_part(solver); part < end_part(solver); ++part) {
        const size_t first = 3 * (size_t)matrix->part_start[part];
        solver->kernels->add(part_size(matrix, part), alpha, solver->direction + first, solution + first);
        solver->products[part] = preconditioner_solve_blocks(solver->preconditioner, part, solver->residual,
                                                             solver->preconditioned);
    }
    preconditioner_end_coarse(solver->preconditioner);
    team_wait(&solver->team);
    return sum_parts(matrix, solver->products) + preconditioner_coarse_product(solver->preconditioner);
}

// The rest of z, and direction = z + beta direction.
static void turn(ConjugateGradients *solver, double beta)
{
    for (int32_t part = first_part(solver); part < end_part(solver); ++part)
        preconditioner_turn(solver->preconditioner, part, solver->preconditioned, beta, solver->direction);
    team_wait(&solver->team);
}

// The largest component of the solution, its size.
static double find_largest(ConjugateGradients *solver, const double *solution)
{
    const BlockMatrix *matrix = solver->matrix;
    double all = 0;
    for (int32_t part = first_part(solver); part < end_part(solver); ++part) {
        double largest = 0;
        for (size_t i = 3 * (size_t)matrix->part_start[part]; i < 3 * (size_t)matrix->part_start[part + 1];
             ++i)
            largest = fmax(largest, fabs(solution[i]));
        solver->largest[part] = largest;
    }
    team_wait(&solver->team);
    for (int32_t part = 0; part < matrix->part_count; ++part)
        all = fmax(all, solver->largest[part]);
    return all;
}

/// Which way a solve goes is told from an eighth of the alternative's iterations to the next, after the first, which is often quick, but
/// from no fewer than this.
enum { WATCHED_LEAST = 5 };

// How many iterations are left until a squared norm that has fallen from `before` to `product` in the last `watched` is at `target`, if it
// goes on falling like this.
static double iterations_left(int32_t watched, double before, double product, double target)
{
    return product < before ? watched * log(target / product) / log(product / before) : INFINITY;
}

// How a solve stands to the two ends that it may have.
typedef enum Standing {
    GOES_ON,
    ENDS_ROUGH, // as the gradient asks for
    ENDS_EXACT
} Standing;

// A stage may end on a short direction, on a rough one it may not: that goes on until it is settled.
static Standing find_standing(ConjugateGradients *solver, const NewtonSettings *settings, double residual,
                              double tolerance, int32_t iterations, const double *solution)
{
    if (residual <= settings->linear_tolerance)
        return ENDS_EXACT;
    const bool is_enough = residual <= tolerance;
    if (!is_enough && (residual > settings->forcing.settled || iterations % SETTLING != 0))
        return GOES_ON;
    const double largest = find_largest(solver, solution);
    const bool is_short = largest < settings->short_direction;
    if (newton_is_settled(settings, residual, largest))
        return is_short ? ENDS_EXACT : ENDS_ROUGH;
    return is_enough && !is_short ? ENDS_ROUGH : GOES_ON;
}

// The residual that the solve seems to end at, by how long its solution is so far.
static double find_end(ConjugateGradients *solver, const NewtonSettings *settings, double tolerance,
                       const double *solution)
{
    const double largest = find_largest(solver, solution);
    if (!(largest < settings->short_direction))
        return tolerance;
    const double settled = settings->linear_tolerance * settings->short_direction / largest;
    return fmax(settings->linear_tolerance, fmin(settled, settings->forcing.settled));
}

/// Solves to less than this take the matrix as it is.
static const double ROUNDED_TOLERANCE = 1e-5;

static void iterate(ConjugateGradients *solver, const NewtonSettings *settings, double *solution,
                    LinearReport *report)
{
    double product = move(solver, 0, solution);
    const double start = product, tolerance = newton_linear_tolerance(settings, sqrt(start));
    const int32_t watched = solver->alternative / 8 > WATCHED_LEAST ? solver->alternative / 8 : WATCHED_LEAST;
    double before = start;
    Standing standing = product > 0 ? GOES_ON : ENDS_EXACT;
    turn(solver, 0);
    *report = (LinearReport){.norm = sqrt(start)};
    while (standing == GOES_ON && report->iterations < settings->linear_max_iterations && solver->goes_on) {
        const double curvature = multiply(solver);
        if (!(curvature > 0)) {
            report->indefinite = true;
            break;
        }
        const double next = move(solver, product / curvature, solution);
        ++report->iterations;
        if (!(next >= 0)) { // nor is the preconditioner, then
            report->indefinite = true;
            break;
        }
        standing =
            find_standing(solver, settings, sqrt(next / start), tolerance, report->iterations, solution);
        if (standing == GOES_ON && report->iterations % watched == 0) {
            const double end = find_end(solver, settings, tolerance, solution), target = end * end * start;
            report->left = iterations_left(watched, before, next, target);
            report->is_slow = report->iterations > watched && next > target &&
                              conjugate_gradients_clearly(report->left) > solver->alternative;
            if (report->is_slow)
                break;
            before = next;
        }
        if (standing == GOES_ON)
            turn(solver, next / product);
        product = next;
    }
    report->is_exact =
        standing == ENDS_EXACT || (standing == GOES_ON && tolerance == settings->linear_tolerance);
    report->residual = start > 0 ? sqrt(product / start) : 0;
}

VelaResult conjugate_gradients(ConjugateGradients *solver, const NewtonSettings *settings, double *solution,
                               LinearReport *report)
{
    const size_t bytes = 3 * (size_t)solver->matrix->row_count * sizeof *solution;
    memset(solution, 0, bytes);
    memset(solver->direction, 0, bytes);
    memset(solver->product, 0, bytes);
    solver->is_rounded = solver->rounded.values && settings->linear_tolerance >= ROUNDED_TOLERANCE;
    if (solver->is_rounded)
        rounded_matrix_update(&solver->rounded, solver->threads);
    cut_shares(solver);
#pragma omp parallel num_threads(solver->threads)
    {
        LinearReport mine;
        iterate(solver, settings, solution, &mine);
#pragma omp single
        *report = mine;
    }
    if (report->indefinite && report->iterations == 0)
        memcpy(solution, solver->direction, bytes);
    return context_breathe(solver->context);
}
