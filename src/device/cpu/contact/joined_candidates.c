#include "device/cpu/contact/joined_candidates.h"

#include "device/cpu/contact/shared_features.h"

#include <string.h>

static LastingFeature lasting_of(const Candidate *candidate)
{
    LastingFeature lasting;
    const int first = candidate->lasting & ((1 << candidate_pair(candidate)) - 1);
    feature_vertices(candidate->vertices, first, candidate->lasting & ~first, lasting.vertices);
    return lasting;
}

static uint32_t place_of(const LastingFeature *lasting)
{
    const uint32_t mixed = (uint32_t)lasting->vertices[0] * 0x9E3779B1U ^
                           (uint32_t)lasting->vertices[1] * 0x85EBCA77U ^
                           (uint32_t)lasting->vertices[2] * 0xC2B2AE3DU;
    return (mixed ^ mixed >> 15) * 0x2C1B3C6DU >> 16;
}

static bool is_same(const LastingFeature *a, const LastingFeature *b)
{
    return a->vertices[0] == b->vertices[0] && a->vertices[1] == b->vertices[1] &&
           a->vertices[2] == b->vertices[2];
}

// Whether the two depend on their features in the same way.
static bool may_join(const Candidate *a, const Candidate *b)
{
    return a->barrier.range == b->barrier.range && a->barrier.separation == b->barrier.separation;
}

// Joins no more than JOINED_AT_ONCE to `joined`, which may be where they are. Returns how many there are.
static int32_t join_some(const Candidate *items, int32_t count, JoiningRoom *room, Candidate *joined)
{
    uint32_t places = 16;
    while (places < 2 * (uint32_t)count)
        places *= 2;
    int32_t kept = 0;
    memset(room->taken, 0, places * sizeof *room->taken);
    for (int32_t i = 0; i < count; ++i) {
        const Candidate *candidate = &items[i];
        if (!candidate->shares) {
            joined[kept++] = *candidate;
            continue;
        }
        const LastingFeature lasting = lasting_of(candidate);
        uint32_t place = place_of(&lasting) & (places - 1);
        int32_t taken;
        while ((taken = room->taken[place]) > 0 &&
               !(is_same(&room->features[taken - 1], &lasting) && may_join(&joined[taken - 1], candidate)))
            place = (place + 1) & (places - 1);
        if (taken > 0) {
            joined[taken - 1].barrier.stiffness += candidate->barrier.stiffness;
            joined[taken - 1].pairs += candidate->pairs;
            continue;
        }
        room->features[kept] = lasting;
        joined[kept++] = *candidate;
        room->taken[place] = (uint16_t)kept;
    }
    return kept;
}

int32_t candidates_join(Candidate *items, int32_t count, JoiningRoom *room)
{
    int32_t kept = 0;
    for (int32_t first = 0; first < count; first += JOINED_AT_ONCE) {
        const int32_t rest = count - first;
        kept += join_some(items + first, rest < JOINED_AT_ONCE ? rest : JOINED_AT_ONCE, room, items + kept);
    }
    return kept;
}
