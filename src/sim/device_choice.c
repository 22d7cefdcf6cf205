#include "sim/device_choice.h"

#include "device/cpu/cpu.h"
#include "device/vulkan/vulkan.h"

#include <stdio.h>
#include <string.h>

VelaResult device_choose(VelaContext *context, const Model *model, const DeviceChoice *choice,
                         Device **device, char *reason, size_t reason_size)
{
    const char *name = choice->device ? choice->device : "auto";
    const char *precision = choice->precision;
    FAIL_IF(context, precision && strcmp(precision, "f32") != 0 && strcmp(precision, "f64") != 0,
            VELA_ERROR_INVALID_INPUT, "precision: found \"%s\", expected f32 or f64", precision);
    const bool cpu = strcmp(name, "cpu") == 0;
    FAIL_IF(context, cpu && precision && strcmp(precision, "f32") == 0, VELA_ERROR_INVALID_INPUT,
            "precision f32 belongs to Vulkan: the CPU path always computes in f64");
    if (cpu) {
        snprintf(reason, reason_size, "CPU path: as asked");
        return cpu_device_create(context, model, device);
    }
    const bool f64 = precision && strcmp(precision, "f64") == 0;
    const VelaResult result = vulkan_device_open(context, name, model, f64, device);
    if (result == VELA_OK) {
        DeviceInfo info;
        device_information(*device, &info);
        snprintf(reason, reason_size, "%s: %s", info.name,
                 strcmp(name, "auto") == 0 ? "the best GPU" : "as asked");
        return VELA_OK;
    }
    // Only a missing GPU sends `auto` to the CPU path; a broken one is reported.
    if (result != VELA_ERROR_NO_DEVICE || strcmp(name, "auto") != 0)
        return result;
    FAIL_IF(context, precision && !f64, VELA_ERROR_INVALID_INPUT,
            "precision f32 belongs to Vulkan, and there is no GPU to compute on");
    snprintf(reason, reason_size, "CPU path: %.200s", context->message);
    return cpu_device_create(context, model, device);
}
