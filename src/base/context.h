/// The context inside the library: errors with messages, log, memory accounting, the interrupt flag.
#ifndef BASE_CONTEXT_H
#define BASE_CONTEXT_H

#include "vela/context.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

/// A solver between two of its iterations.
typedef struct SolverNote {
    int32_t iteration; ///< done in this stage
    double
        residual; ///< newton: largest change of a coordinate over h, m/s; admm: the primal one; NaN before there is one
    int32_t pairs; ///< pairs in barrier contact; -1 where there is none
} SolverNote;

/// What the context writes where the process ends at once, in a signal handler; see context_last_words.
typedef struct LastWords {
    char path[1056], temporary[1072];
    size_t length;
    char text[16384];
} LastWords;

struct VelaContext {
    VelaLogFunction log;
    void *log_user;
    size_t memory_limit; ///< bytes, 0: none
    _Atomic size_t memory_used;
    int threads; ///< resolved: at least 1
    volatile sig_atomic_t interrupted;
    atomic_flag message_busy; ///< several threads may fail at once, where memory runs out
    double stop_at;     ///< clock_seconds when an interrupt was noticed within a step, and grace; 0: none was
    _Atomic bool stops; ///< that grace is over
    SolverNote last_note; ///< of the stage that is being solved
    double noted_at;      ///< clock_seconds when that was handed on last
    void (*note)(void *user, const SolverNote *note);
    void *note_user;
    _Atomic(const LastWords *) last_words; ///< NULL: none
    char message[2048];
};

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/// Stores the message ("what, found, expected") and returns `result`, so that `return context_fail(…)` reads well. Threads
/// may fail at the same time: one of their messages stays.
VelaResult context_fail(VelaContext *context, VelaResult result, const char *format, ...) PRINTF_LIKE(3, 4);
/// Puts "prefix: " before the stored message; for callers that know the file or the JSON path. Returns `result`.
VelaResult context_fail_prefix(VelaContext *context, VelaResult result, const char *format, ...)
    PRINTF_LIKE(3, 4);
void context_log(VelaContext *context, VelaLogLevel level, const char *format, ...) PRINTF_LIKE(3, 4);

/// Called by solvers between two iterations. Hands the note on; VELA_ERROR_INTERRUPTED where vela_context_interrupt was called
/// more than a second ago: a step that ends by itself within that time is not lost.
VelaResult context_note(VelaContext *context, const SolverNote *note);
/// At the start of a stage, of which there is nothing to say yet.
void context_note_stage(VelaContext *context);
/// Whether to go on within an iteration that may take long: asked by every thread of a parallel region, before each of its parts.
/// The region's first thread, which is the one that entered it, hands the last note on again after a second without one and notices
/// an interrupt. Where the answer is no, the parts that are left are skipped, and context_breathe behind the region fails.
bool context_goes_on(VelaContext *context);
/// The same between two parts of an iteration: VELA_ERROR_INTERRUPTED as of context_note.
VelaResult context_breathe(VelaContext *context);

/// Allocation of the whole library: 64-byte aligned, zeroed, counted against the limit. NULL if exhausted (no message).
void *context_allocate(VelaContext *context, size_t size);
/// Makes a block larger or smaller, which may move it; what it had is kept as far as it goes, and what is new is not set. NULL: there is no
/// memory, and the block stays what it was.
void *context_reallocate(VelaContext *context, void *memory, size_t size);
void context_free(VelaContext *context, void *memory);

/// Leaves the function with the result of `expression` unless that is VELA_OK.
#define TRY(expression)                                                                                      \
    do {                                                                                                     \
        const VelaResult try_result = (expression);                                                          \
        if (try_result != VELA_OK)                                                                           \
            return try_result;                                                                               \
    } while (0)

/// As TRY, but goes to `label` with the result in `variable`; for functions that own something.
#define TRY_GOTO(variable, expression, label)                                                                \
    do {                                                                                                     \
        (variable) = (expression);                                                                           \
        if ((variable) != VELA_OK)                                                                           \
            goto label;                                                                                      \
    } while (0)

/// FAIL_IF(context, condition, code, "what, found, expected", …)
#define FAIL_IF(context, condition, ...)                                                                     \
    do {                                                                                                     \
        if (condition)                                                                                       \
            return context_fail((context), __VA_ARGS__);                                                     \
    } while (0)

/// What holds unless vela itself is wrong. The host program goes on either way: VELA_ERROR_INTERNAL with the condition.
#define REQUIRE(context, condition)                                                                          \
    FAIL_IF(context, !(condition), VELA_ERROR_INTERNAL,                                                      \
            "%s: expected %s; this is a mistake in vela, please report it", __func__, #condition)

#endif
