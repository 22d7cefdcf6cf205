#include "render/passes.h"

static VelaResult image_create(Passes *passes, GpuImage *image, uint32_t width, uint32_t height,
                               VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect,
                               VkSampleCountFlagBits samples)
{
    const GpuImageDef def = {.width = width,
                             .height = height,
                             .format = format,
                             .usage = usage,
                             .aspect = aspect,
                             .samples = samples};
    return gpu_image_create(passes->device, &def, image);
}

static VelaResult framebuffer_create(Passes *passes, VkRenderPass pass, uint32_t count,
                                     const VkImageView *views, uint32_t width, uint32_t height,
                                     VkFramebuffer *framebuffer)
{
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = pass,
        .attachmentCount = count,
        .pAttachments = views,
        .width = width,
        .height = height,
        .layers = 1,
    };
    return gpu_result(passes->device,
                      passes->device->vk.CreateFramebuffer(passes->device->handle, &info, NULL, framebuffer),
                      "making a framebuffer");
}

static VelaResult map_create(Passes *passes, PassesMap *map, uint32_t size)
{
    map->size = size;
    TRY(image_create(passes, &map->depth, size, size, passes->depth_format,
                     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                     VK_IMAGE_ASPECT_DEPTH_BIT, VK_SAMPLE_COUNT_1_BIT));
    for (int i = 0; i < 2; ++i)
        TRY(image_create(passes, &map->filtered[i], RENDER_FILTER_SIZE, RENDER_FILTER_SIZE,
                         VK_FORMAT_R16G16B16A16_SFLOAT,
                         VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_ASPECT_COLOR_BIT,
                         VK_SAMPLE_COUNT_1_BIT));
    return framebuffer_create(passes, passes->depth_pass, 1, &map->depth.view, size, size, &map->framebuffer);
}

static bool format_has(const GpuDevice *device, VkFormat format, VkFormatFeatureFlags features)
{
    VkFormatProperties properties;
    device->instance->vk.GetPhysicalDeviceFormatProperties(device->physical, format, &properties);
    return (properties.optimalTilingFeatures & features) == features;
}

static VelaResult targets_create(Passes *passes)
{
    const PassesDef *def = &passes->def;
    const VkImageUsageFlags transient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
    // One of the two is an attachment everywhere; both can be sampled.
    passes->depth_format =
        format_has(passes->device, VK_FORMAT_D32_SFLOAT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
            ? VK_FORMAT_D32_SFLOAT
            : VK_FORMAT_D16_UNORM;
    TRY(image_create(passes, &passes->color, def->width, def->height, VK_FORMAT_R8G8B8A8_SRGB,
                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | transient, VK_IMAGE_ASPECT_COLOR_BIT,
                     def->samples));
    TRY(image_create(passes, &passes->depth, def->width, def->height, passes->depth_format,
                     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | transient, VK_IMAGE_ASPECT_DEPTH_BIT,
                     def->samples));
    TRY(image_create(passes, &passes->resolved, def->width, def->height, VK_FORMAT_R8G8B8A8_SRGB,
                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                     VK_IMAGE_ASPECT_COLOR_BIT, VK_SAMPLE_COUNT_1_BIT));
    TRY(passes_create_render_passes(passes));
    const VkImageView views[3] = {passes->color.view, passes->depth.view, passes->resolved.view};
    TRY(framebuffer_create(passes, passes->image_pass, 3, views, def->width, def->height,
                           &passes->image_framebuffer));
    TRY(map_create(passes, &passes->shadow, def->shadow_size));
    return map_create(passes, &passes->contact, 2 * RENDER_FILTER_SIZE);
}

static VelaResult sampler_create(Passes *passes, VkFilter filter, bool compare, VkSampler *sampler)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = filter,
        .minFilter = filter,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .compareEnable = compare,
        .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    return gpu_result(passes->device,
                      passes->device->vk.CreateSampler(passes->device->handle, &info, NULL, sampler),
                      "making a sampler");
}

static VelaResult set_layout_create(Passes *passes, uint32_t count, const VkDescriptorType *types,
                                    VkShaderStageFlags stages, VkDescriptorSetLayout *layout)
{
    VkDescriptorSetLayoutBinding bindings[8];
    for (uint32_t i = 0; i < count; ++i)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i, .descriptorType = types[i], .descriptorCount = 1, .stageFlags = stages};
    const VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .bindingCount = count,
                                                  .pBindings = bindings};
    return gpu_result(
        passes->device,
        passes->device->vk.CreateDescriptorSetLayout(passes->device->handle, &info, NULL, layout),
        "making a descriptor layout");
}

static VelaResult pipeline_layout_create(Passes *passes, const VkDescriptorSetLayout *set,
                                         VkShaderStageFlags stages, uint32_t push_size,
                                         VkPipelineLayout *layout)
{
    const VkPushConstantRange push = {stages, 0, push_size};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = set ? 1 : 0,
        .pSetLayouts = set,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    return gpu_result(passes->device,
                      passes->device->vk.CreatePipelineLayout(passes->device->handle, &info, NULL, layout),
                      "making a pipeline layout");
}

static const VkDescriptorType SCENE_TYPES[6] = {
    [RENDER_BINDING_SCENE] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    [RENDER_BINDING_BODIES] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    [RENDER_BINDING_MAP] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    [RENDER_BINDING_SHADOW] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    [RENDER_BINDING_OCCLUDER] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    [RENDER_BINDING_CONTACT] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
};
static const VkDescriptorType FILTER_TYPES[2] = {
    [RENDER_FILTER_INPUT] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    [RENDER_FILTER_OUTPUT] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
};

static VelaResult layouts_create(Passes *passes)
{
    const VkShaderStageFlags draw = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    TRY(set_layout_create(passes, 6, SCENE_TYPES, draw, &passes->scene_set_layout));
    TRY(set_layout_create(passes, 2, FILTER_TYPES, VK_SHADER_STAGE_COMPUTE_BIT, &passes->filter_set_layout));
    TRY(pipeline_layout_create(passes, &passes->scene_set_layout, draw, sizeof(RenderPlaneConstants),
                               &passes->scene_layout));
    TRY(pipeline_layout_create(passes, &passes->filter_set_layout, VK_SHADER_STAGE_COMPUTE_BIT,
                               4 * sizeof(int32_t), &passes->filter_layout));
    return pipeline_layout_create(passes, NULL, VK_SHADER_STAGE_VERTEX_BIT, 12 * sizeof(float),
                                  &passes->depth_layout);
}

static VelaResult sets_allocate(Passes *passes)
{
    GpuDevice *device = passes->device;
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2 * PASSES_SLOTS},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, PASSES_SLOTS},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 3 * PASSES_SLOTS + 6},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 6},
    };
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = PASSES_SLOTS + 6,
                                             .poolSizeCount = sizeof sizes / sizeof *sizes,
                                             .pPoolSizes = sizes};
    TRY(gpu_result(device,
                   device->vk.CreateDescriptorPool(device->handle, &pool, NULL, &passes->descriptor_pool),
                   "making a descriptor pool"));
    VkDescriptorSet sets[PASSES_SLOTS + 6];
    VkDescriptorSetLayout layouts[PASSES_SLOTS + 6];
    for (int i = 0; i < PASSES_SLOTS + 6; ++i)
        layouts[i] = i < PASSES_SLOTS ? passes->scene_set_layout : passes->filter_set_layout;
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = passes->descriptor_pool,
                                                  .descriptorSetCount = PASSES_SLOTS + 6,
                                                  .pSetLayouts = layouts};
    TRY(gpu_result(device, device->vk.AllocateDescriptorSets(device->handle, &allocate, sets),
                   "allocating descriptors"));
    for (int i = 0; i < PASSES_SLOTS; ++i)
        passes->scene_sets[i] = sets[i];
    for (int i = 0; i < 3; ++i) {
        passes->shadow.sets[i] = sets[PASSES_SLOTS + i];
        passes->contact.sets[i] = sets[PASSES_SLOTS + 3 + i];
    }
    return VELA_OK;
}

static void write_image(const Passes *passes, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                        VkSampler sampler, const GpuImage *image, VkImageLayout layout)
{
    const VkDescriptorImageInfo info = {sampler, image->view, layout};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = type,
                                        .pImageInfo = &info};
    passes->device->vk.UpdateDescriptorSets(passes->device->handle, 1, &write, 0, NULL);
}

static void write_buffer(const Passes *passes, VkDescriptorSet set, uint32_t binding, const GpuBuffer *buffer)
{
    const VkDescriptorBufferInfo info = {buffer->handle, 0, buffer->size};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = SCENE_TYPES[binding],
                                        .pBufferInfo = &info};
    passes->device->vk.UpdateDescriptorSets(passes->device->handle, 1, &write, 0, NULL);
}

static void sets_write(Passes *passes)
{
    const VkDescriptorType sampled = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const VkImageLayout depth_layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    for (int i = 0; i < PASSES_SLOTS; ++i) {
        const VkDescriptorSet set = passes->scene_sets[i];
        write_buffer(passes, set, RENDER_BINDING_SCENE, passes->def.scene[i]);
        write_buffer(passes, set, RENDER_BINDING_BODIES, passes->def.bodies);
        write_buffer(passes, set, RENDER_BINDING_MAP, passes->def.map);
        write_image(passes, set, RENDER_BINDING_SHADOW, sampled, passes->compare, &passes->shadow.depth,
                    depth_layout);
        write_image(passes, set, RENDER_BINDING_OCCLUDER, sampled, passes->linear,
                    &passes->shadow.filtered[0], VK_IMAGE_LAYOUT_GENERAL);
        write_image(passes, set, RENDER_BINDING_CONTACT, sampled, passes->linear,
                    &passes->contact.filtered[0], VK_IMAGE_LAYOUT_GENERAL);
    }
    for (int m = 0; m < 2; ++m) {
        const PassesMap *map = m == 0 ? &passes->shadow : &passes->contact;
        for (int i = 0; i < 3; ++i) {
            write_image(passes, map->sets[i], RENDER_FILTER_INPUT, sampled, passes->nearest,
                        i == 0 ? &map->depth : &map->filtered[i - 1],
                        i == 0 ? depth_layout : VK_IMAGE_LAYOUT_GENERAL);
            write_image(passes, map->sets[i], RENDER_FILTER_OUTPUT, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                        VK_NULL_HANDLE, &map->filtered[i % 2], VK_IMAGE_LAYOUT_GENERAL);
        }
    }
}

VelaResult passes_create(GpuDevice *device, const PassesDef *def, Passes *passes)
{
    passes->device = device;
    passes->def = *def;
    TRY(targets_create(passes));
    const bool smooth =
        format_has(device, passes->depth_format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    TRY(sampler_create(passes, smooth ? VK_FILTER_LINEAR : VK_FILTER_NEAREST, true, &passes->compare));
    TRY(sampler_create(passes, VK_FILTER_LINEAR, false, &passes->linear));
    TRY(sampler_create(passes, VK_FILTER_NEAREST, false, &passes->nearest));
    TRY(layouts_create(passes));
    TRY(sets_allocate(passes));
    sets_write(passes);
    return passes_create_pipelines(passes);
}

static void map_destroy(Passes *passes, PassesMap *map)
{
    GpuDevice *device = passes->device;
    if (map->framebuffer)
        device->vk.DestroyFramebuffer(device->handle, map->framebuffer, NULL);
    gpu_image_destroy(device, &map->depth);
    gpu_image_destroy(device, &map->filtered[0]);
    gpu_image_destroy(device, &map->filtered[1]);
}

void passes_destroy(Passes *passes)
{
    GpuDevice *device = passes->device;
    if (!device)
        return;
    const GpuFunctions *vk = &device->vk;
    // Vulkan ignores null handles here.
    for (int i = 0; i < PIPELINE_COUNT; ++i)
        vk->DestroyPipeline(device->handle, passes->pipelines[i], NULL);
    vk->DestroyDescriptorPool(device->handle, passes->descriptor_pool, NULL);
    vk->DestroyPipelineLayout(device->handle, passes->scene_layout, NULL);
    vk->DestroyPipelineLayout(device->handle, passes->filter_layout, NULL);
    vk->DestroyPipelineLayout(device->handle, passes->depth_layout, NULL);
    vk->DestroyDescriptorSetLayout(device->handle, passes->scene_set_layout, NULL);
    vk->DestroyDescriptorSetLayout(device->handle, passes->filter_set_layout, NULL);
    vk->DestroySampler(device->handle, passes->compare, NULL);
    vk->DestroySampler(device->handle, passes->linear, NULL);
    vk->DestroySampler(device->handle, passes->nearest, NULL);
    map_destroy(passes, &passes->shadow);
    map_destroy(passes, &passes->contact);
    vk->DestroyFramebuffer(device->handle, passes->image_framebuffer, NULL);
    vk->DestroyRenderPass(device->handle, passes->depth_pass, NULL);
    vk->DestroyRenderPass(device->handle, passes->image_pass, NULL);
    gpu_image_destroy(device, &passes->color);
    gpu_image_destroy(device, &passes->depth);
    gpu_image_destroy(device, &passes->resolved);
    *passes = (Passes){0};
}
