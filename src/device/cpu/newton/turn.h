/// Newton directions of affine bodies, turned instead of sheared (theory.md section 9 "Directions").
#ifndef DEVICE_CPU_NEWTON_TURN_H
#define DEVICE_CPU_NEWTON_TURN_H

#include "model/model.h"

/// Largest angle, rad, by which d (node_count x 3, in the model's order) turns an affine body at x: |w| of the skew part of dA A^-1.
/// Bodies whose nodes are not free stay out. 0: there is none.
double affine_turn_angle(const Model *model, const double *x, const double *d);
/// Makes the motion d of every free affine body the straight way to where it turns: with dA A^-1 = W + S (skew, symmetric),
/// dA = (exp(W) (1 + S) - 1) A; the centre's motion stays.
void affine_turn(const Model *model, const double *x, double *d, int threads);

#endif
