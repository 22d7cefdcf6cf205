/// How the rows of Newton's matrix are cut into parts on the CPU path: what threads share, and the groups of nodes whose motions
/// make up the coarse space.
#ifndef DEVICE_CPU_LINEAR_MATRIX_PARTS_H
#define DEVICE_CPU_LINEAR_MATRIX_PARTS_H

#include "model/node_groups.h"

enum { PARTS_MOST = COARSE_GROUPS_MOST };

/// As many as a factor of the coarse matrix is worth, for more of them take fewer iterations: of a rod or a sheet, whose parts have
/// few neighbours, more than of a ball. At least one for 64 rows, up to 32. (Vulkan has
/// more groups, and smaller ones, of thin bodies: NodeOrder.) Where joints hold bodies of some size they are Vulkan's, if these are worth their factor.
int32_t matrix_part_count(const Model *model);
/// The same number, and where each begins: so many rows, and one more.
int32_t matrix_parts_cut(const Model *model, int32_t starts[PARTS_MOST + 1]);

#endif
