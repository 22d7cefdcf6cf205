/// What acts on a vertex of a surface alone, in Newton's matrix.
#ifndef DEVICE_CPU_TERMS_VERTEX_PUSH_H
#define DEVICE_CPU_TERMS_VERTEX_PUSH_H

#include "device/cpu/cpu_device.h"

/// Adds a gradient at a vertex, N, and `scale` times a block, N/m, to Newton's gradient and matrix: weight_a weight_b block for every
/// two of its free nodes, which lie in one element, so that their block is in the fixed pattern. Blocks below the diagonal are
/// filled from those above.
void vertex_push(CpuDevice *device, int32_t vertex, const double gradient[3], double scale,
                 const double block[9]);

#endif
