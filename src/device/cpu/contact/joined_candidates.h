/// Candidates of a motion, of which those that have the same closest features all along it (geometry/lasting_features.h) are one: around a
/// vertex that comes near another every triangle and edge at either has a pair with its like on the other side, in a crowd of boxes three
/// of four. All that depends on them alone is the same with one that has the stiffness of all. What the first says of the motion counts for
/// all: if its primitives come closer by less than half its gap, so does every other with the same distance all along the way.
#ifndef DEVICE_CPU_CONTACT_JOINED_CANDIDATES_H
#define DEVICE_CPU_CONTACT_JOINED_CANDIDATES_H

#include "base/arena.h"
#include "device/cpu/contact/candidate.h"

typedef struct JoinedCandidates {
    Candidate *items; ///< in the order of the first of each
    int32_t count;
    Candidate *found;     ///< while they are joined: those of every piece of the list, where it begins
    int32_t *piece_first; ///< how many are there, and then where they go
    size_t capacity, found_capacity, piece_capacity;
} JoinedCandidates;

/// Joins `count` candidates, which overlap nothing here, in their order. Depends on them alone, and not on the number of threads. Few are
/// joined with others far off in the list: those that are not are what they were.
VelaResult joined_candidates_set(Arena *growing, int threads, const Candidate *items, int32_t count,
                                 JoinedCandidates *joined);
/// Those of `from` go behind those of `joined`.
VelaResult joined_candidates_move(Arena *growing, JoinedCandidates *from, JoinedCandidates *joined);

#endif
