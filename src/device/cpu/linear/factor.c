#include "device/cpu/linear/factor.h"

#include <string.h>

/// A subtree is cut as long as it holds more than this share of all entries.
#define LARGEST_SHARE 0.13

// ---------------------------------------------------------------- cutting the tree

// First column of the subtree that ends with each column (the columns are in postorder).
static void find_first_columns(int32_t n, const int32_t *parent, int32_t *first)
{
    for (int32_t j = 0; j < n; ++j)
        first[j] = j;
    for (int32_t j = 0; j < n; ++j)
        if (parent[j] >= 0 && first[j] < first[parent[j]])
            first[parent[j]] = first[j];
}

// Where to split a range of several trees: the boundary between trees that is nearest half of its entries.
static int32_t find_boundary(const Subtree *range, const int32_t *first, const int64_t *before)
{
    const int64_t half = (before[range->first] + before[range->end]) / 2;
    int32_t boundary = first[range->end - 1];
    while (first[boundary - 1] > range->first && before[boundary] > half)
        boundary = first[boundary - 1];
    return boundary;
}

// Starts from one range of columns and works on the largest as long as that is too large: a single tree loses its root
// to the top, several trees are parted. Every range is then a forest whose ancestors are all in the top. `before`: entries
// of all columns before each.
static int32_t cut(int32_t n, const int32_t *first, const int64_t *before, Subtree ranges[SUBTREES_MOST])
{
    int32_t count = n > 0 ? 1 : 0;
    ranges[0] = (Subtree){0, n};
    while (count > 0) {
        Subtree *largest = &ranges[0];
        for (int32_t k = 1; k < count; ++k)
            if (before[ranges[k].end] - before[ranges[k].first] >
                before[largest->end] - before[largest->first])
                largest = &ranges[k];
        const int64_t work = before[largest->end] - before[largest->first];
        if ((double)work <= LARGEST_SHARE * (double)before[n] || largest->end - largest->first < 2)
            break;
        if (first[largest->end - 1] == largest->first) {
            --largest->end;
        } else if (count < SUBTREES_MOST) {
            const int32_t boundary = find_boundary(largest, first, before);
            ranges[count++] = (Subtree){boundary, largest->end};
            largest->end = boundary;
        } else {
            break;
        }
    }
    return count;
}

// ---------------------------------------------------------------- building

static VelaResult allocate(Factor *factor, int64_t entries)
{
    Arena *arena = &factor->arena;
    const size_t n = (size_t)factor->count;
    TRY(ARENA_ARRAY(arena, factor->start, n + 1));
    TRY(ARENA_ARRAY(arena, factor->split, n));
    TRY(ARENA_ARRAY(arena, factor->rows, entries));
    TRY(ARENA_ARRAY(arena, factor->values, entries));
    TRY(ARENA_ARRAY(arena, factor->diagonal, n));
    TRY(ARENA_ARRAY(arena, factor->permutation, n));
    TRY(ARENA_ARRAY(arena, factor->top_columns, n));
    TRY(ARENA_ARRAY(arena, factor->top_index, n));
    return ARENA_ARRAY(arena, factor->x, n);
}

static VelaResult build(Factor *factor, const int64_t *start, const int32_t *parent,
                        const int32_t *permutation, Arena *scratch)
{
    const int32_t n = factor->count;
    int32_t *first;
    int64_t *before;
    TRY(ARENA_ARRAY(scratch, first, n));
    TRY(ARENA_ARRAY(scratch, before, n + 1));
    TRY(allocate(factor, start[n]));
    memcpy(factor->start, start, ((size_t)n + 1) * sizeof *start);
    memcpy(factor->permutation, permutation, (size_t)n * sizeof *permutation);
    for (int32_t j = 0; j <= n; ++j)
        before[j] = start[j] + j; // the diagonal included
    find_first_columns(n, parent, first);
    factor->subtree_count = cut(n, first, before, factor->subtrees);
    for (int32_t k = 0; k < factor->subtree_count; ++k)
        for (int32_t j = factor->subtrees[k].first; j < factor->subtrees[k].end; ++j)
            factor->top_index[j] = -1;
    for (int32_t j = 0; j < n; ++j)
        if (factor->top_index[j] == 0) {
            factor->top_columns[factor->top_count] = j;
            factor->top_index[j] = factor->top_count++;
        }
    TRY(ARENA_ARRAY(&factor->arena, factor->top, factor->top_count));
    return ARENA_ARRAY(&factor->arena, factor->top_parts,
                       (size_t)factor->top_count * (size_t)factor->subtree_count);
}

VelaResult factor_create(VelaContext *context, int32_t count, const int64_t *start, const int32_t *parent,
                         const int32_t *permutation, Factor **out)
{
    *out = NULL;
    Arena arena = arena_make(context), scratch = arena_make(context);
    Factor *factor;
    TRY(ARENA_ARRAY(&arena, factor, 1));
    factor->count = count;
    factor->arena = arena;
    const VelaResult result = build(factor, start, parent, permutation, &scratch);
    arena_clear(&scratch);
    if (result != VELA_OK) {
        factor_destroy(factor);
        return result;
    }
    *out = factor;
    return VELA_OK;
}

void factor_finish(Factor *factor)
{
    for (int32_t j = 0; j < factor->count; ++j) {
        factor->split[j] = factor->start[j];
        for (int64_t p = factor->start[j]; p < factor->start[j + 1]; ++p) {
            const int32_t compact = factor->top_index[factor->rows[p]];
            if (compact >= 0)
                factor->rows[p] = compact;
            else // rows ascend and ancestors come last, so the ones of the top are at the end
                factor->split[j] = p + 1;
        }
    }
}

void factor_destroy(Factor *factor)
{
    if (!factor)
        return;
    Arena arena = factor->arena;
    arena_clear(&arena);
}

size_t factor_bytes(const Factor *factor)
{
    return (size_t)factor->start[factor->count] * (sizeof(double) + sizeof(int32_t));
}
