#include "device/cpu/contact/barrier_trials.h"

#include "device/cpu/contact/barrier_friction.h"

#include <string.h>

/// Candidates whose trials are summed together. Those of the same kind are looked at eight at a time, and each of some eights of a chunk may be
/// left with fewer.
enum { CANDIDATES_PER_TRIAL = 8 * CANDIDATES_PER_CHUNK };

/// Candidates of a kind until they are eight.
typedef struct WaitingTrials {
    PairTrials pairs;
    const Candidate *candidates[LANE_COUNT];
    int count;
} WaitingTrials;

/// What a chunk's trials are made with. Those that wait: by their kind, and by whether they have features that last.
typedef struct TrialChunk {
    const Kernels *kernels;
    const double *x, *d; ///< vertices
    double part;
    int count;
    const double *steps;
    ContactTrial *sums;
    WaitingTrials waiting[2][2];
} TrialChunk;

// The energy is `before` at x and `after` at the step.
static void add_trial(ContactTrial *sum, double before, double after, double slope)
{
    sum->difference += after - before;
    sum->slope += slope;
    sum->work += fabs(slope);
    sum->magnitude += isfinite(after) ? after + before : 0;
}

static void try_alone(const TrialChunk *chunk, const Candidate *candidate)
{
    double from[12], along[12], there[12];
    gather_vertices(candidate->vertices, chunk->x, from);
    gather_vertices(candidate->vertices, chunk->d, along);
    const double before =
        candidate->gap < candidate->barrier.range ? candidate_energy_before(candidate, from) : 0;
    for (int t = 0; t < chunk->count; ++t) {
        double slope;
        for (int i = 0; i < 12; ++i)
            there[i] = from[i] + chunk->steps[t] * along[i];
        const double after = candidate_energy_along(candidate, there, along, &slope);
        add_trial(&chunk->sums[t], before, after, slope);
    }
}

static void settle_waiting(const TrialChunk *chunk, PairKind kind, bool lasting, WaitingTrials *waiting)
{
    PairTrialsTold told[NEWTON_TRIALS];
    for (int t = 0; t < chunk->count; ++t)
        chunk->kernels->try_pairs(&waiting->pairs, kind, lasting, chunk->steps[t], &told[t]);
    for (int l = 0; l < waiting->count; ++l) {
        bool is_known = true;
        for (int t = 0; t < chunk->count; ++t)
            is_known &= told[t].is_known[l] != 0;
        if (!is_known)
            try_alone(chunk, waiting->candidates[l]);
        for (int t = 0; t < chunk->count && is_known; ++t)
            add_trial(&chunk->sums[t], told[t].before[l], told[t].after[l], told[t].slope[l]);
    }
    waiting->count = 0;
}

static void let_wait(TrialChunk *chunk, const Candidate *candidate)
{
    const PairKind kind = candidate_pair(candidate);
    const bool lasting = candidate->lasting != 0;
    WaitingTrials *waiting = &chunk->waiting[kind == PAIR_EDGE_EDGE][lasting];
    PairTrials *pairs = &waiting->pairs;
    const int lane = waiting->count++;
    for (int c = 0; c < 4; ++c)
        for (int k = 0; k < 3; ++k) {
            pairs->x[3 * c + k][lane] = chunk->x[3 * (size_t)candidate->vertices[c] + (size_t)k];
            pairs->d[3 * c + k][lane] = chunk->d[3 * (size_t)candidate->vertices[c] + (size_t)k];
        }
    pairs->stiffness[lane] = candidate->barrier.stiffness;
    pairs->range[lane] = candidate->barrier.range;
    pairs->separation[lane] = candidate->barrier.separation;
    pairs->parallel_threshold[lane] = candidate->barrier.parallel_threshold;
    pairs->gap[lane] = candidate->gap;
    pairs->active[lane] = candidate->lasting;
    waiting->candidates[lane] = candidate;
    if (waiting->count == LANE_COUNT)
        settle_waiting(chunk, kind, lasting, waiting);
}

static void try_candidate(TrialChunk *chunk, const Candidate *candidate)
{
    const bool is_within = candidate->gap < candidate->barrier.range;
    bool is_beyond_all = true;
    for (int t = 0; t < chunk->count; ++t)
        is_beyond_all &= candidate_is_beyond(candidate, chunk->part * chunk->steps[t]);
    if (is_beyond_all && !is_within)
        return;
    if (is_beyond_all) {
        double from[12];
        gather_vertices(candidate->vertices, chunk->x, from);
        const double before = candidate_energy_before(candidate, from);
        for (int t = 0; t < chunk->count; ++t)
            add_trial(&chunk->sums[t], before, 0, 0);
    } else if (candidate->kind == CANDIDATE_POINT_PLANE)
        try_alone(chunk, candidate);
    else
        let_wait(chunk, candidate);
}

static void try_chunk(const BarrierContact *contact, TrialChunk *chunk, int32_t first, int32_t end)
{
    CandidateWalk walk = candidate_walk_from(&contact->candidates, first);
    for (int32_t i = first; i < end; ++i) {
        const Candidate *candidate = candidate_walk_next(&walk);
        if (any_moves(contact->moving, candidate->vertices))
            try_candidate(chunk, candidate);
    }
    for (int lasting = 0; lasting < 2; ++lasting)
        for (PairKind kind = PAIR_POINT_TRIANGLE; kind <= PAIR_EDGE_EDGE; ++kind) {
            WaitingTrials *waiting = &chunk->waiting[kind == PAIR_EDGE_EDGE][lasting];
            if (waiting->count > 0)
                settle_waiting(chunk, kind, lasting != 0, waiting);
        }
}

void barrier_trials(BarrierContact *contact, const double *x, const double *d, double part, int count,
                    const double *steps, ContactTrial *trials)
{
    const int32_t candidates = contact->candidates.count,
                  chunks = (candidates + CANDIDATES_PER_TRIAL - 1) / CANDIDATES_PER_TRIAL;
    x = barrier_vertices(contact, x, contact->x);
    d = barrier_vertices(contact, d, contact->d);
    memset(trials, 0, (size_t)count * sizeof *trials);
    barrier_try_friction(contact, x, d, count, steps, trials);
    TeamLoop loop;
    team_loop_set(&loop, candidates, CANDIDATES_PER_TRIAL, contact->threads);
#pragma omp parallel num_threads(contact->threads) if (chunks > 1)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);) {
        ContactTrial *sums = contact->chunks[walk.first / CANDIDATES_PER_TRIAL].trials;
        TrialChunk chunk = {.kernels = contact->kernels,
                            .x = x,
                            .d = d,
                            .part = part,
                            .count = count,
                            .steps = steps,
                            .sums = sums};
        memset(sums, 0, sizeof contact->chunks->trials);
        if (context_goes_on(contact->arena.context))
            try_chunk(contact, &chunk, walk.first, walk.end);
    }
    for (int32_t c = 0; c < chunks; ++c)
        for (int t = 0; t < count; ++t)
            contact_trial_add(&trials[t], &contact->chunks[c].trials[t]);
}
