/// The air in ADMM (theory.md sections 6 and 7): a copy of the position of every vertex that moves, with the local problem t R at the velocity
/// (Z - xp)/t against the wind, R = 1/2 u^T B u with B where the stage's round began: a 3x3 matrix a vertex. Weights: model/air_copies.h.
#ifndef DEVICE_CPU_ADMM_AIR_COPIES_H
#define DEVICE_CPU_ADMM_AIR_COPIES_H

#include "device/cpu/terms/term.h"

/// `count` vectors of three, one a vertex of bodies' surfaces; those of vertices that do not move stay 0.
typedef struct AirCopies {
    int32_t count;
    double length;         ///< the root of the mean share of surface, m: what residuals are small against
    double *shares;        ///< trace of B at rest, N s/m; one a vertex
    double *weights;       ///< N/m; one a vertex
    double (*response)[9]; ///< (weight + B/t)^-1 B
    double *target, *state, *projected, *residual, *image;
    double *multiplier; ///< N
    double *residual_differences[HISTORY_MOST], *image_differences[HISTORY_MOST];
} AirCopies;

extern const CpuTerm cpu_air_copies_term;

/// After the air itself; nothing without air.
VelaResult air_copies_create(CpuDevice *device, Arena *arena);
size_t air_copies_memory(const Model *model);

/// The multipliers, carried from step to step.
size_t air_copies_state_size(const CpuDevice *device);
void air_copies_state_read(const CpuDevice *device, double *values);
void air_copies_state_write(CpuDevice *device, const double *values);

#endif
