#include "device/cpu/linear/contact_groups.h"

#include "base/matrix3.h"

#include <string.h>

VelaResult contact_groups_create(Arena *arena, const BlockMatrix *matrix, int threads, ContactGroups *groups)
{
    *groups = (ContactGroups){.matrix = matrix, .threads = threads, .growing = arena_make(arena->context)};
    TRY(ARENA_ARRAY(arena, groups->members, matrix->row_count));
    TRY(ARENA_ARRAY(arena, groups->parents, matrix->row_count));
    TRY(ARENA_ARRAY(arena, groups->found_end, matrix->row_count));
    return ARENA_ARRAY(arena, groups->sizes, matrix->row_count);
}

void contact_groups_clear(ContactGroups *groups)
{
    arena_clear(&groups->growing);
}

// ---------------------------------------------------------------- what belongs together

// Frobenius norm of D_i^-1/2 K D_j^-1/2, squared: tr(D_i^-1 K D_j^-1 K^T). The block K is given by columns.
static double coupling(const double row_inverse[9], const double block[9], const double column_inverse[9])
{
    double left[9], right[9], sum = 0;
    matrix3_multiply(block, row_inverse, left);
    matrix3_multiply(column_inverse, block, right);
    for (int k = 0; k < 9; ++k)
        sum += left[k] * right[k];
    return sum;
}

// Whether the block is one of contact between rows that may be grouped, above the diagonal.
static bool may_join(const BlockMatrix *matrix, int32_t row, int32_t column)
{
    return column > row && row >= matrix->coupled_count && column < matrix->row_count;
}

static int32_t coupling_step(float coupling_sq)
{
    const int32_t step = (int32_t)((1 - coupling_sq) * COUPLING_STEPS);
    return step < 0 ? 0 : step >= COUPLING_STEPS ? COUPLING_STEPS - 1 : step;
}

static void find_strong(ContactGroups *groups, const double (*inverses)[9])
{
    const BlockMatrix *matrix = groups->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    const float least = (float)COUPLING_LEAST;
#pragma omp parallel for schedule(static) num_threads(groups->threads)
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        int32_t next = changing->row_start[row];
        for (int32_t p = next; p < changing->row_end[row]; ++p) {
            const int32_t column = changing->columns[p];
            if (!may_join(matrix, row, column))
                continue;
            const float size = (float)coupling(inverses[row], changing->values[p], inverses[column]);
            if (size > least)
                groups->found[next++] = (StrongBlock){p, coupling_step(size)};
        }
        groups->found_end[row] = next;
    }
}

// Strong couplings, the strongest first, of those as strong in the order of their rows and columns. Returns their number.
static int32_t sort_strong(ContactGroups *groups)
{
    const int32_t rows = groups->matrix->row_count, *starts = groups->matrix->changing.row_start;
    int32_t next[COUPLING_STEPS + 1] = {0};
    for (int32_t row = 0; row < rows; ++row)
        for (int32_t k = starts[row]; k < groups->found_end[row]; ++k)
            ++next[groups->found[k].step + 1];
    for (int step = 0; step < COUPLING_STEPS; ++step)
        next[step + 1] += next[step];
    const int32_t count = next[COUPLING_STEPS];
    if (ARENA_GROW(&groups->growing, groups->strong, &groups->strong_capacity, (size_t)count) != VELA_OK ||
        ARENA_GROW(&groups->growing, groups->strong_rows, &groups->row_capacity, (size_t)count) != VELA_OK)
        return -1;
    for (int32_t row = 0; row < rows; ++row)
        for (int32_t k = starts[row]; k < groups->found_end[row]; ++k) {
            const int32_t at = next[groups->found[k].step]++;
            groups->strong[at] = groups->found[k].place;
            groups->strong_rows[at] = row;
        }
    return count;
}

static int32_t find_root(int32_t *parents, int32_t row)
{
    while (parents[row] != row)
        row = parents[row] = parents[parents[row]];
    return row;
}

// Brings rows together from the strongest coupling down, as long as their group is not too large.
static void join_rows(ContactGroups *groups, int32_t strong_count)
{
    int32_t *parents = groups->parents, *sizes = groups->sizes;
    for (int32_t row = 0; row < groups->matrix->row_count; ++row) {
        parents[row] = row;
        sizes[row] = 1;
    }
    for (int32_t k = 0; k < strong_count; ++k) {
        const int32_t a = find_root(parents, groups->strong_rows[k]),
                      b = find_root(parents, groups->matrix->changing.columns[groups->strong[k]]);
        if (a == b || sizes[a] + sizes[b] > CONTACT_GROUP_ROWS)
            continue;
        parents[a > b ? a : b] = a < b ? a : b; // so that a root is a group's first row
        sizes[a < b ? a : b] = sizes[a] + sizes[b];
    }
}

static VelaResult list_groups(ContactGroups *groups)
{
    const int32_t rows = groups->matrix->row_count;
    int32_t count = 0;
    for (int32_t row = 0; row < rows; ++row)
        count += groups->parents[row] == row && groups->sizes[row] > 1;
    TRY(ARENA_GROW_FILLED(&groups->growing, groups->groups, &groups->group_capacity, (size_t)count));
    groups->count = 0;
    for (int32_t row = 0; row < rows; ++row) {
        const int32_t root = find_root(groups->parents, row);
        groups->members[row] = -1;
        if (groups->sizes[root] == 1)
            continue;
        if (root == row)
            groups->groups[groups->count++].count = 0;
        const int32_t at = root == row ? groups->count - 1 : groups->members[root] / CONTACT_GROUP_ROWS;
        ContactGroup *group = &groups->groups[at];
        groups->members[row] = CONTACT_GROUP_ROWS * at + group->count;
        group->rows[group->count++] = row;
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- their blocks

VelaResult contact_groups_update(ContactGroups *groups, ContactGroupInvert *invert, double (*inverses)[9])
{
    const BlockMatrix *matrix = groups->matrix;
    groups->count = 0;
    if (!matrix->changing.row_start || matrix->row_count == 0)
        return VELA_OK;
    TRY(ARENA_GROW(&groups->growing, groups->found, &groups->found_capacity,
                   (size_t)matrix->changing.row_end[matrix->row_count - 1]));
    find_strong(groups, (const double(*)[9])inverses);
    const int32_t strong_count = sort_strong(groups);
    if (strong_count < 0)
        return VELA_ERROR_OUT_OF_MEMORY;
    join_rows(groups, strong_count);
    TRY(list_groups(groups));
    TeamLoop loop;
    team_loop_set(&loop, groups->count, CONTACT_GROUPS_AT_ONCE, groups->threads);
#pragma omp parallel num_threads(groups->threads)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);)
        for (int32_t g = walk.first; g < walk.end; ++g) {
            ContactGroup *group = &groups->groups[g];
            const bool is_solved = invert(matrix, group);
            for (int n = 0; n < group->count; ++n)
                if (is_solved)
                    memset(inverses[group->rows[n]], 0, sizeof *inverses);
                else
                    groups->members[group->rows[n]] = -1;
        }
    return VELA_OK;
}
