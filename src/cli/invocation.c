#define _XOPEN_SOURCE 700 // sigaction, isatty, clock_gettime

#include "cli.h"
#include "json.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A signal handler has no other way to the context.
static VelaContext *volatile interrupted_context;
static volatile sig_atomic_t interrupt_is_silent, last_signal;

static void catch_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_flags = SA_RESTART, .sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

// What was asked for by a key or by `kill` stops the run; asked for again, the process, which says so in run.json. A terminal or
// a reader that has gone stops the run as well, and has nobody to tell.
static void handle_interrupt(int signal_number)
{
    static const char message[] = "\ninterrupted: stopping; once more to stop at once\n";
    const bool asked = signal_number == SIGINT || signal_number == SIGTERM;
    if (asked && last_signal == signal_number) {
        vela_context_abandon(interrupted_context);
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    if (asked)
        last_signal = signal_number;
    vela_context_interrupt(interrupted_context);
    if (asked && !interrupt_is_silent) {
        const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
        (void)written;
    }
}

static void log_message(void *user, VelaLogLevel level, const char *message)
{
    static const char *const level_names[] = {"error", "warning", "info", "debug"};
    const Invocation *invocation = user;
    if (level > VELA_LOG_INFO || (invocation->verbosity == VERBOSITY_QUIET && level > VELA_LOG_WARNING))
        return;
    if (invocation->verbosity == VERBOSITY_JSON) {
        JsonLine line = json_begin(stdout, "log");
        json_text(&line, "level", level_names[level]);
        json_text(&line, "message", message);
        json_end(&line);
        return;
    }
    if (invocation->make_room)
        invocation->make_room(invocation->make_room_user);
    if (level == VELA_LOG_INFO) {
        print_text(stdout, "%s\n", message);
        fflush(stdout);
    } else {
        fflush(stdout);
        fprintf(stderr, "%s: ", level_names[level]);
        print_text(stderr, "%s\n", message);
    }
}

int invocation_begin(Invocation *invocation, const char *verb, int argc)
{
    *invocation = (Invocation){.verb = verb};
    invocation->arguments.items = calloc((size_t)argc + 1, sizeof *invocation->arguments.items);
    invocation->overrides.items = calloc((size_t)argc + 1, sizeof *invocation->overrides.items);
    if (invocation->arguments.items && invocation->overrides.items)
        return OPTIONS_GO_ON;
    fprintf(stderr, "vela %s: out of memory\n", verb);
    return invocation_leave(invocation, EXIT_CODE_FAILURE);
}

static void set_handlers(void (*handler)(int), bool of_pipe)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction old;
    for (int i = 0; i < 4; i++) {
        const int number = signals[i];
        sigaction(number, NULL, &old);
        const bool is_off = number == SIGHUP && old.sa_handler == SIG_IGN; // nohup
        if (!is_off && (number != SIGPIPE || of_pipe))
            catch_signal(number, handler);
    }
}

int invocation_open(Invocation *invocation, int64_t threads)
{
    VelaContextDef def = vela_default_context_def();
    def.log = log_message;
    def.log_user = invocation;
    def.threads = (int32_t)threads;
    if (vela_context_create(&def, &invocation->context) != VELA_OK) {
        fprintf(stderr, "vela %s: out of memory\n", invocation->verb);
        return invocation_leave(invocation, EXIT_CODE_FAILURE);
    }
    interrupted_context = invocation->context;
    interrupt_is_silent = invocation->verbosity != VERBOSITY_NORMAL;
    last_signal = 0;
    set_handlers(handle_interrupt, invocation->keeps_record);
    return OPTIONS_GO_ON;
}

int invocation_end(Invocation *invocation, VelaResult result)
{
    if (invocation->make_room)
        invocation->make_room(invocation->make_room_user);
    if (result != VELA_OK) {
        fflush(stdout);
        const char *message = vela_context_message(invocation->context);
        fprintf(stderr, "vela %s: ", invocation->verb);
        print_text(stderr, "%s\n", message[0] ? message : result_name(result));
    }
    return invocation_leave(invocation, exit_code_of(result));
}

int invocation_leave(Invocation *invocation, int code)
{
    if (invocation->context) {
        set_handlers(SIG_DFL, false);
        vela_context_destroy(invocation->context);
    }
    free(invocation->arguments.items);
    free(invocation->overrides.items);
    *invocation = (Invocation){0};
    return code;
}

int exit_code_of(VelaResult result)
{
    switch (result) {
    case VELA_OK:
        return EXIT_CODE_SUCCESS;
    case VELA_ERROR_INVALID_INPUT:
    case VELA_ERROR_UNSUPPORTED:
        return EXIT_CODE_INPUT;
    default:
        return EXIT_CODE_FAILURE;
    }
}

const char *result_name(VelaResult result)
{
    switch (result) {
    case VELA_OK:
        return "ok";
    case VELA_ERROR_INVALID_INPUT:
        return "invalid input";
    case VELA_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case VELA_ERROR_IO:
        return "input or output";
    case VELA_ERROR_NO_DEVICE:
        return "no device";
    case VELA_ERROR_DEVICE:
        return "device";
    case VELA_ERROR_NOT_CONVERGED:
        return "not converged";
    case VELA_ERROR_INTERRUPTED:
        return "interrupted";
    case VELA_ERROR_BEYOND_TOLERANCE:
        return "beyond tolerance";
    case VELA_ERROR_VERIFICATION:
        return "verification";
    case VELA_ERROR_UNSUPPORTED:
        return "unsupported";
    case VELA_ERROR_INTERNAL:
        return "internal";
    }
    return "unknown";
}

const char *format_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 6) {
        value /= 1024;
        unit++;
    }
    snprintf(text, size, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

const char *format_drift(double drift, char *text, size_t size)
{
    snprintf(text, size, isfinite(drift) ? "%+.1e" : "-", drift);
    return text;
}

const char *format_duration(double seconds, char *text, size_t size)
{
    if (!isfinite(seconds) || seconds < 0 || seconds > 1e9) {
        snprintf(text, size, "-");
        return text;
    }
    const long long whole = (long long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, size, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%lld:%02lld", whole / 60, whole % 60);
    return text;
}
