/// What a candidate contributes at the coordinates x of its four vertices (m): one interface to pairs and planes.
#ifndef DEVICE_CPU_CONTACT_CANDIDATE_TERMS_H
#define DEVICE_CPU_CONTACT_CANDIDATE_TERMS_H

#include "device/cpu/contact/candidates.h"
#include "device/cpu/contact/shared_features.h"

/// Distance less separation, m.
double candidate_gap(const Candidate *candidate, const double x[12]);
/// J; infinite where the gap is not above 0.
double candidate_energy(const Candidate *candidate, const double x[12]);
/// The same where its motion starts.
double candidate_energy_before(const Candidate *candidate, const double x[12]);
/// The energy, and its derivative along d to `slope` (0 where it is infinite), at a point of its motion.
double candidate_energy_along(const Candidate *candidate, const double x[12], const double d[12],
                              double *slope);
/// False, with nothing written, where the gradient is 0.
bool candidate_gradient(const Candidate *candidate, const double x[12], double gradient[12]);
/// Whether it is within its range. Then its closest points, but for a plane's; is_parallel: these are nearly parallel edges, of which the
/// mollifier is below 1; and the features that it may share with others.
bool candidate_is_within(const Candidate *candidate, const double x[12], ClosestPoints *closest,
                         bool *is_parallel, Feature *feature);
/// How the Hessian of a pair is written.
typedef enum PairForm { PAIR_SHARED, PAIR_TURNING, PAIR_WHOLE } PairForm;
/// The gradient at a vertex is `pull` (N) times its weight; and the Hessian, positive semidefinite if
/// `project`; both 0 beyond the range. PAIR_SHARED: without the terms of `turning`. PAIR_WHOLE: nearly parallel edges, nothing is written but
/// their state at x, for physics/contact/parallel_pair.h. `closest`: as candidate_is_within has found them at x.
PairForm candidate_hessian(const Candidate *candidate, const double x[12], const ClosestPoints *closest,
                           bool project, double pull[3], SharedStiffness *shared, TurningStiffness *turning,
                           PairBarrierState *state);
/// Normal force, N, the weights of the vertices in it and its direction r (any length). 0 out of range, with nothing written but
/// perhaps the weights.
double candidate_force(const Candidate *candidate, const double x[12], double weights[4], double r[3]);
/// Largest safe part of the motion d, in (0, 1]; 0 without a gap.
double candidate_safe_part(const Candidate *candidate, const double x[12], const double d[12]);

#endif
