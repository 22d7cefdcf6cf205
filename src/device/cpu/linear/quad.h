/// Four doubles at a time.
#ifndef DEVICE_CPU_LINEAR_QUAD_H
#define DEVICE_CPU_LINEAR_QUAD_H

typedef double Quad __attribute__((vector_size(4 * sizeof(double))));
/// In memory, wherever they stand.
typedef double UnalignedQuad __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

#endif
