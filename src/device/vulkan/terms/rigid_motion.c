// Sums over whole bodies without a wait: chunks of nodes leave theirs, and whoever needs the motion adds them up once more:
//
//     rigid_sums (chunks: inertia, resultant, moment)   rigid_remove (chunks: their part's motion, and what is left of the values)
#include "device/vulkan/terms/rigid_motion.h"

#include "abi/damping.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/damping_lists.h"
#include "gpu/transfer.h"
#include "model/rigid_parts.h"

/// Nodes of a chunk, and chunks of a part: whoever adds up reads all of the latter.
enum { CHUNK_NODES_LEAST = 256, PART_CHUNKS_MOST = 256 };

static bool is_asked_for(const Model *model)
{
    return damping_types(model, DAMPED_LESS_RIGID) != 0;
}

/// Nodes to a chunk, of so many in a row.
static uint32_t chunk_size(uint32_t nodes)
{
    const uint32_t least = (nodes + PART_CHUNKS_MOST - 1) / PART_CHUNKS_MOST;
    return least > CHUNK_NODES_LEAST ? least : CHUNK_NODES_LEAST;
}

/// Appends the chunks of nodes in a row, all of one part or of none, to *count others; `chunks` may be NULL.
static void add_chunks(uint32_t first_node, uint32_t nodes, bool is_part, uint32_t (*chunks)[RIGID_WORDS],
                       uint32_t *count)
{
    const uint32_t first = *count, size = chunk_size(nodes), own = (nodes + size - 1) / size;
    for (uint32_t c = 0; c < own && chunks; ++c) {
        uint32_t *chunk = chunks[first + c];
        chunk[RIGID_FIRST_NODE] = first_node + c * size;
        chunk[RIGID_NODE_COUNT] = c + 1 < own ? size : nodes - c * size;
        chunk[RIGID_FIRST_CHUNK] = first;
        chunk[RIGID_CHUNK_COUNT] = is_part ? own : 0;
    }
    *count += own;
}

/// Those of all nodes: each copy of a body, then obstacles; `parts` NULL: they are counted alone.
static uint32_t list_chunks(const Model *model, const RigidParts *parts, uint32_t (*chunks)[RIGID_WORDS])
{
    uint32_t count = 0;
    int32_t part = 0; // the next one
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const int32_t nodes = body->node_count / body->copy_count;
        for (int32_t c = 0; c < body->copy_count; ++c) {
            const int32_t first = body->first_node + c * nodes;
            const bool is_part = parts && part < parts->count && parts->parts[part].first_node == first;
            add_chunks((uint32_t)first, (uint32_t)nodes, is_part, chunks, &count);
            part += is_part;
        }
    }
    add_chunks((uint32_t)model->body_node_count, (uint32_t)(model->node_count - model->body_node_count),
               false, chunks, &count);
    return count;
}

void rigid_motion_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const uint64_t chunks = is_asked_for(model) ? list_chunks(model, NULL, NULL) : 0, exact = sizeof(double),
                   vector = chunks > 0 ? 3 * real_size(f64) * (uint64_t)model->node_count : 0;
    defs[BUFFER_RIGID_CHUNKS] =
        (GpuBufferDef){"chunks of rigid motions", 4 * RIGID_WORDS * chunks, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_RIGID_SUMS] =
        (GpuBufferDef){"sums of rigid motions", RIGID_SUMS * exact * chunks, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_RIGID_FORCE] =
        (GpuBufferDef){"forces before rigid motions are taken out", vector, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_RIGID_INCREMENT] =
        (GpuBufferDef){"increment less rigid motions", vector, GPU_MEMORY_DEVICE, 0};
}

VelaResult rigid_motion_upload(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    uint32_t(*chunks)[RIGID_WORDS];
    RigidParts parts = {0};
    if (!is_asked_for(model))
        return VELA_OK;
    device->rigid_chunks = list_chunks(model, NULL, NULL);
    TRY(ARENA_ARRAY(scratch, chunks, device->rigid_chunks));
    TRY(rigid_parts_find(model, scratch, &parts));
    list_chunks(model, &parts, chunks);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_RIGID_CHUNKS), 0, chunks,
                      sizeof *chunks * (uint64_t)device->rigid_chunks);
}

/// Push constants of both kernels (shaders/common/rigid_motion.glsl).
typedef struct RigidPush {
    uint32_t node_count, chunk_count, values, position, to, from, gathers, destination, adds;
} RigidPush;
_Static_assert(sizeof(RigidPush) == 4 * RIGID_PUSH_WORDS, "kernels.c has its size");

static VelaResult record(VulkanDevice *device, RigidPush push)
{
    push.node_count = device->node_count;
    push.chunk_count = device->rigid_chunks;
    TRY(vulkan_run_groups(device, &device->kernels[KERNEL_RIGID_SUMS], &push, push.chunk_count));
    return vulkan_run_groups(device, &device->kernels[KERNEL_RIGID_REMOVE], &push, push.chunk_count);
}

VelaResult rigid_motion_ways(VulkanDevice *device, uint32_t position, const NodeMotion *motion, OwnSlot to,
                             NodeMotion *seen)
{
    *seen = (NodeMotion){DAMPING_NO_SLOT, vulkan_own_slot(device, to), motion->time};
    return record(device, (RigidPush){.values = RIGID_OF_WAYS,
                                      .position = position,
                                      .to = motion->to,
                                      .from = motion->from,
                                      .destination = seen->to});
}

VelaResult rigid_motion_increment(VulkanDevice *device, uint32_t position)
{
    return record(device, (RigidPush){.values = RIGID_OF_INCREMENT, .position = position});
}

VelaResult rigid_motion_forces(VulkanDevice *device, uint32_t position, bool gathers, bool adds)
{
    return record(
        device,
        (RigidPush){.values = RIGID_OF_FORCES, .position = position, .gathers = gathers, .adds = adds});
}

// ---------------------------------------------------------------- in ADMM's iterations

static void record_indirect(VulkanDevice *device, GpuCommands *commands, RigidPush push, uint32_t arguments)
{
    push.node_count = device->node_count;
    push.chunk_count = device->rigid_chunks;
    push.position = vulkan_own_slot(device, OWN_SLOT_SHAPE);
    vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_RIGID_SUMS], &push, arguments);
    vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_RIGID_REMOVE], &push, arguments);
}

void rigid_motion_record_ways(VulkanDevice *device, GpuCommands *commands, const NodeMotion *motion,
                              OwnSlot to, uint32_t arguments)
{
    record_indirect(device, commands,
                    (RigidPush){.values = RIGID_OF_WAYS,
                                .to = motion->to,
                                .from = motion->from,
                                .destination = vulkan_own_slot(device, to)},
                    arguments);
}

void rigid_motion_record_direction(VulkanDevice *device, GpuCommands *commands, uint32_t arguments)
{
    record_indirect(device, commands, (RigidPush){.values = RIGID_OF_INCREMENT}, arguments);
}

void rigid_motion_record_forces(VulkanDevice *device, GpuCommands *commands, uint32_t gathers,
                                uint32_t arguments)
{
    record_indirect(device, commands, (RigidPush){.values = RIGID_OF_FORCES, .gathers = gathers}, arguments);
}
