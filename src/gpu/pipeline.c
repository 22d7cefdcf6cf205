#include "gpu/pipeline.h"

#include "abi/kernel.h"
#include "base/arena.h"
#include "gpu/shader.h"

#include <string.h>

enum { SETS_PER_POOL = 64 };

typedef struct DescriptorPool {
    struct DescriptorPool *next;
    VkDescriptorPool handle;
    int32_t used;
} DescriptorPool;

struct GpuKernelNode {
    GpuKernelNode *next;
    GpuKernelDef def; ///< its shader by the table's name
    GpuKernel kernel;
};

struct GpuPipelines {
    GpuDevice *device;
    Arena arena; ///< of the list's nodes
    DescriptorPool *pools;
};

VelaResult gpu_pipelines_create(GpuDevice *device, GpuPipelines **pipelines)
{
    *pipelines = context_allocate(device->context, sizeof **pipelines);
    FAIL_IF(device->context, !*pipelines, VELA_ERROR_OUT_OF_MEMORY, "out of memory while making kernels");
    (*pipelines)->device = device;
    (*pipelines)->arena = arena_make(device->context);
    return VELA_OK;
}

void gpu_pipelines_destroy(GpuPipelines *pipelines)
{
    if (!pipelines)
        return;
    GpuDevice *device = pipelines->device;
    const GpuFunctions *vk = &device->vk;
    for (DescriptorPool *pool = pipelines->pools; pool; pool = pool->next)
        vk->DestroyDescriptorPool(device->handle, pool->handle, NULL);
    arena_clear(&pipelines->arena);
    context_free(device->context, pipelines);
}

static void kernel_destroy(GpuDevice *device, GpuKernelNode *node)
{
    const GpuFunctions *vk = &device->vk;
    vk->DestroyPipeline(device->handle, node->kernel.pipeline, NULL);
    vk->DestroyPipelineLayout(device->handle, node->kernel.layout, NULL);
    vk->DestroyDescriptorSetLayout(device->handle, node->kernel.set_layout, NULL);
    context_free(device->context, node);
}

void gpu_kernels_destroy(GpuDevice *device)
{
    while (device->kernels) {
        GpuKernelNode *node = device->kernels;
        device->kernels = node->next;
        kernel_destroy(device, node);
    }
}

VelaResult gpu_shader_module(GpuDevice *device, const char *name, VkShaderModule *module)
{
    const GpuShaderEntry *shader = gpu_shader_find(name);
    FAIL_IF(device->context, !shader, VELA_ERROR_UNSUPPORTED, "the shader \"%s\" is not part of this build",
            name);
    const size_t words = (size_t)(shader->end - shader->code), size = words * sizeof *shader->code;
    uint32_t *changed = NULL;
    if (device->subgroups.size == 1 && gpu_code_shuffles(shader->code, words)) {
        changed = context_allocate(device->context, size);
        FAIL_IF(device->context, !changed, VELA_ERROR_OUT_OF_MEMORY, "out of memory while making kernels");
        memcpy(changed, shader->code, size);
        gpu_code_forget_shuffles(changed, words);
    }
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = size,
                                           .pCode = changed ? changed : shader->code};
    const VkResult result = device->vk.CreateShaderModule(device->handle, &info, NULL, module);
    context_free(device->context, changed);
    return gpu_result(device, result, name);
}

static VelaResult create_layouts(GpuDevice *device, const GpuKernelDef *def, GpuKernel *kernel)
{
    VkDescriptorSetLayoutBinding bindings[GPU_MAX_BINDINGS];
    for (int32_t i = 0; i < def->binding_count; ++i)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = (uint32_t)i,
                                                     .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                 .bindingCount = (uint32_t)def->binding_count,
                                                 .pBindings = bindings};
    TRY(gpu_result(device,
                   device->vk.CreateDescriptorSetLayout(device->handle, &set, NULL, &kernel->set_layout),
                   def->shader));
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = def->push_size};
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &kernel->set_layout,
                                               .pushConstantRangeCount = def->push_size ? 1 : 0,
                                               .pPushConstantRanges = &range};
    return gpu_result(device, device->vk.CreatePipelineLayout(device->handle, &layout, NULL, &kernel->layout),
                      def->shader);
}

static VelaResult create_pipeline(GpuDevice *device, const GpuKernelDef *def, GpuKernel *kernel)
{
    VkShaderModule module;
    TRY(gpu_shader_module(device, def->shader, &module));
    uint32_t values[SPEC_FIRST_OWN + GPU_MAX_CONSTANTS];
    VkSpecializationMapEntry entries[SPEC_FIRST_OWN + GPU_MAX_CONSTANTS];
    const uint32_t count = SPEC_FIRST_OWN + (uint32_t)def->constant_count;
    for (uint32_t i = 0; i < count; ++i) {
        if (i >= SPEC_FIRST_OWN)
            values[i] = def->constants[i - SPEC_FIRST_OWN];
        entries[i] = (VkSpecializationMapEntry){.constantID = i, .offset = i * 4, .size = 4};
    }
    const VkSpecializationInfo constants = {.mapEntryCount = count,
                                            .pMapEntries = entries,
                                            .dataSize = count * sizeof values[0],
                                            .pData = values};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = kernel->layout,
    };
    const GpuShaderEntry *shader = gpu_shader_find(def->shader);
    const bool shuffles = gpu_code_shuffles(shader->code, (size_t)(shader->end - shader->code));
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT chosen;
    values[SPEC_WORKGROUP_SIZE] = def->workgroup_size;
    values[SPEC_SUBGROUP_SIZE] =
        shuffles ? gpu_subgroups_stage(&device->subgroups, def->workgroup_size, &chosen, &info.stage) : 1;
    const VkResult result = device->vk.CreateComputePipelines(device->handle, device->pipeline_cache, 1,
                                                              &info, NULL, &kernel->pipeline);
    device->vk.DestroyShaderModule(device->handle, module, NULL);
    FAIL_IF(device->context,
            result != VK_SUCCESS && result != VK_ERROR_OUT_OF_HOST_MEMORY &&
                result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_DEVICE_LOST,
            VELA_ERROR_DEVICE,
            "%s refused the shader %s (Vulkan error %d); try a newer driver (%s) or another device",
            device->info.name, def->shader, (int)result, device->info.driver);
    return gpu_result(device, result, def->shader);
}

static bool same_kernel(const GpuKernelDef *a, const GpuKernelDef *b)
{
    return strcmp(a->shader, b->shader) == 0 && a->binding_count == b->binding_count &&
           a->push_size == b->push_size && a->workgroup_size == b->workgroup_size &&
           a->constant_count == b->constant_count &&
           memcmp(a->constants, b->constants, (size_t)a->constant_count * sizeof a->constants[0]) == 0;
}

VelaResult gpu_kernel_create(GpuPipelines *pipelines, const GpuKernelDef *def, const GpuKernel **kernel)
{
    GpuDevice *device = pipelines->device;
    REQUIRE(device->context, def->binding_count >= 0 && def->binding_count <= GPU_MAX_BINDINGS);
    REQUIRE(device->context, def->push_size <= GPU_MAX_PUSH && def->push_size % 4 == 0);
    REQUIRE(device->context, def->workgroup_size >= 1 && def->workgroup_size <= GPU_MAX_WORKGROUP);
    REQUIRE(device->context, def->constant_count >= 0 && def->constant_count <= GPU_MAX_CONSTANTS);
    // The table's name lives as long as the program, unlike the def's.
    const GpuShaderEntry *shader = gpu_shader_find(def->shader);
    FAIL_IF(device->context, !shader, VELA_ERROR_UNSUPPORTED, "the shader \"%s\" is not part of this build",
            def->shader);
    // Drivers may take half a minute over all of them.
    FAIL_IF(device->context, device->context->interrupted, VELA_ERROR_INTERRUPTED,
            "interrupted while %s compiled its kernels", device->info.name);
    for (const GpuKernelNode *node = device->kernels; node; node = node->next)
        if (same_kernel(&node->def, def)) {
            *kernel = &node->kernel;
            return VELA_OK;
        }
    GpuKernelNode *node = context_allocate(device->context, sizeof *node);
    FAIL_IF(device->context, !node, VELA_ERROR_OUT_OF_MEMORY, "out of memory while making kernels");
    node->def = *def;
    node->def.shader = shader->name;
    GpuKernel *created = &node->kernel;
    const char *slash = strrchr(shader->name, '/');
    created->name = slash ? slash + 1 : shader->name;
    created->binding_count = def->binding_count;
    created->push_size = def->push_size;
    created->workgroup_size = def->workgroup_size;
    created->timer = gpu_timer_find(device, created->name);
    VelaResult result = create_layouts(device, def, created);
    if (result == VELA_OK)
        result = create_pipeline(device, def, created);
    if (result != VELA_OK) {
        kernel_destroy(device, node);
        return result;
    }
    node->next = device->kernels;
    device->kernels = node;
    *kernel = created;
    return VELA_OK;
}

static VelaResult descriptor_pool_with_room(GpuPipelines *pipelines, DescriptorPool **pool)
{
    *pool = pipelines->pools;
    if (*pool && (*pool)->used < SETS_PER_POOL)
        return VELA_OK;
    GpuDevice *device = pipelines->device;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS_PER_POOL * GPU_MAX_BINDINGS};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = SETS_PER_POOL,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    VkDescriptorPool handle;
    TRY(ARENA_ARRAY(&pipelines->arena, *pool, 1));
    TRY(gpu_result(device, device->vk.CreateDescriptorPool(device->handle, &info, NULL, &handle),
                   "making a descriptor pool"));
    (*pool)->handle = handle;
    (*pool)->next = pipelines->pools;
    pipelines->pools = *pool;
    return VELA_OK;
}

VelaResult gpu_bind(GpuPipelines *pipelines, const GpuKernel *kernel, const GpuBuffer *const *buffers,
                    GpuBinding *binding)
{
    GpuDevice *device = pipelines->device;
    DescriptorPool *pool;
    TRY(descriptor_pool_with_room(pipelines, &pool));
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool->handle,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &kernel->set_layout};
    TRY(gpu_result(device, device->vk.AllocateDescriptorSets(device->handle, &info, &binding->set),
                   kernel->name));
    ++pool->used;
    binding->kernel = kernel;
    gpu_rebind(pipelines, binding, buffers);
    return VELA_OK;
}

void gpu_rebind(GpuPipelines *pipelines, const GpuBinding *binding, const GpuBuffer *const *buffers)
{
    GpuDevice *device = pipelines->device;
    const GpuKernel *kernel = binding->kernel;
    VkDescriptorBufferInfo ranges[GPU_MAX_BINDINGS];
    VkWriteDescriptorSet writes[GPU_MAX_BINDINGS];
    for (int32_t i = 0; i < kernel->binding_count; ++i) {
        ranges[i] = (VkDescriptorBufferInfo){.buffer = buffers[i]->handle, .range = buffers[i]->size};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = binding->set,
                                           .dstBinding = (uint32_t)i,
                                           .descriptorCount = 1,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .pBufferInfo = &ranges[i]};
    }
    device->vk.UpdateDescriptorSets(device->handle, (uint32_t)kernel->binding_count, writes, 0, NULL);
}
