/// Barrier contact on the CPU path (theory.md section 8): what Newton's method, forces and diagnostics want of the list of
/// candidates. Positions, directions and gradients are those of nodes, node_count x 3, m and N. Inside, contact works with the
/// vertices of surfaces: positions go there by the surface map, gradients and Hessians come back by its transpose.
#ifndef DEVICE_CPU_CONTACT_BARRIER_CONTACT_H
#define DEVICE_CPU_CONTACT_BARRIER_CONTACT_H

#include "device/cpu/contact/barrier_friction.h"
#include "device/cpu/contact/barrier_matrix.h"
#include "device/cpu/contact/barrier_trials.h"

/// A stage at `time` (s) begins at x: candidates at x alone. Friction is lagged: normal forces and tangent planes are those
/// at x, velocities (semi-implicit friction) are v, slip is measured from `base`, `slip_time` (s) before, until the next
/// call (theory.md section 8 "Friction, lagged", where the slip's time is the effective step a). Planes and spheres turn as
/// they do from time - slip_time to time.
VelaResult barrier_begin(BarrierContact *contact, const double *x, const double *v, const double *base,
                         double slip_time, double time);
/// Candidates of the motion from x to x + d.
VelaResult barrier_sweep(BarrierContact *contact, const double *x, const double *d);
/// The largest safe part of that motion, in (0, 1]; 0 where a pair has no gap. Right after barrier_sweep.
VelaResult barrier_safe_part(BarrierContact *contact, double *safe);
/// Energy and smallest distance at any x. The next linearization needs a new barrier_begin or barrier_sweep.
VelaResult barrier_measure(BarrierContact *contact, const double *x, ContactMeasure *measure);
/// Gradient of the energy, without friction, at any x, added to `gradient` (node_count x 3, in the model's order). As
/// barrier_measure otherwise.
VelaResult barrier_gradient(BarrierContact *contact, const double *x, double *gradient);

#endif
