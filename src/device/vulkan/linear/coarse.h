/// The coarse space of the two-level preconditioner, of Newton's linear solve and of ADMM's.
#ifndef DEVICE_VULKAN_LINEAR_COARSE_H
#define DEVICE_VULKAN_LINEAR_COARSE_H

#include "device/vulkan/linear/coarse_stripes.h"
#include "device/vulkan/vulkan_device.h"

/// Whether linear solves have one: as the scene says, or where it does not, for ADMM, where that pays.
bool coarse_is_used(const Model *model);
/// Whether ADMM's has nothing between motions along different axes, at any time: entries of its matrix are multiples of the identity, but
/// for planes that are askew or may turn and for pins that hold nodes in part.
bool coarse_axes_are_apart(const Model *model);
/// Words of the table of its stripes and clusters (abi/coarse.h), behind the matrix' rows in BUFFER_MATRIX_ROWS.
uint64_t coarse_table_words(const Model *model);
/// The arrays live in `arena`. There are free nodes.
VelaResult coarse_table_make(const Model *model, Arena *arena, CoarseTable *table);
/// Whether rows of a stripe hand each other what both would read otherwise (abi/linear.h): those of Newton's matrix.
bool coarse_hands_blocks_on(const Model *model);
/// Sizes of the coarse space's buffers.
void coarse_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Groups, arms, and what each block of the coarse matrix sums.
VelaResult coarse_upload(VulkanDevice *device);
/// Records the assembly of Newton's, or of ADMM's, and nothing else.
VelaResult coarse_assemble(VulkanDevice *device);
/// Records assembly and factorization; with ADMM nothing unless its matrix has changed.
VelaResult coarse_prepare(VulkanDevice *device);

#endif
