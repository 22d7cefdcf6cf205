/// The part of the global matrix that is the same for x, y and z, in the compressed rows of the model's node
/// graph.
#ifndef DEVICE_CPU_MATRIX_H
#define DEVICE_CPU_MATRIX_H

#include "model/model.h"

/// values[p] for every entry of model->columns: M/a^2 + scale sum_e rho_e G_a.G_b. Rows of all nodes.
void matrix_assemble(const Model *model, const double *penalties, double a, double scale, int threads,
                     double *values);

#endif
