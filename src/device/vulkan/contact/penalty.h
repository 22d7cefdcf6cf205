/// Penalty contact (theory.md section 5) with friction, or of surfaces that have vertices which are weighted sums of several nodes: every
/// free vertex before every plane and sphere, and what has sunk in is a pair to contact.c, with its gradient at the vertex and one
/// factor of its Hessian, that of a sphere projected. Else obstacles are part of the kernels of nodes (vulkan_node_planes). The
/// twin of what device/cpu/terms/penalty.c does for Newton's method and forces.
#ifndef DEVICE_VULKAN_CONTACT_PENALTY_H
#define DEVICE_VULKAN_CONTACT_PENALTY_H

#include "device/vulkan/vulkan_device.h"

/// Whether the model has such contact.
bool penalty_has_pairs(const Model *model);
/// Vertices times obstacles.
uint64_t penalty_contacts(const Model *model);
VelaResult penalty_upload(VulkanDevice *device);
/// Records the pairs of what has sunk in, obstacle by obstacle and vertex by vertex; places of vertices are there. `rubs`: what rubs is
/// linearized behind them.
VelaResult penalty_pairs(VulkanDevice *device, bool rubs);
/// Records the part of a direction's trials; places and motion of vertices are there.
VelaResult penalty_trials(VulkanDevice *device, uint32_t halvings);
/// Records energy and smallest gap into the sections of a diagnosis; places of vertices are there.
VelaResult penalty_measure(VulkanDevice *device);

#endif
