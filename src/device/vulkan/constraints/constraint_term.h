/// Constraints as a term on the Vulkan device (theory.md section 10), twin of device/cpu/constraints/constraint_term.h: their lists, values, slopes
/// and geometric stiffness, the forces of the last multipliers, energy and error. Without a solver that takes them nothing is planned and
/// nothing recorded.
#ifndef DEVICE_VULKAN_CONSTRAINTS_CONSTRAINT_TERM_H
#define DEVICE_VULKAN_CONSTRAINTS_CONSTRAINT_TERM_H

#include "device/vulkan/vulkan_device.h"

/// Push constants of the kernels of constraints (shaders/common/constraints/push.glsl).
typedef struct SaddlePush {
    uint32_t node_count, free_count, coupled_count, entry_count; ///< the last of the matrix
    uint32_t constraint_count, row_count, entry_total, side_count;
    uint32_t first_block, first_side; ///< words of the lists
    uint32_t parity, begin, changes;
    uint32_t limit;    ///< iterations of a round
    uint32_t argument; ///< SADDLE_STIFFNESS_*
    uint32_t slot;
} SaddlePush;

/// Recordings of MINRES, made when first needed, never again.
enum { SADDLE_BATCHES = 9 };

typedef struct VulkanConstraints {
    SaddlePush push; ///< what does not change
    Batch batches[SADDLE_BATCHES];
    double wanted_iterations; ///< of the next system, from the last one
} VulkanConstraints;

/// Sizes of the buffers.
void constraints_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Sets device->constraints and uploads what does not change. After the matrix's layout.
VelaResult constraints_create(VulkanDevice *device, Arena *scratch);
void constraints_destroy(VulkanDevice *device);
/// Workgroups of the kernels that go over free nodes and constraints; 0 without.
uint32_t constraints_groups(const VulkanDevice *device);
/// Records values, slopes and the first active set at SLOT_STAGE, and what geometric stiffness adds to the matrix. After newton_nodes.
VelaResult constraints_linearize(VulkanDevice *device);
/// Records that the multipliers of the system just solved are those that go from step to step.
VelaResult constraints_keep(VulkanDevice *device);
/// Records the forces of the last multipliers at the places `at`, added to those of another slot.
VelaResult constraints_forces(VulkanDevice *device, Slot destination, Slot at);
/// Records energy and error at a slot's places: sections DIAGNOSE_CONSTRAINT and DIAGNOSE_UNMET.
VelaResult constraints_measure(VulkanDevice *device, Slot position);
/// Multipliers, row by row.
size_t constraints_state_size(const VulkanDevice *device);
VelaResult constraints_state_read(VulkanDevice *device, double *values);
VelaResult constraints_state_write(VulkanDevice *device, const double *values);

#endif
