/// The pairs of vertices, edges, triangles and planes that may come closer than d-hat while the vertices of surfaces
/// (model/surface_map.h) move along straight lines: the broad phase of contact on the CPU path. Positions and motions here
/// and in what works with candidates are those of all vertices, vertex_count x 3, m.
///
/// Copies of bodies and obstacles are owners, each with a tree over its triangles, edges and vertices. Boxes are those of
/// the whole motion, inflated; within one owner they are those of the motion relative to the owner's mean, so that a body in
/// free flight does not sweep over itself. What the boxes let through is kept if distance and motion allow a contact.
///
/// Trees are sorted once, along the initial state: neighbours on a surface stay neighbours however it deforms, so refitting
/// the boxes is enough. The order of the list depends on that and on the motion alone.
#ifndef DEVICE_CPU_CONTACT_CANDIDATES_H
#define DEVICE_CPU_CONTACT_CANDIDATES_H

#include "device/cpu/contact/bounding_tree.h"
#include "model/model.h"
#include "physics/contact/pair_barrier.h"

/// The first two as PairKind.
typedef enum CandidateKind {
    CANDIDATE_POINT_TRIANGLE = PAIR_POINT_TRIANGLE,
    CANDIDATE_EDGE_EDGE = PAIR_EDGE_EDGE,
    CANDIDATE_POINT_PLANE
} CandidateKind;

typedef struct Candidate {
    int32_t vertices[4]; ///< of a plane: the vertex, the plane's point and tip, the vertex again
    int32_t owners[2];
    CandidateKind kind;
    double gap;          ///< distance less separation before the motion, m
    bool approaches;     ///< the motion may take a tenth of the gap or more: CCD has to look
    PairBarrier barrier; ///< range: d-hat, less where the rest shape is closer (theory.md section 8)
} Candidate;

typedef struct CandidateList CandidateList;

/// out = the values (3 a vertex) of four vertices.
static inline void gather_vertices(const int32_t vertices[4], const double *values, double out[12])
{
    for (int c = 0; c < 4; ++c)
        memcpy(out + 3 * c, values + 3 * (size_t)vertices[c], 3 * sizeof *out);
}

VelaResult candidate_list_create(VelaContext *context, const Model *model, int threads, CandidateList **list);
/// NULL is allowed.
void candidate_list_destroy(CandidateList *list);
/// Finds the candidates of the motion from x to x + p; p NULL: at x alone. They are complete for every point of the way.
VelaResult candidate_list_sweep(CandidateList *list, const double *x, const double *p);
/// Valid until the next sweep.
const Candidate *candidate_list_items(const CandidateList *list, int32_t *count);
/// Planned bytes at the start; the lists grow as needed.
size_t candidate_list_memory(const Model *model);

#endif
