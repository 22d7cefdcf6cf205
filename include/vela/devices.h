/// The Vulkan devices of this machine, and what vela can do with them.
#ifndef VELA_DEVICES_H
#define VELA_DEVICES_H

#include "vela/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VelaDeviceType {
    VELA_DEVICE_DISCRETE,   ///< a graphics card
    VELA_DEVICE_INTEGRATED, ///< shares memory with the CPU
    VELA_DEVICE_VIRTUAL,    ///< a graphics card seen from a virtual machine
    VELA_DEVICE_SOFTWARE,   ///< runs on the CPU; "auto" never simulates on it
    VELA_DEVICE_OTHER,
} VelaDeviceType;

typedef struct VelaDeviceInfo {
    int32_t index;    ///< N of "vulkan:N"
    char name[256];   ///< as the driver gives it
    char driver[512]; ///< driver's name and version
    VelaDeviceType type;
    uint32_t api_major, api_minor, api_patch; ///< Vulkan version of the device
    uint64_t memory;                          ///< device-local memory, bytes
    uint32_t subgroup_size;                   ///< default size
    bool float64;                             ///< can run --precision f64
    bool timestamps;                          ///< can time kernels
    bool usable;                              ///< vela can simulate on it
    bool renders;                             ///< vela can draw with it
    bool automatic;                           ///< what --device auto would simulate on
    char reason[256]; ///< why it is not usable (or does not render); "" if both are true
} VelaDeviceInfo;

/// Lists the Vulkan devices. Writes at most `capacity` entries to `devices` (NULL allowed with 0) and the
/// number there is to `*count`. A machine without any Vulkan driver is VELA_OK with 0. Fails with
/// VELA_ERROR_OUT_OF_MEMORY, VELA_ERROR_DEVICE.
VelaResult vela_devices(VelaContext *context, int32_t capacity, VelaDeviceInfo *devices, int32_t *count);

#ifdef __cplusplus
}
#endif
#endif
