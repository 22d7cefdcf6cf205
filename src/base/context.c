#define _POSIX_C_SOURCE 200809L // clock_gettime, open, write
#include "base/context.h"

#include "base/clock.h"

#include <fcntl.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    atomic_flag_clear(&created->message_busy);
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

static void set_message(VelaContext *context, const char message[sizeof context->message])
{
    while (atomic_flag_test_and_set_explicit(&context->message_busy, memory_order_acquire))
        ;
    memcpy(context->message, message, sizeof context->message);
    atomic_flag_clear_explicit(&context->message_busy, memory_order_release);
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

static void hand_on(VelaContext *context, const SolverNote *note)
{
    context->last_note = *note;
    context->noted_at = clock_seconds();
    if (context->note)
        context->note(context->note_user, note);
}

static void notice_interrupt(VelaContext *context)
{
    static const double GRACE = 1; // s
    if (!context->interrupted)
        return;
    const double now = clock_seconds();
    if (context->stop_at == 0)
        context->stop_at = now + GRACE;
    context->stops = now > context->stop_at;
}

VelaResult context_note(VelaContext *context, const SolverNote *note)
{
    hand_on(context, note);
    notice_interrupt(context);
    FAIL_IF(context, context->stops, VELA_ERROR_INTERRUPTED, "interrupted after iteration %d",
            note->iteration);
    return VELA_OK;
}

void context_note_stage(VelaContext *context)
{
    context->last_note = (SolverNote){.residual = NAN, .pairs = -1};
    context->noted_at = clock_seconds();
}

static void listen(VelaContext *context)
{
    static const double QUIET = 1; // s
    if (clock_seconds() - context->noted_at > QUIET) {
        const SolverNote note = context->last_note;
        hand_on(context, &note);
    }
    notice_interrupt(context);
}

bool context_goes_on(VelaContext *context)
{
    if (omp_get_thread_num() == 0 && !context->stops)
        listen(context);
    return !context->stops;
}

VelaResult context_breathe(VelaContext *context)
{
    listen(context);
    FAIL_IF(context, context->stops, VELA_ERROR_INTERRUPTED, "interrupted before iteration %d was done",
            context->last_note.iteration + 1);
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
    set_message(context, message);
    // Whoever stops for an interrupt has answered it; the next call with this context goes on.
    if (result == VELA_ERROR_INTERRUPTED) {
        context->interrupted = 0;
        context->stop_at = 0;
        context->stops = false;
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
    set_message(context, message);
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

/// Before every block, in an alignment's worth of room.
typedef struct BlockHeader {
    size_t total; ///< bytes counted
    void *start;  ///< what calloc gave
} BlockHeader;
_Static_assert(sizeof(BlockHeader) <= ALIGNMENT, "room for the header");

static size_t total_of(size_t size)
{
    return ALIGNMENT + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// Whether so many bytes more are within the limit; they are counted in any case.
static bool count_bytes(VelaContext *context, size_t total)
{
    const size_t used = atomic_fetch_add(&context->memory_used, total) + total;
    return !context->memory_limit || used <= context->memory_limit;
}

static size_t aligned_offset(const char *start)
{
    return (ALIGNMENT - (uintptr_t)start % ALIGNMENT) % ALIGNMENT;
}

// The system gives large blocks as pages that are zero when they are first touched: by the thread that works on them, and not
// at all where nobody does. So nothing is set here.
void *context_allocate(VelaContext *context, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    const size_t total = total_of(size);
    char *start = count_bytes(context, total) ? calloc(1, total + ALIGNMENT) : NULL;
    if (!start) {
        atomic_fetch_sub(&context->memory_used, total);
        return NULL;
    }
    char *block = start + aligned_offset(start);
    memcpy(block, &(BlockHeader){total, start}, sizeof(BlockHeader));
    return block + ALIGNMENT;
}

void *context_reallocate(VelaContext *context, void *memory, size_t size)
{
    BlockHeader header;
    memcpy(&header, (char *)memory - ALIGNMENT, sizeof header);
    if (size > SIZE_MAX / 2)
        return NULL;
    const size_t total = total_of(size), offset = (size_t)((char *)memory - (char *)header.start),
                 kept = (total < header.total ? total : header.total) - ALIGNMENT;
    // Old and new bytes are both there while one is copied to the other, so both are counted.
    char *start = count_bytes(context, total) ? realloc(header.start, total + ALIGNMENT) : NULL;
    atomic_fetch_sub(&context->memory_used, start ? header.total : total);
    if (!start)
        return NULL;
    char *block = start + aligned_offset(start);
    if (block + ALIGNMENT != start + offset)
        memmove(block + ALIGNMENT, start + offset, kept);
    memcpy(block, &(BlockHeader){total, start}, sizeof(BlockHeader));
    return block + ALIGNMENT;
}

void context_free(VelaContext *context, void *memory)
{
    if (!memory)
        return;
    BlockHeader header;
    memcpy(&header, (char *)memory - ALIGNMENT, sizeof header);
    atomic_fetch_sub(&context->memory_used, header.total);
    free(header.start);
}
