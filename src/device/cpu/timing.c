#define _POSIX_C_SOURCE 200809L
#include "device/cpu/timing.h"

#include <time.h>

void cpu_timings_name(DeviceTiming timings[PHASE_COUNT])
{
    static const char *const names[PHASE_COUNT] = {
        "local step",       "global step",         "residuals",   "factorisation", "gradient and Hessians",
        "assembly",         "linear solve",        "line search", "contact pairs", "contact filter",
        "contact Hessians", "contact line search", "diagnostics"};
    for (int p = 0; p < PHASE_COUNT; ++p)
        timings[p].name = names[p];
}

double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

void cpu_timing_add(DeviceTiming timings[PHASE_COUNT], Phase phase, double since)
{
    timings[phase].count += 1;
    timings[phase].milliseconds += cpu_clock() - since;
}
