// Operations are recorded one behind the other and submitted when the host needs an answer.
#include "device/vulkan/recording.h"

#include "base/clock.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/terms/node_motion.h"

#include <string.h>

VelaResult vulkan_open(VulkanDevice *device, GpuCommands **commands)
{
    *commands = device->open[device->current];
    if (device->recording)
        return VELA_OK;
    TRY(gpu_commands_begin(*commands));
    device->recording = true;
    return VELA_OK;
}

VelaResult vulkan_flush(VulkanDevice *device)
{
    if (!device->recording)
        return VELA_OK;
    device->recording = false;
    TRY(gpu_commands_submit(device->open[device->current]));
    device->current = 1 - device->current;
    return VELA_OK;
}

VelaResult vulkan_settle(VulkanDevice *device)
{
    for (int i = 0; i < 2; ++i)
        TRY(gpu_commands_settle(device->open[i]));
    device->upload_used = 0;
    return VELA_OK;
}

VelaResult vulkan_finish(VulkanDevice *device)
{
    TRY(vulkan_flush(device));
    // The last submission is the other one than the next to record.
    TRY(gpu_commands_wait(device->open[1 - device->current]));
    return vulkan_settle(device);
}

VelaResult vulkan_write(VulkanDevice *device, BufferName name, uint64_t offset, uint64_t size, void **memory)
{
    const GpuBuffer *upload = vulkan_buffer(device, BUFFER_UPLOAD);
    REQUIRE(device->base.context, size <= upload->size);
    if (device->upload_used + size > upload->size)
        TRY(vulkan_finish(device));
    *memory = (char *)upload->mapped + device->upload_used;
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    if (size > 0) {
        gpu_copy(commands, upload, device->upload_used, vulkan_buffer(device, name), offset, size);
        gpu_barrier(commands);
    }
    device->upload_used += (size + 7) / 8 * 8;
    device->gpu->statistics.uploaded += (int64_t)size;
    return VELA_OK;
}

VelaResult vulkan_run_groups(VulkanDevice *device, const GpuBinding *binding, const void *push,
                             uint32_t groups)
{
    if (groups == 0)
        return VELA_OK;
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    gpu_dispatch(commands, binding, push, groups);
    gpu_barrier(commands);
    return VELA_OK;
}

VelaResult vulkan_run(VulkanDevice *device, const GpuBinding *binding, const void *push, uint32_t count)
{
    if (count == 0)
        return VELA_OK;
    const uint32_t size = binding->kernel->workgroup_size;
    return vulkan_run_groups(device, binding, push, (count + size - 1) / size);
}

VelaResult vulkan_run_sum(VulkanDevice *device, const GpuBinding *binding, const void *push, uint32_t count)
{
    if (count == 0)
        return VELA_OK;
    return vulkan_run_groups(device, binding, push, sum_groups(count, binding->kernel->workgroup_size));
}

VelaResult vulkan_clear(VulkanDevice *device, BufferName buffer)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    gpu_fill(commands, vulkan_buffer(device, buffer), 0, 0, 0);
    gpu_barrier(commands);
    return VELA_OK;
}

VelaResult vulkan_combine(VulkanDevice *device, uint32_t destination, int count, const double *coefficients,
                          const uint32_t *sources)
{
    struct {
        ExactNumber coefficients[4];
        uint32_t sources[4], destination, count, node_count;
    } push = {.destination = destination, .count = (uint32_t)count, .node_count = device->node_count};
    for (int k = 0; k < count; ++k) {
        exact_store(device->f64, push.coefficients, (size_t)k, coefficients[k]);
        push.sources[k] = sources[k];
    }
    return vulkan_run(device, &device->kernels[KERNEL_COMBINE], &push, device->node_count);
}

void vulkan_run_indirect(VulkanDevice *device, GpuCommands *commands, const GpuBinding *binding,
                         const void *push, uint32_t arguments)
{
    gpu_dispatch_indirect(commands, binding, push, vulkan_buffer(device, BUFFER_CONTROL),
                          4 * (uint64_t)arguments);
    gpu_barrier(commands);
}

void vulkan_run_indirect_data(VulkanDevice *device, GpuCommands *commands, const GpuBinding *binding,
                              const void *push, uint32_t arguments)
{
    gpu_dispatch_indirect(commands, binding, push, vulkan_buffer(device, BUFFER_CONTROL),
                          4 * (uint64_t)arguments);
    gpu_barrier_of_data(commands);
}

int64_t vulkan_read_control(VulkanDevice *device, GpuCommands *commands)
{
    const GpuBuffer *readback = vulkan_buffer(device, BUFFER_READBACK);
    const uint64_t control = 4 * CONTROL_COUNT, scalars = SCALAR_COUNT * real_size(device->f64);
    gpu_copy(commands, vulkan_buffer(device, BUFFER_CONTROL), 0, readback, READBACK_CONTROL, control);
    gpu_copy(commands, vulkan_buffer(device, BUFFER_SCALARS), 0, readback, READBACK_SCALARS, scalars);
    gpu_barrier(commands);
    return (int64_t)(control + scalars);
}

VelaResult vulkan_submit(VulkanDevice *device, GpuCommands *commands, double *seconds)
{
    TRY(vulkan_flush(device));
    const double start = clock_seconds();
    TRY(gpu_commands_run(commands));
    *seconds = clock_seconds() - start;
    // What was open ran before: its uploads are done too.
    TRY(vulkan_settle(device));
    return context_breathe(device->base.context);
}

VelaResult vulkan_write_shapes(VulkanDevice *device, const PenaltyShape *shapes, double time, uint32_t first)
{
    const Model *model = device->base.model;
    const size_t stride = PLANE_STRIDE;
    void *memory;
    if (device->plane_count == 0)
        return VELA_OK;
    TRY(vulkan_write(device, BUFFER_PLANES, first * stride * sizeof(double),
                     device->plane_count * stride * sizeof(double), &memory));
    for (size_t p = 0; p < device->plane_count; ++p) {
        const PenaltyShape *shape = &shapes[p];
        const PenaltyObstacle *obstacle = &model->penalty_obstacles[p];
        double tangents[2][3];
        for (int t = 0; t < 2; ++t)
            motion_rotate(obstacle->motion, time, obstacle->tangents[t], tangents[t]);
        for (size_t k = 0; k < 3; ++k) {
            exact_store(device->f64, memory, stride * p + PLANE_NORMAL + k, shape->normal[k]);
            exact_store(device->f64, memory, stride * p + PLANE_POINT + k, shape->point[k]);
        }
        exact_store(device->f64, memory, stride * p + PLANE_OFFSET, -shape->offset);
        exact_store(device->f64, memory, stride * p + PLANE_RADIUS, shape->radius);
        exact_store(device->f64, memory, stride * p + PLANE_WIDTH, model_penalty_width(model, (int32_t)p));
        for (size_t k = 0; k < 6; ++k)
            exact_store(device->f64, memory, stride * p + PLANE_TANGENTS + k, tangents[k / 3][k % 3]);
    }
    return VELA_OK;
}

VelaResult vulkan_write_planes(VulkanDevice *device, double time)
{
    model_penalty_shapes(device->base.model, time, device->shapes);
    return vulkan_write_shapes(device, device->shapes, time, 0);
}

// As block_weight of device/cpu/admm/global_direct.c.
void vulkan_plane_blocks(const VulkanDevice *device, double across[6], double along[6])
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    const Model *model = device->base.model;
    for (uint32_t p = 0; p < device->plane_count; ++p)
        for (int k = 0; k < 6; ++k) {
            const double *n = device->shapes[p].normal, unit = k < 3, outer = n[first[k]] * n[second[k]];
            const bool is_sphere = penalty_is_sphere(&device->shapes[p]);
            across[k] += is_sphere ? unit : outer;
            if (!is_sphere && model->penalty_obstacles[p].rubs)
                along[k] += unit - outer;
        }
}

VelaResult vulkan_write_scalars(VulkanDevice *device)
{
    const SceneDef *scene = device->base.model->scene;
    // Unit roundoff of what the kernels compute in, and how far from it rounding keeps the residuals.
    const double unit = device->f64 ? 0x1p-53 : 0x1p-24;
    double values[SCALAR_CG_TARGET] = {0};
    values[SCALAR_TOLERANCE] = device->settings.tolerance;
    values[SCALAR_PENALTY_SCALE] = device->penalty_scale;
    values[SCALAR_INVERSE_A_SQ] = device->stage.a > 0 ? 1 / (device->stage.a * device->stage.a) : 0;
    values[SCALAR_STIFFNESS] = scene->contact.stiffness;
    for (int k = 0; k < 3; ++k)
        values[SCALAR_GRAVITY + k] = scene->gravity[k];
    vulkan_plane_blocks(device, &values[SCALAR_PLANE_ACROSS], &values[SCALAR_PLANE_ALONG]);
    values[SCALAR_PRIMAL_FLOOR] = 4 * unit;
    values[SCALAR_DUAL_FLOOR] = 4 * unit * device->penalty_scale * device->dual_floor;
    values[SCALAR_CG_REDUCTION] = device->linear_reduction;
    const LinearForcing *forcing = &device->forcing;
    const double growth = forcing->factor / (forcing->last * forcing->last),
                 most = device->f64 ? 1e300 : 1e38;
    values[SCALAR_CG_LOOSEST] = forcing->loosest;
    values[SCALAR_CG_GROWTH] = growth < most ? growth : most; // there was no gradient before, or a tiny one
    values[SCALAR_CG_NEARLY] = forcing->nearly;
    values[SCALAR_CG_SHORT] = device->short_direction;
    values[SCALAR_CG_SETTLED] = forcing->settled;
    values[SCALAR_STAGE_TIME] = stage_time(device);
    values[SCALAR_ALPHA] = device->base.model->scene->alpha;
    values[SCALAR_GRAM_FLOOR] = device->f64 ? 1e-12 : 1e-6;
    const size_t size = real_size(device->f64);
    void *memory;
    TRY(vulkan_write(device, BUFFER_SCALARS, 0, SCALAR_CG_TARGET * size, &memory));
    for (size_t i = 0; i < SCALAR_CG_TARGET; ++i)
        real_store(device->f64, memory, i, values[i]);
    return VELA_OK;
}
