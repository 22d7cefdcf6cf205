#include "gpu/subgroups.h"

#include <string.h>

const char gpu_subgroups_extension[] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;

static bool has_extension(const GpuInstance *instance, VkPhysicalDevice physical)
{
    VkExtensionProperties *properties = NULL;
    uint32_t count = 0;
    bool found = false;
    if (instance->vk.EnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) == VK_SUCCESS)
        properties = context_allocate(instance->context, (count + 1) * sizeof *properties);
    if (properties &&
        instance->vk.EnumerateDeviceExtensionProperties(physical, NULL, &count, properties) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count; ++i)
            found |= strcmp(properties[i].extensionName, gpu_subgroups_extension) == 0;
    context_free(instance->context, properties);
    return found;
}

GpuSubgroups gpu_subgroups_find(const GpuInstance *instance, VkPhysicalDevice physical)
{
    const GpuSubgroups none = {.size = 1};
    if (!has_extension(instance, physical))
        return none;
    VkPhysicalDeviceSubgroupSizeControlPropertiesEXT sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES_EXT};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, .pNext = &sizes};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &subgroup};
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &control};
    instance->vk.GetPhysicalDeviceProperties2(physical, &properties);
    instance->vk.GetPhysicalDeviceFeatures2(physical, &features);
    const GpuSubgroups found = {.size = subgroup.subgroupSize,
                                .is_chosen = sizes.minSubgroupSize != sizes.maxSubgroupSize};
    const bool shuffles = (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
                          (subgroup.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT);
    const bool size_is_known =
        !found.is_chosen ||
        (control.subgroupSizeControl && (sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT));
    const bool fits = found.size > 1 && (found.size & (found.size - 1)) == 0 &&
                      sizes.maxComputeWorkgroupSubgroups >= GPU_MAX_WORKGROUP / found.size;
    return shuffles && size_is_known && fits && control.computeFullSubgroups ? found : none;
}

VkPhysicalDeviceSubgroupSizeControlFeaturesEXT gpu_subgroups_features(const GpuSubgroups *subgroups)
{
    return (VkPhysicalDeviceSubgroupSizeControlFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT,
        .subgroupSizeControl = subgroups->is_chosen,
        .computeFullSubgroups = VK_TRUE};
}

uint32_t gpu_subgroups_stage(const GpuSubgroups *subgroups, uint32_t workgroup_size,
                             VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT *chosen,
                             VkPipelineShaderStageCreateInfo *stage)
{
    if (subgroups->size == 1 || workgroup_size % subgroups->size != 0)
        return 1;
    stage->flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT;
    if (subgroups->is_chosen) {
        *chosen = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT,
            .requiredSubgroupSize = subgroups->size};
        stage->pNext = chosen;
    }
    return subgroups->size;
}

// SPIR-V: five words of header, then instructions, whose first word has their length above and what they are below. Capabilities
// come first.
enum {
    CODE_HEADER = 5,
    OP_NOP = 0,
    OP_CAPABILITY = 17,
    OP_COPY_OBJECT = 83,
    OP_SHUFFLE = 345,     ///< OpGroupNonUniformShuffle: type, result, scope, value, lane
    OP_SHUFFLE_XOR = 346, ///< likewise
    SHUFFLE_WORDS = 6,
    COPY_WORDS = 4, ///< type, result, value
    CAPABILITY_SHADER = 1,
    CAPABILITY_SHUFFLE = 65
};

/// The next instruction; the end where one has no length.
static size_t next_instruction(const uint32_t *code, size_t words, size_t at)
{
    const size_t length = code[at] >> 16;
    return length > 0 && length < words - at ? at + length : words;
}

bool gpu_code_shuffles(const uint32_t *code, size_t words)
{
    for (size_t at = CODE_HEADER; at < words && (code[at] & 0xffff) == OP_CAPABILITY;
         at = next_instruction(code, words, at))
        if (code[at + 1] == CAPABILITY_SHUFFLE)
            return true;
    return false;
}

void gpu_code_forget_shuffles(uint32_t *code, size_t words)
{
    for (size_t at = CODE_HEADER; at < words; at = next_instruction(code, words, at)) {
        const uint32_t what = code[at] & 0xffff;
        if (what == OP_CAPABILITY && code[at + 1] == CAPABILITY_SHUFFLE) {
            code[at + 1] = CAPABILITY_SHADER; // which all have
        } else if ((what == OP_SHUFFLE || what == OP_SHUFFLE_XOR) && code[at] >> 16 == SHUFFLE_WORDS) {
            code[at] = (uint32_t)COPY_WORDS << 16 | OP_COPY_OBJECT;
            code[at + 3] = code[at + 4];
            code[at + 4] = code[at + 5] = (uint32_t)1 << 16 | OP_NOP;
        }
    }
}
