/// An order of points in which neighbours in space are neighbours in memory.
#ifndef MODEL_LOCALITY_H
#define MODEL_LOCALITY_H

#include "base/arena.h"

/// Fills `order` with 0 to count - 1, sorted along a Hilbert curve through `points` (count x 3): what a part of it passes is in one
/// piece, which the parts of a Morton (Z) curve are not. Along what is long or flat, wherever that points, the curve is one of its length or its plane, for of one
/// through a cube that the points do not fill parts are in pieces too.
VelaResult locality_order(VelaContext *context, const double *points, int32_t count, int32_t *order);

#endif
