#include "device/cpu/contact/candidate_terms.h"

#include "geometry/ccd.h"
#include "physics/contact/plane_barrier.h"

static PlaneBarrier plane_of(const Candidate *candidate)
{
    return (PlaneBarrier){candidate->barrier.stiffness, candidate->barrier.range,
                          candidate->barrier.separation};
}

// At a point of its motion.
static ClosestPoints closest_of(const Candidate *candidate, const double x[12])
{
    const PairKind kind = candidate_pair(candidate);
    return candidate->lasting != 0 ? closest_points_of(x, kind, candidate->lasting) : closest_points(x, kind);
}

double candidate_gap(const Candidate *candidate, const double x[12])
{
    double normal[3];
    if (candidate->kind == CANDIDATE_POINT_PLANE) {
        const PlaneBarrier plane = plane_of(candidate);
        return plane_barrier_gap(&plane, x, normal);
    }
    return sqrt(closest_points(x, candidate_pair(candidate)).distance_sq) - candidate->barrier.separation;
}

double candidate_energy(const Candidate *candidate, const double x[12])
{
    if (candidate->kind != CANDIDATE_POINT_PLANE)
        return pair_barrier_energy(&candidate->barrier, x, candidate_pair(candidate));
    const PlaneBarrier plane = plane_of(candidate);
    return plane_barrier_energy(&plane, x);
}

double candidate_energy_before(const Candidate *candidate, const double x[12])
{
    const PairBarrier *pair = &candidate->barrier;
    if (candidate->kind == CANDIDATE_POINT_PLANE)
        return candidate_energy(candidate, x);
    const double b = barrier(candidate->gap, pair->range);
    if (b == 0 || b == INFINITY)
        return b;
    return pair->stiffness * b * (pair->parallel_threshold > 0 ? mollifier(x, pair->parallel_threshold) : 1);
}

bool candidate_gradient(const Candidate *candidate, const double x[12], double gradient[12])
{
    if (candidate->kind != CANDIDATE_POINT_PLANE)
        return pair_barrier_gradient(&candidate->barrier, x, candidate_pair(candidate), gradient);
    const PlaneBarrier plane = plane_of(candidate);
    memset(gradient + 9, 0, 3 * sizeof *gradient);
    return plane_barrier_gradient(&plane, x, gradient);
}

double candidate_energy_along(const Candidate *candidate, const double x[12], const double d[12],
                              double *slope)
{
    const PairBarrier *barrier = &candidate->barrier;
    PairBarrierState state;
    double gradient[12], energy;
    *slope = 0;
    if (candidate->kind == CANDIDATE_POINT_PLANE) {
        energy = candidate_energy(candidate, x);
        if (energy == 0 || !isfinite(energy) || !candidate_gradient(candidate, x, gradient))
            return energy;
    } else {
        const ClosestPoints closest = closest_of(candidate, x);
        if (!pair_barrier_state_of(barrier, x, &closest, &state))
            return 0;
        if (!(state.distance > barrier->separation))
            return INFINITY;
        if (!state.nearly_parallel) {
            for (int c = 0; c < 4; ++c)
                *slope += closest.weights[c] * dot3(closest.r, d + 3 * c);
            *slope *= state.slope / state.distance;
            return state.energy;
        }
        energy = state.energy * mollifier(x, barrier->parallel_threshold);
        pair_barrier_state_gradient(barrier, x, &state, gradient);
    }
    for (int i = 0; i < 12; ++i)
        *slope += gradient[i] * d[i];
    return energy;
}

bool candidate_is_within(const Candidate *candidate, const double x[12], ClosestPoints *closest,
                         bool *is_parallel, Feature *feature)
{
    static const Feature none = {.vertices = {-1, -1, -1}};
    const PairBarrier *barrier = &candidate->barrier;
    *is_parallel = false;
    *feature = none;
    if (candidate->kind == CANDIDATE_POINT_PLANE)
        return candidate_gap(candidate, x) < barrier->range;
    *closest = closest_of(candidate, x);
    if (!(sqrt(closest->distance_sq) - barrier->separation < barrier->range))
        return false;
    *is_parallel = pair_is_parallel(barrier, x);
    if (!*is_parallel)
        *feature = shared_feature(candidate->vertices, closest->weights, barrier->range, barrier->separation);
    return true;
}

PairForm candidate_hessian(const Candidate *candidate, const double x[12], const ClosestPoints *closest,
                           bool project, double pull[3], SharedStiffness *shared, TurningStiffness *turning,
                           PairBarrierState *state)
{
    if (candidate->kind == CANDIDATE_POINT_PLANE) {
        const PlaneBarrier plane = plane_of(candidate);
        double gradient[9] = {0};
        *shared = (SharedStiffness){.weights = {1, -1, 0, 0}};
        plane_barrier_hessian(&plane, x, gradient, shared->block);
        memcpy(pull, gradient, 3 * sizeof *pull);
        return PAIR_SHARED;
    }
    if (!pair_barrier_state_of(&candidate->barrier, x, closest, state)) {
        *shared = (SharedStiffness){.weights = {0}};
        memset(pull, 0, 3 * sizeof *pull);
        return PAIR_SHARED;
    }
    if (state->nearly_parallel)
        return PAIR_WHOLE;
    pair_turning_hessian(x, candidate_pair(candidate), state, project, shared, turning);
    for (int axis = 0; axis < 3; ++axis)
        pull[axis] = state->slope * turning->normal[axis];
    return PAIR_TURNING;
}

double candidate_force(const Candidate *candidate, const double x[12], double weights[4], double r[3])
{
    if (candidate->kind != CANDIDATE_POINT_PLANE)
        return pair_barrier_force(&candidate->barrier, x, candidate_pair(candidate), weights, r);
    const PlaneBarrier plane = plane_of(candidate);
    memcpy(weights, (double[]){1, -1, 0, 0}, 4 * sizeof *weights);
    return plane_barrier_force(&plane, x, r);
}

// Additive steps as ccd_pair's, with a bound on how fast the vertex and the plane approach wherever the plane turns.
static double plane_safe(const double x[12], const double d[12], double separation)
{
    double relative[3], turn[3], offset[3], normal[3], y[12];
    subtract3(d, d + 3, relative);
    subtract3(d + 6, d + 3, turn);
    subtract3(x, x + 3, offset);
    const PlaneBarrier plane = {.separation = separation};
    if (dot3(turn, turn) == 0) {
        subtract3(x + 6, x + 3, normal);
        normalize3(normal);
        return ccd_plane(offset, relative, normal, 0, separation);
    }
    // |n'| <= |turn| / |tip - point|, and that length stays above a half while the plane turns by less than 60 degrees.
    const double speed = norm3(relative) + 2 * norm3(turn) * (norm3(offset) + norm3(relative));
    const double gap = plane_barrier_gap(&plane, x, normal), kept = CCD_SAFETY * gap;
    double t = 0, now = gap;
    if (!(gap > 0) || norm3(turn) > 1)
        return gap > 0 ? fmin(0.5 / norm3(turn), 0.5 * gap / speed) : 0;
    for (int turns = 0; turns < CCD_MAX_TURNS && (t == 0 || now >= 1.5 * kept); ++turns) {
        const double next = t + (now - kept) / speed;
        if (next >= 1)
            return 1;
        if (!(next > t))
            return t;
        t = next;
        for (int i = 0; i < 12; ++i)
            y[i] = x[i] + t * d[i];
        now = plane_barrier_gap(&plane, y, normal);
    }
    return t;
}

double candidate_safe_part(const Candidate *candidate, const double x[12], const double d[12])
{
    int turns;
    return candidate->kind == CANDIDATE_POINT_PLANE
               ? plane_safe(x, d, candidate->barrier.separation)
               : ccd_pair(x, d, candidate_pair(candidate), candidate->barrier.separation, &turns);
}
