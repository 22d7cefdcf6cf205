#include "gpu/commands.h"

#include <stdio.h>
#include <string.h>

VelaResult gpu_commands_create(GpuDevice *device, int32_t stamp_capacity, GpuCommands **commands)
{
    *commands = NULL;
    VelaContext *context = device->context;
    const GpuFunctions *vk = &device->vk;
    GpuCommands *created = context_allocate(context, sizeof *created);
    FAIL_IF(context, !created, VELA_ERROR_OUT_OF_MEMORY, "out of memory while making a command buffer");
    created->device = device;
    const VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = device->command_pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VelaResult result;
    TRY_GOTO(result,
             gpu_result(device, vk->AllocateCommandBuffers(device->handle, &buffer, &created->buffer),
                        "making a command buffer"),
             failed);
    TRY_GOTO(
        result,
        gpu_result(device, vk->CreateFence(device->handle, &fence, NULL, &created->fence), "making a fence"),
        failed);
    if (device->timestamps && stamp_capacity > 0) {
        // One stamp more for the beginning.
        created->stamp_capacity = stamp_capacity + 1;
        const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                               .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                               .queryCount = (uint32_t)created->stamp_capacity};
        TRY_GOTO(result,
                 gpu_result(device, vk->CreateQueryPool(device->handle, &queries, NULL, &created->queries),
                            "making timers"),
                 failed);
        created->stamp_timers =
            context_allocate(context, (size_t)created->stamp_capacity * sizeof *created->stamp_timers);
        created->stamps =
            context_allocate(context, (size_t)created->stamp_capacity * sizeof *created->stamps);
        if (!created->stamp_timers || !created->stamps) {
            result = context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "out of memory while making timers");
            goto failed;
        }
    }
    *commands = created;
    return VELA_OK;
failed:
    gpu_commands_destroy(created);
    return result;
}

void gpu_commands_destroy(GpuCommands *commands)
{
    if (!commands)
        return;
    GpuDevice *device = commands->device;
    const GpuFunctions *vk = &device->vk;
    if (commands->pending)
        vk->DeviceWaitIdle(device->handle);
    if (commands->queries)
        vk->DestroyQueryPool(device->handle, commands->queries, NULL);
    if (commands->fence)
        vk->DestroyFence(device->handle, commands->fence, NULL);
    if (commands->buffer)
        vk->FreeCommandBuffers(device->handle, device->command_pool, 1, &commands->buffer);
    context_free(device->context, commands->stamp_timers);
    context_free(device->context, commands->stamps);
    context_free(device->context, commands);
}

static void stamp(GpuCommands *commands, int32_t timer)
{
    if (!commands->queries || commands->stamp_count == commands->stamp_capacity)
        return;
    commands->stamp_timers[commands->stamp_count] = timer;
    commands->device->vk.CmdWriteTimestamp(commands->buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                           commands->queries, (uint32_t)commands->stamp_count++);
}

void gpu_stamp(GpuCommands *commands, const char *name)
{
    stamp(commands, gpu_timer_find(commands->device, name));
}

VelaResult gpu_commands_begin(GpuCommands *commands)
{
    GpuDevice *device = commands->device;
    TRY(gpu_commands_wait(commands));
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    TRY(gpu_result(device, device->vk.BeginCommandBuffer(commands->buffer, &info), "recording"));
    commands->recording = true;
    commands->mistake[0] = 0;
    commands->dispatches = 0;
    commands->stamp_count = 0;
    commands->since_barrier = 0;
    memset(commands->due, 0, sizeof commands->due);
    if (commands->queries) {
        device->vk.CmdResetQueryPool(commands->buffer, commands->queries, 0,
                                     (uint32_t)commands->stamp_capacity);
        stamp(commands, -1);
    }
    return VELA_OK;
}

/// Whether a call can be recorded; the first that cannot is kept for the submission.
static bool is_sound(GpuCommands *commands, bool sound, const char *call, const char *what)
{
    if (!sound && !commands->mistake[0])
        snprintf(commands->mistake, sizeof commands->mistake, "%s: %.80s", call, what);
    return sound;
}

// ---------------------------------------------------------------- barriers

static const VkPipelineStageFlags WORK =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

static void emit_barrier(GpuCommands *commands, VkPipelineStageFlags from, VkPipelineStageFlags to)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    if (from & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
        barrier.srcAccessMask |= VK_ACCESS_SHADER_WRITE_BIT;
    if (from & VK_PIPELINE_STAGE_TRANSFER_BIT)
        barrier.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
    if (to & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
        barrier.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    if (to & VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT)
        barrier.dstAccessMask |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    if (to & VK_PIPELINE_STAGE_TRANSFER_BIT)
        barrier.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    if (to & VK_PIPELINE_STAGE_HOST_BIT)
        barrier.dstAccessMask |= VK_ACCESS_HOST_READ_BIT;
    commands->device->vk.CmdPipelineBarrier(commands->buffer, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

// Before work whose uses are the two, which may be the same.
static void await(GpuCommands *commands, GpuUse use, GpuUse other)
{
    static const VkPipelineStageFlags stages[GPU_USES] = {
        [GPU_USE_KERNEL] = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        [GPU_USE_ARGUMENTS] = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
        [GPU_USE_COPY] = VK_PIPELINE_STAGE_TRANSFER_BIT};
    const VkPipelineStageFlags from = commands->due[use] | commands->due[other];
    if (from != 0)
        emit_barrier(commands, from,
                     (commands->due[use] ? stages[use] : 0) | (commands->due[other] ? stages[other] : 0));
    commands->due[use] = commands->due[other] = 0;
    commands->since_barrier |= stages[use];
}

void gpu_barrier_of_data(GpuCommands *commands)
{
    // Nothing recorded here: by calls of Vulkan's own.
    const VkPipelineStageFlags from = commands->since_barrier ? commands->since_barrier : WORK;
    commands->due[GPU_USE_KERNEL] |= from;
    commands->due[GPU_USE_COPY] |= from;
    commands->since_barrier = 0;
}

void gpu_barrier(GpuCommands *commands)
{
    const VkPipelineStageFlags from = commands->since_barrier ? commands->since_barrier : WORK;
    commands->due[GPU_USE_ARGUMENTS] |= from;
    gpu_barrier_of_data(commands);
}

// What later submissions and the host do is not known.
static void end_with_barrier(GpuCommands *commands)
{
    VkPipelineStageFlags from = commands->since_barrier;
    for (int use = 0; use < GPU_USES; ++use)
        from |= commands->due[use];
    if (from != 0)
        emit_barrier(commands, from, WORK | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_HOST_BIT);
}

// ---------------------------------------------------------------- work

static void bind(GpuCommands *commands, const GpuBinding *binding, const void *push)
{
    const GpuFunctions *vk = &commands->device->vk;
    const GpuKernel *kernel = binding->kernel;
    vk->CmdBindPipeline(commands->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vk->CmdBindDescriptorSets(commands->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                              &binding->set, 0, NULL);
    if (kernel->push_size > 0)
        vk->CmdPushConstants(commands->buffer, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             kernel->push_size, push);
    ++commands->dispatches;
}

uint32_t gpu_groups_in_row(const GpuDevice *device)
{
    const uint32_t most = device->properties.limits.maxComputeWorkGroupCount[0],
                   asked = device->def.groups_in_row;
    return asked > 0 && asked < most ? asked : most;
}

GpuGrid gpu_grid(const GpuDevice *device, uint32_t groups)
{
    const uint32_t in_row = gpu_groups_in_row(device);
    const uint32_t rows = groups > in_row ? groups / in_row + (groups % in_row > 0) : 1;
    return (GpuGrid){groups / rows + (groups % rows > 0), rows};
}

void gpu_dispatch(GpuCommands *commands, const GpuBinding *binding, const void *push, uint32_t groups)
{
    const GpuGrid grid = gpu_grid(commands->device, groups);
    const bool fits = grid.rows <= commands->device->properties.limits.maxComputeWorkGroupCount[1];
    if (!is_sound(commands, commands->recording && groups > 0 && fits, "gpu_dispatch", binding->kernel->name))
        return;
    await(commands, GPU_USE_KERNEL, GPU_USE_KERNEL);
    bind(commands, binding, push);
    commands->device->vk.CmdDispatch(commands->buffer, grid.columns, grid.rows, 1);
    stamp(commands, binding->kernel->timer);
}

void gpu_dispatch_indirect(GpuCommands *commands, const GpuBinding *binding, const void *push,
                           const GpuBuffer *buffer, uint64_t offset)
{
    if (!is_sound(commands, commands->recording, "gpu_dispatch_indirect", binding->kernel->name))
        return;
    await(commands, GPU_USE_KERNEL, GPU_USE_ARGUMENTS);
    bind(commands, binding, push);
    commands->device->vk.CmdDispatchIndirect(commands->buffer, buffer->handle, offset);
    stamp(commands, binding->kernel->timer);
}

static bool lies_in(const GpuBuffer *buffer, uint64_t offset, uint64_t size)
{
    return offset <= buffer->size && size <= buffer->size - offset;
}

void gpu_copy(GpuCommands *commands, const GpuBuffer *source, uint64_t source_offset,
              const GpuBuffer *destination, uint64_t destination_offset, uint64_t size)
{
    if (!is_sound(commands, lies_in(source, source_offset, size), "gpu_copy from", source->name) ||
        !is_sound(commands, lies_in(destination, destination_offset, size), "gpu_copy to", destination->name))
        return;
    await(commands, GPU_USE_COPY, GPU_USE_COPY);
    const VkBufferCopy region = {source_offset, destination_offset, size};
    commands->device->vk.CmdCopyBuffer(commands->buffer, source->handle, destination->handle, 1, &region);
}

void gpu_fill(GpuCommands *commands, const GpuBuffer *buffer, uint64_t offset, uint64_t size, uint32_t value)
{
    if (!is_sound(commands, lies_in(buffer, offset, size), "gpu_fill", buffer->name))
        return;
    await(commands, GPU_USE_COPY, GPU_USE_COPY);
    commands->device->vk.CmdFillBuffer(commands->buffer, buffer->handle, offset, size ? size : VK_WHOLE_SIZE,
                                       value);
}

VelaResult gpu_commands_submit(GpuCommands *commands)
{
    GpuDevice *device = commands->device;
    const GpuFunctions *vk = &device->vk;
    REQUIRE(device->context, !commands->pending);
    if (commands->recording) {
        commands->recording = false;
        end_with_barrier(commands);
        TRY(gpu_result(device, vk->EndCommandBuffer(commands->buffer), "recording"));
    }
    FAIL_IF(device->context, commands->mistake[0], VELA_ERROR_INTERNAL,
            "%s: not possible there; this is a mistake in vela, please report it", commands->mistake);
    FAIL_IF(device->context, device->lost, VELA_ERROR_DEVICE, "%s was lost", device->info.name);
    TRY(gpu_result(device, vk->ResetFences(device->handle, 1, &commands->fence), "submitting work"));
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands->buffer};
    TRY(gpu_result(device, vk->QueueSubmit(device->queue, 1, &info, commands->fence), "submitting work"));
    commands->pending = true;
    device->statistics.dispatches += commands->dispatches;
    ++device->statistics.submissions;
    return VELA_OK;
}

static VelaResult read_stamps(GpuCommands *commands)
{
    GpuDevice *device = commands->device;
    if (!commands->queries || commands->stamp_count < 2)
        return VELA_OK;
    const size_t size = (size_t)commands->stamp_count * sizeof *commands->stamps;
    TRY(gpu_result(device,
                   device->vk.GetQueryPoolResults(device->handle, commands->queries, 0,
                                                  (uint32_t)commands->stamp_count, size, commands->stamps,
                                                  sizeof *commands->stamps, VK_QUERY_RESULT_64_BIT),
                   "reading timers"));
    for (int32_t i = 1; i < commands->stamp_count; ++i) {
        if (commands->stamp_timers[i] < 0)
            continue;
        GpuTimer *timer = &device->statistics.timers[commands->stamp_timers[i]];
        const uint64_t ticks = (commands->stamps[i] - commands->stamps[i - 1]) & device->timestamp_mask;
        timer->nanoseconds += (double)ticks * (double)device->properties.limits.timestampPeriod;
        ++timer->count;
    }
    return VELA_OK;
}

VelaResult gpu_commands_wait(GpuCommands *commands)
{
    commands->device->statistics.host_waits += commands->pending;
    return gpu_commands_settle(commands);
}

// In slices, so that a slow device's work is not a silence. What it has begun it ends: whoever asks next heeds an interrupt.
static VkResult wait_for_fence(GpuCommands *commands)
{
    static const uint64_t SLICE = 250000000; // ns
    GpuDevice *device = commands->device;
    uint64_t left = (uint64_t)(device->def.timeout * 1e9);
    VkResult result;
    do {
        const uint64_t part = left < SLICE ? left : SLICE;
        left -= part;
        result = device->vk.WaitForFences(device->handle, 1, &commands->fence, VK_TRUE, part);
    } while (result == VK_TIMEOUT && left > 0 && (context_goes_on(device->context), true));
    return result;
}

VelaResult gpu_commands_settle(GpuCommands *commands)
{
    GpuDevice *device = commands->device;
    if (!commands->pending)
        return VELA_OK;
    // Another wait for what hangs would take the timeout again.
    FAIL_IF(device->context, device->lost, VELA_ERROR_DEVICE, "%s was lost", device->info.name);
    const VkResult result = wait_for_fence(commands);
    if (result == VK_TIMEOUT) {
        device->lost = true;
        gpu_device_keep(device);
        return context_fail(
            device->context, VELA_ERROR_DEVICE,
            "%s did not finish its work within %g s: it hangs, or is far too slow for this scene; use "
            "another device",
            device->info.name, device->def.timeout);
    }
    commands->pending = false;
    TRY(gpu_result(device, result, "waiting for the device"));
    return read_stamps(commands);
}
