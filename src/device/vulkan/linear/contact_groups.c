// What contact holds together moves apart at a high cost and together at hardly any, of which neither the blocks on the diagonal nor affine
// motions know: so nodes that contact's blocks couple strongly are solved for as one, eight at most (docs/architecture.md). For every matrix
//
//     contact_couplings   how strongly each block couples its nodes, beside what they have on the diagonal; every node is a group
//     contact_choose, contact_merge   in turns: each group chooses another one, the strongest coupling first; those that have chosen each
//                         other are joined, which is what the CPU path joins from the strongest coupling down, but for couplings as strong
//     contact_groups      those of more than one node, counted, then listed
//     contact_roots       a group's W, W^T W = A^-1; its nodes' own blocks leave the first level
//
// and in every iteration of the conjugate gradients, as a group's nodes lie anywhere: newton_apply leaves them out of A p.P^-1 A p, coarse_forward has
// their part of it and of r.z, and z of the residual to come, which coarse_update takes where a node's factors are 0.
#include "device/vulkan/linear/contact_groups.h"

#include "device/vulkan/contact/dispatch.h"
#include "device/vulkan/exact.h"

/// As many as the groups of a workgroup's teams have at most: where all vertices touch, none waits for another one's solve.
enum { VERTICES_PER_WORKGROUP = GROUP_COARSE_FORWARD / CONTACT_TEAM * CONTACT_GROUP_ROWS };

bool contact_groups_are_used(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    return solver->type == SOLVER_NEWTON && solver->preconditioner == PRECONDITIONER_TWO_LEVEL &&
           model->order.group_count > 0;
}

uint32_t contact_groups_workgroups(const Model *model)
{
    const uint32_t wanted = 1 + (uint32_t)model->surface.map.vertex_count / VERTICES_PER_WORKGROUP;
    if (!contact_groups_are_used(model))
        return 0;
    return wanted < CONTACT_WORKGROUPS_MOST ? wanted : CONTACT_WORKGROUPS_MOST;
}

void contact_groups_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const uint64_t n = contact_groups_are_used(model) ? (uint64_t)model->node_count : 0;
    defs[BUFFER_CONTACT_LINKS] = (GpuBufferDef){"links of contact's groups", 16 * n, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_CONTACT_WAYS] =
        (GpuBufferDef){"ways of contact's groups", 3 * real_size(f64) * n, GPU_MEMORY_DEVICE, 0};
}

VelaResult contact_groups_prepare(VulkanDevice *device)
{
    const VulkanContact *contact = device->contact;
    const uint32_t counts = 0, writes = 1;
    if (device->coarse.contact_workgroups == 0)
        return VELA_OK;
    TRY(contact_run(device, KERNEL_CONTACT_COUPLINGS, NULL, PAIR_BLOCKS));
    for (int round = 0; round < CONTACT_GROUP_ROUNDS; ++round) {
        TRY(contact_run(device, KERNEL_CONTACT_CHOOSE, NULL, PAIR_BLOCKS));
        TRY(contact_run(device, KERNEL_CONTACT_MERGE, NULL, PAIR_BLOCKS));
    }
    TRY(contact_run(device, KERNEL_CONTACT_GROUPS, &counts, PAIR_BLOCKS));
    TRY(contact_scan(device, &contact->scan_heads, PAIR_BLOCKS, PAIR_GROUPS));
    TRY(contact_plan_count(device, PAIR_GROUPS, contact->rooms.groups, false));
    TRY(contact_run(device, KERNEL_CONTACT_GROUPS, &writes, PAIR_BLOCKS));
    return contact_run(device, KERNEL_CONTACT_ROOTS, NULL, PAIR_GROUPS);
}
