/// Recording work, submitting it, waiting for it, and timing it. What was recorded may be submitted again and again.
#ifndef GPU_COMMANDS_H
#define GPU_COMMANDS_H

#include "gpu/pipeline.h"

/// What recorded work does with memory that others have written.
typedef enum GpuUse { GPU_USE_KERNEL, GPU_USE_ARGUMENTS, GPU_USE_COPY, GPU_USES } GpuUse;

typedef struct GpuCommands {
    GpuDevice *device;
    VkCommandBuffer buffer; ///< open for render's own calls from gpu_commands_begin to gpu_commands_submit
    VkFence fence;
    VkQueryPool queries; ///< NULL: not timed
    int32_t stamp_count, stamp_capacity;
    int32_t *stamp_timers; ///< timer of the work that ends at each stamp, -1: none
    uint64_t *stamps;
    int64_t dispatches;
    VkPipelineStageFlags since_barrier; ///< stages of what was recorded since the last gpu_barrier
    VkPipelineStageFlags due[GPU_USES]; ///< stages that the next such use waits for
    bool recording, pending;
    char mistake[160]; ///< the first call that could not be recorded; "": none
} GpuCommands;

/// Workgroups of a dispatch: gl_NumWorkGroups.xy.
typedef struct GpuGrid {
    uint32_t columns, rows;
} GpuGrid;

/// `stamp_capacity`: how many dispatches one recording may hold with timing; those beyond are not timed. 0: no timing.
VelaResult gpu_commands_create(GpuDevice *device, int32_t stamp_capacity, GpuCommands **commands);
/// Waits if it is pending. NULL is allowed.
void gpu_commands_destroy(GpuCommands *commands);

/// Forgets what was recorded and starts anew. What cannot be recorded afterwards (a copy beyond a buffer's end) is an error
/// of the submission.
VelaResult gpu_commands_begin(GpuCommands *commands);
/// The longest row of a dispatch; kernels that lay out dispatches are given it (shaders/common/dispatch_grid.glsl).
uint32_t gpu_groups_in_row(const GpuDevice *device);
/// How `groups` workgroups are laid out: in one row, or in several where a row is longer than the device takes. Then the last
/// row may have a few too many, fewer than there are rows; kernels leave those idle (shaders/common/invocation.glsl).
GpuGrid gpu_grid(const GpuDevice *device, uint32_t groups);
/// `push` has the kernel's push_size bytes. `groups` workgroups, at least 1, in a gpu_grid.
void gpu_dispatch(GpuCommands *commands, const GpuBinding *binding, const void *push, uint32_t groups);
/// The workgroups are read from `buffer` (VkDispatchIndirectCommand at `offset`): a gpu_grid, or none.
void gpu_dispatch_indirect(GpuCommands *commands, const GpuBinding *binding, const void *push,
                           const GpuBuffer *buffer, uint64_t offset);
/// All writes by kernels and copies recorded so far are seen by everything recorded afterwards by the calls of this header, by later
/// submissions and by the host. What waits, and for what, follows from what is recorded next: a barrier for everything costs a card some
/// microseconds that kernels among themselves do not need.
void gpu_barrier(GpuCommands *commands);
/// The same where no sizes of dispatches have been written since the last gpu_barrier.
void gpu_barrier_of_data(GpuCommands *commands);
void gpu_copy(GpuCommands *commands, const GpuBuffer *source, uint64_t source_offset,
              const GpuBuffer *destination, uint64_t destination_offset, uint64_t size);
/// Offset and size are multiples of 4; size 0: to the end.
void gpu_fill(GpuCommands *commands, const GpuBuffer *buffer, uint64_t offset, uint64_t size, uint32_t value);
/// Closes a section that is timed under `name` (static string): everything since the last stamp. For render.
void gpu_stamp(GpuCommands *commands, const char *name);

/// Ends the recording if it is open, and submits it. One submission of a recording at a time.
VelaResult gpu_commands_submit(GpuCommands *commands);
/// Waits until the submission is done and adds up its timers. VELA_ERROR_DEVICE when the device is lost or does not
/// answer within the device's timeout, VELA_OK at once if nothing is pending.
VelaResult gpu_commands_wait(GpuCommands *commands);
/// The same for a submission that came before one already waited for: the host does not stop here, and no wait is counted.
VelaResult gpu_commands_settle(GpuCommands *commands);
static inline VelaResult gpu_commands_run(GpuCommands *commands)
{
    TRY(gpu_commands_submit(commands));
    return gpu_commands_wait(commands);
}

#endif
