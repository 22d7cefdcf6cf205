#include "gpu/image.h"

#include "gpu/memory.h"

VelaResult gpu_image_create(GpuDevice *device, const GpuImageDef *def, GpuImage *image)
{
    const GpuFunctions *vk = &device->vk;
    *image = (GpuImage){.def = *def};
    const uint32_t limit = device->properties.limits.maxImageDimension2D;
    FAIL_IF(device->context, def->width > limit || def->height > limit, VELA_ERROR_UNSUPPORTED,
            "an image of %u x %u: %s draws at most %u x %u", def->width, def->height, device->info.name,
            limit, limit);
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = def->format,
        .extent = {def->width, def->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = def->samples ? def->samples : VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = def->usage,
    };
    VelaResult result;
    TRY_GOTO(
        result,
        gpu_result(device, vk->CreateImage(device->handle, &info, NULL, &image->handle), "making an image"),
        failed);
    VkMemoryRequirements requirements;
    vk->GetImageMemoryRequirements(device->handle, image->handle, &requirements);
    int32_t type = gpu_memory_type(device, requirements.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (type < 0)
        type = gpu_memory_type(device, requirements.memoryTypeBits, 0);
    TRY_GOTO(result,
             gpu_memory_allocate(device, requirements.size, (uint32_t)type, "an image", &image->memory),
             failed);
    image->bytes = requirements.size;
    TRY_GOTO(result,
             gpu_result(device, vk->BindImageMemory(device->handle, image->handle, image->memory, 0),
                        "binding an image"),
             failed);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = def->format,
        .subresourceRange = {.aspectMask = def->aspect, .levelCount = 1, .layerCount = 1},
    };
    TRY_GOTO(result,
             gpu_result(device, vk->CreateImageView(device->handle, &view, NULL, &image->view),
                        "making an image view"),
             failed);
    return VELA_OK;
failed:
    gpu_image_destroy(device, image);
    return result;
}

void gpu_image_destroy(GpuDevice *device, GpuImage *image)
{
    const GpuFunctions *vk = &device->vk;
    if (image->view)
        vk->DestroyImageView(device->handle, image->view, NULL);
    if (image->handle)
        vk->DestroyImage(device->handle, image->handle, NULL);
    if (image->memory)
        vk->FreeMemory(device->handle, image->memory, NULL);
    device->statistics.memory -= (int64_t)image->bytes;
    *image = (GpuImage){0};
}

void gpu_image_transition(GpuCommands *commands, const GpuImage *image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->handle,
        .subresourceRange = {.aspectMask = image->def.aspect, .levelCount = 1, .layerCount = 1},
    };
    commands->device->vk.CmdPipelineBarrier(commands->buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                                            &barrier);
}

void gpu_image_read(GpuCommands *commands, const GpuImage *image, const GpuBuffer *buffer)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {.aspectMask = image->def.aspect, .layerCount = 1},
        .imageExtent = {image->def.width, image->def.height, 1},
    };
    commands->device->vk.CmdCopyImageToBuffer(
        commands->buffer, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer->handle, 1, &region);
}
