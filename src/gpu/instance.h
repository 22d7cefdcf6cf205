/// The Vulkan instance: which devices there are, which of them vela can use and why not, and the choice among them.
#ifndef GPU_INSTANCE_H
#define GPU_INSTANCE_H

#include "base/context.h"
#include "gpu/functions.h"

#include <stdatomic.h>

/// A kernel can bind this many bytes at once on any device that Vulkan allows.
#define GPU_BINDING_LEAST ((uint64_t)128 << 20)

/// Invocations of a workgroup at the most; a device with fewer is not used.
enum { GPU_MAX_WORKGROUP = 256 };

typedef enum GpuDeviceType {
    GPU_DEVICE_SOFTWARE, ///< a driver that computes on the processor
    GPU_DEVICE_VIRTUAL,
    GPU_DEVICE_INTEGRATED,
    GPU_DEVICE_DISCRETE,
} GpuDeviceType;

/// What `vela devices` lists.
typedef struct GpuDeviceInfo {
    int32_t index; ///< N of vulkan:N
    char name[256];
    char driver[512]; ///< driver's name and version, as the driver puts them
    GpuDeviceType type;
    uint32_t api_version; ///< VK_MAKE_API_VERSION
    uint64_t memory;      ///< bytes of the largest device-local heap
    uint64_t binding;     ///< bytes of a buffer that a kernel can bind: maxStorageBufferRange
    uint32_t subgroup_size;
    bool float64; ///< shaderFloat64
    bool timestamps;
    bool graphics; ///< its compute queue can draw
    bool usable;
    char reason[256]; ///< why not usable; "" if it is
} GpuDeviceInfo;

typedef struct GpuInstanceDef {
    /// Default false: load VK_LAYER_KHRONOS_validation with synchronization validation, if installed.
    bool validation;
    uint32_t cookie; ///< set by gpu_default_instance_def
} GpuInstanceDef;

enum { GPU_MAX_DEVICES = 16 };

typedef struct GpuInstance {
    VelaContext *context;
    void *library;
    GpuFunctions vk; ///< device functions stay NULL here
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger;
    bool kept;                      ///< a device of it hangs: nothing of the driver is destroyed
    bool validation;                ///< the layer is loaded, by the def or by the environment
    atomic_int validation_messages; ///< errors and warnings of the validation layer so far
    int32_t device_count;
    GpuDeviceInfo devices[GPU_MAX_DEVICES];
    VkPhysicalDevice physical[GPU_MAX_DEVICES];
} GpuInstance;

GpuInstanceDef gpu_default_instance_def(void);
/// Loads Vulkan and looks at every device. VELA_ERROR_NO_DEVICE where there is no loader or no driver; the message
/// names the package to install. Messages of a validation layer enabled through VK_INSTANCE_LAYERS go to the log as
/// errors and are counted.
VelaResult gpu_instance_create(VelaContext *context, const GpuInstanceDef *def, GpuInstance **instance);
/// NULL is allowed; its devices must be destroyed before.
void gpu_instance_destroy(GpuInstance *instance);

/// `name`: "auto" (the best real GPU; VELA_ERROR_NO_DEVICE if there are software drivers only), "vulkan" (the best of
/// any), "vulkan:N". VELA_ERROR_INVALID_INPUT for another name or an N that does not exist, VELA_ERROR_NO_DEVICE for a
/// device that cannot be used, with the reason.
VelaResult gpu_instance_choose(GpuInstance *instance, const char *name, int32_t *index);

/// "discrete GPU", "integrated GPU", "virtual GPU", "software"
const char *gpu_device_type_name(GpuDeviceType type);

#endif
