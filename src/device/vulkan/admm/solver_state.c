// What the solver carries from step to step, in the layout of device.h.
#include "device/vulkan/admm/solver_state.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"

#include <string.h>

enum { STATE_HEADER = 2 };

size_t vulkan_solver_state_size(const Device *base)
{
    const VulkanDevice *device = (const VulkanDevice *)base;
    if (vulkan_solver(device) != SOLVER_ADMM)
        return 0;
    return STATE_HEADER + 9 * (size_t)device->tet_count + device->contact_count;
}

typedef struct Transfer {
    Arena scratch;
    void *tets, *contacts;
    uint64_t tet_bytes, contact_bytes, contact_offset;
} Transfer;

static VelaResult transfer_make(const VulkanDevice *device, Transfer *transfer)
{
    const size_t size = real_size(device->f64);
    *transfer = (Transfer){.scratch = arena_make(device->base.context),
                           .tet_bytes = 9 * device->tet_count * size,
                           .contact_bytes = device->contact_count * size,
                           .contact_offset = CONTACT_MULTIPLIER * device->contact_count * size};
    TRY(arena_allocate(&transfer->scratch, transfer->tet_bytes, 1, &transfer->tets));
    return arena_allocate(&transfer->scratch, transfer->contact_bytes, 1, &transfer->contacts);
}

static VelaResult read_transfer(VulkanDevice *device, Transfer *transfer, double *values)
{
    const size_t t = device->tet_count;
    TRY(transfer_make(device, transfer));
    TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_MATRICES), TET_IMAGE, transfer->tets,
                     transfer->tet_bytes));
    TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_CONTACT), transfer->contact_offset,
                     transfer->contacts, transfer->contact_bytes));
    values[0] = device->warm;
    values[1] = device->penalty_scale;
    for (size_t e = 0; e < t; ++e)
        for (size_t k = 0; k < 9; ++k)
            values[STATE_HEADER + 9 * (size_t)device->order[e] + k] =
                real_load(device->f64, transfer->tets, k * t + e);
    for (size_t c = 0; c < device->contact_count; ++c)
        values[STATE_HEADER + 9 * t + c] = real_load(device->f64, transfer->contacts, c);
    return VELA_OK;
}

static VelaResult write_transfer(VulkanDevice *device, Transfer *transfer, const double *values)
{
    const size_t t = device->tet_count;
    TRY(transfer_make(device, transfer));
    for (size_t e = 0; e < t; ++e)
        for (size_t k = 0; k < 9; ++k)
            real_store(device->f64, transfer->tets, k * t + e,
                       values[STATE_HEADER + 9 * (size_t)device->order[e] + k]);
    for (size_t c = 0; c < device->contact_count; ++c)
        real_store(device->f64, transfer->contacts, c, values[STATE_HEADER + 9 * t + c]);
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_MATRICES), TET_IMAGE, transfer->tets,
                   transfer->tet_bytes));
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONTACT), transfer->contact_offset,
                   transfer->contacts, transfer->contact_bytes));
    device->warm = values[0] != 0;
    device->penalty_scale = values[1];
    return VELA_OK;
}

VelaResult vulkan_solver_state_read(Device *base, double *values)
{
    VulkanDevice *device = (VulkanDevice *)base;
    if (vulkan_solver_state_size(base) == 0)
        return VELA_OK;
    TRY(vulkan_finish(device));
    Transfer transfer;
    const VelaResult result = read_transfer(device, &transfer, values);
    arena_clear(&transfer.scratch);
    return result;
}

VelaResult vulkan_solver_state_write(Device *base, const double *values)
{
    VulkanDevice *device = (VulkanDevice *)base;
    if (vulkan_solver_state_size(base) == 0)
        return VELA_OK;
    TRY(vulkan_finish(device));
    Transfer transfer;
    const VelaResult result = write_transfer(device, &transfer, values);
    arena_clear(&transfer.scratch);
    return result;
}
