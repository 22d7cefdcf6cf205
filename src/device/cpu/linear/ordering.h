/// The order in which a sparse factor without fronts fills least: nested dissection, and minimum degree (W. F. Tinney, J. W. Walker, "Direct
/// solutions of sparse network equations by optimally ordered triangular factorization", 1967) within the small subtrees at its ends.
#ifndef DEVICE_CPU_LINEAR_ORDERING_H
#define DEVICE_CPU_LINEAR_ORDERING_H

#include "base/arena.h"

/// The graph as dissection_create takes it. `order`: the node at each place.
VelaResult ordering_find(VelaContext *context, int32_t count, const int32_t *row_start,
                         const int32_t *columns, int32_t *order);

#endif
