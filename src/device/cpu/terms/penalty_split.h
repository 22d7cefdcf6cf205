/// ADMM's split of penalty contact on the CPU path: the split q' of theory.md section 5 in coordinates of its own for every obstacle and
/// surface vertex, which is a node there. Before a plane without friction that is the gap; with friction the gap and the slip along two
/// tangents; around a sphere all three coordinates from its centre, of which the prox moves the radial one. The weights do not change
/// while the step does not: plane_penalty_weight across a plane and around a sphere, m/a^2 of the node along a plane (section 7).
#ifndef DEVICE_CPU_TERMS_PENALTY_SPLIT_H
#define DEVICE_CPU_TERMS_PENALTY_SPLIT_H

#include "device/cpu/terms/term.h"

/// ADMM's arrays.
VelaResult penalty_split_create(const Model *model, Arena *arena, PenaltySplit *split);
size_t penalty_split_memory(const Model *model);

/// Of CpuTerm.
void penalty_split_begin(CpuDevice *device);
void penalty_split_project(CpuDevice *device);
void penalty_split_add_right(CpuDevice *device);
void penalty_split_residual(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                            AdmmReport *report);
void penalty_split_scatter(CpuDevice *device, double a, double b, double c, double *forces);
void penalty_split_end(CpuDevice *device);

#endif
