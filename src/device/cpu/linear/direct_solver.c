#include "device/cpu/linear/direct_solver.h"

#ifdef VELA_HAVE_CHOLMOD

#include <cholmod.h>
#include <math.h>
#include <string.h>

/// Beyond so many iterations' worth a factor is not tried: hardly any solve takes more.
enum { DIRECT_WORTH_MOST = 150 };

/// What a factor takes beside a product of the matrix with a vector, in nanoseconds, as measured on rods, sheets and nets: for an
/// operation of the simplicial factor, for a number in it, and for a row's part of ordering and analysis; and for a block of the
/// matrix in an iteration of the conjugate gradients with all that belongs to it.
static const double PER_OPERATION = 0.6, PER_NUMBER = 8, PER_ROW = 2500, PER_BLOCK = 9;

struct DirectSolver {
    const BlockMatrix *matrix;
    cholmod_common common;
    int32_t *order;         ///< of rows, then of unknowns
    cholmod_sparse *sparse; ///< the matrix as it was analysed last
    cholmod_factor *factor; ///< of that pattern
    double iterations;      ///< that it is worth, as analysed last
    int32_t worth;
    Arena arena;
};

/// A row's blocks on the diagonal and behind it, fixed and changing ones merged: columns ascend in both.
typedef struct RowBlocks {
    const BlockMatrix *matrix;
    int32_t fixed, fixed_end, changing, changing_end;
} RowBlocks;

static RowBlocks row_blocks(const BlockMatrix *matrix, int32_t row)
{
    const ChangingBlocks *changing = &matrix->changing;
    RowBlocks blocks = {
        .matrix = matrix, .fixed = matrix->diagonal[row], .fixed_end = matrix->row_start[row + 1]};
    if (changing->row_start) {
        blocks.changing = changing->row_start[row];
        blocks.changing_end = changing->row_end[row];
        while (blocks.changing < blocks.changing_end && changing->columns[blocks.changing] < row)
            ++blocks.changing;
    }
    return blocks;
}

// The next column, -1 behind the last free one, and the one or two blocks it has.
static int32_t next_block(RowBlocks *blocks, const double *values[2])
{
    const BlockMatrix *matrix = blocks->matrix;
    const int32_t fixed = blocks->fixed < blocks->fixed_end ? matrix->columns[blocks->fixed] : INT32_MAX,
                  changing = blocks->changing < blocks->changing_end
                                 ? matrix->changing.columns[blocks->changing]
                                 : INT32_MAX,
                  column = fixed < changing ? fixed : changing;
    values[0] = values[1] = NULL;
    if (column >= matrix->row_count)
        return -1;
    if (fixed == column)
        values[0] = matrix->values + 9 * (size_t)blocks->fixed++;
    if (changing == column)
        values[1] = matrix->changing.values[blocks->changing++];
    return column;
}

static size_t count_blocks(const BlockMatrix *matrix)
{
    size_t count = 0;
    const double *values[2];
    for (int32_t row = 0; row < matrix->row_count; ++row)
        for (RowBlocks blocks = row_blocks(matrix, row); next_block(&blocks, values) >= 0;)
            ++count;
    return count;
}

// Rows of blocks are ordered, not unknowns: a ninth of the pattern.
static bool order_rows(DirectSolver *solver, size_t blocks)
{
    const BlockMatrix *matrix = solver->matrix;
    const size_t n = (size_t)matrix->row_count;
    cholmod_sparse *pattern =
        cholmod_allocate_sparse(n, n, blocks, 1, 1, -1, CHOLMOD_PATTERN, &solver->common);
    if (!pattern)
        return false;
    int32_t *start = pattern->p, *rows = pattern->i, next = 0;
    const double *values[2];
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        start[row] = next;
        RowBlocks all = row_blocks(matrix, row);
        for (int32_t column = next_block(&all, values); column >= 0; column = next_block(&all, values))
            rows[next++] = column;
    }
    start[n] = next;
    const bool done = cholmod_amd(pattern, NULL, 0, solver->order, &solver->common);
    cholmod_free_sparse(&pattern, &solver->common);
    for (size_t i = n; done && i-- > 0;)
        for (int k = 2; k >= 0; --k)
            solver->order[3 * i + (size_t)k] = 3 * solver->order[i] + k;
    return done;
}

// The lower half of the matrix, by columns; a row's blocks behind the diagonal are, transposed, those below it.
static cholmod_sparse *build_matrix(DirectSolver *solver, size_t blocks)
{
    const BlockMatrix *matrix = solver->matrix;
    const size_t n = 3 * (size_t)matrix->row_count;
    cholmod_sparse *sparse =
        cholmod_allocate_sparse(n, n, 9 * blocks, 1, 1, -1, CHOLMOD_REAL, &solver->common);
    if (!sparse)
        return NULL;
    int32_t *start = sparse->p, *rows = sparse->i, next = 0;
    double *numbers = sparse->x;
    for (int32_t row = 0; row < matrix->row_count; ++row)
        for (int l = 0; l < 3; ++l) {
            const double *values[2];
            RowBlocks all = row_blocks(matrix, row);
            start[3 * row + l] = next;
            for (int32_t column = next_block(&all, values); column >= 0; column = next_block(&all, values))
                for (int k = column == row ? l : 0; k < 3; ++k) {
                    rows[next] = 3 * column + k;
                    numbers[next++] =
                        (values[0] ? values[0][3 * k + l] : 0) + (values[1] ? values[1][3 * k + l] : 0);
                }
        }
    start[n] = next;
    return sparse;
}

// Iterations that an analysed factor is worth, by its own numbers.
static double worth(const DirectSolver *solver, size_t blocks)
{
    const double factor = PER_OPERATION * solver->common.fl + PER_NUMBER * solver->common.lnz +
                          PER_ROW * solver->matrix->row_count;
    return factor / (PER_BLOCK * 2 * (double)blocks);
}

static bool same_pattern(const cholmod_sparse *a, const cholmod_sparse *b)
{
    if (!a || !b)
        return false;
    const size_t columns = (a->ncol + 1) * sizeof(int32_t);
    return memcmp(a->p, b->p, columns) == 0 &&
           memcmp(a->i, b->i, (size_t)((const int32_t *)a->p)[a->ncol] * sizeof(int32_t)) == 0;
}

// Reads the matrix. Ordering and analysis are kept where its pattern is that of the time before: bodies in flight or at rest.
static double analyse(DirectSolver *solver)
{
    const size_t blocks = count_blocks(solver->matrix);
    cholmod_sparse *sparse = build_matrix(solver, blocks);
    if (!solver->factor || !same_pattern(sparse, solver->sparse)) {
        cholmod_free_factor(&solver->factor, &solver->common);
        if (sparse && order_rows(solver, blocks))
            solver->factor = cholmod_analyze_p(sparse, solver->order, NULL, 0, &solver->common);
        solver->iterations = solver->factor ? worth(solver, blocks) : INFINITY;
    }
    cholmod_free_sparse(&solver->sparse, &solver->common);
    solver->sparse = sparse;
    return solver->iterations;
}

VelaResult direct_solver_create(VelaContext *context, const BlockMatrix *matrix, DirectSolver **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    DirectSolver *solver;
    TRY(ARENA_ARRAY(&arena, solver, 1));
    *solver = (DirectSolver){.matrix = matrix};
    const VelaResult result = ARENA_ARRAY(&arena, solver->order, 3 * (size_t)matrix->row_count);
    solver->arena = arena;
    cholmod_start(&solver->common);
    solver->common.print = 0;
    // The simplicial factor needs no BLAS, whose sums may depend on threads.
    solver->common.supernodal = CHOLMOD_SIMPLICIAL;
    solver->common.nmethods = 1;
    solver->common.method[0].ordering = CHOLMOD_GIVEN;
    const double iterations = result == VELA_OK && matrix->row_count > 0 ? analyse(solver) : INFINITY;
    if (!(iterations <= DIRECT_WORTH_MOST)) {
        direct_solver_destroy(solver);
        return result;
    }
    solver->worth = (int32_t)iterations;
    *out = solver;
    return VELA_OK;
}

size_t direct_solver_memory(int32_t rows)
{
    return 3 * sizeof(int32_t) * (size_t)rows;
}

int32_t direct_solver_worth(const DirectSolver *solver)
{
    return solver->worth;
}

bool direct_solver_analyse(DirectSolver *solver)
{
    return analyse(solver) <= DIRECT_WORTH_MOST;
}

bool direct_solver_solve(DirectSolver *solver, const double *right, double *solution)
{
    const BlockMatrix *matrix = solver->matrix;
    const size_t n = 3 * (size_t)matrix->row_count;
    bool done = cholmod_factorize(solver->sparse, solver->factor, &solver->common) &&
                solver->common.status == CHOLMOD_OK;
    // L D L^T goes on where a pivot is not positive.
    const int32_t *columns = solver->factor->p;
    for (size_t j = 0; done && j < n; ++j)
        done = ((const double *)solver->factor->x)[columns[j]] > 0;
    cholmod_dense b = {
        .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = (void *)(uintptr_t)right, .xtype = CHOLMOD_REAL};
    cholmod_dense *x = done ? cholmod_solve(CHOLMOD_A, solver->factor, &b, &solver->common) : NULL;
    if (x)
        memcpy(solution, x->x, n * sizeof *solution);
    cholmod_free_dense(&x, &solver->common);
    return done && solver->common.status == CHOLMOD_OK;
}

void direct_solver_destroy(DirectSolver *solver)
{
    if (!solver)
        return;
    cholmod_free_sparse(&solver->sparse, &solver->common);
    cholmod_free_factor(&solver->factor, &solver->common);
    cholmod_finish(&solver->common);
    Arena arena = solver->arena;
    arena_clear(&arena);
}

#else

VelaResult direct_solver_create(VelaContext *context, const BlockMatrix *matrix, DirectSolver **solver)
{
    (void)context;
    (void)matrix;
    *solver = NULL;
    return VELA_OK;
}

size_t direct_solver_memory(int32_t rows)
{
    (void)rows;
    return 0;
}

int32_t direct_solver_worth(const DirectSolver *solver)
{
    (void)solver;
    return INT32_MAX;
}

bool direct_solver_analyse(DirectSolver *solver)
{
    (void)solver;
    return false;
}

bool direct_solver_solve(DirectSolver *solver, const double *right, double *solution)
{
    (void)solver;
    (void)right;
    (void)solution;
    return false;
}

void direct_solver_destroy(DirectSolver *solver)
{
    (void)solver;
}

#endif
