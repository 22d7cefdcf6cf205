#include "device/cpu/constraints/minres.h"

#include "base/matrix3.h"
#include "model/constraints.h"

#include <math.h>
#include <string.h>

/// A row of a constraint depends on those before it where they leave so little of its diagonal.
static const double DEPENDENT = 1e-11;

/// Beside the largest value of the preconditioned matrix, |K r|/|r| of this size says that what is left of r is out of its reach: the
/// right-hand side asks for what cannot be had together.
static const double UNREACHABLE = 1e-9;

static VelaResult allocate_vector(Arena *arena, const Minres *minres, SaddleVector *vector)
{
    TRY(ARENA_ARRAY(arena, vector->d, 3 * (size_t)minres->matrix->column_count + 1));
    return ARENA_ARRAY(arena, vector->lambda, minres->rows->row_count);
}

VelaResult minres_allocate(Arena *arena, Minres *minres)
{
    SaddleVector *const vectors[] = {&minres->solution,      &minres->direction, &minres->residual,
                                     &minres->last_residual, &minres->product,   &minres->preconditioned,
                                     &minres->step,          &minres->last_step};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
        TRY(allocate_vector(arena, minres, vectors[i]));
    minres->chunk_count = (minres->rows->count + CONSTRAINTS_PER_CHUNK - 1) / CONSTRAINTS_PER_CHUNK;
    TRY(ARENA_ARRAY(arena, minres->curvatures, minres->matrix->part_count + minres->chunk_count));
    TRY(ARENA_ARRAY(arena, minres->products, minres->matrix->part_count + minres->chunk_count));
    return ARENA_ARRAY(arena, minres->factors, minres->rows->count);
}

size_t minres_memory(const Model *model)
{
    return 8 * 8 * (3 * (size_t)model->node_count + (size_t)model->constraint_row_count) +
           sizeof(ConstraintBlock) * (size_t)model->constraint_count;
}

static int32_t chunk_last(const Minres *minres, int32_t chunk)
{
    const int32_t end = (chunk + 1) * CONSTRAINTS_PER_CHUNK;
    return end < minres->rows->count ? end : minres->rows->count;
}

static int row_count(const Minres *minres, int32_t constraint)
{
    return constraint_kinds[minres->rows->model->constraints[constraint].kind].rows;
}

// ---------------------------------------------------------------- the preconditioner

// block += J D^-1 J^T of the nodes of one block of D, which is met at the entry `entry`.
static void add_node_block(const Minres *minres, int32_t constraint, int32_t entry, double *block)
{
    enum { NODES_MOST = 4 };
    const ConstraintRows *rows = minres->rows;
    const int count = row_count(minres, constraint);
    double slopes[CONSTRAINT_ROWS_MOST][3 * NODES_MOST] = {0}, solved[3 * NODES_MOST];
    int32_t first;
    const int32_t nodes = preconditioner_block(minres->preconditioner, rows->places[entry], &first);
    for (int32_t e = rows->start[constraint]; e < rows->start[constraint + 1]; ++e) {
        const int32_t at = rows->places[e] - first;
        if (at < 0 || at >= nodes)
            continue;
        if (e < entry)
            return; // an earlier entry has met it
        for (int r = 0; r < count; ++r)
            memcpy(slopes[r] + 3 * at, rows->slopes[e] + 3 * r, 3 * sizeof(double));
    }
    for (int r = 0; r < count; ++r) {
        preconditioner_solve_block(minres->preconditioner, first, slopes[r], solved);
        for (int q = r; q < count; ++q)
            for (int i = 0; i < 3 * nodes; ++i)
                block[CONSTRAINT_ROWS_MOST * q + r] += slopes[q][i] * solved[i];
    }
}

// L D L^T in place, 1/D on the diagonal. Returns how many rows depend on those before them.
static int32_t factor_rows(int count, double *block)
{
    double pivots[CONSTRAINT_ROWS_MOST];
    int32_t dependent = 0;
    for (int k = 0; k < count; ++k) {
        double *own = block + CONSTRAINT_ROWS_MOST * (size_t)k;
        double pivot = own[k];
        for (int j = 0; j < k; ++j) {
            double sum = own[j];
            for (int i = 0; i < j; ++i)
                sum -= own[i] * pivots[i] * block[CONSTRAINT_ROWS_MOST * j + i];
            own[j] = pivots[j] > 0 ? sum / pivots[j] : 0;
            pivot -= own[j] * own[j] * pivots[j];
        }
        const bool depends = !(pivot > DEPENDENT * own[k]);
        dependent += depends;
        pivots[k] = depends ? 0 : pivot;
        for (int j = 0; j < k && depends; ++j)
            own[j] = 0;
    }
    for (int k = 0; k < count; ++k)
        block[(CONSTRAINT_ROWS_MOST + 1) * k] = pivots[k] > 0 ? 1 / pivots[k] : 0;
    return dependent;
}

static int32_t factor_constraint(Minres *minres, int32_t constraint)
{
    const ConstraintRows *rows = minres->rows;
    const int count = row_count(minres, constraint);
    double *block = minres->factors[constraint];
    bool is_free = false;
    memset(block, 0, sizeof *minres->factors);
    for (int r = 0; r < count; ++r) {
        double unit[CONSTRAINT_ROWS_MOST] = {0}, column[CONSTRAINT_ROWS_MOST];
        unit[r] = 1;
        model_constraint_compliance(&rows->model->constraints[constraint], unit, column);
        for (int q = r; q < count; ++q)
            block[CONSTRAINT_ROWS_MOST * q + r] = column[q];
    }
    for (int32_t e = rows->start[constraint]; e < rows->start[constraint + 1]; ++e)
        if (rows->places[e] < minres->matrix->row_count) {
            add_node_block(minres, constraint, e, block);
            is_free = true;
        }
    const int32_t dependent = factor_rows(count, block);
    if (!is_free)
        memset(block, 0, sizeof *minres->factors);
    return is_free ? dependent : 0;
}

int32_t minres_update(Minres *minres)
{
    int32_t dependent = 0;
    preconditioner_update(minres->preconditioner, NULL, false); // which needs no memory
#pragma omp parallel for schedule(static) reduction(+ : dependent) num_threads(minres->threads)
    for (int32_t chunk = 0; chunk < minres->chunk_count; ++chunk)
        for (int32_t c = chunk * CONSTRAINTS_PER_CHUNK; c < chunk_last(minres, chunk); ++c)
            dependent += factor_constraint(minres, c);
    return dependent;
}

bool minres_left_out(const Minres *minres, int32_t constraint, int32_t row)
{
    return minres->factors[constraint][(CONSTRAINT_ROWS_MOST + 1) * row] == 0;
}

// z = (L D L^T)^-1 r.
static void solve_rows(int count, const double *factor, const double *r, double *z)
{
    for (int i = 0; i < count; ++i) {
        double sum = r[i];
        for (int k = 0; k < i; ++k)
            sum -= factor[CONSTRAINT_ROWS_MOST * i + k] * z[k];
        z[i] = sum;
    }
    for (int i = count - 1; i >= 0; --i) {
        double sum = factor[(CONSTRAINT_ROWS_MOST + 1) * i] * z[i];
        for (int k = i + 1; k < count; ++k)
            sum -= factor[CONSTRAINT_ROWS_MOST * k + i] * z[k];
        z[i] = factor[(CONSTRAINT_ROWS_MOST + 1) * i] > 0 ? sum : 0;
    }
}

// ---------------------------------------------------------------- an iteration

// The functions below are called by all threads of one parallel region. What they return is the same in every thread: each adds the
// sums of parts and chunks itself, in their order. With -lambda for lambda K is [A J^T; J -C].

static double add_sums(const Minres *minres, const double *sums)
{
    double sum = 0;
    for (int32_t i = 0; i < minres->matrix->part_count + minres->chunk_count; ++i)
        sum += sums[i];
    return sum;
}

// product = K direction - factor last_residual; returns direction.product.
static double multiply(Minres *minres, double factor)
{
    const BlockMatrix *matrix = minres->matrix;
    const ConstraintRows *rows = minres->rows;
    const SaddleVector in = minres->direction, out = minres->product, last = minres->last_residual;
#pragma omp for schedule(static) nowait
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const int32_t first = matrix->part_start[part], end = matrix->part_start[part + 1];
        double sum = 0;
        minres->kernels->multiply(matrix, first, end, in.d, out.d);
        constraint_rows_pull(rows, first, end, in.lambda, out.d);
        for (size_t i = 3 * (size_t)first; i < 3 * (size_t)end; ++i) {
            out.d[i] -= factor * last.d[i];
            sum += in.d[i] * out.d[i];
        }
        minres->curvatures[part] = sum;
    }
#pragma omp for schedule(static) nowait
    for (int32_t chunk = 0; chunk < minres->chunk_count; ++chunk) {
        const int32_t first = chunk * CONSTRAINTS_PER_CHUNK, end = chunk_last(minres, chunk);
        double sum = 0;
        constraint_rows_multiply(rows, first, end, in.d, out.lambda);
        for (int32_t c = first; c < end; ++c) {
            const ModelConstraint *constraint = &rows->model->constraints[c];
            double held[CONSTRAINT_ROWS_MOST];
            model_constraint_compliance(constraint, in.lambda + constraint->first_row, held);
            for (int r = 0; r < row_count(minres, c); ++r) {
                const int32_t row = constraint->first_row + r;
                out.lambda[row] = rows->active[c] ? out.lambda[row] - held[r] - factor * last.lambda[row] : 0;
                sum += in.lambda[row] * out.lambda[row];
            }
        }
        minres->curvatures[matrix->part_count + chunk] = sum;
    }
    team_wait(&minres->team);
    return add_sums(minres, minres->curvatures);
}

// product -= factor residual, then preconditioned = P^-1 product; returns product.preconditioned.
static double precondition(Minres *minres, double factor)
{
    const BlockMatrix *matrix = minres->matrix;
    const ConstraintRows *rows = minres->rows;
    const SaddleVector out = minres->product, residual = minres->residual, z = minres->preconditioned;
#pragma omp for schedule(static) nowait
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        for (size_t i = 3 * (size_t)matrix->part_start[part]; i < 3 * (size_t)matrix->part_start[part + 1];
             ++i)
            out.d[i] -= factor * residual.d[i];
        minres->products[part] = preconditioner_solve_blocks(minres->preconditioner, part, out.d, z.d);
    }
#pragma omp master
    minres->goes_on = context_goes_on(minres->context);
#pragma omp for schedule(static) nowait
    for (int32_t chunk = 0; chunk < minres->chunk_count; ++chunk) {
        double sum = 0;
        for (int32_t c = chunk * CONSTRAINTS_PER_CHUNK; c < chunk_last(minres, chunk); ++c) {
            const int32_t first = rows->model->constraints[c].first_row, count = row_count(minres, c);
            for (int32_t row = first; row < first + count; ++row)
                out.lambda[row] -= factor * residual.lambda[row];
            if (rows->active[c])
                solve_rows(count, minres->factors[c], out.lambda + first, z.lambda + first);
            else
                memset(z.lambda + first, 0, (size_t)count * sizeof *z.lambda);
            for (int32_t row = first; row < first + count; ++row)
                sum += out.lambda[row] * z.lambda[row];
        }
        minres->products[matrix->part_count + chunk] = sum;
    }
    team_wait(&minres->team);
    return add_sums(minres, minres->products);
}

/// What an iteration does with its vectors: step = (direction - last last_step - before step_before)/size, solution += way step,
/// direction = preconditioned/norm.
typedef struct Move {
    double before, last, size, way, norm;
} Move;

static void move_numbers(size_t first, size_t end, const Move *move, const double *preconditioned,
                         double *direction, double *before, const double *last, double *solution)
{
    for (size_t i = first; i < end; ++i) {
        before[i] = (direction[i] - move->before * before[i] - move->last * last[i]) / move->size;
        solution[i] += move->way * before[i];
        direction[i] = preconditioned[i] / move->norm;
    }
}

// last_step holds the step before the last one, and gets the new one.
static void move(Minres *minres, const Move *move)
{
    const BlockMatrix *matrix = minres->matrix;
    const ConstraintRows *rows = minres->rows;
    const SaddleVector z = minres->preconditioned, direction = minres->direction, before = minres->last_step,
                       last = minres->step, solution = minres->solution;
#pragma omp for schedule(static) nowait
    for (int32_t part = 0; part < matrix->part_count; ++part)
        move_numbers(3 * (size_t)matrix->part_start[part], 3 * (size_t)matrix->part_start[part + 1], move,
                     z.d, direction.d, before.d, last.d, solution.d);
#pragma omp for schedule(static) nowait
    for (int32_t chunk = 0; chunk < minres->chunk_count; ++chunk) {
        const ModelConstraint *constraints = rows->model->constraints;
        const int32_t end = chunk_last(minres, chunk);
        move_numbers((size_t)constraints[chunk * CONSTRAINTS_PER_CHUNK].first_row,
                     (size_t)(end < rows->count ? constraints[end].first_row : rows->row_count), move,
                     z.lambda, direction.lambda, before.lambda, last.lambda, solution.lambda);
    }
    team_wait(&minres->team);
}

static void turn_vectors(Minres *minres)
{
#pragma omp master
    {
        const SaddleVector unused = minres->last_residual, step = minres->last_step;
        minres->last_residual = minres->residual;
        minres->residual = minres->product;
        minres->product = unused;
        minres->last_step = minres->step;
        minres->step = step;
    }
    team_wait(&minres->team);
}

// ---------------------------------------------------------------- the method

double minres_begin(Minres *minres, const double *d, const double *lambda)
{
    const size_t nodes = 3 * (size_t)minres->matrix->row_count * sizeof(double),
                 rows = (size_t)minres->rows->row_count * sizeof(double);
    const SaddleVector cleared[] = {minres->solution,      minres->direction, minres->residual,
                                    minres->last_residual, minres->step,      minres->last_step};
    for (size_t i = 0; i < sizeof cleared / sizeof *cleared; ++i) {
        memset(cleared[i].d, 0, nodes);
        memset(cleared[i].lambda, 0, rows);
    }
    memcpy(minres->product.d, d, nodes);
    for (int32_t i = 0; i < minres->rows->row_count; ++i)
        minres->product.lambda[i] = -lambda[i];
#pragma omp parallel num_threads(minres->threads)
    {
        const double product = precondition(minres, 0);
#pragma omp single
        minres->norm = sqrt(product);
    }
    return minres->norm;
}

// Lanczos's vectors v (direction) and the residuals behind them make K tridiagonal (`diagonal`, `norm`); rotations (cosine, sine) make
// that triangular: `size` on the diagonal, `next` and `after` right of it, one and two columns further on.
static void iterate(Minres *minres, double target, int32_t max_iterations, MinresReport *report)
{
    double norm = minres->norm, last_norm = 0, cosine = -1, sine = 0, next = 0, after = 0, left = norm,
           largest = 0;
    *report = (MinresReport){.residual = norm, .is_finite = isfinite(norm)};
    if (!report->is_finite || !(norm > target))
        return;
    // The first direction; the steps are 0 so far.
    move(minres, &(Move){.size = 1, .norm = norm});
    turn_vectors(minres);
    while (report->iterations < max_iterations && minres->goes_on) {
        const double diagonal = multiply(minres, report->iterations > 0 ? norm / last_norm : 0);
        last_norm = norm;
        norm = sqrt(fmax(precondition(minres, diagonal / norm), 0));
        const double before = after, last = cosine * next + sine * diagonal;
        const double rest = sine * next - cosine * diagonal;
        after = sine * norm;
        next = -cosine * norm;
        const double size = hypot(rest, norm), reach = hypot(rest, next);
        largest = fmax(largest, size);
        // |K r|/|r| of what was left before.
        if (!isfinite(size) || reach <= UNREACHABLE * largest) {
            report->is_finite = isfinite(size);
            break;
        }
        cosine = rest / size;
        sine = norm / size;
        move(minres,
             &(Move){.before = before, .last = last, .size = size, .way = cosine * left, .norm = norm});
        turn_vectors(minres);
        left *= sine;
        ++report->iterations;
        if (!(left > target) || norm == 0)
            break;
    }
    report->residual = left;
}

VelaResult minres_solve(Minres *minres, double target, int32_t max_iterations, MinresReport *report)
{
#pragma omp parallel num_threads(minres->threads)
    {
        MinresReport mine;
        iterate(minres, target, max_iterations, &mine);
#pragma omp single
        *report = mine;
    }
    for (int32_t i = 0; i < minres->rows->row_count; ++i)
        minres->solution.lambda[i] = -minres->solution.lambda[i];
    return context_breathe(minres->context);
}
