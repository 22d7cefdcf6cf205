/// A text file of the run folder with a header row and one row a step, which grows as the run goes and is cut back when the run is
/// resumed.
#ifndef OUTPUT_STEP_TABLE_H
#define OUTPUT_STEP_TABLE_H

#include "base/context.h"

#include <stdio.h>

typedef struct StepTable {
    VelaContext *context;
    FILE *file;
    char *path;
} StepTable;

/// Starts the file `name` of a run folder with the header row, or (`append`) goes on behind the last row; call
/// step_table_truncate before that. VELA_ERROR_IO.
VelaResult step_table_open(StepTable *table, VelaContext *context, const char *folder, const char *name,
                           const char *header, bool append);
/// Adds the row of `step`, `length` bytes with their newline, which are on their way to the disk when the call returns.
/// VELA_ERROR_IO (disk full, …).
VelaResult step_table_write(StepTable *table, int64_t step, const char *row, size_t length);
/// Closes the file; a table of zeros is allowed.
void step_table_close(StepTable *table);
/// Cuts the file back to the rows 0 to `step`; a half-written last row goes as well. `what` is in it, for messages
/// ("diagnostics"). VELA_ERROR_INVALID_INPUT where one of these rows is missing or the file is not what vela writes, VELA_ERROR_IO.
VelaResult step_table_truncate(VelaContext *context, const char *folder, const char *name, const char *what,
                               const char *header, int64_t step);

#endif
