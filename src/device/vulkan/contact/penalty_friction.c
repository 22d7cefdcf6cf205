#include "device/vulkan/contact/penalty_friction.h"

#include "base/matrix3.h"
#include "device/vulkan/contact/dispatch.h"
#include "device/vulkan/contact/friction.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"

#include <string.h>

bool penalty_rubs(const Model *model)
{
    return model->penalty_count > 0 && model->contact.has_friction;
}

void penalty_friction_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    if (!penalty_rubs(model))
        return;
    const uint64_t real = real_size(f64), obstacles = (uint64_t)model->penalty_count;
    defs[BUFFER_SIDES].size = 4 * (uint64_t)model_surface_vertices(model);
    defs[BUFFER_COEFFICIENTS].size = real * obstacles * (uint64_t)model->body_count;
    defs[BUFFER_DRIFTS] =
        (GpuBufferDef){"drifts of obstacles", real * DRIFT_DATA * obstacles, GPU_MEMORY_DEVICE, 0};
}

// The body of every vertex, the coefficient of every obstacle and body.
static VelaResult upload(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t bodies = (size_t)model->body_count, pairs = bodies * (size_t)model->penalty_count;
    uint32_t *of_vertices;
    void *coefficients;
    TRY(ARENA_ARRAY(scratch, of_vertices, device->surface_count));
    TRY(arena_allocate(scratch, pairs, real_size(device->f64), &coefficients));
    for (int32_t b = 0; b < model->body_count; ++b) {
        for (int32_t o = 0; o < model->penalty_count; ++o)
            real_store(device->f64, coefficients, (size_t)o * bodies + (size_t)b,
                       friction_rules_find(&model->contact.friction, b, -1, o));
        for (int32_t v = model->surface.first_vertices[b]; v < model->surface.first_vertices[b + 1]; ++v)
            of_vertices[v] = (uint32_t)b;
    }
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SIDES), 0, of_vertices,
                   4 * (uint64_t)device->surface_count));
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_COEFFICIENTS), 0, coefficients,
                      pairs * real_size(device->f64));
}

VelaResult penalty_friction_upload(VulkanDevice *device)
{
    if (!penalty_rubs(device->base.model))
        return VELA_OK;
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = upload(device, &scratch);
    arena_clear(&scratch);
    return result;
}

// ---------------------------------------------------------------- how obstacles move

static void store_drift(const VulkanDevice *device, int32_t obstacle, const PenaltyShape *before,
                        const PenaltyShape *now, void *memory)
{
    const Motion *motion = device->base.model->penalty_obstacles[obstacle].motion;
    const double time = device->stage.time;
    const size_t first = DRIFT_DATA * (size_t)obstacle;
    double shift[3], turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, ahead[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    subtract3(before->point, now->point, shift);
    motion_turn(motion, time - friction_slip_time(device), time, turn);
    motion_turn(motion, time - device->stage.ahead, time, ahead);
    for (size_t k = 0; k < 3; ++k)
        real_store(device->f64, memory, first + DRIFT_SHIFT + k, shift[k]);
    for (size_t k = 0; k < 9; ++k) {
        real_store(device->f64, memory, first + DRIFT_TURN + k, turn[3 * (k % 3) + k / 3] - (k % 4 == 0));
        real_store(device->f64, memory, first + DRIFT_AHEAD + k, ahead[k]);
    }
}

// Obstacles where the stage begins, behind those where they stand, and how far they move over the slip.
static VelaResult write_drifts(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const Stage *stage = &device->stage;
    PenaltyShape *shapes[3]; // lagged, where the slip begins, where it ends
    const double times[3] = {stage->time - stage->ahead, stage->time - friction_slip_time(device),
                             stage->time};
    void *memory;
    for (int k = 0; k < 3; ++k) {
        TRY(ARENA_ARRAY(scratch, shapes[k], model->penalty_count));
        model_penalty_shapes(model, times[k], shapes[k]);
    }
    TRY(vulkan_write_shapes(device, shapes[0], times[0], device->plane_count));
    TRY(vulkan_write(device, BUFFER_DRIFTS, 0, real_size(device->f64) * DRIFT_DATA * device->plane_count,
                     &memory));
    for (int32_t o = 0; o < model->penalty_count; ++o)
        store_drift(device, o, &shapes[1][o], &shapes[2][o], memory);
    return VELA_OK;
}

VelaResult penalty_friction_prepare(VulkanDevice *device)
{
    if (!penalty_rubs(device->base.model))
        return VELA_OK;
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = write_drifts(device, &scratch);
    arena_clear(&scratch);
    return result;
}

void penalty_friction_prepared(VulkanDevice *device)
{
    if (device->contact)
        device->contact->rest_is_new = false;
}

// ---------------------------------------------------------------- what rubs

// A kernel that marks what rubs, and once that is counted lists it. `push` begins with whether it writes.
static VelaResult list(VulkanDevice *device, KernelName kernel, uint32_t *push)
{
    VulkanContact *contact = device->contact;
    const GpuBuffer *control = vulkan_buffer(device, BUFFER_PAIR_CONTROL);
    GpuCommands *commands;
    push[0] = 0;
    TRY(vulkan_run(device, &device->kernels[kernel], push, device->contact_count));
    TRY(contact_scan(device, &contact->scan_active, PAIR_CANDIDATES, PAIR_ACTIVE));
    TRY(contact_plan_count(device, PAIR_ACTIVE, contact->rooms.pairs, false));
    TRY(vulkan_open(device, &commands));
    gpu_copy(commands, control, 4 * (PAIR_WANTED + PAIR_ACTIVE), control, 4 * (PAIR_WANTED + PAIR_FRICTION),
             4);
    gpu_barrier(commands);
    TRY(contact_plan_count(device, PAIR_FRICTION, contact->rooms.friction, false));
    push[0] = 1;
    return vulkan_run(device, &device->kernels[kernel], push, device->contact_count);
}

VelaResult penalty_friction_lag(VulkanDevice *device)
{
    if (!penalty_rubs(device->base.model))
        return VELA_OK;
    uint32_t push[] = {0, device->surface_count, device->plane_count,
                       (uint32_t)device->base.model->body_count};
    TRY(penalty_friction_prepare(device));
    TRY(contact_find_vertices(device, SLOT_STAGE, VERTICES_STAND, SLOT_STAGE));
    return list(device, KERNEL_PENALTY_LAG, push);
}

VelaResult penalty_friction_list_solved(VulkanDevice *device)
{
    uint32_t push[] = {0, device->node_count, device->surface_count, device->split_count,
                       vulkan_slot(device, SLOT_BASE_POSITION)};
    return list(device, KERNEL_PENALTY_SOLVED, push);
}
