// Candidates with the same lasting features as one: against a search, over the borders of pieces.
#include "check_main.h"
#include "random_matrix.h"

#include "device/cpu/contact/joined_candidates.h"

#include <string.h>

enum { CANDIDATES = 9000, PIECE = FEATURES_AT_ONCE };

// Few vertices, so that many features are the same: of a vertex and a triangle a vertex, an edge, or nothing that lasts; of two edges a vertex
// of one and the other.
static Candidate random_candidate(RandomState *random)
{
    static const uint8_t of_triangle[4] = {0, 1 | 2, 1 | 8, 1 | 4 | 8},
                         of_edges[4] = {0, 2 | 4, 1 | 2 | 8, 2 | 4 | 8};
    Candidate candidate = {.pairs = 1};
    for (int c = 0; c < 4; ++c)
        candidate.vertices[c] = 4 * (int32_t)random_between(random, 0, 4) + c;
    candidate.kind = random_between(random, 0, 1) < 0.5 ? CANDIDATE_POINT_TRIANGLE : CANDIDATE_EDGE_EDGE;
    candidate.lasting =
        (candidate.kind == CANDIDATE_EDGE_EDGE ? of_edges : of_triangle)[(int)random_between(random, 0, 4)];
    candidate.shares =
        candidate.lasting != 0 && random_between(random, 0, 1) < 0.9; // else nearly parallel edges
    candidate.gap = random_between(random, 0, 1);
    candidate.barrier = (PairBarrier){.stiffness = random_between(random, 0, 1),
                                      .range = random_between(random, 0, 1) < 0.9 ? 1 : 2,
                                      .separation = random_between(random, 0, 1) < 0.9 ? 0 : 0.1};
    return candidate;
}

// Whether the sets of vertices on both sides are the same, whichever side is the first.
static bool same_features(const Candidate *a, const Candidate *b)
{
    int32_t sides[2][2][4];
    const Candidate *const both[2] = {a, b};
    memset(sides, -1, sizeof sides);
    for (int i = 0; i < 2; ++i)
        for (int c = 0, counts[2] = {0}; c < 4; ++c) {
            const int side = c < (int)candidate_pair(both[i]) ? 0 : 1;
            if ((both[i]->lasting >> c & 1) != 0)
                sides[i][side][counts[side]++] = both[i]->vertices[c];
        }
    for (int turned = 0; turned < 2; ++turned) {
        bool same = true;
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < 4; ++k) {
                bool found[2] = {false, false};
                for (int j = 0; j < 4; ++j) {
                    found[0] |= sides[0][side][k] == sides[1][side ^ turned][j];
                    found[1] |= sides[1][side ^ turned][k] == sides[0][side][j];
                }
                same = same && found[0] && found[1];
            }
        if (same)
            return true;
    }
    return false;
}

static bool joins(const Candidate *a, const Candidate *b)
{
    return a->shares && b->shares && a->barrier.range == b->barrier.range &&
           a->barrier.separation == b->barrier.separation && same_features(a, b);
}

// Of every candidate that stands for others, or for itself alone, what it is then; returns how many.
static int32_t search(const Candidate *items, int32_t count, Candidate *expected)
{
    int32_t found = 0, piece = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (i % PIECE == 0)
            piece = found;
        int32_t at = piece;
        while (at < found && !joins(&expected[at], &items[i]))
            ++at;
        if (at == found)
            expected[found++] = items[i];
        else {
            expected[at].barrier.stiffness += items[i].barrier.stiffness;
            ++expected[at].pairs;
        }
    }
    return found;
}

static void assert_same(const Candidate *a, const Candidate *b)
{
    ck_assert_int_eq(memcmp(a->vertices, b->vertices, sizeof a->vertices), 0);
    ck_assert(a->kind == b->kind && a->lasting == b->lasting && a->pairs == b->pairs && a->gap == b->gap);
    ck_assert(a->barrier.stiffness == b->barrier.stiffness && a->barrier.range == b->barrier.range &&
              a->barrier.separation == b->barrier.separation);
}

START_TEST(as_a_search_finds_them)
{
    static Candidate items[CANDIDATES], expected[CANDIDATES], joined[CANDIDATES];
    static JoiningRoom room;
    RandomState random = {31};
    static const int32_t counts[] = {0, 1, 7, 700, PIECE, PIECE + 1, CANDIDATES};
    for (int32_t i = 0; i < CANDIDATES; ++i)
        items[i] = random_candidate(&random);
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); ++i) {
        const int32_t found = search(items, counts[i], expected);
        memcpy(joined, items, sizeof items);
        ck_assert_int_eq(candidates_join(joined, counts[i], &room), found);
        for (int32_t k = 0; k < found; ++k)
            assert_same(&joined[k], &expected[k]);
    }
    ck_assert_int_lt(search(items, CANDIDATES, expected),
                     CANDIDATES / 2); // many are joined, and many are not
    ck_assert_int_gt(search(items, CANDIDATES, expected), CANDIDATES / 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joined candidates");
    TCase *cases = tcase_create("joined candidates");
    tcase_add_test(cases, as_a_search_finds_them);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
