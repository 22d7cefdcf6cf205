/// Compute kernels and what they are bound to.
///
/// A kernel has one descriptor set (set 0) of storage buffers with bindings 0, 1, …, push constants of up to 128
/// bytes, and specialization constants: id 0 is the workgroup size (local_size_x_id = 0), id 1 that of its subgroups
/// (gpu/subgroups.h), ids 2, 3, … are its own.
#ifndef GPU_PIPELINE_H
#define GPU_PIPELINE_H

#include "gpu/buffer.h"

enum { GPU_MAX_BINDINGS = 16, GPU_MAX_PUSH = 128, GPU_MAX_CONSTANTS = 8 };

typedef struct GpuKernelDef {
    const char *shader; ///< "compute/name"
    int32_t binding_count;
    uint32_t push_size;      ///< bytes, a multiple of 4
    uint32_t workgroup_size; ///< 1 to 256
    int32_t constant_count;
    uint32_t constants[GPU_MAX_CONSTANTS]; ///< ids 2, 3, …
} GpuKernelDef;

typedef struct GpuKernel {
    const char *name; ///< the shader's, without the folder
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    int32_t binding_count;
    uint32_t push_size, workgroup_size;
    int32_t timer;
} GpuKernel;

/// A kernel together with the buffers it works on.
typedef struct GpuBinding {
    const GpuKernel *kernel;
    VkDescriptorSet set;
} GpuBinding;

/// Owns bindings, and finds kernels. These are the device's, whoever asks for them: each is compiled once, keeps its address and
/// lives as long as the device.
typedef struct GpuPipelines GpuPipelines;

VelaResult gpu_pipelines_create(GpuDevice *device, GpuPipelines **pipelines);
/// NULL is allowed. The device must not be using them.
void gpu_pipelines_destroy(GpuPipelines *pipelines);
/// VELA_ERROR_DEVICE with the shader's name if the driver refuses it.
/// VELA_ERROR_INTERRUPTED where vela_context_interrupt was called: drivers may take half a minute over a solver's kernels.
VelaResult gpu_kernel_create(GpuPipelines *pipelines, const GpuKernelDef *def, const GpuKernel **kernel);
/// Binds whole buffers, binding_count of them, in the order of the bindings.
VelaResult gpu_bind(GpuPipelines *pipelines, const GpuKernel *kernel, const GpuBuffer *const *buffers,
                    GpuBinding *binding);
/// Binds others in their places, as after gpu_pool_grow. Neither the device nor a recording that will be submitted again may be
/// using the binding.
void gpu_rebind(GpuPipelines *pipelines, const GpuBinding *binding, const GpuBuffer *const *buffers);

/// Of all pipelines of the device, which are destroyed already.
void gpu_kernels_destroy(GpuDevice *device);

VelaResult gpu_shader_module(GpuDevice *device, const char *name, VkShaderModule *module);

#endif
