/// Patches of Newton's method on the CPU path: the nodes that a direction moves most, where these are few. A direction of a patch moves
/// nothing else, so of elements and contacts only those at its nodes are looked at.
#ifndef DEVICE_CPU_NEWTON_PATCH_H
#define DEVICE_CPU_NEWTON_PATCH_H

#include "device/cpu/cpu_device.h"
#include "device/cpu/linear/patch_solver.h"

typedef struct NewtonPatch {
    PatchSolver *solver;
    int32_t count, most; ///< free nodes of the patch, and the most that one has; count 0: there is none
    int32_t *rows;       ///< room for `most` and a body's
    uint8_t *chunks;     ///< of every chunk of elements: 1 where a node of the patch is
    uint8_t *vertices;   ///< of every vertex: 1 where it follows from one; NULL without barrier contact
    bool is_under_way;   ///< the direction that trials follow is a patch's
    bool is_spread;      ///< `chunks` and `vertices` are the patch's
} NewtonPatch;

/// The device's patch stays NULL for models too small for one.
VelaResult cpu_patch_create(CpuDevice *device, Arena *arena);
void cpu_patch_destroy(CpuDevice *device);
size_t cpu_patch_memory(const Model *model);
/// Takes the nodes that newton.solution, whose largest component is `largest`, m, moves most. Returns how many these are; 0: too many, or the
/// device has no patches.
int32_t cpu_patch_choose(CpuDevice *device, double largest);
/// From now on terms look at what the patch moves alone; and at everything again.
void cpu_patch_enter(CpuDevice *device);
void cpu_patch_leave(CpuDevice *device);

#endif
