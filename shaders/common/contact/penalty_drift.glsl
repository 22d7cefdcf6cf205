// How obstacles of penalty contact move under what rubs on them. Declare the buffer `drifts` (DRIFT_DATA reals an obstacle, abi/nodes.h)
// and plane_count before; include after common/contact/penalty_obstacles.glsl. The obstacles where the stage begins are those behind
// the first plane_count.
#ifndef COMMON_CONTACT_PENALTY_DRIFT_GLSL
#define COMMON_CONTACT_PENALTY_DRIFT_GLSL

#include "abi/nodes.h"

real3 drift_vector(uint obstacle, uint at)
{
    const uint first = DRIFT_DATA * obstacle + at;
    return real3(drifts[first], drifts[first + 1u], drifts[first + 2u]);
}

real3 drift_apply(uint obstacle, uint at, real3 v)
{
    return real3(dot(drift_vector(obstacle, at), v), dot(drift_vector(obstacle, at + 3u), v),
                 dot(drift_vector(obstacle, at + 6u), v));
}

/// Minus how far the obstacle's surface moves over the slip under a vertex that is at `place` where the stage begins, m. As
/// find_drifts of src/device/cpu/terms/penalty_friction.c has it.
real3 penalty_drift(uint obstacle, Exact3 place)
{
    real3 normal;
    const real gap = obstacle_gap(plane_count + obstacle, place, normal);
    const real3 arm = exact3_difference(place, obstacle_point(plane_count + obstacle)) - gap * normal;
    return drift_vector(obstacle, DRIFT_SHIFT) +
           drift_apply(obstacle, DRIFT_TURN, drift_apply(obstacle, DRIFT_AHEAD, arm));
}

#endif
