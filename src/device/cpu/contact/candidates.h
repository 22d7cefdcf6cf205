/// The pairs of vertices, edges, triangles, segments of cables and planes that may come closer than d-hat while the vertices of surfaces
/// (model/surface_map.h) move along straight lines: the broad phase of contact on the CPU path. Positions and motions here
/// and in what works with candidates are those of all vertices, vertex_count x 3, m.
///
/// Copies of bodies and obstacles are owners. Which of them may meet a tree over all owners tells (owner_pairs.h), which of
/// their primitives, trees over each (owner_trees.h). What the boxes let through makes a pool, of pairs within owners and of pairs
/// between them, that serves all motions within a reach (reach.h): many iterations, and steps where motions are small; where few owners
/// leave the reach only their pairs are found anew (pair_pool.h). Of a
/// pool's pairs each knows how much closer it has to come before it is looked at again. Where motions wear pools out in one sweep, as
/// in crowds of small bodies, none is made until they are small again. A candidate is what the boxes of the one
/// motion, and then distance and motion, let through: so the list is the same, bit by bit, whatever motion the pool was made
/// around. Its order is that of the owners and of the trees over each: first within owners, then between them, then planes. It
/// depends on the initial state and on the motion alone.
#ifndef DEVICE_CPU_CONTACT_CANDIDATES_H
#define DEVICE_CPU_CONTACT_CANDIDATES_H

#include "device/cpu/contact/candidate_spans.h"
#include "device/cpu/kernels.h"
#include "model/model.h"

typedef struct CandidateList CandidateList;

VelaResult candidate_list_create(VelaContext *context, const Model *model, const Kernels *kernels,
                                 int threads, CandidateList **list);
/// NULL is allowed.
void candidate_list_destroy(CandidateList *list);
/// Finds the candidates of the motion from x to x + p; p NULL: at x alone. They are complete for every point of the way.
VelaResult candidate_list_sweep(CandidateList *list, const double *x, const double *p);
/// From now on candidates of two small owners (owner_trees.h) that have the same closest features all along the motion are one (joined_candidates.h).
/// Between larger ones hardly any have.
void candidate_list_join(CandidateList *list);
/// Whether both owners of a candidate are small: then those of the same two follow one another in the list.
bool candidate_list_owners_are_small(const CandidateList *list, const Candidate *candidate);
/// From now on the list is to have only pairs of which a vertex is marked, a byte each; NULL: all. Where candidates are joined all vertices of a
/// small owner count as marked if one is.
void candidate_list_limit(CandidateList *list, const uint8_t *moving);
/// Makes it so without a search: others are set aside, or what was set aside comes back, behind those of the last limited sweep. These are all, for
/// the vertices of what was set aside have stood still. A sweep does the former itself. `changes`, if it is not NULL: whether it was not so.
VelaResult candidate_list_fit(CandidateList *list, bool *changes);
/// Makes the next sweep look for all pairs anew.
void candidate_list_forget(CandidateList *list);
/// How often pools were made so far: at most two for each sweep.
int32_t candidate_list_fills(const CandidateList *list);
/// How often so far pairs of a few owners alone were put anew.
int32_t candidate_list_renewals(const CandidateList *list);
/// Valid until the next sweep, or until the list is fitted or gathered.
CandidateSpans candidate_list_spans(const CandidateList *list);
/// Makes the list one span.
VelaResult candidate_list_gather(CandidateList *list);
/// Those that are set aside.
const Candidate *candidate_list_aside(const CandidateList *list, int32_t *count);
/// Planned bytes at the start; the lists grow as needed.
size_t candidate_list_memory(const Model *model);

#endif
