#define _POSIX_C_SOURCE 200809L // clock_gettime, open, write
#include "base/context.h"

#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CONTEXT_COOKIE = 0x76656c61, ALIGNMENT = 64 };

VelaContextDef vela_default_context_def(void)
{
    return (VelaContextDef){.cookie = CONTEXT_COOKIE};
}

VelaResult vela_context_create(const VelaContextDef *def, VelaContext **context)
{
    *context = NULL;
    if (def->cookie != CONTEXT_COOKIE || def->threads < 0)
        return VELA_ERROR_INVALID_INPUT;
    VelaContext *created = calloc(1, sizeof *created);
    if (!created)
        return VELA_ERROR_OUT_OF_MEMORY;
    created->log = def->log;
    created->log_user = def->log_user;
    created->memory_limit = def->memory_limit;
    created->threads = def->threads > 0 ? def->threads : omp_get_num_procs();
    *context = created;
    return VELA_OK;
}

void vela_context_destroy(VelaContext *context)
{
    free(context);
}

const char *vela_context_message(const VelaContext *context)
{
    return context->message;
}

void vela_context_interrupt(VelaContext *context)
{
    context->interrupted = 1;
}

// Async-signal-safe calls only: the lock-free pointer, open, write, rename.
void vela_context_abandon(VelaContext *context)
{
    const LastWords *words = context ? atomic_load(&context->last_words) : NULL;
    if (!words)
        return;
    const int file = open(words->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    const bool written = write(file, words->text, words->length) == (ssize_t)words->length;
    close(file);
    if (written)
        rename(words->temporary, words->path);
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

VelaResult context_note(VelaContext *context, const SolverNote *note)
{
    static const double GRACE = 1; // s
    if (context->note)
        context->note(context->note_user, note);
    if (!context->interrupted)
        return VELA_OK;
    const double now = clock_seconds();
    if (context->stop_at == 0)
        context->stop_at = now + GRACE;
    FAIL_IF(context, now > context->stop_at, VELA_ERROR_INTERRUPTED, "interrupted after iteration %d",
            note->iteration);
    return VELA_OK;
}

VelaResult context_fail(VelaContext *context, VelaResult result, const char *format, ...)
{
    // Formatted beside the old message first: it may be one of the arguments.
    char message[sizeof context->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    memcpy(context->message, message, sizeof message);
    // Whoever stops for an interrupt has answered it; the next call with this context goes on.
    if (result == VELA_ERROR_INTERRUPTED) {
        context->interrupted = 0;
        context->stop_at = 0;
    }
    return result;
}

VelaResult context_fail_prefix(VelaContext *context, VelaResult result, const char *format, ...)
{
    char message[sizeof context->message];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof message)
        snprintf(message + length, sizeof message - (size_t)length, ": %s", context->message);
    memcpy(context->message, message, sizeof message);
    return result;
}

void context_log(VelaContext *context, VelaLogLevel level, const char *format, ...)
{
    if (!context->log)
        return;
    char message[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    context->log(context->log_user, level, message);
}

// Every block starts with its size, in an alignment's worth of room.
void *context_allocate(VelaContext *context, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t total = ALIGNMENT + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t used = atomic_fetch_add(&context->memory_used, total) + total;
    if (context->memory_limit && used > context->memory_limit) {
        atomic_fetch_sub(&context->memory_used, total);
        return NULL;
    }
    char *block = aligned_alloc(ALIGNMENT, total);
    if (!block) {
        atomic_fetch_sub(&context->memory_used, total);
        return NULL;
    }
    memset(block, 0, total);
    memcpy(block, &total, sizeof total);
    return block + ALIGNMENT;
}

void context_free(VelaContext *context, void *memory)
{
    if (!memory)
        return;
    char *block = (char *)memory - ALIGNMENT;
    size_t total;
    memcpy(&total, block, sizeof total);
    atomic_fetch_sub(&context->memory_used, total);
    free(block);
}
