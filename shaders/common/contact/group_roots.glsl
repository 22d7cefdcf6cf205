// W of groups that contact holds together, lower triangular.
#ifndef COMMON_CONTACT_GROUP_ROOTS_GLSL
#define COMMON_CONTACT_GROUP_ROOTS_GLSL

#include "abi/contact_groups.h"
#include "common/real.glsl"

/// The least that a pivot is held at, of what it began as: what is left of it is rounding.
const real PIVOT_LEAST = real(16.0) * real(REAL_ROUNDOFF);

/// Where entry (row, column) of the W of a group is, column <= row.
uint contact_root_place(uint group, uint row, uint column)
{
    return CONTACT_ROOT_SIZE * group + column * (2u * CONTACT_GROUP_SIZE + 1u - column) / 2u + row - column;
}

#endif
