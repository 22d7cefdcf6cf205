#include "output/diagnostics.h"

#include "base/file.h"
#include "output/run_folder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// docs/scene-reference.md describes them. The order is fixed up to step_ms; behind it columns may join.
static const char FILE_NAME[] = "diagnostics.csv";
static const char HEADER[] =
    "step,time,kinetic,elastic,gravitational,contact,constraint,total,target,"
    "dissipated,alpha,px,py,pz,lx,ly,lz,cx,cy,cz,min_det_f,min_distance,iterations,"
    "linear_iterations,primal_residual,dual_residual,step_ms,"
    "alpha_case,substeps,stop,step_length,loads,work,dissipated_friction,"
    "dissipated_strain_rate,dissipated_rayleigh,dissipated_principal_strain,dissipated_power_law,"
    "dissipated_spline,dissipated_variational,dissipated_air,"
    "lost_in_time,constraint_error";
_Static_assert(DISSIPATION_CAUSES == 8, "the last columns of the header");

enum { LINE_CAPACITY = 4096, COLUMN_LIMIT = 256 };

DiagnosticsRow diagnostics_empty_row(int64_t step, double time)
{
    return (DiagnosticsRow){
        .step = step,
        .time = time,
        .kinetic = NAN,
        .elastic = NAN,
        .gravitational = NAN,
        .contact = NAN,
        .constraint = NAN,
        .total = NAN,
        .target = NAN,
        .dissipated = NAN,
        .alpha = NAN,
        .linear_momentum = {NAN, NAN, NAN},
        .angular_momentum = {NAN, NAN, NAN},
        .center = {NAN, NAN, NAN},
        .min_det_f = NAN,
        .min_distance = NAN,
        .iterations = -1,
        .linear_iterations = -1,
        .primal_residual = NAN,
        .dual_residual = NAN,
        .step_ms = NAN,
        .substeps = -1,
        .step_length = NAN,
        .loads = NAN,
        .work = NAN,
        .dissipated_by = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
        .lost_in_time = NAN,
        .constraint_error = NAN,
    };
}

// ------------------------------------------------------------------------------------------------ writing

VelaResult diagnostics_open(StepTable *table, VelaContext *context, const char *folder, bool append)
{
    return step_table_open(table, context, folder, FILE_NAME, HEADER, append);
}

VelaResult diagnostics_truncate(VelaContext *context, const char *folder, int64_t step)
{
    return step_table_truncate(context, folder, FILE_NAME, "diagnostics", HEADER, step);
}

// The row is put together in memory, so that the file grows by whole rows.
typedef struct RowText {
    char text[LINE_CAPACITY];
    size_t length;
} RowText;

static void add_text(RowText *row, const char *text)
{
    const int length = snprintf(row->text + row->length, sizeof row->text - row->length, "%s%s",
                                row->length ? "," : "", text);
    if (length > 0)
        row->length += (size_t)length;
    if (row->length >= sizeof row->text - 1)
        row->length = sizeof row->text - 2;
}

// For words of our own; should one hold what would break the row, it is blanked.
static void add_word(RowText *row, const char *word)
{
    char text[64] = "";
    if (word)
        snprintf(text, sizeof text, "%s", word);
    for (char *at = text; *at; ++at)
        if (*at == ',' || *at == '"' || (unsigned char)*at < ' ')
            *at = ' ';
    add_text(row, text);
}

static void add_numbers(RowText *row, int count, const double *numbers)
{
    for (int i = 0; i < count; ++i) {
        char text[32] = "";
        if (!isnan(numbers[i]))
            snprintf(text, sizeof text, "%.17g", numbers[i]);
        add_text(row, text);
    }
}

static void add_count(RowText *row, int64_t count)
{
    char text[32] = "";
    if (count >= 0)
        snprintf(text, sizeof text, "%" PRId64, count);
    add_text(row, text);
}

VelaResult diagnostics_write(StepTable *table, const DiagnosticsRow *row)
{
    RowText text = {.length = 0};
    add_count(&text, row->step);
    add_numbers(&text, 10,
                (const double[]){row->time, row->kinetic, row->elastic, row->gravitational, row->contact,
                                 row->constraint, row->total, row->target, row->dissipated, row->alpha});
    add_numbers(&text, 3, row->linear_momentum);
    add_numbers(&text, 3, row->angular_momentum);
    add_numbers(&text, 3, row->center);
    add_numbers(&text, 2, (const double[]){row->min_det_f, row->min_distance});
    add_count(&text, row->iterations);
    add_count(&text, row->linear_iterations);
    add_numbers(&text, 3, (const double[]){row->primal_residual, row->dual_residual, row->step_ms});
    add_word(&text, row->alpha_case);
    add_count(&text, row->substeps);
    add_word(&text, row->stop);
    add_numbers(&text, 3, (const double[]){row->step_length, row->loads, row->work});
    add_numbers(&text, DISSIPATION_CAUSES, row->dissipated_by);
    add_numbers(&text, 2, (const double[]){row->lost_in_time, row->constraint_error});
    text.text[text.length++] = '\n';
    return step_table_write(table, row->step, text.text, text.length);
}

// ------------------------------------------------------------------------------------------------ reading

// Splits the header row in place.
static VelaResult read_columns(VelaContext *context, const char *path, Arena *arena, char *line,
                               DiagnosticsTable *table)
{
    const char **columns;
    TRY(ARENA_ARRAY(arena, columns, COLUMN_LIMIT));
    int32_t count = 0;
    for (char *name = line; name; ++count) {
        FAIL_IF(context, count == COLUMN_LIMIT, VELA_ERROR_INVALID_INPUT, "%s: line 1: more than %d columns",
                path, COLUMN_LIMIT);
        columns[count] = name;
        name = strchr(name, ',');
        if (name)
            *name++ = 0;
    }
    table->columns = columns;
    table->column_count = count;
    return VELA_OK;
}

bool diagnostics_is_text(const char *name)
{
    return strcmp(name, "alpha_case") == 0 || strcmp(name, "stop") == 0;
}

static VelaResult read_row(VelaContext *context, const char *path, const DiagnosticsTable *table,
                           int64_t line_number, char *line, double *values)
{
    char *field = line;
    for (int32_t i = 0; i < table->column_count; ++i) {
        FAIL_IF(context, !field, VELA_ERROR_INVALID_INPUT,
                "%s: line %" PRId64 ": found %d fields, expected %d", path, line_number, i,
                table->column_count);
        char *next = strchr(field, ',');
        if (next)
            *next++ = 0;
        values[i] = NAN;
        if (field[0] && !diagnostics_is_text(table->columns[i])) {
            char *behind;
            values[i] = strtod(field, &behind);
            FAIL_IF(context, *behind, VELA_ERROR_INVALID_INPUT,
                    "%s: line %" PRId64 ", column %s: found '%.40s', expected a number", path, line_number,
                    table->columns[i], field);
        }
        field = next;
    }
    FAIL_IF(context, field, VELA_ERROR_INVALID_INPUT,
            "%s: line %" PRId64 ": more fields than the %d of the header", path, line_number,
            table->column_count);
    return VELA_OK;
}

VelaResult diagnostics_read(VelaContext *context, const char *folder, Arena *arena, DiagnosticsTable *table)
{
    *table = (DiagnosticsTable){0};
    char path[RUN_PATH_CAPACITY], *text;
    size_t size;
    TRY(run_path(context, folder, "diagnostics.csv", path));
    TRY(file_read(context, path, arena, &text, &size));
    FAIL_IF(context, memchr(text, 0, size), VELA_ERROR_INVALID_INPUT, "%s: found a zero byte, expected text",
            path);
    size_t line_count = 0;
    for (const char *at = text; (at = strchr(at, '\n')); ++at)
        ++line_count;
    FAIL_IF(context, line_count == 0 || strncmp(text, "step,time,", 10) != 0, VELA_ERROR_INVALID_INPUT,
            "%s: line 1: found '%.60s', expected a header row that starts with step,time", path, text);
    double *values = NULL;
    char *line = text;
    for (size_t i = 0; i < line_count; ++i) {
        char *end = strchr(line, '\n');
        *end = 0;
        if (end > line && end[-1] == '\r')
            end[-1] = 0;
        if (i == 0) {
            TRY(read_columns(context, path, arena, line, table));
            TRY(ARENA_ARRAY(arena, values, (line_count - 1) * (size_t)table->column_count));
        } else {
            TRY(read_row(context, path, table, (int64_t)i + 1, line,
                         values + (i - 1) * (size_t)table->column_count));
        }
        line = end + 1;
    }
    table->is_cut_off = *line != 0;
    table->values = values;
    table->row_count = (int64_t)line_count - 1;
    return VELA_OK;
}

int32_t diagnostics_column(const DiagnosticsTable *table, const char *name)
{
    for (int32_t i = 0; i < table->column_count; ++i)
        if (strcmp(table->columns[i], name) == 0)
            return i;
    return -1;
}
