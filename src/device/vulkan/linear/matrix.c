// The matrices' pattern in slices of rows. Of ADMM's A = M/a^2 + sum rho_e D_e^T D_e (+ planes, added by the kernels) the
// scalar part; of Newton's, which kernels assemble, what each block sums.
#include "device/vulkan/linear/matrix.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/linear/handed_blocks.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/node_motion.h"

#include "base/matrix3.h"
#include "gpu/transfer.h"
#include "model/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t slice_width(const Model *model, uint32_t slice)
{
    uint32_t width = 0;
    for (uint32_t place = slice * SLICE_ROWS;
         place < (slice + 1) * SLICE_ROWS && place < (uint32_t)model->node_count; ++place) {
        const int32_t row = model->order.nodes[place];
        const uint32_t length = (uint32_t)(model->row_start[row + 1] - model->row_start[row]);
        width = length > width ? length : width;
    }
    return width;
}

int32_t matrix_row_width(const Model *model, int32_t row)
{
    return (int32_t)slice_width(model, (uint32_t)model->order.places[row] / SLICE_ROWS);
}

uint32_t matrix_entry_count(const Model *model)
{
    uint32_t count = 0;
    for (uint32_t slice = 0; slice * SLICE_ROWS < (uint32_t)model->node_count; ++slice)
        count += SLICE_ROWS * slice_width(model, slice);
    return count;
}

static uint32_t slice_count(const Model *model)
{
    return ((uint32_t)model->node_count + SLICE_ROWS - 1) / SLICE_ROWS;
}

uint64_t matrix_row_words(const Model *model)
{
    return 3 * (uint64_t)slice_count(model) + 1 + (uint64_t)model->node_count;
}

/// The least of a slice's columns, or SLICE_IS_WIDE where 16 bits do not tell them from it.
static uint32_t slice_base(const Model *model, uint32_t slice)
{
    int32_t least = INT32_MAX, most = 0;
    for (uint32_t place = slice * SLICE_ROWS;
         place < (slice + 1) * SLICE_ROWS && place < (uint32_t)model->node_count; ++place) {
        // A row's columns ascend.
        const int32_t row = model->order.nodes[place];
        const int32_t first = model->columns[model->row_start[row]],
                      last = model->columns[model->row_start[row + 1] - 1];
        least = first < least ? first : least;
        most = last > most ? last : most;
    }
    return most - least > UINT16_MAX ? SLICE_IS_WIDE : (uint32_t)least;
}

static uint32_t column_words(const Model *model, uint32_t slice)
{
    const uint32_t width = slice_width(model, slice);
    return SLICE_ROWS * (slice_base(model, slice) == SLICE_IS_WIDE ? width : (width + 1) / 2);
}

/// Whether rows have words: Newton's, of 3x3 blocks.
static bool has_row_words(const Model *model)
{
    return model->scene->solver.type != SOLVER_ADMM;
}

static uint32_t slice_words(const Model *model, uint32_t slice)
{
    return column_words(model, slice) + (has_row_words(model) ? SLICE_ROWS * HANDED_WORDS : 0);
}

uint32_t matrix_word_count(const Model *model)
{
    uint32_t count = 0;
    for (uint32_t slice = 0; slice * SLICE_ROWS < (uint32_t)model->node_count; ++slice)
        count += slice_words(model, slice);
    return count;
}

/// An entry of a row, and what it is ordered by.
typedef struct RowEntry {
    int32_t column, number; ///< of model->columns
    EntryReader reader;
    int32_t shared; ///< elements that have both nodes
} RowEntry;

static int in_order(const void *left, const void *right)
{
    const EntryReader order[] = {READ_FOR_BOTH, READ_BY_ROW, READ_BY_COLUMN};
    const RowEntry *a = left, *b = right;
    for (size_t k = 0; a->reader != b->reader && k < sizeof order / sizeof *order; ++k)
        if (a->reader == order[k] || b->reader == order[k])
            return a->reader == order[k] ? -1 : 1;
    if (a->shared != b->shared)
        return a->shared > b->shared ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/// Counts the elements that a row's entries are of.
static void count_shared(const Model *model, int32_t row, RowEntry *entries)
{
    for (int32_t i = model->incidence_start[row]; i < model->incidence_start[row + 1]; ++i) {
        const ElementCorner at = element_corner(model->groups, model->incidence[i]);
        const ElementGroup *group = &model->groups[at.kind];
        const int32_t corners = group->kind->corners;
        const int32_t *nodes = group->nodes + (size_t)corners * (size_t)at.element;
        for (int32_t c = 0; c < corners; ++c) {
            RowEntry *entry = entries;
            while (entry->column != nodes[c])
                ++entry;
            ++entry->shared;
        }
    }
}

/// The diagonal first, then the other columns: those that are read for two rows, for one, for none; of each those first that most elements
/// have, as rows beside each other are summed together.
static void place_row(const Model *model, int32_t row, const uint8_t *readers, RowEntry *entries,
                      GlobalMatrix *matrix)
{
    const uint32_t place = (uint32_t)model->order.places[row],
                   first = matrix->slice_start[place / SLICE_ROWS] + place % SLICE_ROWS;
    const int32_t start = model->row_start[row], length = model->row_start[row + 1] - start;
    for (int32_t k = 0; k < length; ++k) {
        const EntryReader reader = readers ? (EntryReader)readers[start + k] : READ_BY_ROW;
        entries[k] = (RowEntry){model->columns[start + k], start + k, reader, 0};
    }
    count_shared(model, row, entries);
    qsort(entries, (size_t)length, sizeof *entries, in_order);
    uint32_t others = 0;
    for (int32_t k = 0; k < length; ++k)
        matrix->entries[entries[k].number] = first + SLICE_ROWS * (entries[k].column == row ? 0 : ++others);
}

/// The words of each row, and behind them the places of what it hands on.
static void fill_handed(const Model *model, const HandedBlocks *handed, GlobalMatrix *matrix)
{
    for (int32_t row = 0; row < model->node_count; ++row) {
        const uint32_t place = (uint32_t)model->order.places[row], slice = place / SLICE_ROWS;
        uint32_t *words = matrix->handed + (size_t)SLICE_ROWS * HANDED_WORDS * slice + place % SLICE_ROWS;
        words[0] = handed->words[place];
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p) {
            if (handed->readers[p] != READ_FOR_BOTH)
                continue;
            // Entry 0 of the row is the diagonal's.
            const uint32_t number = (matrix->entries[p] - matrix->slice_start[slice]) / SLICE_ROWS - 1;
            words[SLICE_ROWS * (1 + number / 2)] |= (uint32_t)handed->places[p] << (number % 2 * 16);
        }
    }
}

static VelaResult place_rows(const Model *model, const CoarseTable *stripes, Arena *arena, Arena *scratch,
                             GlobalMatrix *matrix)
{
    HandedBlocks handed = {0};
    RowEntry *entries;
    int32_t longest = 0;
    for (int32_t row = 0; row < model->node_count; ++row) {
        const int32_t length = model->row_start[row + 1] - model->row_start[row];
        longest = length > longest ? length : longest;
    }
    TRY(ARENA_ARRAY(scratch, entries, longest));
    if (has_row_words(model))
        TRY(handed_blocks_find(model, stripes ? stripes->words : NULL,
                               stripes ? coarse_stripe_count(&stripes->counts) : 0, scratch, &handed));
    for (int32_t row = 0; row < model->node_count; ++row)
        place_row(model, row, handed.readers, entries, matrix);
    if (handed.words) {
        TRY(ARENA_ARRAY(arena, matrix->handed, (size_t)SLICE_ROWS * HANDED_WORDS * matrix->slice_count));
        fill_handed(model, &handed, matrix);
    }
    return VELA_OK;
}

VelaResult matrix_layout(const Model *model, const CoarseTable *stripes, Arena *arena, GlobalMatrix *matrix)
{
    *matrix = (GlobalMatrix){.slice_count = slice_count(model)};
    TRY(ARENA_ARRAY(arena, matrix->slice_start, matrix->slice_count + 1));
    TRY(ARENA_ARRAY(arena, matrix->entries, model->row_start[model->node_count]));
    TRY(ARENA_ARRAY(arena, matrix->slice_words, 2 * (size_t)matrix->slice_count));
    uint32_t words = 0;
    for (uint32_t slice = 0; slice < matrix->slice_count; ++slice) {
        matrix->slice_start[slice + 1] = matrix->slice_start[slice] + SLICE_ROWS * slice_width(model, slice);
        matrix->slice_words[2 * slice] = words;
        matrix->slice_words[2 * slice + 1] = slice_base(model, slice);
        words += slice_words(model, slice);
    }
    matrix->entry_count = matrix->slice_start[matrix->slice_count];
    Arena scratch = arena_make(arena->context);
    const VelaResult result = place_rows(model, stripes, arena, &scratch, matrix);
    arena_clear(&scratch);
    return result;
}

/// Puts a column where the kernels find that of an entry (column_of in shaders/common/matrix_columns.glsl).
static void place_column(const GlobalMatrix *matrix, uint32_t slice, uint32_t entry, uint32_t column,
                         uint32_t *words)
{
    const uint32_t first = matrix->slice_words[2 * slice], base = matrix->slice_words[2 * slice + 1];
    const uint32_t j = (entry - matrix->slice_start[slice]) / SLICE_ROWS, i = entry % SLICE_ROWS;
    if (base == SLICE_IS_WIDE)
        words[first + SLICE_ROWS * j + i] = column;
    else
        words[first + SLICE_ROWS * (j / 2) + i] |= (column - base) << (j % 2 * 16);
}

static VelaResult upload_columns(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const GlobalMatrix *matrix = &device->matrix;
    const uint32_t count = matrix_word_count(model);
    uint32_t *columns, *words;
    TRY(ARENA_ARRAY(scratch, columns, matrix->entry_count));
    TRY(ARENA_ARRAY(scratch, words, count));
    // Padding points at the row itself, as nothing behind the diagonal does otherwise.
    for (uint32_t slice = 0; slice < matrix->slice_count; ++slice)
        for (uint32_t e = matrix->slice_start[slice]; e < matrix->slice_start[slice + 1]; ++e) {
            const uint32_t place = slice * SLICE_ROWS + e % SLICE_ROWS;
            columns[e] =
                (uint32_t)model->order.nodes[place < device->node_count ? place : slice * SLICE_ROWS];
        }
    for (int32_t p = 0; p < model->row_start[model->node_count]; ++p)
        columns[matrix->entries[p]] = (uint32_t)model->columns[p];
    for (uint32_t slice = 0; slice < matrix->slice_count; ++slice)
        for (uint32_t e = matrix->slice_start[slice]; e < matrix->slice_start[slice + 1]; ++e)
            place_column(matrix, slice, e, columns[e], words);
    const size_t size = (size_t)SLICE_ROWS * HANDED_WORDS;
    for (uint32_t slice = 0; slice < matrix->slice_count && matrix->handed; ++slice)
        memcpy(words + matrix->slice_words[2 * slice] + column_words(model, slice),
               matrix->handed + size * slice, size * sizeof *words);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_COLUMNS), 0, words,
                      (uint64_t)count * sizeof *words);
}

VelaResult matrix_upload_layout(VulkanDevice *device)
{
    const GlobalMatrix *matrix = &device->matrix;
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = upload_columns(device, &scratch);
    arena_clear(&scratch);
    TRY(result);
    const struct {
        const void *data;
        uint64_t count;
    } parts[] = {{matrix->slice_start, (uint64_t)matrix->slice_count + 1},
                 {device->base.model->order.nodes, device->node_count},
                 {matrix->slice_words, 2 * (uint64_t)matrix->slice_count}};
    uint64_t offset = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        const uint64_t size = parts[i].count * sizeof(uint32_t);
        TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_MATRIX_ROWS), offset, parts[i].data, size));
        offset += size;
    }
    return VELA_OK;
}

uint32_t matrix_entry(const VulkanDevice *device, int32_t row, int32_t column)
{
    const Model *model = device->base.model;
    int32_t p = model->row_start[row];
    while (model->columns[p] != column)
        ++p;
    return device->matrix.entries[p];
}

uint32_t matrix_row_sum_entry(const VulkanDevice *device, uint32_t place)
{
    return 3 * device->matrix.entry_count + 2 * place;
}

/// Goes over the contributions of a kind to the rows of free nodes, in the order of each node's elements: `next` of the block
/// counts them, `contributions` gets them where it says, unless it is NULL.
static void count_or_fill(const VulkanDevice *device, int kind, const uint32_t *place, uint32_t *next,
                          uint32_t *contributions)
{
    const Model *model = device->base.model;
    const ElementGroup *group = &model->groups[kind];
    const uint32_t corners = (uint32_t)group->kind->corners;
    for (int32_t row = 0; row < model->node_count; ++row)
        for (int32_t i = model->incidence_start[row];
             model->node_is_free[row] && i < model->incidence_start[row + 1]; ++i) {
            const ElementCorner at = element_corner(model->groups, model->incidence[i]);
            if (at.kind != kind)
                continue;
            const uint32_t own = corners * place[group->first_element + at.element] + (uint32_t)at.corner;
            const int32_t *nodes = group->nodes + (size_t)corners * (size_t)at.element;
            for (uint32_t c = 0; c < corners; ++c) {
                const uint32_t to = next[matrix_entry(device, row, nodes[c])]++;
                if (contributions)
                    contributions[to] = corners * own + c;
            }
        }
}

/// One list of starts for every kind, their contributions one behind the other.
static VelaResult upload_contributions(VulkanDevice *device, Arena *scratch)
{
    const uint32_t entries = device->matrix.entry_count;
    const uint64_t starts = ELEMENT_KIND_COUNT * ((uint64_t)entries + 1);
    ElementPlaces places[ELEMENT_KIND_COUNT];
    uint32_t *place, *start, *next, *contributions, sum = 0;
    TRY(ARENA_ARRAY(scratch, place, device->element_count));
    TRY(ARENA_ARRAY(scratch, start, starts));
    TRY(ARENA_ARRAY(scratch, next, entries));
    TRY(ARENA_ARRAY(scratch, contributions, elements_place(device->base.model, places).pairs));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const uint32_t first = device->places[k].first_element;
        device->places[k].first_start = (uint32_t)k * (entries + 1);
        for (uint32_t e = 0; e < device->places[k].count; ++e)
            place[device->order[first + e]] = e;
        memset(next, 0, entries * sizeof *next);
        count_or_fill(device, k, place, next, NULL);
        uint32_t *own = start + device->places[k].first_start;
        for (uint32_t e = 0; e < entries; ++e) {
            own[e] = sum;
            sum += next[e];
            next[e] = own[e];
        }
        own[entries] = sum;
        count_or_fill(device, k, place, next, contributions);
    }
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_BLOCK_START), 0, start, starts * sizeof *start));
    return sum == 0 ? VELA_OK
                    : gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONTRIBUTIONS), 0, contributions,
                                 (uint64_t)sum * sizeof *contributions);
}

VelaResult matrix_upload_contributions(VulkanDevice *device)
{
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = upload_contributions(device, &scratch);
    arena_clear(&scratch);
    return result;
}

/// What damping adds to entry p of a row beside the elements' weights.
static double added_to(const VulkanDevice *device, int32_t row, int32_t p)
{
    const bool is_diagonal = device->base.model->columns[p] == row;
    return (device->drag && is_diagonal ? device->drag[row] / stage_time(device) : 0) +
           (device->air_diagonal && is_diagonal ? device->air_diagonal[row] : 0) +
           (device->air_coupling ? device->air_coupling[p] : 0);
}

/// What damping that sees no rigid motion adds behind its projections: rows without mass.
static void rigid_row(const VulkanDevice *device, int32_t row, double *values)
{
    const Model *model = device->base.model;
    model_matrix_row(model, device->rigid_penalties, INFINITY, device->penalty_scale, row, values);
    for (int32_t p = model->row_start[row]; p < model->row_start[row + 1] && device->rigid_drag; ++p)
        if (model->columns[p] == row)
            values[p] += device->rigid_drag[row] / stage_time(device);
}

static VelaResult upload_rigid_values(VulkanDevice *device, Arena *scratch, char *diagonal)
{
    const Model *model = device->base.model;
    const GlobalMatrix *matrix = &device->matrix;
    const uint64_t bytes = matrix->entry_count * real_size(device->f64);
    double *values;
    char *sliced;
    TRY(ARENA_ARRAY(scratch, values, model->row_start[model->node_count]));
    TRY(ARENA_ARRAY(scratch, sliced, bytes));
    for (int32_t row = 0; row < model->node_count; ++row) {
        if (!model->node_is_free[row])
            continue;
        rigid_row(device, row, values);
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p) {
            real_store(device->f64, sliced, matrix->entries[p], values[p]);
            if (model->columns[p] == row)
                real_store(device->f64, diagonal, (size_t)row,
                           values[p] + real_load(device->f64, diagonal, (size_t)row));
        }
    }
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_RIGID_VALUES), 0, sliced, bytes);
}

static VelaResult upload_values(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const GlobalMatrix *matrix = &device->matrix;
    const bool f64 = device->f64;
    double *values;
    char *sliced, *diagonal;
    TRY(ARENA_ARRAY(scratch, values, model->row_start[model->node_count]));
    TRY(ARENA_ARRAY(scratch, sliced, matrix->entry_count * real_size(f64)));
    TRY(ARENA_ARRAY(scratch, diagonal, device->node_count * real_size(f64)));
    for (int32_t row = 0; row < model->node_count; ++row) {
        // Rows of nodes that do not move stay 0: so do their products.
        if (!model->node_is_free[row])
            continue;
        model_matrix_row(model, device->all_penalties, device->stage.a, device->penalty_scale, row, values);
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p) {
            values[p] += added_to(device, row, p);
            real_store(f64, sliced, matrix->entries[p], values[p]);
            if (model->columns[p] == row)
                real_store(f64, diagonal, (size_t)row, values[p]);
        }
    }
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_VALUES), 0, sliced,
                   matrix->entry_count * real_size(f64)));
    if (device->rigid_penalties)
        TRY(upload_rigid_values(device, scratch, diagonal));
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_DIAGONAL), 0, diagonal,
                      device->node_count * real_size(f64));
}

VelaResult matrix_prepare(VulkanDevice *device)
{
    GlobalMatrix *matrix = &device->matrix;
    if (matrix->a == device->stage.a && matrix->scale == device->penalty_scale)
        return VELA_OK;
    matrix->a = 0;
    TRY(vulkan_finish(device));
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = upload_values(device, &scratch);
    arena_clear(&scratch);
    TRY(result);
    matrix->a = device->stage.a;
    matrix->scale = device->penalty_scale;
    ++matrix->version;
    return VELA_OK;
}
