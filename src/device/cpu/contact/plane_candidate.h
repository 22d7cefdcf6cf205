/// A vertex and a plane that moves from its two vertices' places x to x + p of them (p NULL: not at all; 3 a vertex, m).
#ifndef DEVICE_CPU_CONTACT_PLANE_CANDIDATE_H
#define DEVICE_CPU_CONTACT_PLANE_CANDIDATE_H

#include "device/cpu/contact/bounding_tree.h"
#include "device/cpu/contact/candidate.h"
#include "model/model.h"

/// Whether a vertex of an owner may come within its range in the motion, or CCD has to look at it: it becomes `candidate`.
bool plane_candidate(const Model *model, const ContactPlane *plane, const ContactOwner *owner, int32_t vertex,
                     const double *x, const double *p, Candidate *candidate);
/// Whether the box around an owner's motion is farther from a plane that stands still than the contact distance.
bool plane_is_beyond(const Model *model, const ContactPlane *plane, const ContactOwner *owner,
                     const SweptBox *box, const double *x, const double *p);

#endif
