/// What the files of barrier contact share: its state, and the walk over candidates in chunks.
#ifndef DEVICE_CPU_CONTACT_BARRIER_STATE_H
#define DEVICE_CPU_CONTACT_BARRIER_STATE_H

#include "base/team.h"
#include "device/cpu/contact/candidate_terms.h"
#include "device/cpu/contact/shared_features.h"
#include "device/cpu/kernels.h"
#include "physics/contact/friction.h"
#include "physics/contact/parallel_pair.h"

enum { CANDIDATES_PER_CHUNK = 16 };

/// Of the energy at x + step d against that at x, summed over the candidates, for every trial.
typedef struct ContactTrial {
    double difference, slope, magnitude; ///< J; difference may be +infinity
    double work;                         ///< sum of |slope| over pairs, not over friction, J
} ContactTrial;

static inline void contact_trial_add(ContactTrial *sum, const ContactTrial *part)
{
    sum->difference += part->difference;
    sum->slope += part->slope;
    sum->magnitude += part->magnitude;
    sum->work += part->work;
}

typedef struct ContactMeasure {
    double energy;       ///< J
    double min_distance; ///< of pairs within d-hat, obstacles' separation taken off, m; +infinity: none
    int32_t vertices[4]; ///< of the pair that is closest
} ContactMeasure;

/// A candidate within its range, which stands for all that have the same closest features.
typedef struct ActiveCandidate {
    const Candidate *candidate; ///< of the list
    int32_t place;              ///< of BarrierContact.closest
    int32_t number;             ///< among those that are nearly parallel edges, or among those that are not
    bool is_parallel;           ///< these are
    double stiffness;           ///< PairBarrier.stiffness of all together, J
} ActiveCandidate;

/// Such a candidate, or a contact that rubs.
typedef struct ActivePair {
    PairForm form;
    int32_t
        number; ///< of PAIR_WHOLE: in BarrierContact.whole; of others: in `stiffnesses`, and of PAIR_TURNING in `turnings`
} ActivePair;

/// Of any but nearly parallel edges.
typedef struct PairStiffness {
    double pull[3]; ///< N; the gradient at a vertex is this times its weight
    SharedStiffness shared;
} PairStiffness;

/// Nearly parallel edges: the gradient at their vertices, N, and the Hessian as physics/contact/parallel_pair.h has it.
typedef struct WholePair {
    double gradient[12], hessian[PARALLEL_BLOCKS][9];
} WholePair;

/// A node of a pair.
typedef struct PairNode {
    int32_t place;  ///< of NodeOrder
    int32_t corner; ///< the vertex that this node is; -1: several, or part of some (NodeWeights)
} PairNode;

/// How a pair's vertices follow from a node that is none of them.
typedef struct NodeWeights {
    double weights[4]; ///< in each of the pair's vertices
    double weight;     ///< in the pair: the sum of those times the vertices' own. Not of PAIR_WHOLE
    double side[3];    ///< of the terms that turn: the same sum of the vertices' sides. Only of PAIR_TURNING
} NodeWeights;

/// What is found for a chunk of candidates; chunks are summed in their order, whatever the number of threads.
typedef struct Chunk {
    double safe;
    ContactTrial trials[NEWTON_TRIALS];
    ContactMeasure measure;
    DissipationLoss loss;
} Chunk;

/// What is found in a part of the candidates, from the place of the part's first one on: those within range, or contacts that rub.
typedef struct ActivePart {
    int32_t first, count;
    int32_t pair_count; ///< they stand for so many
} ActivePart;

/// So many parts for each thread: some have much more than others.
enum { PARTS_PER_THREAD = 8 };

/// The gradient of a pair at its vertices, N.
typedef struct PairGradient {
    int32_t vertices[4]; ///< the first is -1 where the gradient is 0
    double values[12];
} PairGradient;

typedef struct BarrierContact {
    const Model *model;
    const Kernels *kernels;
    int threads;
    Arena arena;   ///< what has a fixed size
    Arena growing; ///< what grows with the number of pairs
    CandidateList *list;
    CandidateSpans candidates; ///< of the list
    double *x, *d;             ///< room for the vertices' positions and motion
    double *from;              ///< vertices: where the stage's slip is measured from
    double *still;             ///< the list is that of these vertex positions without motion, if `is_still`
    bool is_still;
    double part;   ///< of the list's motion, at which the vertices are; negative: it is not known
    double *found; ///< what is active is that of the list at these vertex positions, if `is_found`
    bool is_found;
    const uint8_t *
        moving; ///< as barrier_limit says. The list may have more: all pairs of small owners of which some move
    Chunk *chunks;
    ClosestPoints *closest;   ///< of those that barrier_find_active has found active (ActiveCandidate.place)
    ActivePart *active_parts; ///< PARTS_PER_THREAD a thread
    FeatureTable *tables;     ///< one a thread, of two small owners
    ActiveCandidate *active;  ///< ascending
    int32_t active_count, whole_count; ///< whole: nearly parallel edges
    int32_t within_count;              ///< candidates within their range, however many have the same features
    SharedFeatures shared;
    PairGradient *gradients; ///< room

    // Friction of the stage (barrier_friction.c).
    FrictionContact *friction;
    int32_t friction_count;
    int32_t *rubbing; ///< those that are not left out
    FrictionLaw law;
    double slip_time; ///< what passes while the stage slips, s
    double *turns; ///< owner_count x 9: what a turning plane or sphere turns back over the stage; 0: others

    // The matrix (barrier_matrix.c).
    ActivePair *pairs; ///< of the active candidates, then of friction
    int32_t pair_count;
    PairStiffness
        *stiffnesses; ///< of the active candidates that are not nearly parallel edges, then of friction
    TurningStiffness *turnings; ///< of those of the former that are PAIR_TURNING
    WholePair *whole;           ///< of those that are PAIR_WHOLE, and room for the lanes behind them
    int32_t *whole_active;      ///< which of the active candidates each of these is
    PairNode
        *pair_nodes; ///< `most_nodes` a pair: those that its vertices which take part follow from, each once
    uint8_t *node_counts;      ///< of every pair
    NodeWeights *node_weights; ///< of each of them that is no vertex
    int32_t most_nodes;
    int32_t *node_start;  ///< node_count + 1: the pairs' nodes at each place
    int32_t *nodes;       ///< indices into pair_nodes
    int32_t *entry_start; ///< node_count + 1: room for the entries of each row
    int32_t *row_start, *row_end, *columns;
    int32_t *entries, *spare_entries; ///< columns that the pairs name in each row
    int32_t *slots;                   ///< threads x node_count: room, -1 but where somebody works with it
    double (*values)[9];
    size_t chunk_capacity, closest_capacity, active_capacity, gradient_capacity, friction_capacity,
        rubbing_capacity, pair_capacity, stiffness_capacity, turning_capacity, whole_capacity,
        whole_active_capacity, pair_node_capacity, node_weight_capacity, node_count_capacity, node_capacity,
        entry_capacity, spare_capacity, column_capacity, value_capacity;
} BarrierContact;

VelaResult barrier_create(VelaContext *context, const Model *model, const Kernels *kernels, int threads,
                          BarrierContact **contact);
/// NULL is allowed.
void barrier_destroy(BarrierContact *contact);
size_t barrier_memory(const Model *model);

/// From now on pairs without a vertex that is marked (any_moves) are left out, of candidates, of friction, and of all that is made of them:
/// they stand still. NULL: none is.
void barrier_limit(BarrierContact *contact, const uint8_t *moving);
/// Chunks of so many candidates.
static inline int32_t barrier_chunk_count(int32_t count)
{
    return (count + CANDIDATES_PER_CHUNK - 1) / CANDIDATES_PER_CHUNK;
}

static inline int32_t barrier_chunk_end(int32_t chunk, int32_t count)
{
    const int32_t end = (chunk + 1) * CANDIDATES_PER_CHUNK;
    return end < count ? end : count;
}

/// How many parts so many candidates have, or contacts: few of them have one.
static inline int barrier_part_count(const BarrierContact *contact, int32_t count)
{
    return contact->threads == 1 || barrier_chunk_count(count) <= 1 ? 1 : PARTS_PER_THREAD * contact->threads;
}

/// The first of `count` in a part of so many.
static inline int32_t barrier_part_first(int32_t count, int part, int parts)
{
    return (int32_t)((int64_t)count * part / parts);
}

/// The vertices' values of a node vector, in `room` (vertex_count x 3), which is returned.
const double *barrier_vertices(const BarrierContact *contact, const double *nodes, double *room);
/// Adds the first `count` of the gradients to `gradient` (node_count x 3, in the model's order), one after the other.
void barrier_pull_back(const BarrierContact *contact, int32_t count, double *gradient);
/// Candidates of the motion d of the vertices from x; d NULL: at x alone.
VelaResult barrier_sweep_vertices(BarrierContact *contact, const double *x, const double *d);
/// The vertices have gone on by that part of the motion of the last sweep, and are there when they are looked at next.
void barrier_move_on(BarrierContact *contact, double part);
/// The list of the last sweep with or without what is left out, as it now has to be.
VelaResult barrier_fit_list(BarrierContact *contact);
/// Candidates at the vertex positions x alone, unless they are there already.
VelaResult barrier_stand(BarrierContact *contact, const double *x);
/// Candidates within their range at the vertex positions x, which are on the list's motion, in order, one for all that have the same closest features.
VelaResult barrier_find_active(BarrierContact *contact, const double *x);

/// Number k of these, with the stiffness of all that it stands for.
static inline Candidate barrier_active(const BarrierContact *contact, int32_t k)
{
    Candidate candidate = *contact->active[k].candidate;
    candidate.barrier.stiffness = contact->active[k].stiffness;
    return candidate;
}

#endif
