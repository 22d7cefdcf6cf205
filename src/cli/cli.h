/// What the verbs share: the context with its log, the interrupt, exit codes, and the way numbers are printed.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "options.h"
#include "text.h"
#include "vela/context.h"

#include <stdio.h>

enum {
    EXIT_CODE_SUCCESS = 0,
    EXIT_CODE_FAILURE = 1, ///< the run failed
    EXIT_CODE_INPUT = 2,   ///< the command line, the scene or a mesh is wrong
};

/// How much a verb says, and how.
typedef enum Verbosity { VERBOSITY_NORMAL, VERBOSITY_QUIET, VERBOSITY_JSON } Verbosity;

/// One use of the library by a verb.
typedef struct Invocation {
    const char *verb;
    VelaContext *context;
    Verbosity verbosity;
    bool keeps_record; ///< a run.json says how it ends: a reader that goes away ends it in order
    /// Called before a message is printed, so that a progress bar can make room; NULL: nothing to do.
    void (*make_room)(void *user);
    void *make_room_user;
    TextList arguments; ///< what was typed besides options; items owned by the invocation
    TextList overrides; ///< --set, in order; items owned by the invocation
} Invocation;

/// Makes room for the arguments of a command line of `argc` words. Returns OPTIONS_GO_ON or an exit code.
int invocation_begin(Invocation *invocation, const char *verb, int argc);
/// Creates the context (threads 0: all cores) and lets SIGINT, SIGTERM and SIGHUP interrupt it (SIGPIPE too with `keeps_record`). OPTIONS_GO_ON or an exit code.
int invocation_open(Invocation *invocation, int64_t threads);
/// Prints the message of a failure, frees everything, and returns the exit code for `result`.
int invocation_end(Invocation *invocation, VelaResult result);
/// Frees everything, with or without a context, and returns `code`.
int invocation_leave(Invocation *invocation, int code);

/// EXIT_CODE_* for a result.
int exit_code_of(VelaResult result);
/// "ok", "invalid input", …: what a result is called in JSON output.
const char *result_name(VelaResult result);

/// "640 B", "12.3 MiB": into `text`, which is returned.
const char *format_bytes(uint64_t bytes, char *text, size_t size);
/// "+1.2e-03": into `text`, which is returned; "-" where there is no number.
const char *format_drift(double drift, char *text, size_t size);
/// "0:07", "1:02:03": into `text`, which is returned; "-" for what is not a time.
const char *format_duration(double seconds, char *text, size_t size);

/// The verbs: argc and argv start behind the verb's name. They return the exit code.
int verb_run(int argc, char **argv);
int verb_compare(int argc, char **argv);
int verb_render(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_plot(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_devices(int argc, char **argv);
int verb_mesh(int argc, char **argv);

#endif
