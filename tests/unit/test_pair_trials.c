#define _POSIX_C_SOURCE 200809L // setenv
// Trials of contact, eight pairs at a time: energies and slopes are those of one pair, whatever features are closest, and the same bits
// whatever the instruction set.
#include "check_main.h"
#include "instruction_set.h"
#include "random_matrix.h"

#include "physics/contact/pair_barrier.h"

#include <string.h>

/// One pair and its motion, at x + step d.
typedef struct Trial {
    PairKind kind;
    PairBarrier barrier;
    double x[12], d[12];
    int active; ///< of features that last; 0: none are known to
} Trial;

static void trial_set(const Trial *trial, int lane, PairTrials *pairs)
{
    const PairBarrier *barrier = &trial->barrier;
    for (int i = 0; i < 12; ++i) {
        pairs->x[i][lane] = trial->x[i];
        pairs->d[i][lane] = trial->d[i];
    }
    pairs->stiffness[lane] = barrier->stiffness;
    pairs->range[lane] = barrier->range;
    pairs->separation[lane] = barrier->separation;
    pairs->parallel_threshold[lane] = barrier->parallel_threshold;
    pairs->gap[lane] = sqrt(closest_points(trial->x, trial->kind).distance_sq) - barrier->separation;
    pairs->active[lane] = trial->active;
}

// A pair that the barrier mostly acts on at the start of its motion; of some the second edge is nearly parallel to the first.
static void trial_make(RandomState *random, PairKind kind, Trial *trial)
{
    const double size = pow(10, random_between(random, -3, 1)),
                 way = pow(10, random_between(random, -3, -0.5));
    double *x = trial->x;
    for (int i = 0; i < 12; ++i)
        x[i] = size * random_between(random, -1, 1);
    for (int k = 0; k < 3 && random_between(random, 0, 1) < 0.5; ++k) // turned round at times
        x[9 + k] = x[6 + k] + (x[3 + k] - x[k]) + 0.03 * size * random_between(random, -1, 1);
    if (kind == PAIR_POINT_TRIANGLE && random_between(random, 0, 1) < 0.5) // above the inside
        for (int k = 0; k < 3; ++k)
            x[k] = (x[3 + k] + x[6 + k] + x[9 + k]) / 3 + 0.2 * size * random_between(random, -1, 1);
    for (int i = 0; i < 12; ++i)
        trial->d[i] = way * size * random_between(random, -1, 1);
    const double distance = sqrt(closest_points(x, kind).distance_sq);
    double u[3], v[3];
    subtract3(x + 3, x, u);
    subtract3(x + 9, x + 6, v);
    trial->kind = kind;
    trial->active = 0;
    trial->barrier = (PairBarrier){
        .stiffness = random_between(random, 0.1, 10),
        .range = distance * random_between(random, 0.7, 3),
        .separation = distance * random_between(random, 0, 0.98),
        .parallel_threshold = kind == PAIR_EDGE_EDGE ? mollifier_threshold(dot3(u, u), dot3(v, v)) : 0};
}

// Keeps trials of which features last; fewer than eight stand for others.
static int keep_lasting(Trial trials[LANE_COUNT], PairKind kind)
{
    MovingPairs moving;
    MovingPairsTold told;
    int kept = 0;
    for (int l = 0; l < LANE_COUNT; ++l) {
        for (int c = 0; c < 4; ++c)
            moving_pairs_set(trials[l].x + 3 * c, trials[l].d + 3 * c, c, l, &moving);
        moving.reach[l] = INFINITY;
    }
    kernels_choose()->tell_pairs(&moving, kind, true, &told);
    for (int l = 0; l < LANE_COUNT; ++l)
        if (told.last[l] != 0) {
            trials[kept] = trials[l];
            trials[kept++].active = (int)told.active[l];
        }
    for (int l = kept; l < LANE_COUNT && kept > 0; ++l)
        trials[l] = trials[l - kept];
    return kept;
}

// The energy, its derivative along the motion, and what rounding of that may be.
static double energy_of(const Trial *trial, double step, double *slope, double *rounding)
{
    double y[12], gradient[12];
    *slope = *rounding = 0;
    for (int i = 0; i < 12; ++i)
        y[i] = trial->x[i] + step * trial->d[i];
    const double energy = pair_barrier_energy(&trial->barrier, y, trial->kind);
    if (isfinite(energy) && pair_barrier_gradient(&trial->barrier, y, trial->kind, gradient))
        for (int i = 0; i < 12; ++i) {
            *slope += gradient[i] * trial->d[i];
            *rounding += 1e-10 * fabs(gradient[i] * trial->d[i]);
        }
    return energy;
}

/// What was seen of the cases.
typedef struct Seen {
    int known, all, acting, gone, parallel, features[16];
} Seen;

static void check_trials(const Trial trials[LANE_COUNT], double step, bool lasting, Seen *seen)
{
    static const char *const instructions[3] = {"baseline", "avx2", NULL};
    PairTrials pairs;
    PairTrialsTold told[3];
    for (int l = 0; l < LANE_COUNT; ++l)
        trial_set(&trials[l], l, &pairs);
    memset(told, 0, sizeof told);
    for (int k = 0; k < 3; ++k)
        kernels_of(instructions[k])->try_pairs(&pairs, trials->kind, lasting, step, &told[k]);
    ck_assert_mem_eq(told[1].is_known, told[0].is_known, sizeof told->is_known);
    ck_assert_mem_eq(told[2].is_known, told[0].is_known, sizeof told->is_known);
    for (int l = 0; l < LANE_COUNT; ++l) {
        const Trial *trial = &trials[l];
        double slope, rounding, unused[2];
        const double energy = energy_of(trial, step, &slope, &rounding),
                     before = energy_of(trial, 0, &unused[0], &unused[1]);
        ++seen->all;
        if (told->is_known[l] == 0)
            continue;
        for (int k = 1; k < 3; ++k)
            ck_assert(told[k].before[l] == told->before[l] && told[k].after[l] == told->after[l] &&
                      told[k].slope[l] == told->slope[l]);
        ck_assert_msg(fabs(told->before[l] - before) <= 1e-11 * before, "%.17g, expected %.17g",
                      told->before[l], before);
        ck_assert_msg(fabs(told->after[l] - energy) <= 1e-11 * energy || told->after[l] == energy,
                      "%.17g, expected %.17g", told->after[l], energy);
        ck_assert_msg(fabs(told->slope[l] - slope) <= rounding, "%.17g, expected %.17g +- %g", told->slope[l],
                      slope, rounding);
        ++seen->known;
        seen->acting += energy > 0;
        seen->gone += energy == INFINITY;
        double y[12];
        for (int i = 0; i < 12; ++i)
            y[i] = trial->x[i] + step * trial->d[i];
        seen->parallel += energy > 0 && pair_is_parallel(&trial->barrier, y);
        ++seen->features[closest_points(y, trial->kind).active];
    }
}

START_TEST(as_one_pair)
{
    RandomState random = {19};
    for (PairKind kind = PAIR_POINT_TRIANGLE; kind <= PAIR_EDGE_EDGE; ++kind)
        for (int lasting = 0; lasting < 2; ++lasting) {
            Seen seen = {0};
            for (int i = 0; i < 3000; ++i) {
                Trial trials[LANE_COUNT];
                for (int l = 0; l < LANE_COUNT; ++l)
                    trial_make(&random, kind, &trials[l]);
                if (lasting == 0 || keep_lasting(trials, kind) > 0)
                    check_trials(trials, random_between(&random, 0, 1), lasting != 0, &seen);
            }
            printf("%d of %d known, %d acting, %d gone, %d nearly parallel\n", seen.known, seen.all,
                   seen.acting, seen.gone, seen.parallel);
            ck_assert_int_gt(seen.acting, seen.known / 2);
            ck_assert_int_gt(seen.gone, 10);
            ck_assert(lasting == 0 || seen.known == seen.all);
            ck_assert_int_gt(seen.known, 0.8 * seen.all);
            ck_assert((kind == PAIR_EDGE_EDGE) == (seen.parallel > 100));
            for (int active = 1; active < 16; ++active) {
                const bool is_inside = active == PAIR_ALL_VERTICES,
                           meets = kind == PAIR_EDGE_EDGE ? (active & 3) != 0 && (active & 12) != 0
                                                          : (active & 1) != 0 && active != 1;
                ck_assert_msg((seen.features[active] > 20) == (meets && !(is_inside && lasting != 0)),
                              "%d: %d", active, seen.features[active]);
            }
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pair trials");
    TCase *cases = tcase_create("pair trials");
    tcase_add_test(cases, as_one_pair);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
