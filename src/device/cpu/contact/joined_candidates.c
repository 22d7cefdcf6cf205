#include "device/cpu/contact/joined_candidates.h"

// What is the same of candidates that are joined.
static Feature lasting_feature(const Candidate *candidate)
{
    Feature feature = {.range = candidate->barrier.range, .separation = candidate->barrier.separation};
    const int first = candidate->lasting & ((1 << candidate_pair(candidate)) - 1);
    feature_vertices(candidate->vertices, first, candidate->lasting & ~first, feature.vertices);
    return feature;
}

// Joins no more than FEATURES_AT_ONCE to `joined`, which may be where they are. Returns how many there are.
static int32_t join_some(const Candidate *items, int32_t count, JoiningRoom *room, Candidate *joined)
{
    int32_t kept = 0;
    feature_table_clear(&room->table, count);
    for (int32_t i = 0; i < count; ++i) {
        const Candidate candidate = items[i];
        if (candidate.shares) {
            const Feature feature = lasting_feature(&candidate);
            const int32_t same = feature_table_find(&room->table, room->features, &feature, kept);
            if (same < kept) {
                joined[same].barrier.stiffness += candidate.barrier.stiffness;
                joined[same].pairs += candidate.pairs;
                continue;
            }
            room->features[kept] = feature;
        }
        joined[kept++] = candidate;
    }
    return kept;
}

int32_t candidates_join(Candidate *items, int32_t count, JoiningRoom *room)
{
    int32_t kept = 0;
    for (int32_t first = 0; first < count; first += FEATURES_AT_ONCE) {
        const int32_t rest = count - first;
        kept +=
            join_some(items + first, rest < FEATURES_AT_ONCE ? rest : FEATURES_AT_ONCE, room, items + kept);
    }
    return kept;
}
