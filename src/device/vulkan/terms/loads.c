#include "device/vulkan/terms/loads.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "model/loads.h"

uint64_t loads_bytes(const Model *model, bool f64)
{
    const uint64_t forces = model->force_count > 0 ? 3 * (uint64_t)model->node_count : 0;
    return real_size(f64) * (forces + (uint64_t)model->groups[ELEMENT_PRESSURE].count);
}

static VelaResult write_forces(VulkanDevice *device, double time)
{
    const Model *model = device->base.model;
    const size_t count = 3 * (size_t)model->node_count;
    Arena scratch = arena_make(device->base.context);
    double *forces;
    void *memory;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, forces, count), done);
    model_load_forces(model, time, forces);
    TRY_GOTO(result, vulkan_write(device, BUFFER_LOADS, 0, count * real_size(device->f64), &memory), done);
    for (size_t i = 0; i < count; ++i)
        real_store(device->f64, memory, i, forces[i]);
done:
    arena_clear(&scratch);
    return result;
}

// w p of the elements, in the device's order.
static VelaResult write_pressures(VulkanDevice *device, double time)
{
    const Model *model = device->base.model;
    const ElementGroup *group = &model->groups[ELEMENT_PRESSURE];
    const uint64_t size = real_size(device->f64), first = device->places[ELEMENT_PRESSURE].first_element;
    void *memory;
    TRY(vulkan_write(device, BUFFER_PARAMETERS,
                     size * (PARAMETER_KAPPA * (uint64_t)device->element_count + first),
                     size * (uint64_t)group->count, &memory));
    for (size_t e = 0; e < (size_t)group->count; ++e) {
        const size_t element = device->order[first + e] - (size_t)group->first_element;
        const ModelPressure *pressure = model->pressures;
        while (pressure->material != group->materials[element])
            ++pressure;
        real_store(device->f64, memory, e, group->volumes[element] * model_pressure(pressure, time));
    }
    return VELA_OK;
}

VelaResult loads_write(VulkanDevice *device, double time)
{
    const Model *model = device->base.model;
    if (device->loads_written && (!model->loads_change || device->loads_time == time))
        return VELA_OK;
    if (model->force_count > 0)
        TRY(write_forces(device, time));
    if (model->pressure_count > 0)
        TRY(write_pressures(device, time));
    device->loads_written = true;
    device->loads_time = time;
    return VELA_OK;
}

VelaResult loads_energy(VulkanDevice *device, Slot position, double time, double *energy)
{
    const Model *model = device->base.model;
    double *x;
    *energy = 0;
    if (model->force_count + model->pressure_count == 0)
        return VELA_OK;
    Arena scratch = arena_make(device->base.context);
    VelaResult result = ARENA_ARRAY(&scratch, x, 3 * (size_t)model->node_count);
    if (result == VELA_OK)
        result = device_state_read(&device->base, position, x);
    if (result == VELA_OK)
        *energy = model_load_energy(model, time, x);
    arena_clear(&scratch);
    return result;
}
