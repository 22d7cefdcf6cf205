/// The mass matrix on the CPU path, and the term of inertia and gravity. Vectors are node_count x 3 in the model's order.
#ifndef DEVICE_CPU_TERMS_INERTIA_H
#define DEVICE_CPU_TERMS_INERTIA_H

#include "device/cpu/terms/term.h"

extern const CpuTerm cpu_inertia_term;

/// momenta = M v.
void inertia_momenta(const Model *model, const double *v, double *momenta);
/// values = M^-1 values at the free nodes, 0 at the others.
void inertia_divide(const Model *model, double *values);
/// a.M b over the free nodes, without the diagonal of M.
double inertia_product(const Model *model, const double *a, const double *b);

#endif
