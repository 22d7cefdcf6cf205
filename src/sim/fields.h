/// What is shown of deformed elements, computed from positions: for frames, on any device.
#ifndef SIM_FIELDS_H
#define SIM_FIELDS_H

#include "model/model.h"

/// Largest principal stretch and energy density (J/m^3, rest energy subtracted) of every element, element_count each, at
/// `positions` (node_count x 3).
void fields_compute(const Model *model, const double *positions, float *stretch, float *densities);

#endif
