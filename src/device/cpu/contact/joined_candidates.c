#include "device/cpu/contact/joined_candidates.h"

#include "device/cpu/contact/shared_features.h"

#include <string.h>

/// A piece of the list is joined at once: pairs of two bodies are next to each other there. PLACES: a power of two.
enum { CANDIDATES_PER_PIECE = 4096, PLACES = 2 * CANDIDATES_PER_PIECE };

/// The vertices of lasting features, as Feature has them.
typedef struct Lasting {
    int32_t vertices[3];
} Lasting;

/// Where in a piece lasting features were met first, by their vertices.
typedef struct Places {
    uint16_t taken[PLACES]; ///< 1 + which of what the piece has so far; 0: none
    Lasting features[CANDIDATES_PER_PIECE];
} Places;

static Lasting lasting_of(const Candidate *candidate)
{
    Lasting lasting;
    const int first = candidate->lasting & ((1 << candidate_pair(candidate)) - 1);
    feature_vertices(candidate->vertices, first, candidate->lasting & ~first, lasting.vertices);
    return lasting;
}

static uint32_t place_of(const Lasting *lasting)
{
    const uint32_t mixed = (uint32_t)lasting->vertices[0] * 0x9E3779B1U ^
                           (uint32_t)lasting->vertices[1] * 0x85EBCA77U ^
                           (uint32_t)lasting->vertices[2] * 0xC2B2AE3DU;
    return (mixed ^ mixed >> 15) * 0x2C1B3C6DU >> 19;
}

static bool is_same(const Lasting *a, const Lasting *b)
{
    return a->vertices[0] == b->vertices[0] && a->vertices[1] == b->vertices[1] &&
           a->vertices[2] == b->vertices[2];
}

// Whether the two depend on their features in the same way.
static bool may_join(const Candidate *a, const Candidate *b)
{
    return a->barrier.range == b->barrier.range && a->barrier.separation == b->barrier.separation;
}

// Joins the candidates of a piece; returns how many there are.
static int32_t join_piece(const Candidate *items, int32_t count, Places *places, Candidate *found)
{
    int32_t kept = 0;
    memset(places->taken, 0, sizeof places->taken);
    for (int32_t i = 0; i < count; ++i) {
        const Candidate *candidate = &items[i];
        if (!candidate->shares) {
            found[kept++] = *candidate;
            continue;
        }
        const Lasting lasting = lasting_of(candidate);
        uint32_t place = place_of(&lasting);
        int32_t taken;
        while ((taken = places->taken[place]) > 0 &&
               !(is_same(&places->features[taken - 1], &lasting) && may_join(&found[taken - 1], candidate)))
            place = (place + 1) & (PLACES - 1);
        if (taken > 0) {
            found[taken - 1].barrier.stiffness += candidate->barrier.stiffness;
            found[taken - 1].pairs += candidate->pairs;
            continue;
        }
        places->features[kept] = lasting;
        found[kept++] = *candidate;
        places->taken[place] = (uint16_t)kept;
    }
    return kept;
}

VelaResult joined_candidates_set(Arena *growing, int threads, const Candidate *items, int32_t count,
                                 JoinedCandidates *joined)
{
    const int32_t pieces = (count + CANDIDATES_PER_PIECE - 1) / CANDIDATES_PER_PIECE;
    TRY(ARENA_GROW(growing, joined->found, &joined->found_capacity, (size_t)count));
    TRY(ARENA_GROW(growing, joined->piece_first, &joined->piece_capacity, (size_t)pieces + 1));
#pragma omp parallel num_threads(threads) if (pieces > 1)
    {
        Places places;
#pragma omp for schedule(dynamic)
        for (int32_t p = 0; p < pieces; ++p) {
            const int32_t first = p * CANDIDATES_PER_PIECE,
                          rest = count - first < CANDIDATES_PER_PIECE ? count - first : CANDIDATES_PER_PIECE;
            joined->piece_first[p + 1] = join_piece(items + first, rest, &places, joined->found + first);
        }
    }
    joined->piece_first[0] = 0;
    for (int32_t p = 0; p < pieces; ++p)
        joined->piece_first[p + 1] += joined->piece_first[p];
    joined->count = joined->piece_first[pieces];
    TRY(ARENA_GROW(growing, joined->items, &joined->capacity, (size_t)joined->count));
#pragma omp parallel for schedule(static) num_threads(threads) if (pieces > 1)
    for (int32_t p = 0; p < pieces; ++p)
        memcpy(joined->items + joined->piece_first[p],
               joined->found + (size_t)CANDIDATES_PER_PIECE * (size_t)p,
               (size_t)(joined->piece_first[p + 1] - joined->piece_first[p]) * sizeof *joined->items);
    return VELA_OK;
}

VelaResult joined_candidates_move(Arena *growing, JoinedCandidates *from, JoinedCandidates *joined)
{
    TRY(ARENA_GROW(growing, joined->items, &joined->capacity, (size_t)joined->count + (size_t)from->count));
    if (from->count > 0)
        memcpy(joined->items + joined->count, from->items, (size_t)from->count * sizeof *joined->items);
    joined->count += from->count;
    from->count = 0;
    return VELA_OK;
}
