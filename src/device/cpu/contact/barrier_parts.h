/// What the files of barrier contact share: its state, and the walk over candidates in chunks.
#ifndef DEVICE_CPU_CONTACT_BARRIER_PARTS_H
#define DEVICE_CPU_CONTACT_BARRIER_PARTS_H

#include "device/cpu/contact/barrier_contact.h"
#include "physics/contact/friction.h"

/// A candidate within its range, or a contact that rubs: gradient and Hessian in the 12 coordinates of its vertices.
typedef struct ActivePair {
    double gradient[12];
    double hessian[144];
    int node_count; ///< that the vertices which take part follow from, each once
} ActivePair;

/// A node of a pair.
typedef struct PairNode {
    int32_t place;     ///< of ElementBlocks
    int32_t corner;    ///< the vertex that this node is; -1: weights say how vertices follow from it
    double weights[4]; ///< in each of the pair's vertices
} PairNode;

/// What is found for a chunk of candidates; chunks are summed in their order, whatever the number of threads.
typedef struct Chunk {
    double safe;
    ContactTrial trials[NEWTON_TRIALS];
    ContactMeasure measure;
    int32_t active_count;
} Chunk;

struct BarrierContact {
    const Model *model;
    int threads;
    Arena arena;   ///< what has a fixed size
    Arena growing; ///< what grows with the number of pairs
    CandidateList *list;
    double *x, *d; ///< room for the vertices' positions and motion
    double *from;  ///< room for what friction measures from
    double *still; ///< the list is that of these vertex positions without motion, if `is_still`
    bool is_still;
    Chunk *chunks;
    int32_t *active; ///< candidates within their range, ascending
    int32_t active_count;

    // Friction of the stage (barrier_friction.c).
    FrictionContact *friction;
    int32_t friction_count;
    FrictionLaw law;
    double slip_time; ///< what passes while the stage slips, s
    double *turns; ///< owner_count x 9: what a turning plane or sphere turns back over the stage; 0: others
    const double *base; ///< nodes: where the stage's slip is measured from

    // The matrix (barrier_matrix.c).
    ActivePair *pairs; ///< of the active candidates, then of friction
    int32_t pair_count;
    PairNode *pair_nodes; ///< `most_nodes` a pair
    int32_t most_nodes;
    int32_t *node_start;  ///< node_count + 1: the pairs' nodes at each place
    int32_t *nodes;       ///< indices into pair_nodes
    int32_t *entry_start; ///< node_count + 1: room for the entries of each row
    int32_t *row_start, *row_end, *columns;
    int32_t *entries, *spare_entries; ///< columns that the pairs name in each row
    double (*values)[9];
    size_t chunk_capacity, active_capacity, friction_capacity, pair_capacity, pair_node_capacity,
        node_capacity, entry_capacity, spare_capacity, column_capacity, value_capacity;
};

/// The vertices' values of a node vector, in `room` (vertex_count x 3), which is returned.
const double *barrier_vertices(const BarrierContact *contact, const double *nodes, double *room);
/// Candidates within their range at the vertex positions x, in order.
VelaResult barrier_find_active(BarrierContact *contact, const double *x);
/// Adds what friction contributes to trials at the vertex positions x + steps d.
void barrier_try_friction(const BarrierContact *contact, const double *x, const double *d, int count,
                          const double *steps, ContactTrial *trials);
/// What rubs at the vertex positions x while the nodes have the velocities v, from time - slip_time to time.
VelaResult barrier_lag_friction(BarrierContact *contact, const double *x, const double *v, double time);

#endif
