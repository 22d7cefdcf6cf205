#include "device/cpu/timing.h"

#include "base/clock.h"

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
    return 1e3 * clock_seconds();
}

void cpu_timing_put(DeviceTiming timings[PHASE_COUNT], Phase phase, double milliseconds)
{
    timings[phase].count += 1;
    timings[phase].milliseconds += milliseconds;
}

void cpu_timing_add(DeviceTiming timings[PHASE_COUNT], Phase phase, double since)
{
    cpu_timing_put(timings, phase, cpu_clock() - since);
}
