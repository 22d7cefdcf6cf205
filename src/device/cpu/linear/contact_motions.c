#include "device/cpu/linear/contact_motions.h"

#include <string.h>

VelaResult contact_motions_create(Arena *arena, const ContactGroups *groups, const CoarseSpace *space,
                                  int threads, ContactMotions *motions)
{
    *motions = (ContactMotions){
        .groups = groups, .space = space, .threads = threads, .growing = arena_make(arena->context)};
    TRY(ARENA_ARRAY(arena, motions->deviations.row_start, space->matrix->row_count + 1));
    TRY(ARENA_ARRAY(arena, motions->deviations.is_near, space->matrix->row_count));
    return ARENA_ARRAY(arena, motions->deviations.part_start, space->matrix->part_count + 1);
}

void contact_motions_clear(ContactMotions *motions)
{
    arena_clear(&motions->growing);
}

/// What pulls rows to their parts' motions, as a part of what holds them together: solves of crowds take four to eight tenths of the iterations with
/// deviations at 0.006 and less, nine tenths at 0.024, as many at 0.25 (bench/README.md, "Motions that give way to contact").
static const double PULL_MOST = 0.03;

/// Blocks of the matrix, contact's included: where it fits caches, what the coarse matrix takes longer is as much as thirty iterations.
enum { PAYING_BLOCKS_LEAST = 125000 };

// Contact's are one after the other.
static int64_t count_blocks(const BlockMatrix *matrix)
{
    const int32_t rows = matrix->row_count;
    const ChangingBlocks *changing = &matrix->changing;
    return (int64_t)matrix->row_start[rows] + changing->row_end[rows - 1];
}

bool contact_motions_pay(const ContactMotions *motions)
{
    const ContactGroups *groups = motions->groups;
    double pull = 0, stiffness = 0;
    int32_t rows = 0;
    for (int32_t g = 0; g < groups->count; ++g) {
        const ContactGroup *group = &groups->groups[g];
        if (groups->members[group->rows[0]] < 0) // not solved for
            continue;
        pull += group->pull;
        stiffness += group->stiffness;
        rows += group->count;
    }
    return rows > 0 &&
           (motions->always || (pull < PULL_MOST * stiffness && rows > groups->matrix->row_count / 2 &&
                                count_blocks(groups->matrix) >= PAYING_BLOCKS_LEAST));
}

// Each row of a group deviates by the motions of all parts that the group has rows of.
static void count_deviations(ContactMotions *motions)
{
    const ContactGroups *groups = motions->groups;
    const uint8_t *part_of = motions->space->part_of;
    int32_t *row_start = motions->deviations.row_start;
    const int32_t rows = motions->space->matrix->row_count;
    memset(row_start, 0, ((size_t)rows + 1) * sizeof *row_start);
    for (int32_t g = 0; g < groups->count; ++g) {
        const ContactGroup *group = &groups->groups[g];
        int32_t parts = 1;
        if (groups->members[group->rows[0]] < 0) // not solved for
            continue;
        for (int n = 1; n < group->count; ++n)
            parts += part_of[group->rows[n]] != part_of[group->rows[n - 1]];
        for (int n = 0; n < group->count; ++n)
            row_start[group->rows[n] + 1] = parts;
    }
    for (int32_t row = 0; row < rows; ++row)
        row_start[row + 1] += row_start[row];
}

static void mark_near(ContactMotions *motions)
{
    const BlockMatrix *matrix = motions->space->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    const int32_t *row_start = motions->deviations.row_start;
    uint8_t *is_near = motions->deviations.is_near;
    memset(is_near, 0, (size_t)matrix->row_count);
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        if (row_start[row] == row_start[row + 1])
            continue;
        for (int32_t p = matrix->row_start[row]; p < matrix->row_start[row + 1]; ++p)
            if (matrix->columns[p] < matrix->row_count)
                is_near[matrix->columns[p]] = true;
        for (int32_t p = changing->row_start[row]; p < changing->row_end[row]; ++p)
            if (changing->columns[p] < matrix->row_count)
                is_near[changing->columns[p]] = true;
    }
}

static void list_by_parts(MotionDeviations *deviations, int32_t part_count, int32_t count)
{
    int32_t *next = deviations->part_start;
    memset(next, 0, ((size_t)part_count + 1) * sizeof *next);
    for (int32_t d = 0; d < count; ++d)
        ++next[deviations->parts[d]];
    for (int32_t part = 0, first = 0; part <= part_count; ++part) {
        const int32_t of_part = next[part];
        next[part] = first;
        first += of_part;
    }
    for (int32_t d = 0; d < count; ++d)
        deviations->of_part[next[deviations->parts[d]]++] = d;
    for (int32_t part = part_count; part > 0; --part) // where the next one began is where each has ended now
        next[part] = next[part - 1];
    next[0] = 0;
}

VelaResult contact_motions_update(ContactMotions *motions, ContactGroupDeviate *deviate)
{
    const ContactGroups *groups = motions->groups;
    MotionDeviations *deviations = &motions->deviations;
    count_deviations(motions);
    mark_near(motions);
    const int32_t count = deviations->row_start[motions->space->matrix->row_count];
    TRY(ARENA_GROW(&motions->growing, deviations->rows, &motions->row_capacity, (size_t)count));
    TRY(ARENA_GROW(&motions->growing, deviations->parts, &motions->part_capacity, (size_t)count));
    TRY(ARENA_GROW(&motions->growing, deviations->of_part, &motions->list_capacity, (size_t)count));
    TRY(ARENA_GROW_FILLED(&motions->growing, deviations->values, &motions->value_capacity, (size_t)count));
    TeamLoop loop;
    team_loop_set(&loop, groups->count, CONTACT_GROUPS_AT_ONCE, motions->threads);
#pragma omp parallel num_threads(motions->threads)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);)
        for (int32_t g = walk.first; g < walk.end; ++g)
            if (groups->members[groups->groups[g].rows[0]] >= 0)
                deviate(&groups->groups[g], motions->space, deviations);
    list_by_parts(deviations, motions->space->matrix->part_count, count);
    return VELA_OK;
}
