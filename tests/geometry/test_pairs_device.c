// Distances and collision detection of pairs in GLSL against exact arithmetic (exact_pair.h), degenerate pairs included, in
// single and in double precision: never beyond a hit, and no step of 0 where there is room.
// usage: test_pairs_device [queries of each kind, 4800]
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
#include "parity/formula_parity.h"

#include "shaders/pair_ccd.h"

#include <time.h>

enum { QUERY_STEP = 192 }; // as many of every kind of case, and whole workgroups

static FormulaParity parity;
static int query_count = 25 * QUERY_STEP;

typedef struct Query {
    PairKind kind;
    int index;
    double x[12], p[12]; ///< as the device has them: sums of two floats, floats
    double distance, separation, extent, motion, largest;
} Query;

/// What a precision can tell.
typedef struct Precision {
    bool float64;
    double unit;     ///< u
    double rounding; ///< CCD_ROUNDING of the kernels
    double place;    ///< CCD_PLACE_ROUNDING
    double exact;    ///< EXACT_CCD_ROUNDING
} Precision;

static const Precision precisions[2] = {{false, 0x1p-24, 0x1p-19, 0x1p-45, 0x1p-42},
                                        {true, 0x1p-53, CCD_ROUNDING, 0, CCD_ROUNDING}};
static const PairKind kinds[2] = {PAIR_POINT_TRIANGLE, PAIR_EDGE_EDGE};

static double rounded(const Precision *precision, double value)
{
    return precision->float64 ? value : (double)(float)value;
}

/// Writes the query's numbers for the device, and makes it what they say.
static Query next_query(RandomState *random, const Precision *precision, PairKind kind, int index, double *in)
{
    Query query = {.kind = kind, .index = index};
    pair_case(random, kind, index, query.x, query.p);
    double y[12], q[12];
    for (int i = 0; i < 12; ++i) {
        in[PAIR_CCD_X + i] = rounded(precision, query.x[i]);
        in[PAIR_CCD_LOW + i] = rounded(precision, query.x[i] - in[PAIR_CCD_X + i]);
        in[PAIR_CCD_P + i] = query.p[i] = rounded(precision, query.p[i]);
        query.x[i] = in[PAIR_CCD_X + i] + in[PAIR_CCD_LOW + i];
        query.largest = fmax(query.largest, fabs(in[PAIR_CCD_X + i]));
    }
    for (int i = 0; i < 12; ++i) {
        y[i] = query.x[i] - query.x[i % 3];
        q[i] = query.p[i] - query.p[i % 3];
    }
    query.extent = pair_extent(y);
    query.motion = pair_extent(q);
    query.distance = sqrt(closest_points(y, kind).distance_sq);
    // None, part of the distance, nearly all of it or more.
    const double fractions[8] = {0, 0, 0, 0, 0.5, 0.999, 0, 2};
    query.separation = rounded(precision, fractions[index / PAIR_CASE_COUNT % 8] * query.distance);
    in[PAIR_CCD_SEPARATION] = query.separation;
    in[PAIR_CCD_LARGEST] = query.largest;
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

// ---------------------------------------------------------------- distances

enum { DISTANCE_POWERS = 12 };

/// Smallest power of two times u (extent + place) by which the distance has to be changed for a proof.
static int distance_error(ExactPair *pair, const Query *query, const Precision *precision, const double *out,
                          bool above)
{
    const double unit = precision->unit * query->extent + precision->place * query->largest;
    const double distance = out[PAIR_CCD_DISTANCE];
    for (int power = 0; power < DISTANCE_POWERS; ++power) {
        const double error = ldexp(unit, power);
        if (above ? exact_within(pair, out + PAIR_CCD_WEIGHTS, distance + error)
                  : distance <= error || exact_apart(pair, 0, distance - error))
            return power;
    }
    fail_query(query, above ? "distance too small" : "distance too large", distance, query->distance);
    return 0;
}

// ---------------------------------------------------------------- collision detection

/// What was seen of one kind of case.
typedef struct Tally {
    int count, undecided, zeros, zeros_left, stops, compared;
    double loosest, sum; ///< of t / that of double precision
} Tally;

/// Proves that the pair keeps its distance up to t; `start` is what rounding may take of the gap at 0.
static void prove_safe(ExactPair *pair, const Query *query, double t, double start)
{
    const double gap = query->distance - query->separation;
    const double kept = 0.9 * CCD_SAFETY * fmax(0, gap - 2 * start);
    if (t > 0 && query->motion > 0 && !exact_apart_between(pair, 0, t, query->separation + kept, 200))
        fail_query(query, "not proved to be safe up to t", t, 0);
}

/// Proves that it did not stop at t < 1 without need: the pair is within `near` of its separation.
static void prove_near(ExactPair *pair, const Query *query, double t, double turns, double near)
{
    double z[12];
    for (int i = 0; i < 12; ++i)
        z[i] = pair->y[i] + t * pair->q[i];
    exact_pair_move(pair, t);
    const ClosestPoints closest = closest_points(z, query->kind);
    if (!exact_within(pair, closest.weights, (query->separation + near) * (1 + 0x1p-40))) {
        fprintf(stderr, "t = %.9g after %g turns\n", t, turns);
        fail_query(query, "stopped with room: gap at t", sqrt(closest.distance_sq) - query->separation, near);
    }
}

static void prove(ExactPair *pair, const Query *query, const Precision *precision, const double *out,
                  const double *exact, Tally *tally)
{
    const double gap = fmax(0, query->distance - query->separation);
    const bool undecided = out[PAIR_CCD_UNDECIDED] > 0;
    const double first = out[PAIR_CCD_T], t = undecided ? exact[PAIR_EXACT_CCD_T] : first;
    const double turns = undecided ? exact[PAIR_EXACT_CCD_TURNS] : out[PAIR_CCD_TURNS];
    if (!(first >= 0 && first <= 1 && t >= 0 && t <= 1))
        fail_query(query, "t out of range", t, 1);
    if (query->motion == 0 && t != 1)
        fail_query(query, "t without motion", t, 1);
    const double place = precision->place * query->largest;
    const double start = precision->rounding * query->extent + place,
                 end = start + t * precision->rounding * query->motion;
    const double exact_end = precision->exact * (query->extent + t * query->motion + query->separation);
    // t itself cannot be told closer than by two roundings.
    const double resolution = 4 * precision->unit * t * query->motion;
    prove_safe(pair, query, first, start);
    prove_safe(pair, query, exact[PAIR_EXACT_CCD_T], precision->exact * (query->extent + query->separation));
    if (t < 1 && turns < CCD_MAX_TURNS)
        prove_near(pair, query, t, turns,
                   undecided ? (t > 0 ? 1.5 * CCD_SAFETY * gap : 0) + 64 * exact_end + resolution
                             : 2 * CCD_SAFETY * gap + 4 * end);
    ++tally->count;
    tally->undecided += undecided;
    tally->zeros += first == 0;
    tally->zeros_left += t == 0;
    tally->stops += t < 1;
    int reference_turns;
    const double reference = ccd_pair(query->x, query->p, query->kind, query->separation, &reference_turns);
    if (reference > 0 && reference < 1) {
        tally->sum += t / reference;
        tally->loosest = tally->compared == 0 ? t / reference : fmin(tally->loosest, t / reference);
        ++tally->compared;
    }
}

static void print_tallies(const Tally *tallies)
{
    printf("%-20s %8s %9s %8s %8s %8s %10s %10s\n", "", "queries", "undecided", "at 0", "left 0", "stopped",
           "t/C mean", "t/C least");
    Tally all = {0};
    for (int k = 0; k < PAIR_CASE_COUNT; ++k) {
        const Tally *tally = &tallies[k];
        printf("%-20s %8d %9d %8d %8d %8d %10.4f %10.4f\n", pair_case_names[k], tally->count,
               tally->undecided, tally->zeros, tally->zeros_left, tally->stops,
               tally->compared > 0 ? tally->sum / tally->compared : NAN,
               tally->compared > 0 ? tally->loosest : NAN);
        all.count += tally->count;
        all.undecided += tally->undecided;
        all.zeros += tally->zeros;
        all.zeros_left += tally->zeros_left;
        all.stops += tally->stops;
    }
    printf("%-20s %8d %9d %8d %8d %8d\n", "all", all.count, all.undecided, all.zeros, all.zeros_left,
           all.stops);
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

START_TEST(pairs)
{
    const PairKind kind = kinds[_i % 2];
    const Precision *precision = &precisions[_i / 2];
    if (precision->float64 && !parity.device->float64) {
        printf("%s has no float64: not compared\n", parity.device->info.name);
        return;
    }
    const size_t count = (size_t)query_count;
    double *inputs = calloc(count * PAIR_CCD_INPUTS, sizeof *inputs);
    double *outputs = calloc(count * PAIR_CCD_OUTPUTS, sizeof *outputs);
    double *exact = calloc(count * PAIR_EXACT_CCD_OUTPUTS, sizeof *exact);
    Query *queries = calloc(count, sizeof *queries);
    ck_assert(inputs && outputs && exact && queries);
    RandomState random = {777 + (uint64_t)_i};
    for (int i = 0; i < query_count; ++i)
        queries[i] = next_query(&random, precision, kind, i, inputs + (size_t)i * PAIR_CCD_INPUTS);
    const double before = seconds();
    formula_parity_run(&parity, "pair_ccd", precision->float64, (uint32_t)kind, count, PAIR_CCD_INPUTS,
                       inputs, PAIR_CCD_OUTPUTS, outputs);
    const double between = seconds();
    formula_parity_run(&parity, "pair_exact_ccd", precision->float64, (uint32_t)kind, count, PAIR_CCD_INPUTS,
                       inputs, PAIR_EXACT_CCD_OUTPUTS, exact);
    printf("%s, %s: %d queries in %.1f s, with exact numbers in %.1f s\n", _i % 2 == 0 ? "PT" : "EE",
           precision->float64 ? "double" : "float", query_count, between - before, seconds() - between);

    int histogram[2][DISTANCE_POWERS] = {{0}};
    Tally tallies[PAIR_CASE_COUNT] = {{0}};
    ExactPair pair;
    exact_pair_start(&pair);
    for (int i = 0; i < query_count; ++i) {
        const double *out = outputs + (size_t)i * PAIR_CCD_OUTPUTS;
        exact_pair_set(&pair, kind, queries[i].x, queries[i].p);
        prove(&pair, &queries[i], precision, out, exact + (size_t)i * PAIR_EXACT_CCD_OUTPUTS,
              &tallies[i % PAIR_CASE_COUNT]);
        exact_pair_move(&pair, 0);
        for (int above = 0; above < 2; ++above)
            ++histogram[above][distance_error(&pair, &queries[i], precision, out, above)];
    }
    exact_pair_end(&pair);
    for (int above = 0; above < 2; ++above) {
        printf("distance too %s by at most 2^k roundings of the size:", above ? "small" : "large");
        for (int power = 0; power < DISTANCE_POWERS; ++power)
            printf(" %d", histogram[above][power]);
        printf("\n");
    }
    print_tallies(tallies);
    free(inputs), free(outputs), free(exact), free(queries);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        query_count = atoi(argv[1]);
    if (query_count < QUERY_STEP) {
        fprintf(stderr, "%s: found \"%s\" queries, expected at least %d\n", argv[0], argv[1], QUERY_STEP);
        return 2;
    }
    query_count -= query_count % QUERY_STEP;
    const int code = formula_parity_begin(&parity);
    if (code != 0)
        return code;
    Suite *suite = suite_create("pairs_device");
    TCase *cases = tcase_create("pairs_device");
    tcase_add_loop_test(cases, pairs, 0, 4);
    suite_add_tcase(suite, cases);
    const int result = test_run(suite), messages = formula_parity_end(&parity);
    return result || messages > 0;
}

#endif
