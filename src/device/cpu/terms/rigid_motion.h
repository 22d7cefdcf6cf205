/// Bodies' motion as rigid ones (theory.md section 7, angular momentum): the velocities v less C (C^T M C)^-1 C^T M v of each copy of an
/// unpinned body, and what that does to forces.
#ifndef DEVICE_CPU_TERMS_RIGID_MOTION_H
#define DEVICE_CPU_TERMS_RIGID_MOTION_H

#include "model/rigid_parts.h"

/// Vectors node_count x 3 in the model's order. Takes from v what it has of rigid motions about the positions x, P v.
void rigid_motion_remove(const Model *model, const RigidParts *parts, const double *x, double *v);
/// P^T f: takes the resultant and the moment from the forces f, by forces that go with the masses.
void rigid_force_remove(const Model *model, const RigidParts *parts, const double *x, double *f);

/// The most motions that a part has: turns about three axes, ways along three.
enum { RIGID_MOTIONS = 6 };

/// N_k at every node, 0 outside of the parts: with k 0 to 2 the turn about a part's k-th principal axis, with 3 to 5 the way along an axis of
/// space. N_j . M N_k of a part is 1 where j = k, else 0; N_k is 0 where all of a part lies on the axis. So P = 1 - sum N_k (M N_k)^T.
void rigid_motion_fill(const Model *model, const RigidParts *parts, const double *x, int k, double *motion);

#endif
