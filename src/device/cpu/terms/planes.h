/// Penalty planes on the CPU path.
#ifndef DEVICE_CPU_TERMS_PLANES_H
#define DEVICE_CPU_TERMS_PLANES_H

#include "device/cpu/terms/term.h"

extern const CpuTerm cpu_planes_term;

/// ADMM's arrays.
VelaResult planes_admm_create(const Model *model, Arena *arena, PlaneSplit *split);
size_t planes_admm_memory(const Model *model);

#endif
