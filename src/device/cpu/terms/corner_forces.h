/// Forces of element corners, summed at the nodes.
#ifndef DEVICE_CPU_TERMS_CORNER_FORCES_H
#define DEVICE_CPU_TERMS_CORNER_FORCES_H

#include "device/cpu/cpu_device.h"

/// Sum of the corner forces at place `i` of blocks->node_order.
static inline void cpu_gather_place(const ElementBlocks *blocks, int32_t i, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (int32_t p = blocks->slot_start[i]; p < blocks->slot_start[i + 1]; ++p)
        for (int k = 0; k < 3; ++k)
            sum[k] += blocks->corner_forces[3 * (size_t)p + (size_t)k];
}
/// forces[3 i + k] = sum over the node's corners of blocks.corner_forces.
void cpu_gather(CpuDevice *device, double *forces);

#endif
