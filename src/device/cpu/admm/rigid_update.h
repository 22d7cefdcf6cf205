/// The matrix of damping that is blind to rigid motions: its copies are of D P x, so that ADMM's global matrix has P^T Q P where the factor has
/// Q = D^T rho D + Rayleigh's mass part, P = 1 - N (M N)^T with the motions N of terms/rigid_motion.h. That is
///
///     A' = A - Q N (M N)^T - M N (Q N)^T + M N (N^T Q N) (M N)^T = A + U S U^T,   U = (Q N, M N),   S^-1 = (-N^T Q N, -1; -1, 0)
///
/// and by Woodbury's identity A'^-1 b = y - V (S^-1 + U^T V)^-1 U^T y, y = A^-1 b, V = A^-1 U: a small system for every body, since A couples
/// none with another.
#ifndef DEVICE_CPU_ADMM_RIGID_UPDATE_H
#define DEVICE_CPU_ADMM_RIGID_UPDATE_H

#include "device/cpu/cpu_device.h"

/// After the damping and its copies; nothing where no damping is blind to rigid motions.
VelaResult rigid_update_create(CpuDevice *device, Arena *arena);
size_t rigid_update_memory(const Model *model);
/// For the current factor, weights and shape.
VelaResult rigid_update_prepare(CpuDevice *device);
/// From the solution of the factor's system that of the blind one, node_count x 3.
void rigid_update_apply(CpuDevice *device, double *solution);

#endif
