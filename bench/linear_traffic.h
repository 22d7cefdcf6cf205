/// Bytes that an iteration of Newton's linear solver, or of ADMM's, on the Vulkan path reads and writes: blocks and whole vectors once each; partial
/// sums are left out, and so is the inverse of the coarse matrix, which caches hold.
#ifndef BENCH_LINEAR_TRAFFIC_H
#define BENCH_LINEAR_TRAFFIC_H

#include "device/vulkan/exact.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/linear/preconditioner.h"

typedef struct LinearTraffic {
    double blocks;  ///< of the free rows, contact's included
    double matrix;  ///< the blocks and their columns, without padding
    double read;    ///< the matrix as it is stored, and the vectors
    double coarse;  ///< read besides for the coarse space
    double inverse; ///< of the coarse matrix, zeros too, as often as workgroups go through it
    double written;
    int dispatches; ///< of an iteration
} LinearTraffic;

/// `changing`: contact's blocks.
static inline LinearTraffic linear_traffic(const VulkanDevice *device, double changing)
{
    const Model *model = device->base.model;
    const double real = (double)real_size(device->f64), vector = 3 * real, n = model->order.free_count,
                 groups = device->coarse.group_count, chunks = device->coarse.chunks_per_group;
    // ADMM's blocks are one number each, so are those on the diagonal.
    const bool of_admm = vulkan_solver(device) == SOLVER_ADMM;
    const double block = of_admm ? real : 9 * real, own = of_admm ? 0 : 3 * real;
    double blocks = 0, read = 0, columns = 0, handed = 0;
    for (int32_t place = 0; place < model->order.free_count; ++place) {
        const int32_t row = model->order.nodes[place], slice = place / SLICE_ROWS,
                      length = model->row_start[row + 1] - model->row_start[row];
        const double column = device->matrix.slice_words[2 * slice + 1] == SLICE_IS_WIDE ? 4 : 2;
        blocks += length;
        if (device->matrix.handed) {
            const uint32_t word =
                device->matrix.handed[SLICE_ROWS * HANDED_WORDS * slice + place % SLICE_ROWS];
            read += word & HANDED_READ_MOST;
            columns += column * ((word & HANDED_READ_MOST) - 1);
            handed += 4 + 2 * (word >> HANDED_READ_BITS & ((1 << HANDED_ON_BITS) - 1));
        } else {
            read += length;
            // A row ends with its first column of padding.
            columns += column * (length - 1 + (length < matrix_row_width(model, row)));
        }
    }
    LinearTraffic traffic = {.blocks = blocks + changing,
                             .matrix = (blocks + changing) * (block + 4),
                             .dispatches = 1 + vulkan_preconditioner_kernels(device)};
    // newton_apply or cg_apply: blocks, of those on the diagonal six numbers and of Newton's as many of what a row's sum to, columns but the diagonal's, what rows hand on, a row's node and p; contact's blocks and columns, where its
    // rows begin and whose they are. cg_update: a row's node, A p, r, p, x and the preconditioner's 6 numbers,
    // which cg_apply reads too, beside the node's flags.
    traffic.read = block * read - own * n + columns + handed + (4 + vector) * n + (9 * real + 4) * changing +
                   (device->contact ? 8 * n : 0) + (4 + 4 * vector + 6 * real) * n +
                   (of_admm ? (6 * real + 4) * n : 6 * real * n);
    // A p; the new p, r and x.
    traffic.written = (1 + 3) * vector * n;
    // Arms and clusters' roots, read by the product's sums and by the last kernel.
    if (groups > 0) {
        traffic.coarse = 2 * (vector * n + (device->coarse.solves_clusters
                                                ? CLUSTER_ROOT_SIZE * real * device->coarse.cluster_count
                                                : 0));
        traffic.inverse = (1 + chunks) * COARSE_BLOCK * real * groups * (groups + 1) / 2;
    }
    return traffic;
}

#endif
