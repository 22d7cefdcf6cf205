#include "device/cpu/linear/block_matrix.h"

#include <stdlib.h>
#include <string.h>

static int compare_indices(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int32_t block_matrix_find(const BlockMatrix *matrix, int32_t row, int32_t column)
{
    const int32_t first = matrix->row_start[row];
    const int32_t *found =
        bsearch(&column, matrix->columns + first, (size_t)(matrix->row_start[row + 1] - first), sizeof column,
                compare_indices);
    return (int32_t)(found - matrix->columns);
}

// The model's node graph, renumbered.
static VelaResult build_pattern(const Model *model, Arena *arena, BlockMatrix *matrix)
{
    const NodeOrder *order = &model->order;
    const int32_t rows = order->free_count;
    size_t count = 0;
    for (int32_t i = 0; i < rows; ++i) {
        const int32_t node = order->nodes[i];
        count += (size_t)(model->row_start[node + 1] - model->row_start[node]);
    }
    matrix->row_count = rows;
    matrix->coupled_count = order->coupled_count;
    matrix->column_count = model->node_count;
    int32_t starts[PARTS_MOST + 1];
    matrix->part_count = matrix_parts_cut(model, starts);
    TRY(ARENA_ARRAY(arena, matrix->part_start, matrix->part_count + 1));
    memcpy(matrix->part_start, starts, ((size_t)matrix->part_count + 1) * sizeof *starts);
    TRY(ARENA_ARRAY(arena, matrix->row_start, rows + 1));
    TRY(ARENA_ARRAY(arena, matrix->columns, count));
    TRY(ARENA_ARRAY(arena, matrix->mirror, count));
    TRY(ARENA_ARRAY(arena, matrix->diagonal, rows));
    TRY(ARENA_ARRAY(arena, matrix->values, 9 * count + 1));
    if (order->stack_of) {
        TRY(ARENA_ARRAY(arena, matrix->stack_of, rows));
        TRY(ARENA_ARRAY(arena, matrix->stack_moves, rows));
    }
    int32_t next = 0;
    for (int32_t i = 0; i < rows; ++i) {
        const int32_t node = order->nodes[i];
        if (order->stack_of) {
            matrix->stack_of[i] = order->stack_of[node];
            matrix->stack_moves[i] = order->stack_moves[node];
        }
        for (int32_t p = model->row_start[node]; p < model->row_start[node + 1]; ++p)
            matrix->columns[next++] = order->places[model->columns[p]];
        matrix->row_start[i + 1] = next;
        qsort(matrix->columns + matrix->row_start[i], (size_t)(next - matrix->row_start[i]), sizeof next,
              compare_indices);
    }
    for (int32_t i = 0; i < rows; ++i) {
        matrix->diagonal[i] = block_matrix_find(matrix, i, i);
        for (int32_t p = matrix->row_start[i]; p < matrix->row_start[i + 1]; ++p)
            matrix->mirror[p] =
                matrix->columns[p] < i ? block_matrix_find(matrix, matrix->columns[p], i) : -1;
    }
    return VELA_OK;
}

/// What the entries of a group's pairs are found by.
typedef struct PairBlocks {
    const BlockMatrix *matrix;
    const NodeOrder *order;
    ElementBundles *bundles;
} PairBlocks;

// The block on or above the diagonal that a pair of a lane's corners adds to, -1 if both are fixed; `*transposed` if the
// pair stands the other way round there.
static int32_t block_of_pair(const PairBlocks *pairs, int32_t b, int32_t pair, int lane, bool *transposed)
{
    const ElementBundles *bundles = pairs->bundles;
    int32_t corners[2], places[2];
    element_pair(bundles->kind, pair, corners);
    for (int k = 0; k < 2; ++k)
        places[k] = pairs->order->places[bundles->nodes[bundles->kind->corners * b + corners[k]][lane]];
    *transposed = places[1] < places[0];
    const int32_t low = places[*transposed ? 1 : 0], high = places[*transposed ? 0 : 1];
    return bundles->elements[b][lane] < 0 || low >= pairs->matrix->row_count
               ? -1
               : block_matrix_find(pairs->matrix, low, high);
}

// Slots of a batch: the contributions of one block side by side, blocks in the order in which the elements meet them.
static int32_t order_batch(const PairBlocks *pairs, BlockMatrix *matrix, int32_t batch, int32_t *counts,
                           int32_t *most)
{
    const ElementBundles *bundles = pairs->bundles;
    const ElementChunk *range = &matrix->batches[batch];
    const int32_t first_run = matrix->batch_runs[batch], count = element_pairs(bundles->kind);
    int32_t runs = first_run, slot = 0;
    bool transposed;
    for (int32_t b = range->first; b < range->end; ++b)
        for (int lane = 0; lane < LANE_COUNT; ++lane)
            for (int32_t pair = 0; pair < count; ++pair) {
                const int32_t block = block_of_pair(pairs, b, pair, lane, &transposed);
                if (block >= 0 && counts[block]++ == 0)
                    matrix->run_blocks[runs++] = block;
            }
    for (int32_t r = first_run; r < runs; ++r) {
        const int32_t contributions = counts[matrix->run_blocks[r]];
        matrix->run_start[r + batch] = slot;
        counts[matrix->run_blocks[r]] = slot;
        slot += contributions;
    }
    matrix->run_start[runs + batch] = slot;
    *most = slot > *most ? slot : *most;
    for (int32_t b = range->first; b < range->end; ++b)
        for (int lane = 0; lane < LANE_COUNT; ++lane)
            for (int32_t pair = 0; pair < count; ++pair) {
                const int32_t block = block_of_pair(pairs, b, pair, lane, &transposed);
                bundles->matrix_entries[count * b + pair][lane] =
                    block < 0 ? -1 : 2 * counts[block]++ + transposed;
            }
    for (int32_t r = first_run; r < runs; ++r)
        counts[matrix->run_blocks[r]] = 0;
    return runs;
}

// Batches of blocks, of one kind each, and room for their runs.
static VelaResult make_batches(Arena *arena, const CpuElements *elements, BlockMatrix *matrix)
{
    size_t pairs = 0;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementBundles *bundles = &elements->groups[kind];
        matrix->batch_count += (bundles->count + BUNDLES_PER_BATCH - 1) / BUNDLES_PER_BATCH;
        pairs += (size_t)element_pairs(bundles->kind) * (size_t)bundles->element_count;
    }
    TRY(ARENA_ARRAY(arena, matrix->batches, matrix->batch_count));
    TRY(ARENA_ARRAY(arena, matrix->batch_runs, matrix->batch_count + 1));
    TRY(ARENA_ARRAY(arena, matrix->run_start, pairs + (size_t)matrix->batch_count));
    TRY(ARENA_ARRAY(arena, matrix->run_blocks, pairs));
    ElementChunk *batch = matrix->batches;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const int32_t count = elements->groups[kind].count;
        for (int32_t first = 0; first < count; first += BUNDLES_PER_BATCH) {
            const int32_t end = first + BUNDLES_PER_BATCH;
            *batch++ = (ElementChunk){kind, first, end < count ? end : count};
        }
    }
    return VELA_OK;
}

VelaResult block_matrix_build(VelaContext *context, const Model *model, Arena *arena, CpuElements *elements,
                              BlockMatrix *matrix)
{
    *matrix = (BlockMatrix){0};
    TRY(build_pattern(model, arena, matrix));
    TRY(make_batches(arena, elements, matrix));
    Arena scratch = arena_make(context);
    int32_t *counts, most = 0;
    TRY(ARENA_ARRAY(&scratch, counts, matrix->row_start[matrix->row_count]));
    for (int32_t batch = 0; batch < matrix->batch_count; ++batch) {
        const PairBlocks pairs = {matrix, &model->order, &elements->groups[matrix->batches[batch].kind]};
        matrix->batch_runs[batch + 1] = order_batch(&pairs, matrix, batch, counts, &most);
    }
    arena_clear(&scratch);
    // Lanes without a block of their own write behind the list.
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementBundles *bundles = &elements->groups[kind];
        for (int32_t p = 0; p < element_pairs(bundles->kind) * bundles->count; ++p)
            for (int lane = 0; lane < LANE_COUNT; ++lane)
                if (bundles->matrix_entries[p][lane] < 0)
                    bundles->matrix_entries[p][lane] = 2 * most;
    }
    return ARENA_ARRAY(arena, matrix->contributions, 9 * ((size_t)most + 1));
}

void block_matrix_clear(BlockMatrix *matrix, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const size_t first = 9 * (size_t)matrix->row_start[matrix->part_start[part]],
                     end = 9 * (size_t)matrix->row_start[matrix->part_start[part + 1]];
        memset(matrix->values + first, 0, (end - first) * sizeof *matrix->values);
    }
}

/// Blocks of a large matrix come from memory, wherever they are: so many runs ahead they are asked for.
enum { RUNS_AHEAD = 12 };

void block_matrix_sum(BlockMatrix *matrix, int32_t batch, Team *team)
{
    const int32_t end = matrix->batch_runs[batch + 1];
#pragma omp for schedule(static) nowait
    for (int32_t r = matrix->batch_runs[batch]; r < end; ++r) {
        double *block = matrix->values + 9 * (size_t)matrix->run_blocks[r], sum[9];
        const double *next =
            matrix->values + 9 * (size_t)matrix->run_blocks[r + RUNS_AHEAD < end ? r + RUNS_AHEAD : r];
        __builtin_prefetch(next, 1);
        __builtin_prefetch(next + 8, 1);
        memcpy(sum, block, sizeof sum);
        for (int32_t c = matrix->run_start[r + batch]; c < matrix->run_start[r + batch + 1]; ++c)
            for (int k = 0; k < 9; ++k)
                sum[k] += matrix->contributions[9 * (size_t)c + (size_t)k];
        memcpy(block, sum, sizeof sum);
    }
    team_wait(team);
}

// Of the entries first <= p < end.
static void mirror_entries(BlockMatrix *matrix, int32_t first, int32_t end)
{
    for (int32_t p = first; p < end; ++p) {
        if (matrix->mirror[p] < 0)
            continue;
        const double *from = matrix->values + 9 * (size_t)matrix->mirror[p];
        double *to = matrix->values + 9 * (size_t)p;
        for (int k = 0; k < 9; ++k)
            to[k] = from[3 * (k % 3) + k / 3];
    }
}

void block_matrix_mirror(BlockMatrix *matrix, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t row = 0; row < matrix->row_count; ++row)
        mirror_entries(matrix, matrix->row_start[row], matrix->row_start[row + 1]);
}

void block_matrix_clear_rows(BlockMatrix *matrix, int32_t count, const int32_t *rows)
{
    for (int32_t i = 0; i < count; ++i) {
        const size_t first = 9 * (size_t)matrix->row_start[rows[i]],
                     end = 9 * (size_t)matrix->row_start[rows[i] + 1];
        memset(matrix->values + first, 0, (end - first) * sizeof *matrix->values);
    }
}

void block_matrix_mirror_rows(BlockMatrix *matrix, int32_t count, const int32_t *rows)
{
    for (int32_t i = 0; i < count; ++i)
        mirror_entries(matrix, matrix->row_start[rows[i]], matrix->row_start[rows[i] + 1]);
}
