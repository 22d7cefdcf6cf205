/// Which owners (model/contact.h) may meet: those that see each other and whose boxes of the whole motion meet, found by one tree over all of them. It
/// is refitted for every motion, and sorted anew when walks through it have become long, so that what it finds costs in
/// proportion to the owners and their pairs. What is found does not depend on how it is sorted.
#ifndef DEVICE_CPU_CONTACT_OWNER_PAIRS_H
#define DEVICE_CPU_CONTACT_OWNER_PAIRS_H

#include "device/cpu/contact/bounding_tree.h"
#include "model/contact.h"

typedef struct OwnerPairs {
    const ModelContact *contact;
    BoundingTree tree; ///< over owners; its order is `order`
    int32_t *order;
    double *centers;     ///< room for the centres of the owners' boxes
    bool is_sorted;      ///< along boxes that are not too old
    double steps_sorted; ///< of a walk, a found pair, right after sorting; 0: not measured yet
} OwnerPairs;

VelaResult owner_pairs_create(const ModelContact *contact, Arena *arena, OwnerPairs *pairs);
size_t owner_pairs_memory(const ModelContact *contact);
/// Takes the owners' boxes over.
VelaResult owner_pairs_refit(VelaContext *context, const SweptBox *boxes, OwnerPairs *pairs);
/// Writes the owners after `owner` that it may meet, ascending, behind the first *count of `partners`, which has *capacity
/// elements and grows in `arena`. Returns how many boxes were looked at. Safe to call from several threads.
VelaResult owner_pairs_find(const OwnerPairs *pairs, const SweptBox *boxes, int32_t owner, Arena *arena,
                            int32_t **partners, size_t *count, size_t *capacity, int64_t *steps);
/// Says what all walks together took, and what they found.
void owner_pairs_note(OwnerPairs *pairs, int64_t steps, int64_t found);

#endif
