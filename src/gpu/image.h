/// Images with their own memory, for render.
#ifndef GPU_IMAGE_H
#define GPU_IMAGE_H

#include "gpu/commands.h"

typedef struct GpuImageDef {
    uint32_t width, height;
    VkFormat format;
    VkImageUsageFlags usage;
    VkImageAspectFlags aspect;
    VkSampleCountFlagBits samples; ///< 0: one
} GpuImageDef;

typedef struct GpuImage {
    GpuImageDef def;
    VkImage handle;
    VkImageView view;
    VkDeviceMemory memory;
    uint64_t bytes;
} GpuImage;

/// A 2D image in device memory. VELA_ERROR_OUT_OF_MEMORY, VELA_ERROR_UNSUPPORTED for a size beyond the device's limit.
VelaResult gpu_image_create(GpuDevice *device, const GpuImageDef *def, GpuImage *image);
/// A zeroed image is allowed.
void gpu_image_destroy(GpuDevice *device, GpuImage *image);
/// Layout change with a barrier over everything before and after; for use outside render passes.
void gpu_image_transition(GpuCommands *commands, const GpuImage *image, VkImageLayout from, VkImageLayout to);
/// Copies all texels, rows without padding, to a buffer; the image is in VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL.
/// Follow with gpu_barrier before the host reads.
void gpu_image_read(GpuCommands *commands, const GpuImage *image, const GpuBuffer *buffer);

#endif
