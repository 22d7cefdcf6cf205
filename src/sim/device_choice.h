/// From what the user asks for to a device.
#ifndef SIM_DEVICE_CHOICE_H
#define SIM_DEVICE_CHOICE_H

#include "device/device.h"

/// Which device, as the user says it: "auto", "cpu", "vulkan", "vulkan:N"; precision "f32", "f64" or NULL.
typedef struct DeviceChoice {
    const char *device;
    const char *precision;
} DeviceChoice;

/// "auto": the best real GPU, without one the CPU path; a software Vulkan driver only when named. `reason` gets one
/// sentence. VELA_ERROR_INVALID_INPUT for an unknown name or a precision that does not fit the device.
VelaResult device_choose(VelaContext *context, const Model *model, const DeviceChoice *choice,
                         Device **device, char *reason, size_t reason_size);

#endif
