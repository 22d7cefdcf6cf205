// Distances and collision detection of pairs against exact arithmetic (exact_pair.h), degenerate pairs included.
// usage: test_pairs_exact [queries of each kind, 120000]
#include "check_main.h"

#ifndef VELA_HAVE_GMP

int main(void)
{
    fprintf(stderr,
            "skipped: vela was built without GMP (libgmp-dev), which this test proves its results with\n");
    return 77;
}

#else

#include "exact_pair.h"
#include "pair_cases.h"

#include "geometry/ccd.h"

static int query_count = 120000;

typedef struct Query {
    PairKind kind;
    int index;
    double x[12], p[12];
    double distance;   ///< at the start, as computed
    double separation; ///< that the collision detection keeps
    double extent, motion;
} Query;

static const PairKind kinds[2] = {PAIR_POINT_TRIANGLE, PAIR_EDGE_EDGE};

static Query next_query(RandomState *random, PairKind kind, int index)
{
    Query query = {.kind = kind, .index = index};
    pair_case(random, kind, index, query.x, query.p);
    double y[12], q[12];
    for (int i = 0; i < 12; ++i) {
        y[i] = query.x[i] - query.x[i % 3];
        q[i] = query.p[i] - query.p[i % 3];
    }
    query.extent = pair_extent(y);
    query.motion = pair_extent(q);
    query.distance = sqrt(closest_points(y, kind).distance_sq);
    // None, part of the distance, nearly all of it or more.
    const double fractions[8] = {0, 0, 0, 0, 0.5, 0.999, 0, 2};
    query.separation = fractions[index / PAIR_CASE_COUNT % 8] * query.distance;
    return query;
}

/// Fails with everything that is needed to look at the query again.
static void fail_query(const Query *query, const char *what, double found, double expected)
{
    fprintf(stderr, "%s: found %.17g, expected %.17g\n%s %d, %s; separation %a, distance %.17g\n", what,
            found, expected, query->kind == PAIR_EDGE_EDGE ? "edges" : "point and triangle", query->index,
            pair_case_names[query->index % PAIR_CASE_COUNT], query->separation, query->distance);
    for (int vertex = 0; vertex < 4; ++vertex)
        fprintf(stderr, "  x%d %a %a %a  p%d %a %a %a\n", vertex, query->x[3 * vertex],
                query->x[3 * vertex + 1], query->x[3 * vertex + 2], vertex, query->p[3 * vertex],
                query->p[3 * vertex + 1], query->p[3 * vertex + 2]);
    ck_abort_msg("%s", what);
}

// ---------------------------------------------------------------- the proofs themselves

// A point falls on a triangle, and an edge on another, and hits at t = 1/2: proofs exist up to there and not beyond.
START_TEST(proofs_end_at_the_hit)
{
    static const double x[2][12] = {{0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0},
                                    {0.5, -1, 1, 0.5, 1, 1, 0, 0, 0, 1, 0, 0}};
    double p[12] = {0};
    ExactPair pair;
    exact_pair_start(&pair);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < (int)kinds[k]; ++i)
            p[3 * i + 2] = -2;
        exact_pair_set(&pair, kinds[k], x[k], p);
        const double before = nextafter(0.5, 0), after = nextafter(0.5, 1);
        ck_assert(exact_apart_between(&pair, 0, before, 0, 60));
        ck_assert(!exact_apart_between(&pair, 0, 0.5, 0, 60));
        ck_assert(!exact_apart_between(&pair, 0, after, 0, 60));
        ck_assert(!exact_apart_between(&pair, 0, 1, 0, 60));
        // The gap at t is 1 - 2 t.
        ck_assert(exact_apart_between(&pair, 0, 0.25, nextafter(0.5, 0) * (1 - 0x1p-39), 60));
        ck_assert(!exact_apart_between(&pair, 0, 0.25, 0.5, 60));
        double z[12];
        for (int i = 0; i < 12; ++i)
            z[i] = x[k][i] + 0.25 * p[i];
        const ClosestPoints closest = closest_points(z, kinds[k]);
        exact_pair_move(&pair, 0.25);
        ck_assert(exact_within(&pair, closest.weights, 0.5));
        ck_assert(!exact_within(&pair, closest.weights, nextafter(0.5, 0)));
    }
    exact_pair_end(&pair);
}
END_TEST

// ---------------------------------------------------------------- distances

/// Smallest power of two times 2^-53 `extent` by which the distance has to be changed for a proof.
static int distance_error(ExactPair *pair, const Query *query, const ClosestPoints *closest, bool above)
{
    const double unit = 0x1p-53 * query->extent;
    for (int power = 0; power < 12; ++power) {
        const double error = ldexp(unit, power);
        if (above ? exact_within(pair, closest->weights, query->distance + error)
                  : query->distance <= error || exact_apart(pair, 0, query->distance - error))
            return power;
    }
    fail_query(query, "distance error in 2^-53 of the size", INFINITY, 2048);
    return 0;
}

START_TEST(distances)
{
    const PairKind kind = kinds[_i];
    RandomState random = {4242 + (uint64_t)_i};
    int histogram[2][12] = {{0}};
    ExactPair pair;
    exact_pair_start(&pair);
    for (int index = 0; index < query_count; ++index) {
        const Query query = next_query(&random, kind, index);
        const ClosestPoints closest = closest_points(query.x, kind);
        exact_pair_set(&pair, kind, query.x, query.p);
        exact_pair_move(&pair, 0);
        for (int above = 0; above < 2; ++above)
            ++histogram[above][distance_error(&pair, &query, &closest, above)];
    }
    exact_pair_end(&pair);
    for (int above = 0; above < 2; ++above) {
        printf("%s, distance too %s by at most 2^k units in 2^-53 of the size:", _i == 0 ? "PT" : "EE",
               above ? "small" : "large");
        for (int power = 0; power < 12; ++power)
            printf(" %d", histogram[above][power]);
        printf("\n");
    }
}
END_TEST

// ---------------------------------------------------------------- collision detection

/// What was seen of one kind of case.
typedef struct Tally {
    int count, hits, stops, zeros, given_up;
    double loosest, sum; ///< of t / first hit
} Tally;

/// Where the pair comes within `near` of the separation first, by starting again from every stop; 2 if it does not.
/// Only to tell how tight the results are.
static double first_hit(const Query *query, double near)
{
    double t = 0, z[12], rest[12];
    for (int restart = 0; restart < 60 && t < 1; ++restart) {
        for (int i = 0; i < 12; ++i) {
            z[i] = query->x[i] + t * query->p[i];
            rest[i] = (1 - t) * query->p[i];
        }
        if (sqrt(closest_points(z, query->kind).distance_sq) - query->separation <= near)
            return t;
        int turns;
        const double step = ccd_pair(z, rest, query->kind, query->separation, &turns);
        if (step == 0)
            return t;
        t = step == 1 ? 2 : t + step * (1 - t);
    }
    return t;
}

/// Proves what ccd_pair promises about t, and that it did not stop without need.
static void prove(ExactPair *pair, const Query *query, double t, bool gave_up)
{
    const double start_rounding = CCD_ROUNDING * query->extent;
    const double end_rounding = start_rounding + t * CCD_ROUNDING * query->motion;
    const double gap = query->distance - query->separation;
    exact_pair_set(pair, query->kind, query->x, query->p);
    if (query->motion == 0) {
        if (t != 1)
            fail_query(query, "t without motion", t, 1);
        return;
    }
    if (t > 0) {
        const double kept = 0.9 * CCD_SAFETY * fmax(0, gap - 2 * start_rounding);
        if (!exact_apart_between(pair, 0, t, query->separation + kept, 200))
            fail_query(query, "not proved to be safe up to t", t, 0);
    }
    if (t < 1 && !gave_up) {
        double z[12];
        for (int i = 0; i < 12; ++i)
            z[i] = pair->y[i] + t * pair->q[i];
        // The lower bound that it steps by may fall short of the distance by 2^-42 of the size where two types tie.
        const double near = fmax(0, t > 0 ? 1.5 * CCD_SAFETY * gap : 0) + 64 * end_rounding;
        exact_pair_move(pair, t);
        const ClosestPoints closest = closest_points(z, query->kind);
        if (!exact_within(pair, closest.weights, (query->separation + near) * (1 + 0x1p-40)))
            fail_query(query, "stopped with room: gap at t", sqrt(closest.distance_sq) - query->separation,
                       near);
    }
}

/// Place of a query's turns when those of one kind of case stand together.
static int turns_place(int index)
{
    return index % PAIR_CASE_COUNT * (query_count / PAIR_CASE_COUNT) + index / PAIR_CASE_COUNT;
}

static int compare_int(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/// Sorts and prints them.
static void print_turns(int *turns, int count)
{
    qsort(turns, (size_t)count, sizeof *turns, compare_int);
    printf(" %6d %6d %6d\n", turns[count / 2], turns[count / 100 * 99], turns[count - 1]);
}

START_TEST(collisions)
{
    const PairKind kind = kinds[_i];
    RandomState random = {777 + (uint64_t)_i};
    Tally tallies[PAIR_CASE_COUNT] = {{0}};
    int *all_turns = calloc((size_t)query_count, sizeof *all_turns);
    ck_assert_ptr_nonnull(all_turns);
    ExactPair pair;
    exact_pair_start(&pair);
    for (int index = 0; index < query_count; ++index) {
        const Query query = next_query(&random, kind, index);
        int turns;
        const double t = ccd_pair(query.x, query.p, kind, query.separation, &turns);
        if (!(t >= 0 && t <= 1))
            fail_query(&query, "t out of range", t, 1);
        prove(&pair, &query, t, turns == CCD_MAX_TURNS);

        Tally *tally = &tallies[index % PAIR_CASE_COUNT];
        ++tally->count;
        tally->stops += t < 1;
        tally->zeros += t == 0;
        tally->given_up += turns == CCD_MAX_TURNS;
        all_turns[turns_place(index)] = turns;
        const bool look = t > 0 && t < 1 && turns < CCD_MAX_TURNS && index / PAIR_CASE_COUNT % 4 == 0;
        const double hit = look ? first_hit(&query, 1e-9 * (query.distance - query.separation)) : 2;
        if (hit <= 1) {
            const double ratio = t / hit;
            tally->loosest = tally->hits == 0 ? ratio : fmin(tally->loosest, ratio);
            tally->sum += ratio;
            ++tally->hits;
        }
    }
    exact_pair_end(&pair);
    printf("%s: %d queries\n%-20s %8s %8s %8s %8s %8s %10s %10s   turns: median, 99 %%, most\n",
           _i == 0 ? "PT" : "EE", query_count, "", "queries", "stopped", "at 0", "given up", "hits",
           "t/hit mean", "t/hit min");
    for (int k = 0; k < PAIR_CASE_COUNT; ++k) {
        const Tally *tally = &tallies[k];
        int *turns = all_turns + turns_place(k);
        printf("%-20s %8d %8d %8d %8d %8d %10.4f %10.4f", pair_case_names[k], tally->count, tally->stops,
               tally->zeros, tally->given_up, tally->hits, tally->hits > 0 ? tally->sum / tally->hits : NAN,
               tally->hits > 0 ? tally->loosest : NAN);
        print_turns(turns, tally->count);
    }
    printf("all");
    print_turns(all_turns, query_count);
    free(all_turns);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        query_count = atoi(argv[1]);
    if (query_count < PAIR_CASE_COUNT) {
        fprintf(stderr, "%s: found \"%s\" queries, expected at least %d\n", argv[0], argv[1],
                PAIR_CASE_COUNT);
        return 2;
    }
    query_count -= query_count % PAIR_CASE_COUNT; // as many of every kind of case
    Suite *suite = suite_create("pairs_exact");
    TCase *cases = tcase_create("pairs_exact");
    tcase_add_test(cases, proofs_end_at_the_hit);
    tcase_add_loop_test(cases, distances, 0, 2);
    tcase_add_loop_test(cases, collisions, 0, 2);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}

#endif
