/// Damping in ADMM on the Vulkan device: copies of D x beside the elements' own (theory.md sections 6 and 7); twin of
/// device/cpu/admm/damping_copies.h. Without them nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_ADMM_DAMPING_COPIES_H
#define DEVICE_VULKAN_ADMM_DAMPING_COPIES_H

#include "device/vulkan/vulkan_device.h"
#include "model/damping_copies.h"

/// The copies of the elements of one kind: `slots` for each element, side by side that of quadratic models if there is one and those of
/// laws by their numbers, then that of the variational model.
typedef struct CopyPlaces {
    uint32_t slots, quadratics[DAMPING_SIDES], laws[DAMPING_SIDES], variational;
    uint32_t first_number, first_weight, first_shape; ///< in their buffers
} CopyPlaces;

struct DampingCopies {
    int32_t count;
    DampingCopy of[MODEL_DAMPING_COPIES_MOST]; ///< as of model_damping_copies
    int levels[MODEL_DAMPING_COPIES_MOST];     ///< of power laws' weights
    double growth[MODEL_DAMPING_COPIES_MOST];  ///< of the weights since the last stage
    double duration;                           ///< that the weights are for, s; 0: none yet
    double penalty_factor;                     ///< of the elastic weights they were made with
    bool weighed;                              ///< the device has them
    CopyPlaces places[ELEMENT_KIND_COUNT];
    uint32_t total;   ///< numbers of a section
    uint32_t numbers; ///< of D x of all copies that there are
    uint32_t sums;    ///< workgroups that sum over them
};

/// Sizes of their buffers.
void copies_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// After elements_sort.
VelaResult copies_create(VulkanDevice *device);

/// Records the shape at SLOT_STAGE that the stage's damping is looked at.
VelaResult copies_stage_set(VulkanDevice *device);
/// Weights of the stage, before its matrix is made. With power laws the host waits for what they take where the step starts.
VelaResult copies_weigh(VulkanDevice *device);
/// Records the start of the stage, the elements' own being recorded.
VelaResult copies_begin(VulkanDevice *device);
/// Records that all weights grow.
VelaResult copies_rescale(VulkanDevice *device, float factor);

/// Parts of an iteration, behind those of the elements themselves.
void copies_record_local(VulkanDevice *device, GpuCommands *commands);
void copies_record_residual(VulkanDevice *device, GpuCommands *commands);
void copies_record_dual(VulkanDevice *device, GpuCommands *commands);

/// Records that an acceleration of the stage at its solution is without the variational model, whose multiplier acts once, over the step.
VelaResult copies_take_impulse(VulkanDevice *device, Slot acceleration);

/// Their part of the solver's state, as model_damping_state places it.
size_t copies_state_size(const VulkanDevice *device);
VelaResult copies_state_read(VulkanDevice *device, Arena *scratch, double *values);
VelaResult copies_state_write(VulkanDevice *device, Arena *scratch, const double *values);

#endif
