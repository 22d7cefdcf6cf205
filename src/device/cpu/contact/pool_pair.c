#include "device/cpu/contact/pool_pair.h"

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

// The largest of a_i + b_j, of lengths.
static float largest_sum(const Float4 values[4], PairKind kind)
{
    const float first = values[0][3], second = values[1][3],
                last = values[3][3] > values[2][3] ? values[3][3] : values[2][3];
    if (kind == PAIR_EDGE_EDGE)
        return (second > first ? second : first) + last;
    return first + (second > last ? second : last);
}

// Whether a pair has moved as little, and moves as little, as its slack. What it has moved and what it moves are bounded each by itself, as
// where it is considered: the vertices that have moved most and those that move most may be others.
static bool stays_away(const PoolPair *pair, const Moved *moved)
{
    const PairKind kind = pair_kind((CandidateKind)pair->kind);
    const Moved *of[4];
    for (int c = 0; c < 4; ++c)
        of[c] = &moved[pair->vertices[c]];
    const Float4 ways[4] = {of[0]->way, of[1]->way, of[2]->way, of[3]->way},
                 motions[4] = {of[0]->motion, of[1]->motion, of[2]->motion, of[3]->motion};
    if (largest_sum(ways, kind) + largest_sum(motions, kind) < pair->slack)
        return true;
    return (largest_between(ways, kind) + largest_between(motions, kind)) * 1.00001F < pair->slack;
}

// ---------------------------------------------------------------- barriers

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
        .kind = pair->kind,
        .pairs = 1,
        .barrier = {.stiffness = contact->stiffness * pair->area,
                    .range = model->scene->contact.distance,
                    .separation = contact->owners[a].separation + contact->owners[b].separation}};
    memcpy(candidate.vertices, pair->vertices, sizeof candidate.vertices);
    return candidate;
}

// ---------------------------------------------------------------- what is told of pairs

// What is told of a pair whose primitives may meet, or that they do not.
typedef struct Told {
    double distance, closer, least_cross_sq; // MovingPairsTold
    double
        apart; // where the motion ends, along what is between the closest points, m; -infinity: it is not known
    uint8_t lasting; // the features that last, or 0
    bool meet;
} Told;

// From where to where vertices move: by p, by `motion`, or not at all.
typedef struct Ways {
    const double *x, *p;
    const Float4 *motion;
    double range; ///< within which they may meet, beside separations, m
    bool last;    ///< whether features last is asked, and how far apart the ways are
} Ways;

static void set_lane(const Ways *ways, const int32_t vertices[4], int lane, MovingPairs *moving)
{
    static const double still[3] = {0};
    for (int c = 0; c < 4; ++c) {
        const size_t vertex = (size_t)vertices[c];
        const double *x = ways->x + 3 * vertex;
        if (ways->motion) {
            const Float4 motion = ways->motion[vertex];
            const double p[3] = {(double)motion[0], (double)motion[1], (double)motion[2]};
            moving_pairs_set(x, p, c, lane, moving);
        } else
            moving_pairs_set(x, ways->p ? ways->p + 3 * vertex : still, c, lane, moving);
    }
}

// Where it was not clear which features are closest, and of those that are where nothing moves: any last then that are not the insides of both.
static void tell_closest(const Ways *ways, const int32_t vertices[4], PairKind kind, bool stands, Told *told)
{
    double x[12];
    gather_vertices(vertices, ways->x, x);
    const ClosestPoints closest = closest_points(x, kind);
    told->distance = sqrt(closest.distance_sq);
    if (!stands || closest.active == PAIR_ALL_VERTICES)
        return;
    told->lasting = (uint8_t)closest.active;
    told->least_cross_sq = kind == PAIR_EDGE_EDGE ? edges_cross_sq(x) : 0;
}

// Of pairs of a kind, as many as `lanes`: those at `places`.
static void tell_lanes(const Model *model, const Kernels *kernels, const Ways *ways, const PoolPair *pairs,
                       PairKind kind, const uint8_t *places, int lanes, Told *told)
{
    const ContactOwner *owners = model->contact.owners;
    const bool stands = ways->last && !ways->p;
    MovingPairs moving;
    MovingPairsTold lane_told;
    for (int l = 0; l < LANE_COUNT; ++l) {
        const PoolPair *pair = &pairs[places[l < lanes ? l : 0]];
        set_lane(ways, pair->vertices, l, &moving);
        moving.reach[l] =
            ways->range + (owners[pair->owners[0]].separation + owners[pair->owners[1]].separation);
    }
    kernels->tell_pairs(&moving, kind, ways->last, &lane_told);
    for (int l = 0; l < lanes; ++l) {
        Told *own = &told[places[l]];
        own->meet = lane_told.meet[l] != 0;
        if (!own->meet)
            continue;
        own->distance = sqrt(lane_told.distance_sq[l]);
        own->closer = sqrt(lane_told.closer_sq[l]);
        own->apart = ways->last && lane_told.active[l] != 0 ? lane_told.apart[l] / own->distance : -INFINITY;
        own->least_cross_sq = lane_told.least_cross_sq[l];
        own->lasting = lane_told.last[l] != 0 ? (uint8_t)lane_told.active[l] : 0;
        if (lane_told.active[l] == 0 || (stands && own->lasting == 0))
            tell_closest(ways, pairs[places[l]].vertices, kind, stands, own);
    }
}

static void tell(const Model *model, const Kernels *kernels, const Ways *ways, const PoolPair *pairs,
                 int count, Told *told)
{
    for (PairKind kind = PAIR_POINT_TRIANGLE; kind <= PAIR_EDGE_EDGE; ++kind) {
        uint8_t places[POOL_PAIRS_MOST];
        int own = 0;
        for (int i = 0; i < count; ++i)
            if (pair_kind((CandidateKind)pairs[i].kind) == kind)
                places[own++] = (uint8_t)i;
        for (int i = 0; i < own; i += LANE_COUNT)
            tell_lanes(model, kernels, ways, pairs, kind, places + i,
                       own - i < LANE_COUNT ? own - i : LANE_COUNT, told);
    }
}

// ---------------------------------------------------------------- pairs of a pool, and candidates

// Sets the slack of a new pair. False: no motion that is allowed makes a candidate of it.
static bool begin(const PoolView *view, const Told *told, PoolPair *pair)
{
    Candidate candidate = candidate_of(view->reach->model, pair);
    const double range = candidate.barrier.range,
                 closer = reach_approach(view->reach, pair->owners, told->closer);
    pair->slack = slack_of(told->distance - candidate.barrier.separation - range, range);
    if ((double)pair->slack > closer || !set_barrier(view->rest, &candidate))
        return false;
    // By the rest shape: see consider, either keeps it from being a candidate.
    const double gap = told->distance - candidate.barrier.separation;
    pair->slack = fmaxf(pair->slack, slack_of(fmin(gap - candidate.barrier.range, 0.5 * gap), range));
    return (double)pair->slack <= closer;
}

int pool_pairs_begin(const PoolView *view, const PoolPair *pairs, int count, PoolPair *kept)
{
    const Ways ways = {.x = view->reach->x, .motion = view->reach->motion, .range = INFINITY};
    Told told[POOL_PAIRS_MOST];
    int found = 0;
    tell(view->reach->model, view->kernels, &ways, pairs, count, told);
    for (int i = 0; i < count; ++i) {
        kept[found] = pairs[i];
        found += begin(view, &told[i], &kept[found]);
    }
    return found;
}

// What distance and motion let through.
static bool consider(const PoolView *view, const PoolPair *pair, const Told *told, Candidate *candidate)
{
    if (!told->meet)
        return false;
    *candidate = candidate_of(view->reach->model, pair);
    // The rest shape makes range and separation smaller, never larger.
    if (!(told->distance - candidate->barrier.separation - told->closer < candidate->barrier.range) ||
        !set_barrier(view->rest, candidate))
        return false;
    // A half instead of the tenth that CCD keeps: far beyond rounding.
    candidate->gap = told->distance - candidate->barrier.separation;
    // Along one direction they move linearly against each other.
    candidate->gap_ahead = told->apart - candidate->barrier.separation;
    candidate->approaches = told->closer > 0.5 * candidate->gap &&
                            !(candidate->gap > 0 && candidate->gap_ahead > 0.5 * candidate->gap);
    if (!candidate->approaches && !(candidate->gap - told->closer < candidate->barrier.range))
        return false;
    candidate->lasting = told->lasting;
    candidate->shares = told->lasting != 0 && (candidate->kind != CANDIDATE_EDGE_EDGE ||
                                               told->least_cross_sq > candidate->barrier.parallel_threshold);
    return true;
}

int pool_pairs_consider(const PoolView *view, const PoolPair *pairs, int count, Candidate *candidates)
{
    const Model *model = view->reach->model;
    const Ways ways = {.x = view->x, .p = view->p, .range = model->scene->contact.distance, .last = true};
    Told told[POOL_PAIRS_MOST];
    int found = 0;
    tell(model, view->kernels, &ways, pairs, count, told);
    for (int i = 0; i < count; ++i)
        found += consider(view, &pairs[i], &told[i], &candidates[found]);
    return found;
}

bool pool_pair_is_near(const PoolView *view, const PoolPair *pair)
{
    return !stays_away(pair, view->reach->moved);
}

bool pool_pair_is_free(const PoolView *view, const int32_t vertices[4])
{
    bool any = false;
    for (int c = 0; c < 4; ++c)
        any |= view->reach->model->surface.map.is_free[vertices[c]];
    return any;
}
