/// Broad phase of barrier contact: the pairs of vertices, edges, triangles, segments of cables and planes that may come closer than
/// d-hat while the vertices of surfaces (model/surface_map.h) move along straight lines. The same pairs as
/// device/cpu/contact/candidates.h finds, but for rounding, which only adds some.
///
///     TREES   contact_means (owners: mean motion), contact_leaves, contact_join (boxes of all nodes)
///     ORDER   contact_codes (Morton codes), a radix sort, boxes once more: only where the order has become bad
///     SEARCH  contact_count (walks, keeps what they find, counts it by query), a scan, contact_limit, contact_collect (by query)
///     PAIRS   contact_narrow (which of them come near), a scan, contact_limit, contact_list
///
/// One tree over all triangles, one over all edges, one over the segments of cables: complete binary trees over primitives sorted
/// along a Morton curve, whose shape depends on their number alone. So there are no links, and boxes
/// are made eight levels a dispatch without one workgroup waiting for another. Their order has no influence on the candidates.
/// A walk is a chain of loads that wait for each other: it looks at four nodes at once, two levels below the last ones, and is made
/// once, but by workgroups that find more than they have room to keep (walk_room): those walk again when it is known where pairs go.
///
/// Everything takes its size from BUFFER_CONTACT_CONTROL (abi/contact.h). A list that has no room is left empty, and says how much it
/// wanted: the host makes room (broad_phase_grow) and repeats the sweep.
#ifndef DEVICE_VULKAN_CONTACT_BROAD_PHASE_H
#define DEVICE_VULKAN_CONTACT_BROAD_PHASE_H

#include "device/vulkan/vulkan_device.h"

/// Push constants of all kernels of the broad phase (shaders/common/contact/lists.glsl).
typedef struct ContactPush {
    uint32_t vertex_count, triangle_count, edge_count, segment_count, plane_count, point_count, owner_count;
    uint32_t group_count, zone_count;
    uint32_t leaves[TREE_COUNT];
    uint32_t moves;
    uint32_t raw_capacity, candidate_capacity, groups_in_row;
    uint32_t walk_room; ///< pairs that a workgroup of the search keeps (abi/contact.h)
    uint32_t argument;
} ContactPush;

struct BroadPhase {
    ContactPush push;
    RadixSort sort;
    Scan starts, kept;
    bool sorted;         ///< false: the next sweep sorts first
    double steps_sorted; ///< of a walk in the sweep after the last sort; 0: there was none
};

/// Sizes of BUFFER_CONTACT_CONTROL to BUFFER_CANDIDATE_NUMBERS.
void broad_phase_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Makes device->broad_phase where contact is barrier, and what its buffers have in them once.
VelaResult broad_phase_upload(VulkanDevice *device, Arena *scratch);
/// Binds scans and sorts, with the kernels that device->contact has.
VelaResult broad_phase_bind(VulkanDevice *device);
/// Records all from boxes to candidates behind what is open; the host waits for nothing. BUFFER_VERTICES has x, and where
/// `moves`, BUFFER_VERTEX_MOTION p: candidates are complete for every point of the way from x to x + p.
VelaResult broad_phase_sweep(VulkanDevice *device, bool moves);
/// Records the copy that broad_phase_grow looks at; returns its bytes. Nothing without a barrier, like that.
int64_t broad_phase_read(VulkanDevice *device, GpuCommands *commands);
/// After a wait behind a sweep and broad_phase_read: makes room for raw pairs and candidates that did not fit, and says so
/// (`again`): the sweep has to be repeated, with everything bound again (vulkan_kernels_rebind, broad_phase_bind).
VelaResult broad_phase_grow(VulkanDevice *device, bool *again);
/// What that does besides: told what a sweep left in BUFFER_CONTACT_CONTROL, it decides whether the next one sorts anew.
void broad_phase_note(VulkanDevice *device, const uint32_t *control);
/// Candidates that the buffers hold at first.
uint32_t broad_phase_first_room(const Model *model);

#endif
