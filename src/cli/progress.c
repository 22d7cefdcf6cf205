#define _XOPEN_SOURCE 700 // sigaction, isatty, clock_gettime

#include "progress.h"

#include "json.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double BAR_INTERVAL = 0.1, LINE_INTERVAL = 5.0; // s

enum { LINE_SIZE = 512, DEFAULT_WIDTH = 80, WIDEST_BAR = 40, NARROWEST_BAR = 8, USUAL_TEXT = 56 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return DEFAULT_WIDTH;
}

// Wall time the rest of the steps will take at the pace so far, s; NaN before the first step.
static double remaining_seconds(const VelaProgress *progress)
{
    const int64_t done = progress->step - progress->first_step;
    if (done <= 0)
        return NAN;
    return progress->elapsed / (double)done * (double)(progress->step_count - progress->step);
}

static void describe_step(const VelaProgress *progress, char *text, size_t size)
{
    char duration[32], stop[32] = "", drift[32];
    format_drift(progress->energy_drift, drift, sizeof drift);
    format_duration(remaining_seconds(progress), duration, sizeof duration);
    if (!progress->converged)
        snprintf(stop, sizeof stop, " (%s)", progress->stop);
    snprintf(text, size, "%lld/%lld  ETA %s  t %.3f s  drift %s  %d it%s", (long long)progress->step,
             (long long)progress->step_count, duration, progress->time, drift, (int)progress->iterations,
             stop);
}

static void describe_iteration(const VelaProgress *progress, char *text, size_t size)
{
    int length = snprintf(text, size, "%lld/%lld  iteration %d", (long long)progress->step,
                          (long long)progress->step_count, (int)progress->solver_iteration);
    if (!isnan(progress->residual))
        length += snprintf(text + length, size - (size_t)length, "  residual %.2g", progress->residual);
    if (progress->contact_pairs >= 0)
        snprintf(text + length, size - (size_t)length, "  %lld pairs", (long long)progress->contact_pairs);
}

static void describe(const VelaProgress *progress, char *text, size_t size)
{
    if (progress->phase == VELA_PHASE_IMAGES)
        snprintf(text, size, "%lld/%lld  images", (long long)progress->images,
                 (long long)progress->images_expected);
    else if (progress->phase == VELA_PHASE_SOLVE)
        describe_iteration(progress, text, size);
    else
        describe_step(progress, text, size);
}

// "[#####-----]  50%  " and what fits of `text` behind it, in place of the line the cursor is in.
static void draw_bar(ProgressDisplay *display, const char *text, double share)
{
    const int width = terminal_width() - 1;
    // A constant width as long as the text keeps to the usual one, so that the bar does not jump.
    const int text_width = (int)strlen(text) > USUAL_TEXT ? (int)strlen(text) : USUAL_TEXT;
    int bar = width - text_width - 9;
    bar = bar > WIDEST_BAR ? WIDEST_BAR : bar;
    share = share >= 0 && share <= 1 ? share : 0;
    char line[LINE_SIZE];
    int length = 0;
    if (bar >= NARROWEST_BAR) {
        line[length++] = '[';
        for (int i = 0; i < bar; i++)
            line[length++] = (i + 1) <= share * bar + 1e-9 ? '#' : '-';
        line[length++] = ']';
    }
    snprintf(line + length, sizeof line - (size_t)length, " %3.0f%%  %s", 100 * share, text);
    printf("\r\033[K%.*s", width, line);
    fflush(stdout);
    display->bar_is_drawn = true;
}

ProgressDisplay progress_make(Verbosity verbosity)
{
    return (ProgressDisplay){
        .verbosity = verbosity, .terminal = isatty(STDOUT_FILENO) == 1, .last_output = -LINE_INTERVAL};
}

void progress_make_room(void *user)
{
    ProgressDisplay *display = user;
    if (!display->bar_is_drawn)
        return;
    printf("\r\033[K");
    fflush(stdout);
    display->bar_is_drawn = false;
}

static void show(ProgressDisplay *display, const char *what, const char *text, double share, bool last)
{
    const double time = now();
    const double interval = display->terminal ? BAR_INTERVAL : LINE_INTERVAL;
    if (!last && time - display->last_output < interval)
        return;
    display->last_output = time;
    if (display->terminal) {
        draw_bar(display, text, share);
    } else {
        printf("%s %s\n", what, text);
        fflush(stdout);
    }
}

static void print_json(const VelaProgress *progress)
{
    static const char *const events[] = {"prepare", "step", "image", "finish", "iteration"};
    JsonLine line = json_begin(stdout, events[progress->phase]);
    json_integer(&line, "step", progress->step);
    json_integer(&line, "step_count", progress->step_count);
    json_real(&line, "time", progress->time);
    json_real(&line, "elapsed", progress->elapsed);
    json_real(&line, "remaining", remaining_seconds(progress));
    json_real(&line, "step_ms", progress->step_ms);
    json_real(&line, "energy", progress->energy);
    json_real(&line, "energy_drift", progress->energy_drift);
    json_integer(&line, "iterations", progress->iterations);
    json_bool(&line, "converged", progress->converged);
    json_text(&line, "stop", progress->stop);
    json_integer(&line, "frames", progress->frames);
    json_integer(&line, "images", progress->images);
    json_integer(&line, "images_expected", progress->images_expected);
    if (progress->phase == VELA_PHASE_SOLVE) {
        json_integer(&line, "solver_iteration", progress->solver_iteration);
        json_real(&line, "residual", progress->residual);
        if (progress->contact_pairs >= 0)
            json_integer(&line, "contact_pairs", progress->contact_pairs);
    }
    json_end(&line);
}

void progress_show(void *user, const VelaProgress *progress)
{
    ProgressDisplay *display = user;
    display->last = *progress;
    if (display->verbosity == VERBOSITY_JSON) {
        print_json(progress);
        return;
    }
    const bool counts = progress->phase == VELA_PHASE_SIMULATE || progress->phase == VELA_PHASE_IMAGES ||
                        progress->phase == VELA_PHASE_SOLVE;
    if (display->verbosity == VERBOSITY_QUIET || !counts)
        return;
    const bool images = progress->phase == VELA_PHASE_IMAGES;
    const int64_t done = images ? progress->images : progress->step;
    const int64_t count = images ? progress->images_expected : progress->step_count;
    char text[LINE_SIZE];
    describe(progress, text, sizeof text);
    show(display, images ? "image" : "step", text, count > 0 ? (double)done / (double)count : 1,
         done == count);
}

void progress_count(ProgressDisplay *display, const char *what, int64_t done, int64_t count)
{
    if (display->verbosity != VERBOSITY_NORMAL)
        return;
    char text[LINE_SIZE];
    snprintf(text, sizeof text, "%lld/%lld%s%s", (long long)done, (long long)count,
             display->terminal ? "  " : "", display->terminal ? what : "");
    show(display, what, text, count > 0 ? (double)done / (double)count : 1, done == count);
}
