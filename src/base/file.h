/// Whole files in, whole files out. Nothing half-written ever stands under its final name.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/// Whether there is something under this name that is no regular file, such as a pipe, which would wait when it is opened.
bool file_is_irregular(const char *path);
/// Reads all bytes and puts a 0 behind them (not counted in `*size`). VELA_ERROR_IO, VELA_ERROR_INVALID_INPUT for a
/// folder or a file that does not exist (the message names it).
VelaResult file_read(VelaContext *context, const char *path, Arena *arena, char **data, size_t *size);

/// A file being written under a temporary name beside its final one.
typedef struct FileWriter {
    VelaContext *context;
    FILE *file;
    char *path, *temporary;
    int error; ///< errno of the first write that failed, 0: none
} FileWriter;

VelaResult file_writer_open(FileWriter *writer, VelaContext *context, const char *path);
/// Appends; what goes wrong (disk full, …) is reported by the commit.
void file_writer_write(FileWriter *writer, const void *data, size_t size);
/// Flushes, syncs (when `durable`) and renames; on any error removes the temporary and says why (disk full, …).
VelaResult file_writer_commit(FileWriter *writer, bool durable);
/// Removes the temporary file.
void file_writer_discard(FileWriter *writer);
VelaResult file_write(VelaContext *context, const char *path, const void *data, size_t size);
/// Whether an errno says that a path is a wrong one (a link to nowhere, a file among its folders, a place where nothing may
/// be written), rather than that reading or writing went wrong.
bool file_is_wrong_path(int error);
/// Makes the folder and its parents where missing. VELA_ERROR_INVALID_INPUT where the path is a wrong one.
VelaResult file_make_folder(VelaContext *context, const char *path);

#endif
