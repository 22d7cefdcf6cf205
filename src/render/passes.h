/// The Vulkan side of an image: targets, pipelines, and the recording of all passes of a frame.
///
/// shadow map -> occluder image; view from the floor -> contact image; then background, bodies and planes into a multisampled target
/// that is resolved and copied to host memory.
#ifndef RENDER_PASSES_H
#define RENDER_PASSES_H

#include "gpu/image.h"
#include "render/lighting.h"

enum {
    PASSES_SLOTS = 2,
    PASSES_MAX_PLANES = 1000, ///< as many obstacles as a scene may have
};

typedef struct PassesDef {
    uint32_t width, height;
    uint32_t shadow_size; ///< texels, a multiple of RENDER_FILTER_SIZE
    VkSampleCountFlagBits samples;
    const GpuBuffer *bodies, *map; ///< storage and uniform
    const GpuBuffer *scene[PASSES_SLOTS];
} PassesDef;

typedef enum PassesPipeline {
    PIPELINE_BACKGROUND,
    PIPELINE_BODY,
    PIPELINE_PLANE,
    PIPELINE_DEPTH,
    PIPELINE_REDUCE,
    PIPELINE_BLUR,
    PIPELINE_COUNT,
} PassesPipeline;

/// A square depth map and the two images it is filtered through.
typedef struct PassesMap {
    uint32_t size;
    GpuImage depth, filtered[2];
    VkFramebuffer framebuffer;
    VkDescriptorSet sets[3]; ///< depth -> 0, 0 -> 1, 1 -> 0
} PassesMap;

typedef struct Passes {
    GpuDevice *device;
    PassesDef def;
    VkFormat depth_format;
    GpuImage color, depth, resolved;
    PassesMap shadow, contact;
    VkRenderPass depth_pass, image_pass;
    VkFramebuffer image_framebuffer;
    VkSampler compare, linear, nearest;
    VkDescriptorSetLayout scene_set_layout, filter_set_layout;
    VkPipelineLayout scene_layout, filter_layout, depth_layout;
    VkPipeline pipelines[PIPELINE_COUNT];
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet scene_sets[PASSES_SLOTS];
} Passes;

/// What one frame draws.
typedef struct PassesFrame {
    int32_t slot;
    const RenderScene *scene;
    const GpuBuffer *vertices, *indices, *pixels;
    uint32_t index_count;
    int32_t contact_reach; ///< of the contact image's blur, texels; 0: nothing is near the floor
    int32_t plane_count;
    const RenderPlaneConstants *planes; ///< from the farthest to the nearest
} PassesFrame;

/// `passes` must be zeroed; on failure passes_destroy still has to be called.
VelaResult passes_create(GpuDevice *device, const PassesDef *def, Passes *passes);
void passes_destroy(Passes *passes);
/// Records between gpu_commands_begin and gpu_commands_submit; RGBA pixels (sRGB-encoded) end up in frame->pixels.
void passes_record(const Passes *passes, GpuCommands *commands, const PassesFrame *frame);

// passes_setup.c
VelaResult passes_create_pipelines(Passes *passes);
VelaResult passes_create_render_passes(Passes *passes);

#endif
