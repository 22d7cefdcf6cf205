#include "device/cpu/contact/pool_pair.h"

#include "geometry/lasting_features.h"

static PairKind pair_kind(CandidateKind kind)
{
    return kind == CANDIDATE_EDGE_EDGE ? PAIR_EDGE_EDGE : PAIR_POINT_TRIANGLE;
}

// ---------------------------------------------------------------- slack

// Less what is lost in rounding.
static float slack_of(double way, double range)
{
    return (float)(way * (1 - 1e-4) - 1e-6 * range);
}

// How far apart the primitives are at least, along the line through their centres: cheap. 0: that line does not tell.
static double apart_at_least(const double x[12], PairKind kind)
{
    double n[3], low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; ++k)
        n[k] = kind == PAIR_POINT_TRIANGLE ? 3 * x[k] - (x[3 + k] + x[6 + k] + x[9 + k])
                                           : (x[k] + x[3 + k]) - (x[6 + k] + x[9 + k]);
    for (int c = 0; c < 4; ++c) {
        const double along = dot3(n, x + 3 * c);
        if (c < (int)kind)
            low = along < low ? along : low;
        else
            high = along > high ? along : high;
    }
    return low > high ? (low - high) / norm3(n) : 0;
}

// The largest of |a_i - b_j| between vertices of one primitive and of the other.
static float largest_between(const Float4 values[4], PairKind kind)
{
    float largest = 0;
    for (int a = 0; a < (int)kind; ++a)
        for (int b = (int)kind; b < 4; ++b) {
            const Float4 between = values[a] - values[b], squares = between * between;
            const float size = squares[0] + squares[1] + squares[2];
            largest = size > largest ? size : largest;
        }
    return sqrtf(largest);
}

// The largest of a_i + b_j.
static float largest_sum(const float values[4], PairKind kind)
{
    const float last = values[3] > values[2] ? values[3] : values[2], first = values[0], second = values[1];
    if (kind == PAIR_EDGE_EDGE)
        return (second > first ? second : first) + last;
    return first + (second > last ? second : last);
}

// Whether a pair has moved as little, and moves as little, as its slack.
static bool stays_away(const PoolPair *pair, const Moved *moved)
{
    const PairKind kind = pair_kind((CandidateKind)pair->kind);
    const Moved *of[4];
    for (int c = 0; c < 4; ++c)
        of[c] = &moved[pair->vertices[c]];
    const float lengths[4] = {of[0]->length, of[1]->length, of[2]->length, of[3]->length};
    if (largest_sum(lengths, kind) < pair->slack)
        return true;
    const Float4 ways[4] = {of[0]->way, of[1]->way, of[2]->way, of[3]->way},
                 motions[4] = {of[0]->motion, of[1]->motion, of[2]->motion, of[3]->motion};
    return (largest_between(ways, kind) + largest_between(motions, kind)) * 1.00001F < pair->slack;
}

// Whether any of its vertices is free to move.
static bool is_free(const Model *model, const PoolPair *pair)
{
    bool any = false;
    for (int c = 0; c < 4; ++c)
        any |= model->surface.map.is_free[pair->vertices[c]];
    return any;
}

// ---------------------------------------------------------------- candidates

// How much closer the two primitives can come: the largest relative motion of a vertex of one and a vertex of the other.
static double approach(const double p[12], PairKind kind)
{
    double largest = 0;
    for (int a = 0; a < (int)kind; ++a)
        for (int b = (int)kind; b < 4; ++b) {
            double relative[3];
            subtract3(p + 3 * a, p + 3 * b, relative);
            const double size = dot3(relative, relative);
            largest = size > largest ? size : largest;
        }
    return sqrt(largest);
}

// Sets mollifier, range and separation by the rest shape, xi_c = min(xi, d_r/2), dhat_c = min(dhat, 0.9 (d_r - xi_c)); false
// where the pair touches at rest.
static bool set_barrier(const double *rest_shape, Candidate *candidate)
{
    PairBarrier *barrier = &candidate->barrier;
    const bool same_owner = candidate->owners[0] == candidate->owners[1];
    double rest[12];
    if (!same_owner && candidate->kind != CANDIDATE_EDGE_EDGE)
        return true;
    gather_vertices(candidate->vertices, rest_shape, rest);
    if (candidate->kind == CANDIDATE_EDGE_EDGE) {
        double u[3], v[3];
        subtract3(rest + 3, rest, u);
        subtract3(rest + 9, rest + 6, v);
        barrier->parallel_threshold = mollifier_threshold(dot3(u, u), dot3(v, v));
    }
    if (!same_owner)
        return true;
    const double distance = sqrt(closest_points(rest, candidate_pair(candidate)).distance_sq);
    barrier->separation = fmin(barrier->separation, 0.5 * distance);
    barrier->range = fmin(barrier->range, 0.9 * (distance - barrier->separation));
    return distance > 0;
}

// Without range and gap, which depend on the rest shape and on the motion.
static Candidate candidate_of(const Model *model, const PoolPair *pair)
{
    const ModelContact *contact = &model->contact;
    const int32_t a = pair->owners[0], b = pair->owners[1];
    Candidate candidate = {
        .owners = {a, b},
        .kind = (CandidateKind)pair->kind,
        .pairs = 1,
        .barrier = {.stiffness = contact->stiffness * pair->area,
                    .range = model->scene->contact.distance,
                    .separation = contact->owners[a].separation + contact->owners[b].separation}};
    memcpy(candidate.vertices, pair->vertices, sizeof candidate.vertices);
    return candidate;
}

bool pool_pair_begin(const Reach *reach, const double *rest, PoolPair *pair)
{
    if (!is_free(reach->model, pair))
        return false;
    Candidate candidate = candidate_of(reach->model, pair);
    const PairKind kind = candidate_pair(&candidate);
    const double range = candidate.barrier.range, separation = candidate.barrier.separation,
                 closer = reach_approach(reach, pair->owners, pair->vertices, (int)kind);
    double x[12];
    gather_vertices(pair->vertices, reach->x, x);
    if ((double)slack_of(apart_at_least(x, kind) - separation - range, range) > closer)
        return false;
    const double distance = sqrt(closest_points(x, kind).distance_sq);
    pair->slack = slack_of(distance - separation - range, range);
    if ((double)pair->slack > closer || !set_barrier(rest, &candidate))
        return false;
    // By the rest shape: see consider, either keeps it from being a candidate.
    const double gap = distance - candidate.barrier.separation;
    pair->slack = fmaxf(pair->slack, slack_of(fmin(gap - candidate.barrier.range, 0.5 * gap), range));
    return (double)pair->slack <= closer;
}

// Whether the primitives may come within `reach` of each other on straight ways from x to x + p: at neither end of the motion is one above the
// other by more on the same axis.
static bool ways_meet(const double x[12], const double p[12], PairKind kind, double reach)
{
    for (int k = 0; k < 3; ++k) {
        double low[2][2] = {{INFINITY, INFINITY}, {INFINITY, INFINITY}},
               high[2][2] = {{-INFINITY, -INFINITY}, {-INFINITY, -INFINITY}}; // of each primitive at each end
        for (int c = 0; c < 4; ++c) {
            const int side = c >= (int)kind;
            const double at[2] = {x[3 * c + k], x[3 * c + k] + p[3 * c + k]};
            for (int end = 0; end < 2; ++end) {
                low[side][end] = at[end] < low[side][end] ? at[end] : low[side][end];
                high[side][end] = at[end] > high[side][end] ? at[end] : high[side][end];
            }
        }
        for (int side = 0; side < 2; ++side)
            if (low[side][0] - high[1 - side][0] > reach && low[side][1] - high[1 - side][1] > reach)
                return false;
    }
    return true;
}

// The closest features, where the pair may share them with others and keeps them.
static uint8_t find_lasting(const Candidate *candidate, const double x[12], const double p[12], int active)
{
    const PairKind kind = candidate_pair(candidate);
    if (!features_last(x, p, kind, active))
        return 0;
    return kind == PAIR_POINT_TRIANGLE || edges_stay_apart(x, p, candidate->barrier.parallel_threshold)
               ? (uint8_t)active
               : 0;
}

// What distance and motion let through. `is_new`: many are far apart along the line through their centres.
static bool consider(const PoolView *view, const PoolPair *pair, bool is_new, Candidate *candidate)
{
    *candidate = candidate_of(view->reach->model, pair);
    const PairKind kind = candidate_pair(candidate);
    const double range = candidate->barrier.range, separation = candidate->barrier.separation;
    double x[12], p[12] = {0};
    gather_vertices(pair->vertices, view->x, x);
    if (view->p)
        gather_vertices(pair->vertices, view->p, p);
    if (!ways_meet(x, p, kind, range + separation))
        return false;
    const double closer = view->p ? approach(p, kind) : 0;
    if (is_new && (double)slack_of(apart_at_least(x, kind) - separation - range, range) > closer)
        return false;
    // The rest shape makes range and separation smaller, never larger.
    const ClosestPoints closest = closest_points(x, kind);
    const double distance = sqrt(closest.distance_sq);
    if (!(distance - separation - closer < range) || !set_barrier(view->rest, candidate))
        return false;
    // A half instead of the tenth that CCD keeps: far beyond rounding.
    candidate->gap = distance - candidate->barrier.separation;
    candidate->approaches = closer > 0.5 * candidate->gap;
    if (!candidate->approaches && !(candidate->gap - closer < candidate->barrier.range))
        return false;
    candidate->lasting = find_lasting(candidate, x, p, closest.active);
    return true;
}

bool pool_pair_candidate(const PoolView *view, const PoolPair *pair, Candidate *candidate)
{
    return !stays_away(pair, view->reach->moved) && consider(view, pair, false, candidate);
}

bool pool_pair_met(const PoolView *view, const PoolPair *pair, Candidate *candidate)
{
    return is_free(view->reach->model, pair) && consider(view, pair, true, candidate);
}
