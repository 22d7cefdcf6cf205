// Contact in GLSL against C, in both precisions: distances, the barrier of pairs and planes, friction; energies, derivatives,
// differences of energies.
//
// A number may differ by CHANGE_FACTOR times what changing all inputs by one eps (2^-23 or 2^-52) does to the C result, plus
// VALUE_FACTOR eps of the largest number of its kind. Positions are exact; it is their differences that are changed. Differences of
// energies may be off by 16 roundings of the magnitude that comes with them, which is what the line search takes for noise.
#include "formula_parity.h"
#include "known_pair.h"
#include "pair_matrix.h"

#include "../shaders/contact_parity.h"
#include "../shaders/pair_parity.h"

#include "geometry/tangent.h"
#include "physics/contact/friction.h"
#include "physics/contact/pair_barrier.h"
#include "physics/contact/plane_barrier.h"

#include <math.h>

enum { CASES = 3072, CHANGES = 6, CHANGE_FACTOR = 6, VALUE_FACTOR = 32, NOISE_ROUNDINGS = 16 };

static FormulaParity parity;

static double power_between(RandomState *random, double low, double high)
{
    return pow(10, random_between(random, low, high));
}

/// What the device has: a float, or the number itself.
static double rounded(bool float64, double value)
{
    return float64 ? value : (double)(float)value;
}

static double changed(RandomState *random, double value, double eps)
{
    return value * (1 + eps * (random_between(random, -1, 1) < 0 ? 1 : -1));
}

/// Writes the two parts of positions, and makes them their sum.
static void split(bool float64, int count, double *x, double *leading, double *low)
{
    for (int i = 0; i < count; ++i) {
        leading[i] = rounded(float64, x[i]);
        low[i] = rounded(float64, x[i] - leading[i]);
        x[i] = leading[i] + low[i];
    }
}

/// Where a number is checked: its place in the output, and the case.
typedef struct Place {
    const char *what;
    int number, index;
} Place;

/// The error in units of what is allowed.
static double check(Place place, double value, double expected, double tolerance)
{
    const double error = fabs(value - expected);
    ck_assert_msg(error <= tolerance, "%s, case %d, number %d: %.9g instead of %.9g, allowed %g", place.what,
                  place.index, place.number, value, expected, tolerance);
    return tolerance > 0 ? error / tolerance : 0;
}

// ---------------------------------------------------------------- pairs

typedef struct PairCase {
    PairKind kind;
    int active;
    double x[12], step[12];
    PairBarrier barrier;
} PairCase;

static double pair_inputs[CASES][PAIR_PARITY_INPUTS], pair_outputs[CASES][PAIR_PARITY_OUTPUTS];

/// All types of closest features in all shapes, up to 10 m away; edges mollified or not; small and large steps.
static PairCase make_pair_case(RandomState *random, bool float64, int i)
{
    const KnownPair known = known_pair(random, i % PAIR_TYPES, (Shape)(i / PAIR_TYPES % SHAPE_COUNT));
    PairCase pair = {.kind = known.kind, .active = known.active};
    const double size = power_between(random, -3, 0); // of the pair
    double shift[3];
    for (int k = 0; k < 3; ++k)
        shift[k] = random_between(random, -10, 10) - size * known.x[k];
    for (int k = 0; k < 12; ++k)
        pair.x[k] = size * known.x[k] + shift[k % 3];
    double *in = pair_inputs[i];
    split(float64, 12, pair.x, in + PAIR_PARITY_X, in + PAIR_PARITY_LOW);
    const double d = sqrt(closest_points(pair.x, pair.kind).distance_sq);
    const double gap = d * (i % 2 == 0 ? 1 : random_between(random, 0.1, 0.9));
    const double range =
        i % 7 == 0 ? gap * (1 + power_between(random, -3, -1)) : gap / random_between(random, 0.02, 0.98);
    pair.barrier = (PairBarrier){.stiffness = rounded(float64, power_between(random, -3, 3)),
                                 .range = rounded(float64, range),
                                 .separation = rounded(float64, d - gap)};
    if (pair.kind == PAIR_EDGE_EDGE && i / PAIR_TYPES / SHAPE_COUNT % 2 == 0)
        pair.barrier.parallel_threshold =
            rounded(float64, edges_cross_sq(pair.x) / random_between(random, 0.1, 0.9));
    const double reach = power_between(random, -7, -0.5) * d;
    for (int k = 0; k < 12; ++k)
        in[PAIR_PARITY_STEP + k] = pair.step[k] = rounded(float64, random_between(random, -reach, reach));
    in[PAIR_PARITY_STIFFNESS] = pair.barrier.stiffness;
    in[PAIR_PARITY_RANGE] = pair.barrier.range;
    in[PAIR_PARITY_SEPARATION] = pair.barrier.separation;
    in[PAIR_PARITY_THRESHOLD] = pair.barrier.parallel_threshold;
    in[PAIR_PARITY_KIND] = (double)pair.kind;
    return pair;
}

/// out += f f^T
static void add_outer(const double f[12], double out[144])
{
    for (int k = 0; k < 144; ++k)
        out[k] += f[k / 12] * f[k % 12];
}

/// What shaders/common/physics/contact/pair_barrier.glsl says of nearly parallel edges, written by matrices.
static void parallel_hessian(const PairBarrier *pair, const double x[12], const PairBarrierState *state,
                             double hessian[144])
{
    double g[12], h[12], u[3], v[3], axis[3], planes[2][3], f[12];
    distance_gradient(&state->closest, g);
    edges_cross_sq_gradient(x, h);
    const double m = edges_cross_sq(x) / pair->parallel_threshold, e = m * (2 - m), slope = 2 * (1 - m);
    double both[4] = {e * state->curvature * pair->range * pair->range, slope * state->slope * pair->range,
                      slope * state->slope * pair->range, -2 * state->energy};
    symmetric_project(2, both);
    for (int k = 0; k < 144; ++k) {
        const double rows[2] = {g[k / 12] / pair->range, h[k / 12] / pair->parallel_threshold};
        const double columns[2] = {g[k % 12] / pair->range, h[k % 12] / pair->parallel_threshold};
        hessian[k] = 0;
        for (int a = 0; a < 4; ++a)
            hessian[k] += rows[a / 2] * both[a] * columns[a % 2];
    }
    subtract3(x + 3, x, u);
    subtract3(x + 9, x + 6, v);
    memcpy(axis, dot3(u, u) > dot3(v, v) ? u : v, sizeof axis);
    tangent_basis(axis, planes);
    for (int k = 0; k < 2; ++k) {
        double by_u[3], by_v[3];
        cross3(v, planes[k], by_u);
        cross3(planes[k], u, by_v);
        for (int i = 0; i < 12; ++i)
            f[i] = sqrt(2 * state->energy * slope / pair->parallel_threshold) *
                   (i < 6 ? by_u[i % 3] : by_v[i % 3]) * (i / 3 % 2 == 0 ? -1 : 1);
        add_outer(f, hessian);
    }
}

/// The numbers that the device writes, up to PAIR_PARITY_COMPARED, in C.
static void pair_response(const PairCase *pair, double out[PAIR_PARITY_COMPARED])
{
    double weights[4], r[3], hessian[144];
    PairBarrierState state;
    const ClosestPoints closest = closest_points(pair->x, pair->kind);
    out[PAIR_PARITY_DISTANCE] = sqrt(closest.distance_sq);
    memcpy(out + PAIR_PARITY_WEIGHTS, closest.weights, sizeof closest.weights);
    distance_sq_gradient(&closest, out + PAIR_PARITY_D_GRADIENT);
    out[PAIR_PARITY_ENERGY] = pair_barrier_energy(&pair->barrier, pair->x, pair->kind);
    out[PAIR_PARITY_FORCE] = pair_barrier_force(&pair->barrier, pair->x, pair->kind, weights, r);
    const double threshold = pair->barrier.parallel_threshold;
    out[PAIR_PARITY_MOLLIFIER] = threshold > 0 ? mollifier(pair->x, threshold) : 1;
    memset(out + PAIR_PARITY_GRADIENT, 0, (12 + 144) * sizeof *out);
    memset(hessian, 0, sizeof hessian);
    if (barrier_matrix(&pair->barrier, pair->x, pair->kind, true, out + PAIR_PARITY_GRADIENT, hessian) &&
        pair_barrier_state(&pair->barrier, pair->x, pair->kind, &state) && state.nearly_parallel)
        parallel_hessian(&pair->barrier, pair->x, &state, hessian);
    for (int k = 0; k < 144; ++k) // rows of 12 to blocks
        out[PAIR_PARITY_HESSIAN + 9 * (4 * (k / 36) + k % 12 / 3) + 3 * (k / 12 % 3) + k % 3] = hessian[k];
}

/// Where numbers of a kind begin, and what they are.
static const struct {
    int first;
    const char *what;
} pair_numbers[] = {{PAIR_PARITY_DISTANCE, "distance"},
                    {PAIR_PARITY_WEIGHTS, "weights"},
                    {PAIR_PARITY_D_GRADIENT, "gradient of the squared distance"},
                    {PAIR_PARITY_ENERGY, "energy"},
                    {PAIR_PARITY_FORCE, "force"},
                    {PAIR_PARITY_MOLLIFIER, "mollifier"},
                    {PAIR_PARITY_GRADIENT, "gradient"},
                    {PAIR_PARITY_HESSIAN, "Hessian"},
                    {PAIR_PARITY_COMPARED, NULL}};
enum { PAIR_NUMBERS = sizeof pair_numbers / sizeof *pair_numbers - 1 };

static void check_pair_values(RandomState *random, const PairCase *pair, int i, double eps,
                              double worst[PAIR_NUMBERS])
{
    double expected[PAIR_PARITY_COMPARED], spread[PAIR_PARITY_COMPARED] = {0}, other[PAIR_PARITY_COMPARED];
    const double *out = pair_outputs[i];
    ck_assert_int_eq((int)out[PAIR_PARITY_FEATURES], pair->active);
    pair_response(pair, expected);
    for (int change = 0; change < CHANGES; ++change) {
        PairCase near = *pair;
        for (int k = 0; k < 12; ++k)
            near.x[k] = changed(random, pair->x[k] - pair->x[k % 3], eps);
        near.barrier.range = changed(random, near.barrier.range, eps);
        // The gap is what rounding leaves of the distance less that.
        near.barrier.separation +=
            (random_between(random, -1, 1) < 0 ? -2 : 2) * eps * expected[PAIR_PARITY_DISTANCE];
        near.barrier.parallel_threshold = changed(random, near.barrier.parallel_threshold, eps);
        pair_response(&near, other);
        for (int k = 0; k < PAIR_PARITY_COMPARED; ++k)
            spread[k] = fmax(spread[k], fabs(other[k] - expected[k]));
    }
    for (int n = 0; n < PAIR_NUMBERS; ++n) {
        const int first = pair_numbers[n].first, count = pair_numbers[n + 1].first - first;
        const double size = largest(expected + first, count);
        // Numbers of a kind mix: those of a gradient by its direction.
        const double tolerance = CHANGE_FACTOR * largest(spread + first, count) + VALUE_FACTOR * eps * size;
        for (int k = first; k < first + count; ++k)
            worst[n] =
                fmax(worst[n], check((Place){pair_numbers[n].what, k, i}, out[k], expected[k], tolerance));
    }
    for (int row = 0; row < 12; ++row) { // H p
        double sum = 0, size = 0;
        for (int k = 0; k < 12; ++k) {
            const double entry =
                out[PAIR_PARITY_HESSIAN + 9 * (4 * (row / 3) + k / 3) + 3 * (row % 3) + k % 3];
            sum += entry * pair->step[k];
            size += largest(out + PAIR_PARITY_HESSIAN, 144) * fabs(pair->step[k]);
        }
        check((Place){"Hessian times step", row, i}, out[PAIR_PARITY_PRODUCT + row], sum,
              VALUE_FACTOR * eps * size);
    }
}

/// Differences of the energy and the slope at the end, to the noise that comes with them, for the pair as the device has it: the
/// rounding of relative positions is the same for all steps from there. Returns the worst part of the noise.
static double check_pair_change(const PairCase *pair, bool float64, int i, double eps, RandomState *random)
{
    double before[12], after[12], gradient[12] = {0}, slope = 0, size = 0;
    const double *out = pair_outputs[i];
    for (int k = 0; k < 12; ++k) {
        before[k] = rounded(float64, pair->x[k] - pair->x[k % 3]);
        after[k] = before[k] + pair->step[k];
        size = fmax(size, fabs(before[k]));
    }
    const double e0 = pair_barrier_energy(&pair->barrier, before, pair->kind),
                 e1 = pair_barrier_energy(&pair->barrier, after, pair->kind);
    if (e1 == INFINITY) {
        ck_assert_msg(!(out[PAIR_PARITY_CHANGE] < 3e38), "case %d: %g instead of infinity", i,
                      out[PAIR_PARITY_CHANGE]);
        return 0;
    }
    double turned = 0; // what rounding the positions does to the slope
    for (int change = 0; change <= CHANGES; ++change) {
        double near[12], along = 0;
        for (int k = 0; k < 12; ++k)
            near[k] = change == 0 ? after[k] : changed(random, after[k], eps);
        memset(gradient, 0, sizeof gradient);
        pair_barrier_gradient(&pair->barrier, near, pair->kind, gradient);
        for (int k = 0; k < 12; ++k)
            along += gradient[k] * pair->step[k];
        slope = change == 0 ? along : slope;
        turned = fmax(turned, fabs(along - slope));
    }
    double weights[4], r[3];
    const double force = fmax(pair_barrier_force(&pair->barrier, before, pair->kind, weights, r),
                              pair_barrier_force(&pair->barrier, after, pair->kind, weights, r));
    const double noise = NOISE_ROUNDINGS * 0.5 * eps * out[PAIR_PARITY_MAGNITUDE];
    const double own = 0x1p-47 * (e0 + e1 + force * size); // of the difference of two energies in C
    const double worst =
        check((Place){"change", PAIR_PARITY_CHANGE, i}, out[PAIR_PARITY_CHANGE], e1 - e0, noise + own);
    return fmax(worst, check((Place){"slope", PAIR_PARITY_SLOPE, i}, out[PAIR_PARITY_SLOPE], slope,
                             noise + own + CHANGE_FACTOR * turned));
}

START_TEST(pairs_agree)
{
    const bool float64 = _i != 0;
    if (float64 && !parity.device->float64) {
        printf("%s has no float64: not compared\n", parity.device->info.name);
        return;
    }
    static PairCase cases[CASES];
    RandomState random = {5151 + (uint64_t)_i};
    for (int i = 0; i < CASES; ++i)
        cases[i] = make_pair_case(&random, float64, i);
    formula_parity_run(&parity, "pair_parity", float64, 0, CASES, PAIR_PARITY_INPUTS, pair_inputs[0],
                       PAIR_PARITY_OUTPUTS, pair_outputs[0]);
    const double eps = float64 ? 0x1p-52 : 0x1p-23;
    double worst[PAIR_NUMBERS] = {0}, change = 0;
    for (int i = 0; i < CASES; ++i) {
        check_pair_values(&random, &cases[i], i, eps, worst);
        change = fmax(change, check_pair_change(&cases[i], float64, i, eps, &random));
    }
    printf("pairs, %s: of what is allowed:", float64 ? "double" : "float");
    for (int n = 0; n < PAIR_NUMBERS; ++n)
        printf(" %s %.2f,", pair_numbers[n].what, worst[n]);
    printf(" change of energy %.2f\n", change);
}
END_TEST

// ---------------------------------------------------------------- barrier, planes, friction

typedef struct ContactCase {
    double gap, range, rise, separation, x[9], step[9];
    FrictionContact friction;
    FrictionLaw law;
    double motion[12], further[12];
} ContactCase;

static double contact_inputs[CASES][CONTACT_PARITY_INPUTS], contact_outputs[CASES][CONTACT_PARITY_OUTPUTS];

static ContactCase make_contact_case(RandomState *random, bool float64, int i)
{
    double *in = contact_inputs[i], R[9];
    ContactCase c = {.range = rounded(float64, power_between(random, -5, -1))};
    const double close = power_between(random, -6, -1);
    c.gap = rounded(float64, c.range * (i % 3 == 0   ? 1 - close
                                        : i % 3 == 1 ? power_between(random, -6, -1)
                                                     : random_between(random, 0.05, 1.2)));
    c.rise = rounded(float64, i % 5 == 0 ? random_between(random, -0.9, 2) * c.gap
                                         : power_between(random, -9, -1) * c.gap * (i % 2 == 0 ? 1 : -1));
    c.separation = rounded(float64, i % 4 == 0 ? power_between(random, -4, -2) : 0);
    // A vertex up to 10 m from the plane's point, and at the gap above the plane; the tip 1 m from that.
    random_rotation(random, R);
    const double along = random_between(random, -7, 7), across = random_between(random, -7, 7);
    for (int k = 0; k < 3; ++k) {
        c.x[3 + k] = random_between(random, -10, 10);
        c.x[6 + k] = c.x[3 + k] + R[k];
        c.x[k] = c.x[3 + k] + (c.gap + c.separation) * R[k] + along * R[3 + k] + across * R[6 + k];
    }
    memset(in, 0, sizeof contact_inputs[i]);
    split(float64, 9, c.x, in + CONTACT_PARITY_X, in + CONTACT_PARITY_LOW);
    const double reach = power_between(random, -7, -0.5) * c.gap;
    for (int k = 0; k < 9; ++k) // some planes turn
        c.step[k] =
            rounded(float64, k < 6 || i % 3 == 0 ? random_between(random, -reach, reach) * (k < 6 ? 1 : 1e-2)
                                                 : c.step[k - 3]);
    for (int k = 0; k < 9; ++k)
        in[CONTACT_PARITY_STEP + k] = c.step[k];
    in[CONTACT_PARITY_GAP] = c.gap;
    in[CONTACT_PARITY_RANGE] = c.range;
    in[CONTACT_PARITY_RISE] = c.rise;
    in[CONTACT_PARITY_SEPARATION] = c.separation;

    double normal[3];
    for (int k = 0; k < 3; ++k)
        in[CONTACT_PARITY_NORMAL + k] = normal[k] = rounded(float64, R[k] * 1e-3);
    tangent_basis(normal, c.friction.tangents);
    const double s = random_between(random, 0, 1), t = random_between(random, 0, 1);
    const double weights[4] = {1 - s, s, -(1 - t), -t};
    for (int k = 0; k < 4; ++k)
        in[CONTACT_PARITY_WEIGHTS + k] = c.friction.weights[k] = rounded(float64, weights[k]);
    c.friction.coefficient = in[CONTACT_PARITY_COEFFICIENT] = rounded(float64, power_between(random, -3, 3));
    c.law =
        (FrictionLaw){.semi_implicit = i % 4 == 3, .scale = rounded(float64, power_between(random, -6, -2))};
    in[CONTACT_PARITY_SCALE] = c.law.scale;
    in[CONTACT_PARITY_SEMI_IMPLICIT] = c.law.semi_implicit;
    const double slip = c.law.scale * power_between(random, -2, 2),
                 more = slip * power_between(random, -6, 0.5);
    for (int k = 0; k < 12; ++k) {
        in[CONTACT_PARITY_MOTION + k] = c.motion[k] = rounded(float64, random_between(random, -slip, slip));
        in[CONTACT_PARITY_FURTHER + k] = c.further[k] = rounded(float64, random_between(random, -more, more));
    }
    // Some were not followed before, some slid straight on, some turned round.
    const double before = c.law.scale * power_between(random, -2, 2);
    for (int k = 0; k < 2; ++k) {
        c.friction.dual[k] =
            rounded(float64, i % 3 == 0 ? FRICTION_UNKNOWN : random_between(random, -0.7, 0.7));
        c.friction.slip[k] = rounded(float64, random_between(random, -before, before));
        in[CONTACT_PARITY_DUAL + k] = c.friction.dual[k];
        in[CONTACT_PARITY_SLIP + k] = c.friction.slip[k];
    }
    in[CONTACT_PARITY_TRUST] = c.friction.trust = rounded(float64, i % 11 / 10.0);
    return c;
}

/// b at the gap + rise less b there, in steps of one kind of rounding: by the mean slope where the rise is small.
static double barrier_difference(double gap, double rise, double range)
{
    if (!(fabs(rise) < 1e-4 * fmin(gap, fabs(range - gap))))
        return barrier(gap + rise, range) - barrier(gap, range);
    double sum = 0; // Gauss-Legendre, three points
    const double at[3] = {-0.7745966692414834, 0, 0.7745966692414834}, weight[3] = {5, 8, 5};
    for (int k = 0; k < 3; ++k)
        sum += weight[k] / 18 * barrier_slope(gap + 0.5 * rise * (1 + at[k]), range);
    return sum * rise;
}

static double check_barrier(const ContactCase *c, int i, double eps)
{
    const double *out = contact_outputs[i] + CONTACT_PARITY_BARRIER;
    // Relative errors: b and its derivatives are powers of s - 1 near 1, which is as good as the inputs say.
    const double b = barrier(c->gap, c->range), own = VALUE_FACTOR * eps;
    double worst = check((Place){"b", 0, i}, out[0], b, own * b);
    worst = fmax(worst, check((Place){"b'", 1, i}, out[1], barrier_slope(c->gap, c->range),
                              own * -barrier_slope(c->gap, c->range)));
    worst = fmax(worst, check((Place){"b''", 2, i}, out[2], barrier_curvature(c->gap, c->range),
                              own * barrier_curvature(c->gap, c->range)));
    if (c->gap + c->rise <= 0)
        return worst;
    const double change = barrier_difference(c->gap, c->rise, c->range);
    // The size of the terms, and how y' = (gap + rise - range)/range is rounded where it is small.
    const double steep = fmax(-barrier_slope(c->gap, c->range), -barrier_slope(c->gap + c->rise, c->range));
    const double near =
        fmax(barrier_curvature(c->gap, c->range), barrier_curvature(c->gap + c->rise, c->range));
    return fmax(worst,
                check((Place){"change of b", 3, i}, out[3], change,
                      own * fabs(c->rise) * steep + 4 * eps * c->gap * near * fabs(c->rise) +
                          0x1p-51 * c->gap * steep + 0x1p-50 * (b + barrier(c->gap + c->rise, c->range))));
}

static double check_plane(const ContactCase *c, int i, double eps)
{
    const double *out = contact_outputs[i];
    const PlaneBarrier plane = {c->friction.coefficient, c->range, c->separation};
    double normal[3], gradient[9] = {0}, block[9] = {0}, after[9];
    const double gap = plane_barrier_gap(&plane, c->x, normal), own = VALUE_FACTOR * eps;
    // The gap is as good as the height above the plane, and as a position of 10 m in exact numbers.
    const double gap_error = 8 * eps * (gap + c->separation) + (eps > 1e-10 ? 0x1p-40 : 0x1p-48) * 10;
    double worst = check((Place){"gap", 0, i}, out[CONTACT_PARITY_PLANE_GAP], gap, gap_error);
    for (int k = 0; k < 3; ++k)
        worst = fmax(
            worst, check((Place){"normal", k, i}, out[CONTACT_PARITY_PLANE_NORMAL + k], normal[k], 8 * eps));
    if (gap < 4 * gap_error) // then energies are infinite or not
        return worst;
    const double least = gap - gap_error;
    const double slope = plane.stiffness * barrier_slope(gap, c->range);
    double steep = -plane.stiffness * barrier_slope(least, c->range);
    const double curvature = plane.stiffness * barrier_curvature(gap, c->range),
                 bent = plane.stiffness * barrier_curvature(least, c->range);
    // b''' is at most 3 b''/distance and 6/range^3 more.
    const double third = 3 * bent / least + 6 * plane.stiffness / pow(c->range, 3);
    plane_barrier_hessian(&plane, c->x, gradient, block);
    worst = fmax(worst, check((Place){"energy", 0, i}, out[CONTACT_PARITY_PLANE_ENERGY],
                              plane_barrier_energy(&plane, c->x),
                              own * plane_barrier_energy(&plane, c->x) + gap_error * steep));
    worst = fmax(worst, check((Place){"force", 0, i}, out[CONTACT_PARITY_PLANE_FORCE], -slope,
                              -own * slope + gap_error * bent));
    for (int k = 0; k < 3; ++k)
        worst = fmax(worst, check((Place){"plane's gradient", k, i}, out[CONTACT_PARITY_PLANE_GRADIENT + k],
                                  gradient[k], -own * slope + gap_error * bent));
    for (int k = 0; k < 9; ++k)
        worst = fmax(worst, check((Place){"plane's block", k, i}, out[CONTACT_PARITY_PLANE_BLOCK + k],
                                  block[k], own * curvature + gap_error * third));
    for (int k = 0; k < 9; ++k)
        after[k] = c->x[k] + c->step[k];
    // From the gap that the device has, whose rounding is the same for all steps.
    const double rise = plane_barrier_gap(&plane, after, normal) - gap, from = out[CONTACT_PARITY_PLANE_GAP];
    if (!(from + rise > 0))
        return worst;
    steep = fmax(steep, -plane.stiffness * barrier_slope(from + rise, c->range));
    const double noise = NOISE_ROUNDINGS * 0.5 * eps * out[CONTACT_PARITY_PLANE_CHANGE + 2];
    return fmax(worst, check((Place){"change of a plane's energy", 0, i}, out[CONTACT_PARITY_PLANE_CHANGE],
                             plane.stiffness * barrier_difference(from, rise, c->range),
                             noise + 0x1p-45 * 10 * steep)); // gaps of C at 10 m
}

// The dual that both have followed; returns by how much it may be off, whose part goes to `worst`. Its parts are `own` and the slip's
// error, both by what is cancelled, and less where it is brought back to the unit disc.
static double check_dual(const ContactCase *c, const FrictionContact *followed, int i, double own,
                         double slip_error, double *worst)
{
    const double *out = contact_outputs[i] + CONTACT_PARITY_FOLLOWED, base[12] = {0},
                 *last = c->friction.slip;
    double u[2], error = own;
    const double y = friction_slip(&c->friction, c->motion, base, u),
                 before = sqrt(last[0] * last[0] + last[1] * last[1]);
    if (c->law.semi_implicit)
        return 0;
    if (c->friction.dual[0] < FRICTION_UNKNOWN) {
        const double m = friction_f1_over_y(before, c->law.scale),
                     lost = friction_relief(before, c->law.scale) * (before + y);
        const double size = fmax(1, m * y - lost);
        error += (own * (m * y + lost) + 2 * m * slip_error) / size;
    } else
        error += 2 * friction_f1_over_y(fmax(y - slip_error, 0), c->law.scale) * slip_error;
    for (int k = 0; k < 2; ++k)
        *worst = fmax(*worst, check((Place){"friction's dual", k, i}, out[k], followed->dual[k], error));
    return error;
}

// Checks the trust, and returns its error: the slip over its change, both as good as the motions.
static double check_trust(const ContactCase *c, const FrictionContact *followed, int i, double own,
                          double slip_error, double *worst)
{
    const double *last = c->friction.slip, base[12] = {0};
    double u[2];
    const double y = friction_slip(&c->friction, c->motion, base, u),
                 change = hypot(u[0] - last[0], u[1] - last[1]);
    if (c->law.semi_implicit)
        return 0;
    const double error = own + fmin(1, 2 * slip_error * (change + y) / (change * change));
    *worst = fmax(*worst, check((Place){"friction's trust", 0, i}, contact_outputs[i][CONTACT_PARITY_TRUSTED],
                                followed->trust, error));
    return error;
}

static double check_friction(const ContactCase *c, int i, double eps)
{
    const double *out = contact_outputs[i];
    double gradient[12], hessian[144], u[2], du[2], together[12], worst = 0;
    const double base[12] = {0}, own = VALUE_FACTOR * eps;
    for (int k = 0; k < 12; ++k)
        together[k] = c->motion[k] + c->further[k];
    const double y = friction_slip(&c->friction, c->motion, base, u);
    const double stiffness = friction_stiffness(&c->friction, &c->law, y);
    // u is as good as the motions it is a sum of.
    const double slip_error = 8 * eps * largest(c->motion, 12), slip = y + slip_error;
    const double force_error =
        2 * friction_stiffness(&c->friction, &c->law, fmax(y - slip_error, 0)) * slip_error;
    FrictionContact followed = c->friction;
    friction_follow(&followed, &c->law, c->motion, base);
    friction_matrix(&followed, &c->law, c->motion, base, gradient, hessian);
    const double dual_error = check_dual(c, &followed, i, own, slip_error, &worst);
    const double *f = out + CONTACT_PARITY_FRICTION;
    worst = fmax(worst, check((Place){"friction's energy", 0, i}, f[0],
                              friction_energy(&c->friction, &c->law, c->motion, base),
                              own * stiffness * y * slip + 2 * force_error * slip +
                                  0x1p-51 * c->friction.coefficient * c->law.scale)); // C takes eps/3 away
    worst = fmax(worst, check((Place){"friction's loss", 0, i}, f[1],
                              friction_loss(&c->friction, &c->law, c->motion, base),
                              own * stiffness * y * slip + 2 * force_error * slip));
    for (int k = 0; k < 12; ++k)
        worst =
            fmax(worst, check((Place){"friction's gradient", k, i}, out[CONTACT_PARITY_FRICTION_GRADIENT + k],
                              gradient[k], own * stiffness * y + 2 * force_error));
    const double bent = 4 * friction_stiffness(&c->friction, &c->law, fmax(y - slip_error, 0)) *
                        fmin(1, slip_error / fmax(y, 1e-30));
    const double trust_error = check_trust(c, &followed, i, own, slip_error, &worst);
    const double turned =
        c->friction.coefficient * friction_relief(y, c->law.scale) * (dual_error + trust_error);
    for (int k = 0; k < 9; ++k)
        worst = fmax(worst, check((Place){"friction's block", k, i}, out[CONTACT_PARITY_FRICTION_BLOCK + k],
                                  hessian[12 * (k / 3) + 9 + k % 3], own * stiffness + bent + turned));
    const double moved = friction_slip(&c->friction, c->further, base, du);
    const double noise = NOISE_ROUNDINGS * 0.5 * eps * f[4],
                 e0 = friction_energy(&c->friction, &c->law, c->motion, base),
                 e1 = friction_energy(&c->friction, &c->law, together, base);
    worst = fmax(
        worst,
        check((Place){"change of friction's energy", 0, i}, f[2], e1 - e0,
              noise + 4 * force_error * moved + 8 * eps * stiffness * largest(c->further, 12) * slip +
                  0x1p-49 * (e0 + e1 + c->friction.coefficient * (c->law.semi_implicit ? 0 : c->law.scale))));
    return worst;
}

START_TEST(contacts_agree)
{
    const bool float64 = _i != 0;
    if (float64 && !parity.device->float64) {
        printf("%s has no float64: not compared\n", parity.device->info.name);
        return;
    }
    static ContactCase cases[CASES];
    RandomState random = {6161 + (uint64_t)_i};
    for (int i = 0; i < CASES; ++i)
        cases[i] = make_contact_case(&random, float64, i);
    formula_parity_run(&parity, "contact_parity", float64, 0, CASES, CONTACT_PARITY_INPUTS, contact_inputs[0],
                       CONTACT_PARITY_OUTPUTS, contact_outputs[0]);
    const double eps = float64 ? 0x1p-52 : 0x1p-23;
    double worst[3] = {0};
    for (int i = 0; i < CASES; ++i) {
        worst[0] = fmax(worst[0], check_barrier(&cases[i], i, eps));
        worst[1] = fmax(worst[1], check_plane(&cases[i], i, eps));
        worst[2] = fmax(worst[2], check_friction(&cases[i], i, eps));
    }
    printf("%s: of what is allowed: barrier %.2f, planes %.2f, friction %.2f\n", float64 ? "double" : "float",
           worst[0], worst[1], worst[2]);
}
END_TEST

int main(void)
{
    const int code = formula_parity_begin(&parity);
    if (code != 0)
        return code;
    Suite *suite = suite_create("contact parity");
    TCase *cases = tcase_create("contact parity");
    tcase_add_loop_test(cases, pairs_agree, 0, 2);
    tcase_add_loop_test(cases, contacts_agree, 0, 2);
    suite_add_tcase(suite, cases);
    const int result = test_run(suite), messages = formula_parity_end(&parity);
    return result || messages > 0;
}
