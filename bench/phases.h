/// How long a device's phases took, by the names it gives them.
#ifndef BENCH_PHASES_H
#define BENCH_PHASES_H

#include "device/device.h"

#include <stdlib.h>
#include <string.h>

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

#endif
