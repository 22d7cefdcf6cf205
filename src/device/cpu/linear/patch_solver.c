#include "device/cpu/linear/patch_solver.h"

#include <string.h>

/// Rows of a part, about: what threads share. More parts than threads would need take no longer.
enum { ROWS_PER_PART = 64, PATCH_PARTS_MOST = 32 };

struct PatchSolver {
    const BlockMatrix *whole;
    int32_t count;
    int32_t *rows;  ///< of the whole matrix, ascending
    int32_t *index; ///< of every column of the whole matrix: its row in the patch; -1
    BlockMatrix matrix;
    ConjugateGradients linear;
    double *solution;
    size_t block_capacity, column_capacity, changing_capacity, changing_column_capacity;
    Arena arena;   ///< what has a fixed size
    Arena growing; ///< blocks
};

static VelaResult allocate(PatchSolver *solver, Preconditioner kind, int32_t most)
{
    BlockMatrix *matrix = &solver->matrix;
    Arena *arena = &solver->arena;
    TRY(ARENA_ARRAY(arena, solver->rows, most));
    TRY(ARENA_ARRAY(arena, solver->index, solver->whole->column_count));
    memset(solver->index, -1, (size_t)solver->whole->column_count * sizeof *solver->index);
    TRY(ARENA_ARRAY(arena, solver->solution, 3 * (size_t)most + 1));
    TRY(ARENA_ARRAY(arena, matrix->row_start, most + 1));
    TRY(ARENA_ARRAY(arena, matrix->diagonal, most));
    TRY(ARENA_ARRAY(arena, matrix->part_start, PATCH_PARTS_MOST + 1));
    TRY(ARENA_ARRAY(arena, matrix->changing.row_start, most));
    TRY(ARENA_ARRAY(arena, matrix->changing.row_end, most));
    matrix->row_count = matrix->column_count = most;
    matrix->coupled_count = solver->whole->coupled_count < most ? solver->whole->coupled_count : most;
    TRY(conjugate_gradients_allocate(arena, &solver->linear));
    return preconditioner_create(arena->context, kind, solver->linear.kernels, matrix, NULL, NULL,
                                 solver->linear.threads, &solver->linear.preconditioner);
}

VelaResult patch_solver_create(VelaContext *context, Preconditioner kind, const Kernels *kernels,
                               const BlockMatrix *whole, int32_t most, int threads, PatchSolver **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    PatchSolver *solver;
    TRY(ARENA_ARRAY(&arena, solver, 1));
    *solver = (PatchSolver){.whole = whole,
                            .linear = {.context = context,
                                       .kernels = kernels,
                                       .matrix = &solver->matrix,
                                       .threads = threads,
                                       .alternative = INT32_MAX},
                            .arena = arena,
                            .growing = arena_make(context)};
    const VelaResult result = allocate(solver, kind, most);
    if (result != VELA_OK) {
        patch_solver_destroy(solver);
        return result;
    }
    *out = solver;
    return VELA_OK;
}

size_t patch_solver_memory(int32_t columns, int32_t coupled, int32_t most)
{
    // Of a row five vectors, a block of the preconditioner, what says where it is; of a body's four a block of 12 x 12.
    return sizeof(int32_t) * (size_t)columns + (5 * 3 * 8 + 9 * 8 + 8 * 4) * (size_t)most +
           36 * 8 * (size_t)(coupled < most ? coupled : most);
}

void patch_solver_destroy(PatchSolver *solver)
{
    if (!solver)
        return;
    preconditioner_destroy(solver->linear.preconditioner);
    arena_clear(&solver->growing);
    Arena arena = solver->arena;
    arena_clear(&arena);
}

void patch_solver_set(PatchSolver *solver, int32_t count, const int32_t *rows)
{
    BlockMatrix *matrix = &solver->matrix;
    for (int32_t i = 0; i < solver->count; ++i)
        solver->index[solver->rows[i]] = -1;
    matrix->coupled_count = 0;
    for (int32_t i = 0; i < count; ++i) {
        solver->rows[i] = rows[i];
        solver->index[rows[i]] = i;
        matrix->coupled_count += rows[i] < solver->whole->coupled_count;
    }
    solver->count = matrix->row_count = matrix->column_count = count;
    const int32_t parts = count / ROWS_PER_PART < PATCH_PARTS_MOST ? count / ROWS_PER_PART : PATCH_PARTS_MOST;
    matrix->part_count = parts > 1 ? parts : 1;
    for (int32_t part = 0; part <= matrix->part_count; ++part)
        matrix->part_start[part] = node_groups_start(count, matrix->coupled_count, matrix->part_count, part);
}

const int32_t *patch_solver_index(const PatchSolver *solver)
{
    return solver->index;
}

// How many of the columns are rows of the patch.
static int32_t count_columns(const PatchSolver *solver, const int32_t *columns, int32_t count)
{
    int32_t found = 0;
    for (int32_t p = 0; p < count; ++p)
        found += solver->index[columns[p]] >= 0;
    return found;
}

// Room for the blocks between rows of the patch, row by row.
static VelaResult lay_out(PatchSolver *solver)
{
    const ChangingBlocks *from = &solver->whole->changing;
    BlockMatrix *matrix = &solver->matrix;
    ChangingBlocks *changing = &matrix->changing;
    int32_t changing_count = 0;
    for (int32_t i = 0; i < solver->count; ++i) {
        const int32_t row = solver->rows[i], first = solver->whole->row_start[row];
        matrix->row_start[i + 1] =
            matrix->row_start[i] +
            count_columns(solver, solver->whole->columns + first, solver->whole->row_start[row + 1] - first);
        changing->row_start[i] = changing_count;
        if (from->row_start)
            changing_count += count_columns(solver, from->columns + from->row_start[row],
                                            from->row_end[row] - from->row_start[row]);
        changing->row_end[i] = changing_count;
    }
    // Kernels read one number behind the last block.
    const size_t blocks = (size_t)matrix->row_start[solver->count] + 1, more = (size_t)changing_count + 1;
    TRY(ARENA_GROW(&solver->growing, matrix->columns, &solver->column_capacity, blocks));
    TRY(ARENA_GROW(&solver->growing, matrix->values, &solver->block_capacity, 9 * blocks));
    TRY(ARENA_GROW(&solver->growing, changing->columns, &solver->changing_column_capacity, more));
    return ARENA_GROW(&solver->growing, changing->values, &solver->changing_capacity, more);
}

// The blocks of a row of the whole matrix in columns of the patch, and where they are there.
static void copy_row(const PatchSolver *solver, const int32_t *columns, const double *values, int32_t count,
                     int32_t *to_columns, double *to_values)
{
    for (int32_t p = 0; p < count; ++p) {
        const int32_t column = solver->index[columns[p]];
        if (column < 0)
            continue;
        *to_columns++ = column;
        memcpy(to_values, values + 9 * (size_t)p, 9 * sizeof *values);
        to_values += 9;
    }
}

static VelaResult copy_blocks(PatchSolver *solver)
{
    const BlockMatrix *whole = solver->whole;
    const ChangingBlocks *from = &whole->changing;
    BlockMatrix *matrix = &solver->matrix;
    ChangingBlocks *changing = &matrix->changing;
    TRY(lay_out(solver));
#pragma omp parallel for schedule(static) num_threads(solver->linear.threads)
    for (int32_t i = 0; i < solver->count; ++i) {
        const int32_t row = solver->rows[i], first = whole->row_start[row], at = matrix->row_start[i];
        copy_row(solver, whole->columns + first, whole->values + 9 * (size_t)first,
                 whole->row_start[row + 1] - first, matrix->columns + at, matrix->values + 9 * (size_t)at);
        if (from->row_start)
            copy_row(solver, from->columns + from->row_start[row], from->values[from->row_start[row]],
                     from->row_end[row] - from->row_start[row], changing->columns + changing->row_start[i],
                     changing->values[changing->row_start[i]]);
        for (int32_t p = at; p < matrix->row_start[i + 1]; ++p)
            if (matrix->columns[p] == i)
                matrix->diagonal[i] = p;
    }
    return VELA_OK;
}

VelaResult patch_solver_solve(PatchSolver *solver, const NewtonSettings *settings, const double *right,
                              double *solution, LinearReport *report)
{
    TRY(copy_blocks(solver));
    TRY(preconditioner_update(solver->linear.preconditioner, NULL, true));
    for (int32_t i = 0; i < solver->count; ++i)
        memcpy(solver->linear.residual + 3 * (size_t)i, right + 3 * (size_t)solver->rows[i],
               3 * sizeof *right);
    TRY(conjugate_gradients(&solver->linear, settings, solver->solution, report));
    memset(solution, 0, 3 * (size_t)solver->whole->column_count * sizeof *solution);
    for (int32_t i = 0; i < solver->count; ++i)
        memcpy(solution + 3 * (size_t)solver->rows[i], solver->solution + 3 * (size_t)i,
               3 * sizeof *solution);
    return VELA_OK;
}
