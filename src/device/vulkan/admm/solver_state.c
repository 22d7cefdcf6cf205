// What the solver carries from step to step, in the layout of device.h.
#include "device/vulkan/admm/solver_state.h"

#include "device/vulkan/admm/air_copies.h"
#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/constraints/constraint_term.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"

#include <string.h>

enum { STATE_HEADER = 2 };

size_t vulkan_solver_state_size(const Device *base)
{
    const VulkanDevice *device = (const VulkanDevice *)base;
    if (vulkan_solver(device) != SOLVER_ADMM)
        return constraints_state_size(device);
    return STATE_HEADER + (size_t)device->local_count + device->split_count + copies_state_size(device) +
           air_split_state_size(device);
}

typedef struct Transfer {
    Arena scratch;
    void *locals, *contacts;
    uint64_t local_bytes, contact_bytes, contact_offset;
    size_t
        *numbers; ///< of every local number on the device: which one it is with elements in the model's order
    size_t *
        coordinates; ///< of every coordinate of penalty contact: which one it is with those of a vertex together
} Transfer;

static void number_locals(const VulkanDevice *device, size_t *numbers)
{
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementPlaces *places = &device->places[k];
        const size_t size = (size_t)element_size(&element_kinds[k]), count = places->count;
        for (size_t e = 0; e < count; ++e) {
            const size_t element = device->order[places->first_element + e] - places->first_element;
            for (size_t i = 0; i < size; ++i)
                numbers[places->first_local + i * count + e] = places->first_local + size * element + i;
        }
    }
}

static void number_coordinates(const VulkanDevice *device, size_t *coordinates)
{
    const size_t vertices = device->surface_count;
    size_t first = 0;
    for (uint32_t p = 0; p < device->plane_count; ++p) {
        const size_t width = (size_t)model_penalty_width(device->base.model, (int32_t)p);
        for (size_t j = 0; j < width; ++j)
            for (size_t v = 0; v < vertices; ++v)
                coordinates[first + j * vertices + v] = first + v * width + j;
        first += width * vertices;
    }
}

static VelaResult transfer_make(const VulkanDevice *device, Transfer *transfer)
{
    const size_t size = real_size(device->f64);
    *transfer = (Transfer){.scratch = arena_make(device->base.context),
                           .local_bytes = device->local_count * size,
                           .contact_bytes = device->split_count * size,
                           .contact_offset = SPLIT_MULTIPLIER * device->split_count * size};
    TRY(ARENA_ARRAY(&transfer->scratch, transfer->numbers, device->local_count));
    number_locals(device, transfer->numbers);
    TRY(ARENA_ARRAY(&transfer->scratch, transfer->coordinates, device->split_count));
    number_coordinates(device, transfer->coordinates);
    TRY(arena_allocate(&transfer->scratch, transfer->local_bytes, 1, &transfer->locals));
    return arena_allocate(&transfer->scratch, transfer->contact_bytes, 1, &transfer->contacts);
}

static VelaResult read_transfer(VulkanDevice *device, Transfer *transfer, double *values)
{
    TRY(transfer_make(device, transfer));
    TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_LOCALS), LOCAL_IMAGE * transfer->local_bytes,
                     transfer->locals, transfer->local_bytes));
    TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_SPLIT), transfer->contact_offset,
                     transfer->contacts, transfer->contact_bytes));
    values[0] = device->warm;
    values[1] = device->penalty_scale;
    for (size_t i = 0; i < device->local_count; ++i)
        values[STATE_HEADER + transfer->numbers[i]] = real_load(device->f64, transfer->locals, i);
    for (size_t c = 0; c < device->split_count; ++c)
        values[STATE_HEADER + (size_t)device->local_count + transfer->coordinates[c]] =
            real_load(device->f64, transfer->contacts, c);
    double *behind = values + STATE_HEADER + device->local_count + device->split_count;
    TRY(copies_state_read(device, &transfer->scratch, behind));
    return air_split_state_read(device, &transfer->scratch, behind + copies_state_size(device));
}

static VelaResult write_transfer(VulkanDevice *device, Transfer *transfer, const double *values)
{
    TRY(transfer_make(device, transfer));
    for (size_t i = 0; i < device->local_count; ++i)
        real_store(device->f64, transfer->locals, i, values[STATE_HEADER + transfer->numbers[i]]);
    for (size_t c = 0; c < device->split_count; ++c)
        real_store(device->f64, transfer->contacts, c,
                   values[STATE_HEADER + (size_t)device->local_count + transfer->coordinates[c]]);
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_LOCALS), LOCAL_IMAGE * transfer->local_bytes,
                   transfer->locals, transfer->local_bytes));
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SPLIT), transfer->contact_offset,
                   transfer->contacts, transfer->contact_bytes));
    device->warm = values[0] != 0;
    device->penalty_scale = values[1];
    const double *behind = values + STATE_HEADER + device->local_count + device->split_count;
    TRY(copies_state_write(device, &transfer->scratch, behind));
    return air_split_state_write(device, &transfer->scratch, behind + copies_state_size(device));
}

VelaResult vulkan_solver_state_read(Device *base, double *values)
{
    VulkanDevice *device = (VulkanDevice *)base;
    if (vulkan_solver_state_size(base) == 0)
        return VELA_OK;
    if (device->constraints)
        return constraints_state_read(device, values);
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
    if (device->constraints)
        return constraints_state_write(device, values);
    TRY(vulkan_finish(device));
    Transfer transfer;
    const VelaResult result = write_transfer(device, &transfer, values);
    arena_clear(&transfer.scratch);
    return result;
}
