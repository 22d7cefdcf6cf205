/// Clocks, and how long a device's phases took by the names it gives them.
#ifndef BENCH_PHASES_H
#define BENCH_PHASES_H

#include "device/device.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Milliseconds of each of `count` named phases so far; what the device does not have stays as it is.
static inline void read_phases(Device *device, int count, const char *const *names, double *milliseconds)
{
    int32_t known;
    const DeviceTiming *timings;
    if (device_timings(device, &known, &timings) != VELA_OK)
        exit(1);
    for (int32_t i = 0; i < known; ++i)
        for (int p = 0; p < count; ++p)
            if (strcmp(timings[i].name, names[p]) == 0)
                milliseconds[p] = timings[i].milliseconds;
}

/// Processor time of this process, ms.
static inline double processor_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static inline double wall_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

#endif
