#include "output/reactions_table.h"

#include <inttypes.h>
#include <string.h>

static const char FILE_NAME[] = "reactions.csv";
static const char *const COLUMNS[REACTION_NUMBERS] = {"fx", "fy", "fz", "mx", "my", "mz"};
/// Characters of a number, and of a group's name.
enum { NUMBER_CAPACITY = 32, NAME_CAPACITY = 64 };

VelaResult reactions_header(Arena *arena, int32_t count, const char *const *names, const char **header)
{
    char *text;
    const size_t capacity = 32 + (size_t)count * REACTION_NUMBERS * NAME_CAPACITY;
    TRY(ARENA_ARRAY(arena, text, capacity));
    size_t length = (size_t)snprintf(text, capacity, "step,time");
    for (int32_t i = 0; i < count; ++i)
        for (int k = 0; k < REACTION_NUMBERS; ++k)
            length += (size_t)snprintf(text + length, capacity - length, ",%s.%s", names[i], COLUMNS[k]);
    *header = text;
    return VELA_OK;
}

VelaResult reactions_open(StepTable *table, VelaContext *context, const char *folder, const char *header,
                          bool append)
{
    return step_table_open(table, context, folder, FILE_NAME, header, append);
}

VelaResult reactions_truncate(VelaContext *context, const char *folder, const char *header, int64_t step)
{
    return step_table_truncate(context, folder, FILE_NAME, "reactions", header, step);
}

VelaResult reactions_write(StepTable *table, int64_t step, double time, int32_t count, const double *values)
{
    const size_t numbers = (size_t)count * REACTION_NUMBERS, capacity = (numbers + 3) * NUMBER_CAPACITY;
    Arena scratch = arena_make(table->context);
    char *row;
    VelaResult result = ARENA_ARRAY(&scratch, row, capacity);
    if (result == VELA_OK) {
        size_t length = (size_t)snprintf(row, capacity, "%" PRId64 ",%.17g", step, time);
        for (size_t i = 0; i < numbers; ++i) // -0 would depend on what was summed
            length += (size_t)snprintf(row + length, capacity - length, ",%.17g", values[i] + 0.0);
        row[length++] = '\n';
        result = step_table_write(table, step, row, length);
    }
    arena_clear(&scratch);
    return result;
}
