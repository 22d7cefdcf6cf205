/// Friction of barrier contact, lagged from where a stage begins.
#ifndef DEVICE_CPU_CONTACT_BARRIER_FRICTION_H
#define DEVICE_CPU_CONTACT_BARRIER_FRICTION_H

#include "device/cpu/contact/barrier_state.h"

/// Adds what friction contributes to `trials`, with the chunks as room, at the vertex positions x + steps d.
void barrier_try_friction(const BarrierContact *contact, const double *x, const double *d, int count,
                          const double *steps, ContactTrial *trials);
/// What rubs at the vertex positions x while the nodes have the velocities v, from time - slip_time to time.
VelaResult barrier_lag_friction(BarrierContact *contact, const double *x, const double *v, double time);
/// Gradient of the friction potential of the stage at x, added to `gradient` (node_count x 3, in the model's order).
VelaResult barrier_friction_gradient(BarrierContact *contact, const double *x, double *gradient);
/// What friction takes while the nodes move from x0 to x1 within `duration` (s) under the forces that it has in the stage
/// at x.
DissipationLoss barrier_friction_loss(const BarrierContact *contact, const double *x, const double *x0,
                                      const double *x1, double duration);

#endif
