/// The part of ADMM's global matrix that is the same for x, y and z, in the compressed rows of the model's node graph.
#ifndef MODEL_MATRIX_H
#define MODEL_MATRIX_H

#include "model/model.h"

/// The entries of row `row`, values[row_start[row]] on: M/a^2 + scale sum_e rho_e G_a.G_b, summed in the order of the
/// node's tets. `penalties`: rho of every tet, J.
void model_matrix_row(const Model *model, const double *penalties, double a, double scale, int32_t row,
                      double *values);

#endif
