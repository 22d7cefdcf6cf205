/// A pair of primitives, or a vertex and a plane, that may come closer than d-hat in a motion.
#ifndef DEVICE_CPU_CONTACT_CANDIDATE_H
#define DEVICE_CPU_CONTACT_CANDIDATE_H

#include "physics/contact/pair_barrier.h"

#include <stdint.h>
#include <string.h>

/// A vertex and a segment of a cable are the triangle whose last two vertices are one (geometry/closest_points.h).
typedef enum CandidateKind {
    CANDIDATE_POINT_TRIANGLE,
    CANDIDATE_EDGE_EDGE,
    CANDIDATE_POINT_EDGE,
    CANDIDATE_POINT_PLANE
} CandidateKind;

typedef struct Candidate {
    int32_t vertices
        [4]; ///< of a vertex and an edge: the edge's second end twice; of a plane: the vertex, the plane's point
             ///< and tip, the vertex again
    int32_t owners[2];
    uint8_t kind; ///< CandidateKind
    uint8_t
        lasting; ///< features that are the closest all along the motion (ClosestPoints.active); 0: it is not clear which
    bool approaches; ///< the motion may leave less than half of the gap: CCD has to look
    bool shares;     ///< others may share these: they are not those of edges that may be nearly parallel
    int32_t pairs;   ///< how many it stands for
    double gap;      ///< distance less separation before the motion, m
    double
        gap_ahead; ///< at any part t of the motion the gap is at least (1 - t) gap + t of this, m; -infinity: it is not known
    PairBarrier
        barrier; ///< range: d-hat, and separation; less where the rest shape is closer (theory.md section 8)
} Candidate;

/// Which two primitives; not of a plane.
static inline PairKind candidate_pair(const Candidate *candidate)
{
    return candidate->kind == CANDIDATE_EDGE_EDGE ? PAIR_EDGE_EDGE : PAIR_POINT_TRIANGLE;
}

/// Whether two candidates are of the same two owners, whichever is the first.
static inline bool candidates_have_same_owners(const Candidate *a, const Candidate *b)
{
    return (a->owners[0] == b->owners[0] && a->owners[1] == b->owners[1]) ||
           (a->owners[0] == b->owners[1] && a->owners[1] == b->owners[0]);
}

/// Whether it is beyond its range at a part of its motion, beyond rounding.
static inline bool candidate_is_beyond(const Candidate *candidate, double part)
{
    return (1 - part) * candidate->gap + part * candidate->gap_ahead > (1 + 1e-9) * candidate->barrier.range;
}

/// Whether one of four vertices is marked, a byte each; NULL: all are.
static inline bool any_moves(const uint8_t *moving, const int32_t vertices[4])
{
    return !moving ||
           (moving[vertices[0]] | moving[vertices[1]] | moving[vertices[2]] | moving[vertices[3]]) != 0;
}

/// out = the values (3 a vertex) of four vertices.
static inline void gather_vertices(const int32_t vertices[4], const double *values, double out[12])
{
    for (int c = 0; c < 4; ++c)
        memcpy(out + 3 * c, values + 3 * (size_t)vertices[c], 3 * sizeof *out);
}

#endif
