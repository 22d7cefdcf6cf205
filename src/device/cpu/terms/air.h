/// The air (physics/dissipation/air.h): lagged as damping is, a stage has the surfaces where it began.
#ifndef DEVICE_CPU_TERMS_AIR_H
#define DEVICE_CPU_TERMS_AIR_H

#include "device/cpu/terms/term.h"

typedef struct CpuAir {
    double (*stage)[9], (*other)[9]; ///< B of every vertex of bodies' surfaces: of the stage, and room
    double *force;                   ///< at the nodes, node_count x 3: room
} CpuAir;

extern const CpuTerm cpu_air_term;

/// NULL where the scene has no air.
VelaResult cpu_air_create(CpuDevice *device, Arena *arena);
/// B of every vertex at the positions x (node_count x 3).
void cpu_air_blocks(const Model *model, const double *x, double (*B)[9]);
/// Bytes of that.
size_t cpu_air_memory(const Model *model);

#endif
