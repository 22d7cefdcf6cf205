/// Gradient and Hessian of barrier contact and friction, pulled back to nodes.
#ifndef DEVICE_CPU_CONTACT_BARRIER_MATRIX_H
#define DEVICE_CPU_CONTACT_BARRIER_MATRIX_H

#include "device/cpu/contact/barrier_state.h"
#include "device/cpu/linear/block_matrix.h"

/// Pairs, or rows, that a thread takes at a time; whether somebody asks to stop is looked at as often.
enum { BARRIER_BUNDLE = 16 };

/// Gradient of energy and friction at x, added to `gradient` (by place, see NodeOrder), and their Hessian (if `project`,
/// that of the energy without negative eigenvalues, pair by pair) to the diagonal blocks of `matrix`; its changing blocks
/// become those of contact. x has to lie on the last sweep.
VelaResult barrier_linearize(BarrierContact *contact, const double *x, const int32_t *places, bool project,
                             BlockMatrix *matrix, double *gradient);

#endif
