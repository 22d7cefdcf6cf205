/// Candidates of a motion, of which those that have the same closest features all along it (geometry/lasting_features.h) are one: around a
/// vertex that comes near another every triangle and edge at either has a pair with its like on the other side, in a crowd of boxes three
/// of four. All that depends on them alone is the same with one that has the stiffness of all. What the first says of the motion counts for
/// all: if its primitives come closer by less than half its gap, so does every other with the same distance all along the way.
#ifndef DEVICE_CPU_CONTACT_JOINED_CANDIDATES_H
#define DEVICE_CPU_CONTACT_JOINED_CANDIDATES_H

#include "device/cpu/contact/candidate.h"
#include "device/cpu/contact/shared_features.h"

/// Room for joining candidates.
typedef struct JoiningRoom {
    FeatureTable table;
    Feature features[FEATURES_AT_ONCE]; ///< of those that are left
} JoiningRoom;

/// Joins `count` candidates of two owners, which follow one another as the list has them, where they are: returns how many are left, in the order
/// of the first of each. Depends on them alone.
int32_t candidates_join(Candidate *items, int32_t count, JoiningRoom *room);

#endif
