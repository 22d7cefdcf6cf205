/// The pattern of the matrices, and the values of ADMM's.
#ifndef DEVICE_VULKAN_LINEAR_MATRIX_H
#define DEVICE_VULKAN_LINEAR_MATRIX_H

#include "device/vulkan/linear/coarse_stripes.h"
#include "device/vulkan/vulkan_device.h"

/// `stripes`: whose rows hand each other blocks; NULL: none do.
VelaResult matrix_layout(const Model *model, const CoarseTable *stripes, Arena *arena, GlobalMatrix *matrix);
/// Number of entries with the padding of matrix_layout.
uint32_t matrix_entry_count(const Model *model);
/// Words of BUFFER_MATRIX_ROWS that are the matrix'.
uint64_t matrix_row_words(const Model *model);
/// Words of all columns, and of what tells which rows hand on.
uint32_t matrix_word_count(const Model *model);
/// Entries that a row has, padding included.
int32_t matrix_row_width(const Model *model, int32_t row);
VelaResult matrix_upload_layout(VulkanDevice *device);
/// The entry of two nodes that an element has both of.
uint32_t matrix_entry(const VulkanDevice *device, int32_t row, int32_t column);
/// That of the sum of a row's blocks, by its place in the model's order (row_sum_entry in shaders/common/block_rows.glsl).
uint32_t matrix_row_sum_entry(const VulkanDevice *device, uint32_t place);
/// What each block of Newton's matrix sums: entries of abi/newton.h, block by block.
VelaResult matrix_upload_contributions(VulkanDevice *device);
/// Values for (a, penalty scale), uploaded unless they are there.
VelaResult matrix_prepare(VulkanDevice *device);

#endif
