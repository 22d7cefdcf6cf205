/// Kernels that sum over a workgroup by shuffles within subgroups (shaders/common/subgroup.glsl): where a device can run them, what
/// their pipelines need, and their code for devices that cannot. Sums are the same bits either way.
#ifndef GPU_SUBGROUPS_H
#define GPU_SUBGROUPS_H

#include "gpu/instance.h"

#include <stddef.h>

typedef struct GpuSubgroups {
    uint32_t size;  ///< lanes of every subgroup, a power of 2; 1: kernels do without
    bool is_chosen; ///< the size may vary on this device: pipelines ask for this one
} GpuSubgroups;

/// What the device can do: shuffles in compute kernels, and workgroups of whole subgroups of a size that is known.
GpuSubgroups gpu_subgroups_find(const GpuInstance *instance, VkPhysicalDevice physical);

/// For vkCreateDevice: what pipelines with subgroups need of the device, with the extension's name below.
VkPhysicalDeviceSubgroupSizeControlFeaturesEXT gpu_subgroups_features(const GpuSubgroups *subgroups);
extern const char gpu_subgroups_extension[];

/// Readies a compute stage whose code shuffles for workgroups of `workgroup_size`; `chosen` lives as long as the stage. Returns the
/// size of its subgroups, 1 where it does without.
uint32_t gpu_subgroups_stage(const GpuSubgroups *subgroups, uint32_t workgroup_size,
                             VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT *chosen,
                             VkPipelineShaderStageCreateInfo *stage);

/// Whether SPIR-V of so many words shuffles.
bool gpu_code_shuffles(const uint32_t *code, size_t words);
/// Shuffles become copies of the invocation's own value, so that a device need not know them; the code must not get to them.
void gpu_code_forget_shuffles(uint32_t *code, size_t words);

#endif
