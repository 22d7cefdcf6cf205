/// Barrier contact on the CPU path (theory.md section 8): what Newton's method, forces and diagnostics want of the list of
/// candidates. Positions, directions and gradients are those of nodes, node_count x 3, m and N. Inside, contact works with the
/// vertices of surfaces: positions go there by the surface map, gradients and Hessians come back by its transpose.
#ifndef DEVICE_CPU_CONTACT_BARRIER_CONTACT_H
#define DEVICE_CPU_CONTACT_BARRIER_CONTACT_H

#include "device/cpu/contact/candidates.h"
#include "device/cpu/linear/block_matrix.h"
#include "device/device.h"

enum { CANDIDATES_PER_CHUNK = 64 };

/// Of the energy at x + step d against that at x, summed over the candidates, for every trial.
typedef struct ContactTrial {
    double difference, slope, magnitude; ///< J; difference may be +infinity
} ContactTrial;

typedef struct ContactMeasure {
    double energy;       ///< J
    double min_distance; ///< of pairs within d-hat, obstacles' separation taken off, m; +infinity: none
    int32_t vertices[4]; ///< of the pair that is closest
} ContactMeasure;

typedef struct BarrierContact BarrierContact;

VelaResult barrier_create(VelaContext *context, const Model *model, int threads, BarrierContact **contact);
/// NULL is allowed.
void barrier_destroy(BarrierContact *contact);
size_t barrier_memory(const Model *model);

/// A stage at `time` (s) begins at x: candidates at x alone. Friction is lagged: normal forces and tangent planes are those
/// at x, velocities (semi-implicit friction) are v, slip is measured from `base`, `slip_time` (s) before, until the next
/// call (theory.md section 8 "Friction, lagged", where the slip's time is the effective step a). Planes and spheres turn as
/// they do from time - slip_time to time.
VelaResult barrier_begin(BarrierContact *contact, const double *x, const double *v, const double *base,
                         double slip_time, double time);
/// Candidates of the motion from x to x + d.
VelaResult barrier_sweep(BarrierContact *contact, const double *x, const double *d);
/// The largest safe part of that motion, in (0, 1]; 0 where a pair has no gap. Right after barrier_sweep.
double barrier_safe_part(BarrierContact *contact);
/// Gradient of energy and friction at x, added to `gradient` (by place, see ElementBlocks), and their Hessian (if `project`,
/// that of the energy without negative eigenvalues, pair by pair) to the diagonal blocks of `matrix`; its changing blocks
/// become those of contact. x has to lie on the last sweep.
VelaResult barrier_linearize(BarrierContact *contact, const double *x, const ElementBlocks *blocks,
                             bool project, BlockMatrix *matrix, double *gradient);
/// Trials along d, on the last sweep.
void barrier_trials(BarrierContact *contact, const double *x, const double *d, int count, const double *steps,
                    ContactTrial *trials);
/// Energy and smallest distance at any x. The next linearization needs a new barrier_begin or barrier_sweep.
VelaResult barrier_measure(BarrierContact *contact, const double *x, ContactMeasure *measure);
/// Gradient of the energy, without friction, at any x, added to `gradient` (node_count x 3, in the model's order). As
/// barrier_measure otherwise.
VelaResult barrier_gradient(BarrierContact *contact, const double *x, double *gradient);
/// The same of the friction potential of the stage.
void barrier_friction_gradient(const BarrierContact *contact, const double *x, double *gradient);
/// What friction takes while the nodes move from x0 to x1 within `duration` (s) under the forces that it has in the stage
/// at x.
FrictionLoss barrier_friction_loss(const BarrierContact *contact, const double *x, const double *x0,
                                   const double *x1, double duration);

#endif
