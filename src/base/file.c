#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_is_wrong_path(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == ELOOP ||
           error == EACCES || error == EPERM || error == EROFS || error == EISDIR;
}

bool file_is_irregular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

VelaResult file_read(VelaContext *context, const char *path, Arena *arena, char **data, size_t *size)
{
    *data = NULL;
    *size = 0;
    FAIL_IF(context, !*path, VELA_ERROR_INVALID_INPUT, "found an empty file name, expected a file");
    struct stat status;
    // Before it is opened: opening a pipe waits for somebody to write into it.
    FAIL_IF(context, file_is_irregular(path), VELA_ERROR_INVALID_INPUT, "%s: not a regular file", path);
    FILE *file = fopen(path, "rb");
    FAIL_IF(context, !file, file_is_wrong_path(errno) ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
            "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
        fclose(file);
        return context_fail(context, VELA_ERROR_INVALID_INPUT, "%s: not a regular file", path);
    }
    const size_t length = (size_t)status.st_size;
    VelaResult result = arena_allocate(arena, length + 1, 1, (void **)data);
    if (result == VELA_OK && fread(*data, 1, length, file) != length)
        result = context_fail(context, VELA_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (result == VELA_OK)
        *size = length;
    return result;
}

VelaResult file_writer_open(FileWriter *writer, VelaContext *context, const char *path)
{
    *writer = (FileWriter){.context = context};
    const size_t length = strlen(path);
    writer->path = context_allocate(context, length + 1);
    writer->temporary = context_allocate(context, length + 16);
    if (!writer->path || !writer->temporary) {
        file_writer_discard(writer);
        return context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %s cannot be written", path);
    }
    memcpy(writer->path, path, length);
    snprintf(writer->temporary, length + 16, "%s.part", path);
    writer->file = fopen(writer->temporary, "wb");
    if (!writer->file) {
        const VelaResult result =
            context_fail(context, VELA_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
        file_writer_discard(writer);
        return result;
    }
    return VELA_OK;
}

void file_writer_write(FileWriter *writer, const void *data, size_t size)
{
    errno = 0;
    if (writer->error == 0 && fwrite(data, 1, size, writer->file) != size)
        writer->error = errno ? errno : EIO;
}

VelaResult file_writer_commit(FileWriter *writer, bool durable)
{
    errno = writer->error;
    bool good = writer->error == 0 && !ferror(writer->file) && fflush(writer->file) == 0;
    good = good && (!durable || fsync(fileno(writer->file)) == 0);
    const int reason = errno; // of the first thing that failed, whatever closing says
    const bool closed = fclose(writer->file) == 0;
    writer->file = NULL;
    VelaResult result = VELA_OK;
    if (!good || !closed || rename(writer->temporary, writer->path) != 0) {
        const int error = good ? errno : reason;
        result = context_fail(writer->context, VELA_ERROR_IO, "%s: cannot be written: %s", writer->path,
                              error ? strerror(error) : "write error");
    }
    file_writer_discard(writer);
    return result;
}

void file_writer_discard(FileWriter *writer)
{
    if (writer->file)
        fclose(writer->file);
    if (writer->temporary)
        unlink(writer->temporary);
    context_free(writer->context, writer->path);
    context_free(writer->context, writer->temporary);
    *writer = (FileWriter){0};
}

VelaResult file_write(VelaContext *context, const char *path, const void *data, size_t size)
{
    FileWriter writer;
    TRY(file_writer_open(&writer, context, path));
    file_writer_write(&writer, data, size);
    return file_writer_commit(&writer, false);
}

VelaResult file_make_folder(VelaContext *context, const char *path)
{
    char partial[4096];
    const size_t length = strlen(path);
    FAIL_IF(context, length == 0 || length >= sizeof partial, VELA_ERROR_IO, "%s: not a usable folder name",
            path);
    for (size_t i = 1; i <= length; ++i) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        memcpy(partial, path, i);
        partial[i] = 0;
        if (mkdir(partial, 0777) == 0 || errno == EEXIST)
            continue;
        return context_fail(context, file_is_wrong_path(errno) ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
                            "%s: the folder cannot be made: %s", partial, strerror(errno));
    }
    struct stat status;
    FAIL_IF(context, stat(path, &status) != 0,
            file_is_wrong_path(errno) ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
            "%s: cannot be used as a folder: %s", path, strerror(errno));
    FAIL_IF(context, !S_ISDIR(status.st_mode), VELA_ERROR_INVALID_INPUT,
            "%s: found a file, expected a folder", path);
    return VELA_OK;
}
