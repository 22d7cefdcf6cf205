/// Accumulated time of the CPU path's phases, for run.json.
#ifndef DEVICE_CPU_TIMING_H
#define DEVICE_CPU_TIMING_H

#include "device/device.h"

typedef enum Phase {
    PHASE_LOCAL,
    PHASE_GLOBAL,
    PHASE_RESIDUAL,
    PHASE_FACTOR,
    PHASE_HESSIANS,
    PHASE_ASSEMBLY,
    PHASE_LINEAR,
    PHASE_SEARCH,
    PHASE_CONTACT_PAIRS,
    PHASE_CONTACT_FILTER,
    PHASE_CONTACT_HESSIANS,
    PHASE_CONTACT_SEARCH,
    PHASE_DIAGNOSE,
    PHASE_COUNT
} Phase;

/// Names the phases of a new device's timings.
void cpu_timings_name(DeviceTiming timings[PHASE_COUNT]);
double cpu_clock(void); ///< ms
void cpu_timing_add(DeviceTiming timings[PHASE_COUNT], Phase phase, double since);
void cpu_timing_put(DeviceTiming timings[PHASE_COUNT], Phase phase, double milliseconds);

#endif
