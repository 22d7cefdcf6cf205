// Render passes and pipelines of passes.h.
#include "gpu/shader.h"
#include "render/passes.h"

// Earlier frames and passes are done with the attachments before they are written, and what was written is seen by
// everything after.
static const VkSubpassDependency DEPENDENCIES[2] = {
    {
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .dstSubpass = 0,
        .srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                        VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                        VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
    },
    {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                        VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT |
                        VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                        VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT,
    },
};

static VkAttachmentDescription attachment(VkFormat format, VkSampleCountFlagBits samples,
                                          VkAttachmentLoadOp load, VkAttachmentStoreOp store,
                                          VkImageLayout final)
{
    return (VkAttachmentDescription){
        .format = format,
        .samples = samples,
        .loadOp = load,
        .storeOp = store,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = final,
    };
}

VelaResult passes_create_render_passes(Passes *passes)
{
    GpuDevice *device = passes->device;
    const VkSampleCountFlagBits samples = passes->def.samples;
    const VkAttachmentDescription depth_attachment =
        attachment(passes->depth_format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
                   VK_ATTACHMENT_STORE_OP_STORE, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    const VkAttachmentReference depth_only = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription depth_subpass = {.pDepthStencilAttachment = &depth_only};
    VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &depth_attachment,
        .subpassCount = 1,
        .pSubpasses = &depth_subpass,
        .dependencyCount = 2,
        .pDependencies = DEPENDENCIES,
    };
    TRY(gpu_result(device, device->vk.CreateRenderPass(device->handle, &info, NULL, &passes->depth_pass),
                   "making a depth pass"));

    const VkAttachmentDescription attachments[3] = {
        attachment(passes->color.def.format, samples, VK_ATTACHMENT_LOAD_OP_CLEAR,
                   VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL),
        attachment(passes->depth_format, samples, VK_ATTACHMENT_LOAD_OP_CLEAR,
                   VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
        attachment(passes->resolved.def.format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   VK_ATTACHMENT_STORE_OP_STORE, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
    };
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference resolve = {2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription image_subpass = {.colorAttachmentCount = 1,
                                                .pColorAttachments = &color,
                                                .pResolveAttachments = &resolve,
                                                .pDepthStencilAttachment = &depth};
    info.attachmentCount = 3;
    info.pAttachments = attachments;
    info.pSubpasses = &image_subpass;
    return gpu_result(device, device->vk.CreateRenderPass(device->handle, &info, NULL, &passes->image_pass),
                      "making the image pass");
}

typedef struct RasterDef {
    PassesPipeline index;
    const char *vertex, *fragment; // fragment NULL: depth only
    uint32_t attribute_count;      // of SurfaceVertex; 0: no vertex buffer
    VkPrimitiveTopology topology;
    VkBool32 depth_test, depth_write, blend, bias;
} RasterDef;

static const VkVertexInputAttributeDescription ATTRIBUTES[4] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(SurfaceVertex, position)},
    {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(SurfaceVertex, normal)},
    {2, 0, VK_FORMAT_R32_SFLOAT, offsetof(SurfaceVertex, value)},
    {3, 0, VK_FORMAT_R32_UINT, offsetof(SurfaceVertex, body)},
};

// One graphics pipeline of the image pass, or of the depth pass where there is no fragment shader.
static VelaResult raster_create(Passes *passes, const RasterDef *def, const VkShaderModule modules[2])
{
    GpuDevice *device = passes->device;
    const bool image = def->fragment != NULL;
    const VkPipelineShaderStageCreateInfo stages[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = modules[0],
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = modules[1],
         .pName = "main"},
    };
    const VkVertexInputBindingDescription binding = {0, sizeof(SurfaceVertex), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = def->attribute_count > 0 ? 1 : 0,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = def->attribute_count,
        .pVertexAttributeDescriptions = ATTRIBUTES,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = def->topology};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = VK_CULL_MODE_NONE,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .depthBiasEnable = def->bias,
        .depthBiasSlopeFactor = 1.5f,
        .lineWidth = 1,
    };
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = image ? passes->def.samples : VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = def->depth_test,
        .depthWriteEnable = def->depth_write,
        .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    const VkPipelineColorBlendAttachmentState blending = {
        .blendEnable = def->blend,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .colorWriteMask = 0xf,
    };
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = image ? 1 : 0,
        .pAttachments = &blending,
    };
    const VkDynamicState dynamics[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = dynamics};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = image ? 2 : 1,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &multisample,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = image ? passes->scene_layout : passes->depth_layout,
        .renderPass = image ? passes->image_pass : passes->depth_pass,
    };
    return gpu_result(device,
                      device->vk.CreateGraphicsPipelines(device->handle, device->pipeline_cache, 1, &info,
                                                         NULL, &passes->pipelines[def->index]),
                      def->vertex);
}

static VelaResult raster_load(Passes *passes, const RasterDef *def)
{
    GpuDevice *device = passes->device;
    VkShaderModule modules[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    VelaResult result = gpu_shader_module(device, def->vertex, &modules[0]);
    if (result == VELA_OK && def->fragment)
        result = gpu_shader_module(device, def->fragment, &modules[1]);
    if (result == VELA_OK)
        result = raster_create(passes, def, modules);
    for (int i = 0; i < 2; ++i)
        if (modules[i])
            device->vk.DestroyShaderModule(device->handle, modules[i], NULL);
    return result;
}

static VelaResult filter_load(Passes *passes, PassesPipeline index, const char *shader)
{
    GpuDevice *device = passes->device;
    VkShaderModule module;
    TRY(gpu_shader_module(device, shader, &module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = passes->filter_layout,
    };
    const VkResult result = device->vk.CreateComputePipelines(device->handle, device->pipeline_cache, 1,
                                                              &info, NULL, &passes->pipelines[index]);
    device->vk.DestroyShaderModule(device->handle, module, NULL);
    return gpu_result(device, result, shader);
}

VelaResult passes_create_pipelines(Passes *passes)
{
    static const RasterDef DEFS[] = {
        {PIPELINE_BACKGROUND, "render/background.vert", "render/background.frag", 0,
         VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_FALSE, VK_FALSE, VK_FALSE, VK_FALSE},
        {PIPELINE_BODY, "render/body.vert", "render/body.frag", 4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
         VK_TRUE, VK_TRUE, VK_FALSE, VK_FALSE},
        {PIPELINE_PLANE, "render/plane.vert", "render/plane.frag", 0, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
         VK_TRUE, VK_TRUE, VK_TRUE, VK_FALSE},
        {PIPELINE_DEPTH, "render/depth.vert", NULL, 1, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_TRUE, VK_TRUE,
         VK_FALSE, VK_TRUE},
    };
    for (size_t i = 0; i < sizeof DEFS / sizeof *DEFS; ++i)
        TRY(raster_load(passes, &DEFS[i]));
    TRY(filter_load(passes, PIPELINE_REDUCE, "render/reduce"));
    return filter_load(passes, PIPELINE_BLUR, "render/blur");
}
