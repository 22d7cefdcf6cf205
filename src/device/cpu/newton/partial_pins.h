/// Partial pins in Newton's method on the CPU path: the linear system keeps its unknowns, and the held components leave it by a
/// projection. With P = 1 - Q over the free nodes, H d = -g under Q d = Q (target - x) =: w becomes
///
///     (P H P + s Q) y = -P (g + H w),   d = P y + w
///
/// with s > 0 of the size of each node's own block: an ordinary symmetric system, positive definite where H is on what is free, for
/// conjugate gradients, preconditioners and factors alike.
#ifndef DEVICE_CPU_NEWTON_PARTIAL_PINS_H
#define DEVICE_CPU_NEWTON_PARTIAL_PINS_H

#include "device/cpu/cpu_device.h"

/// newton.solution gets w; returns its largest component, m. What it had there is lost.
double cpu_partial_pins_way(CpuDevice *device);
/// The matrix becomes the projected one, linear.residual loses its held components, newton.solution is 0 there.
void cpu_partial_pins_project(CpuDevice *device);
/// From y in newton.solution to d.
void cpu_partial_pins_direction(CpuDevice *device);
/// SLOT_STAGE gets the target's held components without rounding.
void cpu_partial_pins_arrive(CpuDevice *device);

#endif
