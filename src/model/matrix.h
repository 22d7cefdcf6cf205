/// ADMM's weights, and the part of its global matrix that is the same for x, y and z, in the compressed rows of the model's
/// node graph.
#ifndef MODEL_MATRIX_H
#define MODEL_MATRIX_H

#include "model/model.h"

/// The entries of row `row`, values[row_start[row]] on: M/a^2 + scale sum_e rho_e G_a.G_b, summed in the order of the
/// node's corners. `penalties`: rho of every element, J.
void model_matrix_row(const Model *model, const double *penalties, double a, double scale, int32_t row,
                      double *values);

/// Adds scale sum_e rho_e D_e^T D_e v to `forces`; vectors node_count x 3.
void model_matrix_elements(const Model *model, const double *penalties, double scale, const double *v,
                           double *forces);

/// Its stiffness psi_11(1) at rest times `factor`, or the choice of theory.md section 5 where that is 0, Pa.
double model_unit_penalty(const ModelMaterial *material, int32_t kind, double factor);

/// |D^T rho|^2 over all elements, N^2: what one unit of every entry of D x does to the forces.
double model_penalty_forces(const Model *model, const double *penalties);

/// rho of every element, J: its volume times that. Returns model_penalty_forces of them.
double model_element_penalties(const Model *model, double factor, double *penalties);

#endif
