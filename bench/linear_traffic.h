/// Bytes that an iteration of Newton's linear solver on the Vulkan path reads and writes: blocks and whole vectors once each, the coarse
/// inverse as often as workgroups go through it; partial sums are left out.
#ifndef BENCH_LINEAR_TRAFFIC_H
#define BENCH_LINEAR_TRAFFIC_H

#include "device/vulkan/exact.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/linear/preconditioner.h"

typedef struct LinearTraffic {
    double blocks; ///< of the free rows, contact's included
    double matrix; ///< the blocks and their columns, without padding
    double read;   ///< the matrix as it is stored, and the vectors
    double coarse; ///< read besides for the coarse space: arms, and its inverse
    double written;
    int dispatches; ///< of an iteration
} LinearTraffic;

/// `changing`: contact's blocks.
static inline LinearTraffic linear_traffic(const VulkanDevice *device, double changing)
{
    const Model *model = device->base.model;
    const double real = (double)real_size(device->f64), n = model->order.free_count,
                 groups = device->coarse.group_count, chunks = device->coarse.chunks_per_group;
    double blocks = 0, padding = 0;
    for (int32_t i = 0; i < model->order.free_count; ++i) {
        const int32_t row = model->order.nodes[i], length = model->row_start[row + 1] - model->row_start[row];
        blocks += length;
        padding += length < matrix_row_width(model, row); // a row ends with its first column of padding
    }
    LinearTraffic traffic = {.blocks = blocks + changing,
                             .matrix = (blocks + changing) * (9 * real + 4),
                             .dispatches = 1 + vulkan_preconditioner_kernels(device)};
    // newton_apply reads a row's node, z and p, and of contact's list where rows begin and whose they are; the second half of an
    // iteration p, A p, x, r and the preconditioner's 6 numbers.
    traffic.read = traffic.matrix + 4 * padding + (4 + ((2 + 4) * 3 + 6) * real) * n + 4 * changing +
                   (device->contact ? 8 * n : 0);
    // The new p and A p; x, r and z.
    traffic.written = (2 + 3) * 3 * real * n;
    // newton_apply reads arms, coarse_update too, and a row's node; coarse_forward the coarse inverse's lower triangle group by group,
    // coarse_update chunk by chunk.
    if (groups > 0)
        traffic.coarse =
            (4 + 2 * 3 * real) * n + (1 + chunks) * COARSE_BLOCK * real * groups * (groups + 1) / 2;
    return traffic;
}

#endif
