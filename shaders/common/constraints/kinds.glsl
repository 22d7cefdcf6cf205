// Rows and columns of the kinds of constraint.
#ifndef COMMON_CONSTRAINTS_KINDS_GLSL
#define COMMON_CONSTRAINTS_KINDS_GLSL

#include "abi/constraint.h"

const uint CONSTRAINT_ROWS[CONSTRAINT_KIND_COUNT] = uint[](1u, 3u, 2u, 1u, 1u, 6u, 3u);
const uint CONSTRAINT_COLUMNS[CONSTRAINT_KIND_COUNT] = uint[](1u, 1u, 3u, 3u, 2u, 3u, 2u);

#endif
