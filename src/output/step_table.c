#define _POSIX_C_SOURCE 200809L
#include "output/step_table.h"

#include "base/file.h"
#include "output/run_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

VelaResult step_table_open(StepTable *table, VelaContext *context, const char *folder, const char *name,
                           const char *header, bool append)
{
    *table = (StepTable){.context = context};
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, name, path));
    table->path = context_allocate(context, strlen(path) + 1);
    FAIL_IF(context, !table->path, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %s cannot be written", path);
    memcpy(table->path, path, strlen(path));
    table->file = fopen(path, append ? "ab" : "wb");
    bool good = table->file;
    if (good && !append)
        good = fprintf(table->file, "%s\n", header) > 0 && fflush(table->file) == 0;
    if (good)
        return VELA_OK;
    const int reason = errno;
    step_table_close(table);
    return context_fail(context, VELA_ERROR_IO, "%s: cannot be written: %s", path, strerror(reason));
}

void step_table_close(StepTable *table)
{
    if (table->file)
        fclose(table->file);
    if (table->path)
        context_free(table->context, table->path);
    *table = (StepTable){0};
}

VelaResult step_table_write(StepTable *table, int64_t step, const char *row, size_t length)
{
    errno = 0;
    FAIL_IF(table->context, fwrite(row, 1, length, table->file) != length || fflush(table->file) != 0,
            VELA_ERROR_IO, "%s: step %" PRId64 " cannot be written: %s", table->path, step,
            errno ? strerror(errno) : "write error");
    return VELA_OK;
}

enum { LINE_START = 61 };

// Reads a line, however long, and keeps how it begins; its bytes with the newline, or 0 where it has none.
static long long next_line(FILE *file, char start[LINE_START])
{
    int kept = 0;
    for (long long length = 1;; ++length) {
        const int c = fgetc(file);
        if (kept < LINE_START - 1 && c != EOF && c != '\n')
            start[kept++] = (char)c;
        start[kept] = '\0';
        if (c == EOF || c == '\n')
            return c == EOF ? 0 : length;
    }
}

// Reads the header row; false where the file begins otherwise.
static bool has_header(FILE *file, const char *header)
{
    for (; *header; ++header)
        if (fgetc(file) != (unsigned char)*header)
            return false;
    return fgetc(file) == '\n';
}

// Finds the end, in bytes, of the row of `step` among rows that count up from 0.
static VelaResult find_end(VelaContext *context, const char *path, const char *what, const char *header,
                           FILE *file, int64_t step, long long *end)
{
    char start[LINE_START] = "";
    if (!has_header(file, header)) {
        rewind(file);
        next_line(file, start);
        return context_fail(context, VELA_ERROR_INVALID_INPUT,
                            "%s: line 1: found '%s', expected the header row of vela's %s", path, start,
                            what);
    }
    *end = (long long)strlen(header) + 1;
    for (int64_t expected = 0; expected <= step; ++expected) {
        const long long length = next_line(file, start);
        FAIL_IF(context, length == 0, VELA_ERROR_INVALID_INPUT,
                "%s: ends before step %" PRId64 ", expected rows up to step %" PRId64, path, expected, step);
        char *behind;
        const long long found = strtoll(start, &behind, 10);
        FAIL_IF(context, behind == start || *behind != ',' || found != expected, VELA_ERROR_INVALID_INPUT,
                "%s: line %" PRId64 ": found '%.40s', expected the row of step %" PRId64, path, expected + 2,
                start, expected);
        *end += length;
    }
    return VELA_OK;
}

VelaResult step_table_truncate(VelaContext *context, const char *folder, const char *name, const char *what,
                               const char *header, int64_t step)
{
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, name, path));
    FAIL_IF(context, file_is_irregular(path), VELA_ERROR_INVALID_INPUT, "%s: not a regular file", path);
    FILE *file = fopen(path, "rb");
    FAIL_IF(context, !file, VELA_ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    long long end = 0;
    const VelaResult result = find_end(context, path, what, header, file, step, &end);
    fclose(file);
    TRY(result);
    FAIL_IF(context, truncate(path, (off_t)end) != 0, VELA_ERROR_IO, "%s: cannot be cut back: %s", path,
            strerror(errno));
    return VELA_OK;
}
