/// Forces of loads on the CPU path: the term -sum f.x, and what pressures are at a time.
#ifndef DEVICE_CPU_TERMS_LOADS_H
#define DEVICE_CPU_TERMS_LOADS_H

#include "device/cpu/terms/term.h"

extern const CpuTerm cpu_loads_term;

/// Forces and pressures become those at `time`. Before anything that evaluates an energy or a force.
void cpu_loads_set(CpuDevice *device, double time);

#endif
