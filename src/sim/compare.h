/// Two simulations of one scene on two devices, step by step.
#ifndef SIM_COMPARE_H
#define SIM_COMPARE_H

#include "sim/simulation.h"

typedef struct Comparison {
    Simulation *a, *b;
    bool lockstep;   ///< B gets A's whole state before every step
    double diagonal; ///< D of the bounding box of the initial positions, m
    double mass;     ///< M of all bodies, kg
    double *state;   ///< room for the whole state
    double *values[2];
} Comparison;

/// Deviations of B from A after a step of h seconds, without units. All are numbers of which 0 is none at all: one that is not a
/// number counts as the largest.
typedef struct Deviation {
    double position;         ///< largest |x_A - x_B| of a node / D
    double velocity;         ///< largest h |v_A - v_B| of a node / D
    double momentum;         ///< h |p_A - p_B| / (M D)
    double angular_momentum; ///< h |l_A - l_B| / (M D^2)
    double energy;           ///< |H_A - H_B| / max(|H_A|, M g D)
    int32_t position_node, velocity_node;
    int32_t iterations[2];
} Deviation;

/// What deviations are judged by. Angular momentum is reported only: l of a body far from the origin is its p.
typedef struct DeviationBounds {
    double motion; ///< of position, velocity and momentum
    double energy;
} DeviationBounds;

/// `a` and `b` are started simulations of the same scene and must outlive the comparison, whose arrays `arena` owns.
VelaResult comparison_create(Simulation *a, Simulation *b, bool lockstep, Arena *arena,
                             Comparison *comparison);
VelaResult comparison_step(Comparison *comparison, Deviation *deviation);
/// `tolerance` for motions; energies are sums over all elements and get at least 1e-4, or 1e-8 where both devices compute in
/// double precision.
DeviationBounds deviation_bounds(double tolerance, bool is_double);
/// The first quantity that is beyond its bound ("positions", "velocities", "linear momentum", "total energy") with its value and
/// bound; NULL: none is.
const char *deviation_beyond(const Deviation *deviation, const DeviationBounds *bounds, double *value,
                             double *bound);

#endif
