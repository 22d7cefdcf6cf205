#include "sim/device_choice.h"

#include "device/cpu/cpu.h"

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
    snprintf(reason, reason_size, "CPU path: as asked");
    return cpu_device_create(context, model, device);
}
