#include "device/cpu/terms/corner_forces.h"

#include <string.h>

void cpu_gather(CpuDevice *device, double *forces)
{
    const ElementBlocks *blocks = &device->blocks;
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t i = 0; i < blocks->node_count; ++i) {
        double sum[3];
        cpu_gather_place(blocks, i, sum);
        memcpy(forces + 3 * (size_t)blocks->node_order[i], sum, sizeof sum);
    }
}
