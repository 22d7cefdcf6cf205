/// Bodies' motion as rigid ones (theory.md section 7, angular momentum): the velocities v less C (C^T M C)^-1 C^T M v of each copy of an
/// unpinned body, and what that does to forces.
#ifndef DEVICE_CPU_TERMS_RIGID_MOTION_H
#define DEVICE_CPU_TERMS_RIGID_MOTION_H

#include "model/rigid_parts.h"

/// Vectors node_count x 3 in the model's order. Takes from v what it has of rigid motions about the positions x, P v.
void rigid_motion_remove(const Model *model, const RigidParts *parts, const double *x, double *v);
/// P^T f: takes the resultant and the moment from the forces f, by forces that go with the masses.
void rigid_force_remove(const Model *model, const RigidParts *parts, const double *x, double *f);

#endif
