/// Every Vulkan function vela calls, loaded at run time: the program starts on machines without a Vulkan loader,
/// and says there what is missing. Called as `device->vk.CmdDispatch(…)`.
#ifndef GPU_FUNCTIONS_H
#define GPU_FUNCTIONS_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#define GPU_GLOBAL_FUNCTIONS(X)                                                                              \
    X(CreateInstance)                                                                                        \
    X(EnumerateInstanceExtensionProperties)                                                                  \
    X(EnumerateInstanceLayerProperties)                                                                      \
    X(EnumerateInstanceVersion)

#define GPU_INSTANCE_FUNCTIONS(X)                                                                            \
    X(CreateDevice)                                                                                          \
    X(DestroyInstance)                                                                                       \
    X(EnumerateDeviceExtensionProperties)                                                                    \
    X(EnumeratePhysicalDevices)                                                                              \
    X(GetDeviceProcAddr)                                                                                     \
    X(GetPhysicalDeviceFeatures2)                                                                            \
    X(GetPhysicalDeviceFormatProperties)                                                                     \
    X(GetPhysicalDeviceMemoryProperties)                                                                     \
    X(GetPhysicalDeviceProperties)                                                                           \
    X(GetPhysicalDeviceProperties2)                                                                          \
    X(GetPhysicalDeviceQueueFamilyProperties)

/// May be missing.
#define GPU_DEBUG_FUNCTIONS(X)                                                                               \
    X(CreateDebugUtilsMessengerEXT)                                                                          \
    X(DestroyDebugUtilsMessengerEXT)

#define GPU_DEVICE_FUNCTIONS(X)                                                                              \
    X(AllocateCommandBuffers)                                                                                \
    X(AllocateDescriptorSets)                                                                                \
    X(AllocateMemory)                                                                                        \
    X(BeginCommandBuffer)                                                                                    \
    X(BindBufferMemory)                                                                                      \
    X(BindImageMemory)                                                                                       \
    X(CmdBeginRenderPass)                                                                                    \
    X(CmdBindDescriptorSets)                                                                                 \
    X(CmdBindIndexBuffer)                                                                                    \
    X(CmdBindPipeline)                                                                                       \
    X(CmdBindVertexBuffers)                                                                                  \
    X(CmdBlitImage)                                                                                          \
    X(CmdClearColorImage)                                                                                    \
    X(CmdCopyBuffer)                                                                                         \
    X(CmdCopyBufferToImage)                                                                                  \
    X(CmdCopyImageToBuffer)                                                                                  \
    X(CmdDispatch)                                                                                           \
    X(CmdDispatchIndirect)                                                                                   \
    X(CmdDraw)                                                                                               \
    X(CmdDrawIndexed)                                                                                        \
    X(CmdDrawIndexedIndirect)                                                                                \
    X(CmdEndRenderPass)                                                                                      \
    X(CmdFillBuffer)                                                                                         \
    X(CmdNextSubpass)                                                                                        \
    X(CmdPipelineBarrier)                                                                                    \
    X(CmdPushConstants)                                                                                      \
    X(CmdResetQueryPool)                                                                                     \
    X(CmdResolveImage)                                                                                       \
    X(CmdSetDepthBias)                                                                                       \
    X(CmdSetScissor)                                                                                         \
    X(CmdSetViewport)                                                                                        \
    X(CmdWriteTimestamp)                                                                                     \
    X(CreateBuffer)                                                                                          \
    X(CreateCommandPool)                                                                                     \
    X(CreateComputePipelines)                                                                                \
    X(CreateDescriptorPool)                                                                                  \
    X(CreateDescriptorSetLayout)                                                                             \
    X(CreateFence)                                                                                           \
    X(CreateFramebuffer)                                                                                     \
    X(CreateGraphicsPipelines)                                                                               \
    X(CreateImage)                                                                                           \
    X(CreateImageView)                                                                                       \
    X(CreatePipelineCache)                                                                                   \
    X(CreatePipelineLayout)                                                                                  \
    X(CreateQueryPool)                                                                                       \
    X(CreateRenderPass)                                                                                      \
    X(CreateSampler)                                                                                         \
    X(CreateShaderModule)                                                                                    \
    X(DestroyBuffer)                                                                                         \
    X(DestroyCommandPool)                                                                                    \
    X(DestroyDescriptorPool)                                                                                 \
    X(DestroyDescriptorSetLayout)                                                                            \
    X(DestroyDevice)                                                                                         \
    X(DestroyFence)                                                                                          \
    X(DestroyFramebuffer)                                                                                    \
    X(DestroyImage)                                                                                          \
    X(DestroyImageView)                                                                                      \
    X(DestroyPipeline)                                                                                       \
    X(DestroyPipelineCache)                                                                                  \
    X(DestroyPipelineLayout)                                                                                 \
    X(DestroyQueryPool)                                                                                      \
    X(DestroyRenderPass)                                                                                     \
    X(DestroySampler)                                                                                        \
    X(DestroyShaderModule)                                                                                   \
    X(DeviceWaitIdle)                                                                                        \
    X(EndCommandBuffer)                                                                                      \
    X(FreeCommandBuffers)                                                                                    \
    X(FreeMemory)                                                                                            \
    X(GetBufferMemoryRequirements)                                                                           \
    X(GetDeviceQueue)                                                                                        \
    X(GetImageMemoryRequirements)                                                                            \
    X(GetPipelineCacheData)                                                                                  \
    X(GetQueryPoolResults)                                                                                   \
    X(MapMemory)                                                                                             \
    X(QueueSubmit)                                                                                           \
    X(ResetCommandBuffer)                                                                                    \
    X(ResetFences)                                                                                           \
    X(UpdateDescriptorSets)                                                                                  \
    X(WaitForFences)

typedef struct GpuFunctions {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define GPU_MEMBER(name) PFN_vk##name name;
    GPU_GLOBAL_FUNCTIONS(GPU_MEMBER)
    GPU_INSTANCE_FUNCTIONS(GPU_MEMBER)
    GPU_DEBUG_FUNCTIONS(GPU_MEMBER)
    GPU_DEVICE_FUNCTIONS(GPU_MEMBER)
#undef GPU_MEMBER
} GpuFunctions;

#endif
