/// A Vulkan device with one queue, its pipeline cache, and the counts that run.json reports.
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include "gpu/subgroups.h"

typedef struct GpuDeviceDef {
    bool graphics;            ///< default false: the queue must be able to draw
    bool float64;             ///< default true: use shaderFloat64 if the device has it
    bool timestamps;          ///< default true: measure kernels if the device can
    bool subgroups;           ///< default true: kernels use subgroups if the device can
    bool pipeline_cache;      ///< default true: keep compiled pipelines on disk
    const char *cache_folder; ///< default NULL: $XDG_CACHE_HOME/vela, or ~/.cache/vela
    double timeout;           ///< s, default 120: how long one submission may take before it counts as hung
    uint32_t
        groups_in_row; ///< default 0: as many as the device takes in a row of a dispatch; tests ask for fewer
    uint32_t cookie;   ///< set by gpu_default_device_def
} GpuDeviceDef;

/// Accumulated GPU time of one kernel.
typedef struct GpuTimer {
    const char *name;
    int64_t count;
    double nanoseconds;
} GpuTimer;

enum { GPU_MAX_TIMERS = 128 };

typedef struct GpuStatistics {
    int64_t dispatches, submissions;
    int64_t host_waits;           ///< fences waited for
    int64_t uploaded, downloaded; ///< bytes over the host's boundary
    int64_t memory;               ///< bytes held in pools and images
    int32_t timer_count;
    GpuTimer timers[GPU_MAX_TIMERS]; ///< in order of first use
} GpuStatistics;

typedef struct GpuStaging GpuStaging;
typedef struct GpuKernelNode GpuKernelNode; ///< gpu/pipeline.c

/// Open to device/vulkan and render, which call Vulkan through `vk` with the handles here.
typedef struct GpuDevice {
    VelaContext *context;
    GpuInstance *instance;
    GpuDeviceInfo info;
    GpuDeviceDef def;
    GpuFunctions vk;
    VkPhysicalDevice physical;
    VkDevice handle;
    uint32_t queue_family;
    VkQueue queue;
    VkCommandPool command_pool;
    VkPipelineCache pipeline_cache;
    GpuKernelNode *kernels;
    char *cache_path;         ///< NULL: not kept on disk
    bool float64, timestamps; ///< what is in use
    GpuSubgroups subgroups;   ///< likewise
    uint64_t timestamp_mask;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t max_allocation; ///< bytes of one device memory object
    GpuStaging *staging;     ///< of gpu_upload and gpu_download, made on first use
    GpuStatistics statistics;
    bool lost; ///< nothing more can be done with it but destroy it: whatever waits for it fails at once
} GpuDevice;

/// VELA_OK for VK_SUCCESS; else the result code with a message: what was tried, what Vulkan answered, what to do.
VelaResult gpu_result(GpuDevice *device, VkResult result, const char *what);

/// For a device that hangs, which may use all that was made on it for as long as it likes: from now on nothing of it is waited
/// for or destroyed, neither by `vk` nor with the instance. What it holds is given back when the program ends.
void gpu_device_keep(GpuDevice *device);

/// The timer of that name (compared by text), made on first use; -1 when all are taken.
int32_t gpu_timer_find(GpuDevice *device, const char *name);

#endif
