#include "device/cpu/linear/cholesky.h"

#include <string.h>

// ---------------------------------------------------------------- the plan

// The elimination tree of a matrix in an order, by J. W. H. Liu's walks over compressed paths.
static void find_tree(const SymmetricRows *matrix, const int32_t *order, const int32_t *places,
                      int32_t *parent, int32_t *ancestor)
{
    for (int32_t k = 0; k < matrix->count; ++k) {
        parent[k] = ancestor[k] = -1;
        for (int64_t p = matrix->start[order[k]]; p < matrix->start[order[k] + 1]; ++p)
            for (int32_t i = places[matrix->columns[p]], up; i >= 0 && i < k; i = up) {
                up = ancestor[i];
                ancestor[i] = k;
                if (up < 0)
                    parent[i] = k;
            }
    }
}

// New places such that every subtree is a range that ends with its root. `sizes`: of subtrees, `ends`: of what is left of their ranges.
static void number_tree(int32_t count, const int32_t *parent, int32_t *sizes, int32_t *ends, int32_t *numbers)
{
    int32_t end = count;
    for (int32_t k = 0; k < count; ++k)
        sizes[k] = 1;
    for (int32_t k = 0; k < count; ++k)
        if (parent[k] >= 0)
            sizes[parent[k]] += sizes[k];
    for (int32_t k = count; k-- > 0;) {
        int32_t *left = parent[k] >= 0 ? &ends[parent[k]] : &end;
        numbers[k] = ends[k] = *left - 1;
        *left -= sizes[k];
    }
}

// Entries of every column, by a walk over the subtree that each row of the factor is. `seen`: the last row that has met a column.
static void count_entries(const SymmetricRows *matrix, CholeskyPlan *plan, int32_t *seen)
{
    for (int32_t k = 0; k < plan->count; ++k) {
        seen[k] = k;
        for (int64_t p = matrix->start[plan->order[k]]; p < matrix->start[plan->order[k] + 1]; ++p)
            for (int32_t i = plan->places[matrix->columns[p]]; i < k && seen[i] != k; i = plan->parent[i]) {
                seen[i] = k;
                ++plan->start[i + 1];
            }
    }
    for (int32_t k = 0; k < plan->count; ++k)
        plan->start[k + 1] += plan->start[k];
}

static VelaResult make_plan(const SymmetricRows *matrix, const int32_t *order, Arena *arena, Arena *scratch,
                            CholeskyPlan *plan)
{
    const int32_t count = matrix->count;
    int32_t *parent, *work, *ends, *numbers;
    *plan = (CholeskyPlan){.count = count};
    TRY(ARENA_ARRAY(arena, plan->order, count));
    TRY(ARENA_ARRAY(arena, plan->places, count));
    TRY(ARENA_ARRAY(arena, plan->parent, count));
    TRY(ARENA_ARRAY(arena, plan->start, (size_t)count + 1));
    TRY(ARENA_ARRAY(scratch, parent, count));
    TRY(ARENA_ARRAY(scratch, work, count));
    TRY(ARENA_ARRAY(scratch, ends, count));
    TRY(ARENA_ARRAY(scratch, numbers, count));
    for (int32_t k = 0; k < count; ++k)
        plan->places[order[k]] = k;
    find_tree(matrix, order, plan->places, parent, work);
    number_tree(count, parent, work, ends, numbers);
    for (int32_t k = 0; k < count; ++k) {
        plan->order[numbers[k]] = order[k];
        plan->places[order[k]] = numbers[k];
        plan->parent[numbers[k]] = parent[k] >= 0 ? numbers[parent[k]] : -1;
    }
    count_entries(matrix, plan, work);
    return VELA_OK;
}

VelaResult cholesky_plan(const SymmetricRows *matrix, const int32_t *order, Arena *arena, CholeskyPlan *plan)
{
    Arena scratch = arena_make(arena->context);
    const VelaResult result = make_plan(matrix, order, arena, &scratch, plan);
    arena_clear(&scratch);
    return result;
}

// ---------------------------------------------------------------- the numbers

static VelaResult fill(VelaContext *context, Cholesky *cholesky, const Kernels *kernels, int threads,
                       Arena *scratch)
{
    const CholeskyPlan *plan = cholesky->plan;
    const Factor *factor = cholesky->factor;
    int bad = 0;
    TRY(ARENA_ARRAY(scratch, cholesky->next, plan->count));
    TRY(ARENA_ARRAY(scratch, cholesky->rows_with, plan->count));
    TRY(ARENA_ARRAY(scratch, cholesky->path, plan->count));
    TRY(ARENA_ARRAY(scratch, cholesky->stack, plan->count));
    memcpy(cholesky->next, plan->start, (size_t)plan->count * sizeof *plan->start);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(+ : bad)
    for (int32_t k = 0; k < factor->subtree_count; ++k) {
        const Subtree *subtree = &factor->subtrees[k];
        bad += !kernels->factor_rows(cholesky, subtree->first, subtree->first, subtree->end);
    }
    for (int32_t t = 0, end; t < factor->top_count && bad == 0; t = end) {
        const int32_t first = factor->top_columns[t];
        for (end = t + 1; end < factor->top_count && factor->top_columns[end] == first + end - t; ++end)
            continue;
        bad += !kernels->factor_rows(cholesky, 0, first, first + end - t);
    }
    FAIL_IF(context, bad > 0, VELA_ERROR_NOT_CONVERGED,
            "a matrix that has to be positive definite is not, or is not finite");
    return VELA_OK;
}

VelaResult cholesky_factor(VelaContext *context, const CholeskyPlan *plan, const SymmetricRows *matrix,
                           const Kernels *kernels, int threads, Factor **out)
{
    *out = NULL;
    Factor *factor;
    TRY(factor_create(context, plan->count, plan->start, plan->parent, plan->order, &factor));
    Arena scratch = arena_make(context);
    Cholesky cholesky = {.plan = plan, .matrix = matrix, .factor = factor};
    const VelaResult result = fill(context, &cholesky, kernels, threads, &scratch);
    arena_clear(&scratch);
    if (result != VELA_OK) {
        factor_destroy(factor);
        return result;
    }
    factor_finish(factor);
    *out = factor;
    return VELA_OK;
}
