/// What frames record of constraints and of what pulls: multipliers, the tension of cables, where joints are, and distances.
#ifndef API_FRAME_CONSTRAINTS_H
#define API_FRAME_CONSTRAINTS_H

#include "output/frame.h"
#include "sim/simulation.h"

/// Sets the counts of `topology`, and makes room in the frame, owned by `arena`.
VelaResult frame_constraints_create(const Simulation *simulation, Arena *arena, FrameTopology *topology,
                                    Frame *frame);
/// Fills it in; `x`: positions of all nodes. The multipliers are those of the last system that the solver has solved, 0 before the first.
/// The tension of a segment is that of its energy, E A (l/l_0 - 1), or minus the multiplier where the cable is in constraint form; of a
/// distance likewise, phi/C where the solver has no multiplier of it.
VelaResult frame_constraints_fill(const Simulation *simulation, const FrameTopology *topology,
                                  const double *x, Frame *frame);

#endif
