/// Penalty contact on the CPU path: planes and spheres that push on the vertices of bodies' surfaces, E = k/2 min(0, gap)^2, with
/// friction (penalty_friction.h); for ADMM penalty_split.h.
#ifndef DEVICE_CPU_TERMS_PENALTY_H
#define DEVICE_CPU_TERMS_PENALTY_H

#include "device/cpu/terms/term.h"

extern const CpuTerm cpu_penalty_term;

#endif
