#include "device/vulkan/terms/surface.h"

#include "device/vulkan/contact/contact.h"
#include "device/vulkan/exact.h"
#include "gpu/transfer.h"

static bool is_used(const Model *model)
{
    return model->surface.map.vertex_count > 0 && (contact_has_pairs(model) || model->scene->air.drag > 0);
}

void surface_plan(const Model *model, GpuBufferDef defs[BUFFER_COUNT])
{
    const SurfaceMap *map = &model->surface.map;
    const uint64_t vertices = is_used(model) ? (uint64_t)map->vertex_count : 0;
    const uint64_t terms = vertices > 0 ? (uint64_t)map->starts[map->vertex_count] : 0;
    defs[BUFFER_SURFACE_STARTS] = (GpuBufferDef){"starts of the surface map",
                                                 vertices > 0 ? 4 * (vertices + 1) : 0, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_SURFACE_NODES] = (GpuBufferDef){"nodes of the surface map", 4 * terms, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_SURFACE_WEIGHTS] =
        (GpuBufferDef){"weights of the surface map", sizeof(double) * terms, GPU_MEMORY_DEVICE, 0};
}

VelaResult surface_upload(VulkanDevice *device, Arena *scratch)
{
    const SurfaceMap *map = &device->base.model->surface.map;
    void *weights;
    if (!is_used(device->base.model))
        return VELA_OK;
    const size_t terms = (size_t)map->starts[map->vertex_count];
    TRY(arena_allocate(scratch, terms, sizeof(double), &weights));
    for (size_t i = 0; i < terms; ++i)
        exact_store(device->f64, weights, i, map->weights[i]);
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SURFACE_STARTS), 0, map->starts,
                   4 * ((uint64_t)map->vertex_count + 1)));
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SURFACE_NODES), 0, map->nodes, 4 * terms));
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SURFACE_WEIGHTS), 0, weights,
                      sizeof(double) * terms);
}
