// Kinds of element: stress, slope and Hessian against finite differences, the projected Hessian against eigenvalues, prox against a
// minimisation by Newton's method, values in closed form, and edges without length.
#include "abi/constraint.h"
#include "check_main.h"
#include "element_response.h"
#include "model/elements.h"
#include "random_matrix.h"

#include <math.h>
#include <string.h>

enum { CASES = 192, MOST = RESPONSE_SIZE };

/// The loops run over these: every kind, and what has several formulas with each.
static const struct {
    int kind, model;
} tested[] = {{ELEMENT_TET, ENERGY_STVK},
              {ELEMENT_SEGMENT, ENERGY_STVK},
              {ELEMENT_BEND, ENERGY_STVK},
              {ELEMENT_AFFINE, ENERGY_STVK},
              {ELEMENT_PRESSURE, ENERGY_STVK},
              {ELEMENT_MEMBRANE, ENERGY_STVK},
              {ELEMENT_MEMBRANE, ENERGY_NEO_HOOKEAN},
              {ELEMENT_HINGE, ENERGY_STVK},
              {ELEMENT_QUADRATIC_HINGE, ENERGY_STVK},
              {ELEMENT_PLATE, ENERGY_STVK},
              {ELEMENT_LINK, FORMULA_BOTH},
              {ELEMENT_LINK, FORMULA_AT_MOST},
              {ELEMENT_LINK, FORMULA_AT_LEAST},
              {ELEMENT_JOINT, JOINT_AXIS},
              {ELEMENT_JOINT, JOINT_TURN_AT_MOST},
              {ELEMENT_JOINT, JOINT_TURN_AT_LEAST},
              {ELEMENT_JOINT, JOINT_ANGLE},
              {ELEMENT_JOINT, JOINT_ANGLE_AT_MOST},
              {ELEMENT_JOINT, JOINT_ANGLE_AT_LEAST}};
enum { TESTED_COUNT = sizeof tested / sizeof *tested };

/// What hinges, links and joints are measured from.
static double own_rest = 0.3;

/// Of the test that runs.
static int energy_model = ENERGY_STVK;

static int take(int number)
{
    energy_model = tested[number].model;
    own_rest = tested[number].kind == ELEMENT_HINGE ? 0.3 : 1.4;
    return tested[number].kind;
}

static bool has_rest(int kind)
{
    return kind == ELEMENT_HINGE || kind == ELEMENT_LINK || kind == ELEMENT_JOINT;
}

/// psi = kappa/2 |F|^2: rest is 0.
static bool is_quadratic(int kind)
{
    return kind == ELEMENT_QUADRATIC_HINGE || kind == ELEMENT_PLATE;
}

/// Two edges at an angle in a random plane, as columns.
static void edges_at(RandomState *random, double a, double b, double angle, double *F)
{
    double R[9];
    random_rotation(random, R);
    for (int i = 0; i < 3; ++i) {
        F[2 * i] = a * R[3 * i];
        F[2 * i + 1] = b * (cos(angle) * R[3 * i] + sin(angle) * R[3 * i + 1]);
    }
}

/// D x of case i: generic, at rest, near rest; cables straight, nearly straight and bent by up to 130 degrees.
static void case_value(RandomState *random, int kind, int i, double F[MOST])
{
    const double a = random_between(random, 0.3, 2.5), b = random_between(random, 0.3, 2.5),
                 c = random_between(random, 0.3, 2.5), close = pow(10, random_between(random, -12, -3));
    if (kind == ELEMENT_SEGMENT) {
        double R[9];
        const double length = i % 4 == 0 ? 1 : i % 4 == 1 ? 1 + close : a;
        random_rotation(random, R);
        for (int k = 0; k < 3; ++k)
            F[k] = length * R[3 * k];
    } else if (kind == ELEMENT_BEND) {
        const double angle = i % 4 == 0 ? 0 : i % 4 == 1 ? close : random_between(random, 0, 2.3);
        edges_at(random, i % 3 == 0 ? 1 : a, i % 3 == 0 ? 1 : b, angle, F);
    } else if (kind == ELEMENT_HINGE) {
        random_hinge(random, i % 4 == 0 ? 0 : i % 4 == 1 ? close : random_between(random, -2.8, 2.8), F);
    } else if (kind == ELEMENT_LINK) { // an inequality has a kink at its rest
        double R[9];
        const double length = energy_model == FORMULA_BOTH && i % 4 < 2 ? own_rest + (i % 4) * close : a;
        random_rotation(random, R);
        for (int k = 0; k < 3; ++k)
            F[k] = length * R[3 * k];
    } else if (kind == ELEMENT_JOINT) {
        random_joint(random, random_between(random, 0.3, 2.8), F);
    } else if (is_quadratic(kind)) {
        for (int k = 0; k < element_size(&element_kinds[kind]); ++k)
            F[k] = (i % 4 == 1 ? close : 1) * random_between(random, -1, 1);
    } else if (kind == ELEMENT_MEMBRANE) {
        const double s[4][2] = {{1, 1}, {1 + close, 1 - close}, {a, b}, {a, a}};
        random_membrane(random, s[i % 4], F);
    } else {
        const double s[4][3] = {{1, 1, 1}, {1 + close, 1, 1 - close}, {a, b, c}, {a, a, -0.1 * c}};
        random_with_values(random, s[i % 4], F);
    }
}

static ElementInput input_of(int kind, const double *F)
{
    ElementInput in = {
        .material = {energy_model, 2.5e3, 1.2e3}, .volume = lanes_set(1), .rho = lanes_set(1e3)};
    for (int k = 0; k < element_size(&element_kinds[kind]); ++k)
        in.F[k] = lanes_set(F[k]);
    in.has_rest = has_rest(kind), in.rest = lanes_set(own_rest);
    // G_a the unit vectors: blocks of corners but the first are those of d2psi/dF2.
    for (int k = 0; k < element_kinds[kind].columns; ++k)
        in.G[(element_kinds[kind].columns + 1) * k] = lanes_set(1);
    return in;
}

/// d2psi/dF2, rows and columns as F.
static void matrix_of(int kind, const Lanes K[RESPONSE_PAIRS][9], double H[MOST * MOST])
{
    const int columns = element_kinds[kind].columns, size = 3 * columns;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k)
            H[size * i + k] = response_block(K, element_kinds[kind].corners, 1 + i % columns, 1 + k % columns,
                                             i / columns, k / columns, 0);
}

START_TEST(finite_differences)
{
    const int kind = take(_i), size = element_size(&element_kinds[kind]);
    RandomState random = {99};
    double worst[3] = {0};
    for (int i = 0; i < CASES; ++i) {
        double F[MOST], H[MOST * MOST], norm = 0;
        case_value(&random, kind, i, F);
        ElementInput at = input_of(kind, F), before = at, after = at;
        const double step = 4e-6;
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            norm = 0;
            for (int k = 0; k < size; ++k) {
                at.D[k][lane] = random_between(&random, -1, 1);
                norm += at.D[k][lane] * at.D[k][lane];
            }
            for (int k = 0; k < size; ++k) {
                at.D[k][lane] /= sqrt(norm);
                before.F[k][lane] -= step * at.D[k][lane];
                after.F[k][lane] += step * at.D[k][lane];
            }
        }
        ElementResponse r, r0, r1;
        element_response[kind](&at, &r);
        element_response[kind](&before, &r0);
        element_response[kind](&after, &r1);
        matrix_of(kind, (const Lanes(*)[9])r.K, H);
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            double slope = 0, distance = 0;
            for (int k = 0; k < size; ++k) {
                slope += r.stress[k][lane] * at.D[k][lane];
                distance += at.D[k][lane] * (after.F[k][lane] - before.F[k][lane]);
            }
            const double scale = fmax(fabs(slope), r.stiffness);
            const double gradient_error =
                fabs((r1.density[lane] - r0.density[lane]) / distance - slope) / scale;
            const double slope_error = fabs(r.slope[lane] - slope) / scale;
            ck_assert_msg(gradient_error < 1e-8, "%s, case %d: stress off by %g", element_kinds[kind].name, i,
                          gradient_error);
            ck_assert_msg(slope_error < 1e-13, "%s, case %d: slope off by %g", element_kinds[kind].name, i,
                          slope_error);
            ck_assert_msg(fabs(slope) <= 3 * r.magnitude[lane] / 0.3 + 1e-9,
                          "%s, case %d: slope %g, magnitude %g", element_kinds[kind].name, i, slope,
                          r.magnitude[lane]);
            worst[0] = fmax(worst[0], gradient_error), worst[1] = fmax(worst[1], slope_error);
            double image[MOST] = {0}, largest = r.stiffness;
            for (int k = 0; k < size; ++k) {
                for (int l = 0; l < size; ++l)
                    image[k] += H[size * k + l] * at.D[l][lane];
                largest = fmax(largest, fabs(image[k]));
            }
            for (int k = 0; k < size; ++k) {
                const double difference = (r1.stress[k][lane] - r0.stress[k][lane]) / distance,
                             error = fabs(difference - image[k]) / largest;
                ck_assert_msg(error < 1e-8, "%s, case %d: Hessian off by %g", element_kinds[kind].name, i,
                              error);
                worst[2] = fmax(worst[2], error);
            }
        }
    }
    printf("%s: finite differences agree to %.1e (stress), %.1e (Hessian), slope to %.1e\n",
           element_kinds[kind].name, worst[0], worst[2], worst[1]);
}
END_TEST

/// Eigenvalues of a symmetric matrix by Jacobi's method, left on A's diagonal; Q's columns are the eigenvectors.
static void eigen(int n, double A[MOST * MOST], double Q[MOST * MOST])
{
    for (int k = 0; k < n * n; ++k)
        Q[k] = k % (n + 1) == 0;
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                if (A[n * p + q] == 0)
                    continue;
                const double d = (A[(n + 1) * q] - A[(n + 1) * p]) / (2 * A[n * p + q]);
                const double t = (d < 0 ? -1 : 1) / (fabs(d) + sqrt(d * d + 1)), c = 1 / sqrt(t * t + 1),
                             s = t * c;
                for (int k = 0; k < n; ++k) {
                    const double a = A[n * k + p], b = A[n * k + q], u = Q[n * k + p], v = Q[n * k + q];
                    A[n * k + p] = c * a - s * b, A[n * k + q] = s * a + c * b;
                    Q[n * k + p] = c * u - s * v, Q[n * k + q] = s * u + c * v;
                }
                for (int k = 0; k < n; ++k) {
                    const double a = A[n * p + k], b = A[n * q + k];
                    A[n * p + k] = c * a - s * b, A[n * q + k] = s * a + c * b;
                }
            }
}

/// Positive semidefinite, not less than the true one, and equal to it with its eigenvalues clamped; of a bend only where its edges
/// are equally long, of a hinge and a joint nowhere.
START_TEST(projection)
{
    const int kind = take(_i), n = element_size(&element_kinds[kind]);
    RandomState random = {5};
    int clamped = 0, kept = 0;
    for (int i = 0; i < CASES; ++i) {
        double F[MOST], H[MOST * MOST], projected[MOST * MOST], added[MOST * MOST], A[MOST * MOST],
            Q[MOST * MOST], size = 0;
        case_value(&random, kind, i, F);
        const ElementInput in = input_of(kind, F);
        ElementResponse r;
        element_response[kind](&in, &r);
        matrix_of(kind, (const Lanes(*)[9])r.K, H);
        matrix_of(kind, (const Lanes(*)[9])r.projected, projected);
        for (int k = 0; k < n * n; ++k) {
            size = fmax(size, fabs(H[k]));
            added[k] = projected[k] - H[k];
        }
        memcpy(A, projected, sizeof A);
        eigen(n, A, Q);
        for (int k = 0; k < n; ++k)
            ck_assert_msg(A[(n + 1) * k] >= -1e-13 * size, "%s, case %d: eigenvalue %g",
                          element_kinds[kind].name, i, A[(n + 1) * k]);
        eigen(n, added, Q);
        for (int k = 0; k < n; ++k)
            ck_assert_msg(added[(n + 1) * k] >= -1e-13 * size, "%s, case %d: %g less than the true one",
                          element_kinds[kind].name, i, added[(n + 1) * k]);
        memcpy(A, H, sizeof A);
        eigen(n, A, Q);
        int negative = 0;
        for (int k = 0; k < n; ++k)
            negative += A[(n + 1) * k] < -1e-9 * size;
        clamped += negative > 0, kept += negative == 0;
        for (int k = 0; k < n * n && (kind != ELEMENT_BEND || i % 3 == 0) && kind != ELEMENT_HINGE &&
                        kind != ELEMENT_JOINT;
             ++k) {
            double sum = 0;
            for (int l = 0; l < n; ++l)
                sum += Q[n * (k / n) + l] * fmax(A[(n + 1) * l], 0) * Q[n * (k % n) + l];
            ck_assert_msg(fabs(sum - projected[k]) <= 2e-12 * size, "%s, case %d: %g instead of %g",
                          element_kinds[kind].name, i, projected[k], sum);
        }
    }
    if (is_quadratic(kind) || (kind == ELEMENT_LINK && energy_model == FORMULA_AT_MOST)) // it only pulls
        ck_assert_int_eq(clamped, 0);
    else
        ck_assert_int_gt(clamped, 10);
    // A hinge's angle at rest is none of the cases'; of a volume one number is always negative.
    if (kind != ELEMENT_HINGE && kind != ELEMENT_PRESSURE && kind != ELEMENT_JOINT)
        ck_assert_int_gt(kept, 10);
}
END_TEST

// ---------------------------------------------------------------- prox

static double objective(int kind, const ElementInput *in, const double *F, const double *Z,
                        ElementResponse *r)
{
    ElementInput at = *in;
    double distance_sq = 0;
    for (int k = 0; k < element_size(&element_kinds[kind]); ++k) {
        at.F[k] = lanes_set(Z[k]);
        distance_sq += (Z[k] - F[k]) * (Z[k] - F[k]);
    }
    element_response[kind](&at, r);
    return in->volume[0] * r->density[0] + 0.5 * in->rho[0] * distance_sq;
}

/// x of A x = b, A positive definite, by Cholesky's method; A is overwritten.
static void solve(int n, double A[MOST * MOST], const double b[MOST], double x[MOST])
{
    for (int i = 0; i < n; ++i)
        for (int k = 0; k <= i; ++k) {
            double sum = A[n * i + k];
            for (int l = 0; l < k; ++l)
                sum -= A[n * i + l] * A[n * k + l];
            A[n * i + k] = i == k ? sqrt(sum) : sum / A[n * k + k];
        }
    for (int i = 0; i < n; ++i) {
        x[i] = b[i];
        for (int l = 0; l < i; ++l)
            x[i] -= A[n * i + l] * x[l];
        x[i] /= A[n * i + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int l = i + 1; l < n; ++l)
            x[i] -= A[n * l + i] * x[l];
        x[i] /= A[n * i + i];
    }
}

/// Newton's method with the projected Hessian from F on; returns the objective it ends at.
static double minimise(int kind, const ElementInput *in, const double *F, double Z[MOST])
{
    const int n = element_size(&element_kinds[kind]);
    ElementResponse r;
    memcpy(Z, F, MOST * sizeof *Z);
    double value = objective(kind, in, F, Z, &r);
    for (int iteration = 0; iteration < 300; ++iteration) {
        double H[MOST * MOST], gradient[MOST], d[MOST], next[MOST], reached = value, step = 1;
        matrix_of(kind, (const Lanes(*)[9])r.projected, H);
        for (int k = 0; k < n; ++k) {
            H[(n + 1) * k] += in->rho[0];
            gradient[k] = -in->volume[0] * r.stress[k][0] - in->rho[0] * (Z[k] - F[k]);
        }
        solve(n, H, gradient, d);
        for (; step > 1e-9; step /= 2) {
            for (int k = 0; k < n; ++k)
                next[k] = Z[k] + step * d[k];
            reached = objective(kind, in, F, next, &r);
            if (reached < value)
                break;
        }
        if (!(reached < value))
            break;
        value = reached;
        memcpy(Z, next, sizeof next);
    }
    return value;
}

/// What |w P(Z) + rho (Z - F)| is beyond a rounding, over rho |F| + w |P(Z)|.
static double stationarity(int kind, const ElementInput *in, const double *F, const double *Z,
                           double rounding)
{
    ElementResponse r;
    double residual_sq = 0, size_sq = 0, stress_sq = 0;
    objective(kind, in, F, Z, &r);
    for (int k = 0; k < element_size(&element_kinds[kind]); ++k) {
        const double stress = in->volume[0] * r.stress[k][0], residual = stress + in->rho[0] * (Z[k] - F[k]);
        residual_sq += residual * residual;
        stress_sq += stress * stress;
        size_sq += F[k] * F[k];
    }
    return fmax(sqrt(residual_sq) - rounding, 0) / (in->rho[0] * sqrt(size_sq) + sqrt(stress_sq));
}

START_TEST(prox)
{
    const int kind = take(_i), n = element_size(&element_kinds[kind]);
    if (kind == ELEMENT_PRESSURE || has_rest(kind))
        return; // have none
    RandomState random = {17};
    double worst = 0;
    int compared = 0;
    for (int i = 0; i < CASES; ++i) {
        double F[MOST], Z[MOST], direct[MOST];
        case_value(&random, kind, i, F);
        ElementInput in = input_of(kind, F);
        in.volume = lanes_set(pow(10, random_between(&random, -3, 1)));
        in.rho = in.volume * (in.material.kappa * pow(10, random_between(&random, -1, 1)));
        ElementResponse r;
        element_response[kind](&in, &r);
        for (int k = 0; k < n; ++k)
            Z[k] = r.prox[k][0];
        bool given_up = false; // an edge of a bend is 0: prox_of_a_bend
        for (int c = 0; c < 2 && kind == ELEMENT_BEND; ++c)
            given_up |= Z[c] == 0 && Z[2 + c] == 0 && Z[4 + c] == 0;
        const double off = given_up ? 0 : stationarity(kind, &in, F, Z, 0);
        ck_assert_msg(off < 1e-13, "%s, case %d: stationary to %g", element_kinds[kind].name, i, off);
        worst = fmax(worst, off);
        const double own = objective(kind, &in, F, Z, &r), other = minimise(kind, &in, F, direct);
        ck_assert_msg(own <= other + 1e-12 * in.rho[0], "%s, case %d: %.17g, Newton's method finds %.17g",
                      element_kinds[kind].name, i, own, other);
        compared += fabs(own - other) < 1e-9 * in.rho[0];
    }
    printf("%s: prox stationary to %.1e, the minimum that Newton's method finds in %d of %d cases\n",
           element_kinds[kind].name, worst, compared, CASES);
    ck_assert_int_gt(compared, CASES * 9 / 10);
}
END_TEST

/// Weights over sixteen orders of magnitude, angles up to nearly folded, edges of unequal length.
START_TEST(prox_of_a_bend)
{
    energy_model = ENERGY_STVK;
    RandomState random = {3};
    double worst = 0, worst_folded = 0;
    int given_up = 0;
    for (int i = 0; i < 40000; ++i) {
        const double folded = pow(10, random_between(&random, -7, 0));
        const double angle = i % 4 == 0   ? random_between(&random, 0, 1.57)
                             : i % 4 == 1 ? pow(10, random_between(&random, -12, 0))
                             : i % 4 == 2 ? random_between(&random, 1.5, 3.1)
                                          : 3.14159265358979 - folded;
        const double a = i % 3 == 0 ? 1 : pow(10, random_between(&random, -1, 1)),
                     b = i % 3 == 0 ? 1 : pow(10, random_between(&random, -1, 1));
        double F[6], Z[6];
        edges_at(&random, a, b, angle, F);
        ElementInput in = input_of(ELEMENT_BEND, F);
        in.rho = in.volume * (in.material.kappa * pow(10, random_between(&random, -8, 8)));
        BendLocal local;
        Lanes z[6];
        bend_decompose(1, (const Lanes(*)[6]) & in.F, &local);
        bend_prox(&in.material, &local, in.volume, in.rho, z);
        for (int k = 0; k < 6; ++k)
            Z[k] = z[k][0];
        const double e = Z[0] * Z[0] + Z[2] * Z[2] + Z[4] * Z[4], f = Z[1] * Z[1] + Z[3] * Z[3] + Z[5] * Z[5];
        if (fmin(e, f) == 0) { // the shorter edge, and only beyond a right angle
            ck_assert_double_gt(angle, 1.5707963267948);
            ck_assert_double_eq_tol(fmax(e, f), fmax(a, b) * fmax(a, b), 1e-14 * fmax(a, b) * fmax(a, b));
            ++given_up;
            continue;
        }
        // Rounding of Z turns its edges, and the moment changes by that times its derivative; rounding of nearly folded edges turns
        // their plane.
        ElementResponse r;
        const double value = objective(ELEMENT_BEND, &in, F, Z, &r),
                     tangent_sq = r.density[0] / (2 * in.material.kappa),
                     stiffness = in.material.kappa * (1 + 3 * tangent_sq) * (1 + tangent_sq),
                     rounding =
                         4 * 0x1p-52 *
                         (stiffness * (1 / sqrt(e) + 1 / sqrt(f)) + in.rho[0] * (a + b) * tan(angle / 2)),
                     off = stationarity(ELEMENT_BEND, &in, F, Z, rounding);
        ck_assert_msg(off < 1e-12, "case %d: angle %g, lengths %g %g, rho %g: stationary to %g, tangent %g",
                      i, angle, a, b, in.rho[0] / in.material.kappa, off, sqrt(tangent_sq));
        *(i % 4 == 3 ? &worst_folded : &worst) = fmax(*(i % 4 == 3 ? &worst_folded : &worst), off);
        ck_assert_double_le(value, objective(ELEMENT_BEND, &in, F, F, &r) * (1 + 1e-12) + 1e-15 * in.rho[0]);
    }
    printf("bend: prox stationary to %.1e, nearly folded to %.1e; an edge given up in %d cases\n", worst,
           worst_folded, given_up);
    ck_assert_int_gt(given_up, 100);
}
END_TEST

START_TEST(closed_forms)
{
    // Segment: k/2 (l - l_0)^2 at F = 1.25.
    energy_model = ENERGY_STVK;
    double F[MOST] = {0, 0.75, 1};
    ElementInput in = input_of(ELEMENT_SEGMENT, F);
    ElementResponse r;
    element_response[ELEMENT_SEGMENT](&in, &r);
    ck_assert_double_eq_tol(r.density[0], 0.5 * 2500 * 0.0625, 1e-12);
    ck_assert_double_eq_tol(r.stress[2][0], 2500 * 0.25 * 0.8, 1e-12);
    ck_assert_double_eq_tol(r.stretch[0], 1.25, 1e-15);
    // Bend: a right angle has |kb| = 2, whatever the lengths.
    const double right[6] = {0.5, 0, 0, 3, 0, 0};
    in = input_of(ELEMENT_BEND, right);
    element_response[ELEMENT_BEND](&in, &r);
    ck_assert_double_eq_tol(r.density[0], 2500 * 2, 1e-11);
    ck_assert_double_eq_tol(r.stretch[0], 1.75, 1e-15);
    // Affine body: |A A^T - 1|^2 of a simple shear by g is 2 g^2 + g^4.
    const double shear[9] = {1, 0.5, 0, 0, 1, 0, 0, 0, 1};
    in = input_of(ELEMENT_AFFINE, shear);
    element_response[ELEMENT_AFFINE](&in, &r);
    ck_assert_double_eq_tol(r.density[0], 2500 * (2 * 0.25 + 0.0625), 1e-11);
    ck_assert_double_eq_tol(r.stretch[0], sqrt(1 + 0.0625) + 0.25, 1e-14);
    // A pressure: -p times the change of volume.
    const double grown[9] = {0, 0, 2, 3, 0, 0, 0, 0.5, 0};
    in = input_of(ELEMENT_PRESSURE, grown);
    element_response[ELEMENT_PRESSURE](&in, &r);
    ck_assert_double_eq_tol(r.density[0], -2500 * (2 * 3 * 0.5 - 1), 1e-11);
}
END_TEST

/// A hinge of two right-angled triangles: kappa/2 theta^2, and the moment on the wings' tips is kappa theta over their height; the quadratic
/// one of the same corners has 2 sin(theta/2) in the place of theta.
START_TEST(folds)
{
    static const double angles[] = {0, 1e-9, 0.1, -1.2, 3.1};
    for (int i = 0; i < 5; ++i) {
        const double c = cos(angles[i]), s = sin(angles[i]);
        double F[MOST] = {2, 0, 0, 0, 0.5, -0.8 * c, 0, 0, -0.8 * s};
        energy_model = ENERGY_STVK, own_rest = 0.25;
        ElementInput in = input_of(ELEMENT_HINGE, F);
        ElementResponse r;
        element_response[ELEMENT_HINGE](&in, &r);
        const double fold = angles[i] - 0.25;
        ck_assert_double_eq_tol(r.density[0], 0.5 * 2500 * fold * fold, 1e-11);
        // On the tip of the first wing, 0.5 high, and of the second, 0.8 high, across them.
        ck_assert_double_eq_tol(hypot(r.stress[4][0], r.stress[7][0]), 2500 * fabs(fold) / 0.5, 1e-9);
        ck_assert_double_eq_tol(hypot(r.stress[5][0], r.stress[8][0]), 2500 * fabs(fold) / 0.8, 1e-9);
        ck_assert_double_eq_tol(r.stress[5][0] * c + r.stress[8][0] * s, 0, 1e-9);
    }
}
END_TEST

/// Plane stress: neo_hookean is the tetrahedron's at the third stretch with which it is least, and stress across is none; both models
/// begin as E/(1 - nu^2), nu E/(1 - nu^2).
START_TEST(plane_stress)
{
    static const double stretches[][2] = {{1.3, 0.8}, {1, 1}, {2.5, 2.5}, {0.3, 0.4}, {3, 0.2}};
    for (size_t i = 0; i < sizeof stretches / sizeof *stretches; ++i) {
        const double a = stretches[i][0], b = stretches[i][1];
        double F[MOST] = {a, 0, 0, b}, thin = 0.01, thick = 10, G[MOST] = {a, 0, 0, 0, b};
        energy_model = ENERGY_NEO_HOOKEAN;
        ElementInput in = input_of(ELEMENT_MEMBRANE, F);
        ElementResponse r, solid;
        element_response[ELEMENT_MEMBRANE](&in, &r);
        for (int k = 0; k < 200; ++k) {
            G[8] = 0.5 * (thin + thick);
            in = input_of(ELEMENT_TET, G);
            element_response[ELEMENT_TET](&in, &solid);
            *(solid.stress[8][0] < 0 ? &thin : &thick) = G[8];
        }
        ck_assert_double_eq_tol(solid.stress[8][0], 0, 1e-8);
        ck_assert_double_eq_tol(r.density[0], solid.density[0], 1e-9);
        ck_assert_double_eq_tol(r.stress[0][0], solid.stress[0][0], 1e-9);
        ck_assert_double_eq_tol(r.stress[3][0], solid.stress[4][0], 1e-9);
    }
    for (int model = 0; model < 2; ++model) {
        const double mu = 2.5e3, lambda = 1.2e3, E = mu * (3 * lambda + 2 * mu) / (lambda + mu),
                     nu = lambda / (2 * (lambda + mu));
        double F[MOST] = {1, 0, 0, 1};
        energy_model = model == 0 ? ENERGY_STVK : ENERGY_NEO_HOOKEAN;
        const ElementInput in = input_of(ELEMENT_MEMBRANE, F);
        ElementResponse r;
        element_response[ELEMENT_MEMBRANE](&in, &r);
        ck_assert_double_eq_tol(r.stiffness, E / (1 - nu * nu), 1e-9);
        double H[MOST * MOST];
        matrix_of(ELEMENT_MEMBRANE, (const Lanes(*)[9])r.K, H);
        ck_assert_double_eq_tol(H[0], E / (1 - nu * nu), 1e-9);
        ck_assert_double_eq_tol(H[3], nu * E / (1 - nu * nu), 1e-9);
    }
}
END_TEST

/// The rest state has no stress at all but that of a pressure, and stiffness is the largest second derivative there, of a bend twice that.
START_TEST(rest)
{
    const int kind = take(_i), n = element_size(&element_kinds[kind]);
    double F[MOST] = {0}, H[MOST * MOST], Q[MOST * MOST], largest = 0;
    for (int k = 0; k < element_kinds[kind].columns && !is_quadratic(kind); ++k)
        F[kind == ELEMENT_BEND ? k : (element_kinds[kind].columns + 1) * k] = 1;
    if (kind == ELEMENT_HINGE)
        F[4] = 0, F[8] = 0, F[1] = F[2] = 0.5, F[5] = -1, F[4] = 1;
    if (kind == ELEMENT_JOINT && energy_model != JOINT_AXIS && energy_model < JOINT_ANGLE)
        F[2] = 1, F[8] = 0; // the third vector lies along the first
    own_rest = kind == ELEMENT_LINK                                   ? 1
               : kind == ELEMENT_JOINT && energy_model >= JOINT_ANGLE ? atan2(1, 0)
                                                                      : 0;
    const ElementInput in = input_of(kind, F);
    ElementResponse r;
    element_response[kind](&in, &r);
    ck_assert_double_le(fabs(r.density[0]), kind == ELEMENT_JOINT ? 1e-27 : 0); // angles are rounded
    ck_assert_double_eq(r.stretch[0], 1);
    for (int k = 0; k < n; ++k)
        ck_assert_double_le(fabs(r.stress[k][0] - (kind == ELEMENT_PRESSURE && k % 4 == 0 ? -2500 : 0)),
                            kind == ELEMENT_JOINT ? 1e-12 : 0);
    matrix_of(kind, (const Lanes(*)[9])r.K, H);
    eigen(n, H, Q);
    for (int k = 0; k < n; ++k)
        largest = fmax(largest, H[(n + 1) * k]);
    // psi_11: of one stretch alone. Inequalities that are met have none.
    if (kind != ELEMENT_TET && kind != ELEMENT_MEMBRANE && kind != ELEMENT_HINGE && kind != ELEMENT_JOINT &&
        !(kind == ELEMENT_LINK && energy_model != FORMULA_BOTH))
        ck_assert_double_eq_tol(r.stiffness, (kind == ELEMENT_BEND ? 2 : 1) * largest, 1e-9);
}
END_TEST

/// Edges without length, folded back, straight: everything is finite.
START_TEST(nothing_is_nan)
{
    static const double edges[][6] = {{0, 0, 0, 0, 0, 0},       {0, 1, 0, 0, 0, 0},
                                      {1, 0, 0, 0, 0, 0},       {1, -1, 0, 0, 0, 0},
                                      {1, -1, 1e-17, 0, 0, 0},  {1, 1, 0, 0, 0, 0},
                                      {1e-30, 1, 0, 0, 0, 0},   {1e-160, 1e-160, 0, 0, 0, 1e-160},
                                      {1, -1, 0, 1e-200, 0, 0}, {0.3, -0.7, 0.4, 0.2, 1e-9, 1e-13}};
    for (int t = 0; t < TESTED_COUNT; ++t)
        for (size_t i = 0; i < sizeof edges / sizeof *edges; ++i) {
            const int kind = take(t);
            if (kind == ELEMENT_TET || (kind == ELEMENT_MEMBRANE && energy_model == ENERGY_NEO_HOOKEAN))
                continue; // infinite there
            double F[MOST] = {0};
            memcpy(F, edges[i], sizeof edges[i]);
            const ElementInput in = input_of(kind, F);
            ElementResponse r;
            element_response[kind](&in, &r);
            double sum = r.density[0] + r.slope[0] + r.magnitude[0] + r.stretch[0];
            for (int k = 0; k < element_size(&element_kinds[kind]); ++k)
                sum += r.stress[k][0] + r.prox[k][0];
            for (int k = 0; k < 9 * element_kinds[kind].corners * (element_kinds[kind].corners + 1) / 2; ++k)
                sum += r.K[k / 9][k % 9][0] + r.projected[k / 9][k % 9][0];
            ck_assert_msg(isfinite(sum), "%s, case %d", element_kinds[kind].name, (int)i);
        }
}
END_TEST

/// Points that are held together push back alike in all directions, where they meet too; an angle stretched out and one shut, at rest so, do
/// not bend out of any plane.
START_TEST(without_direction)
{
    ElementResponse r;
    double F[MOST] = {0}, H[MOST * MOST];
    energy_model = FORMULA_BOTH, own_rest = 0;
    ElementInput in = input_of(ELEMENT_LINK, F);
    element_response[ELEMENT_LINK](&in, &r);
    matrix_of(ELEMENT_LINK, (const Lanes(*)[9])r.K, H);
    for (int k = 0; k < 9; ++k)
        ck_assert_double_eq(H[k], k % 4 == 0 ? 2500 : 0);
    for (int shut = 0; shut < 2; ++shut)
        for (int i = 0; i < 8; ++i) {
            const double a = 0.5, b = shut ? 2 : -2, bend = i == 0 ? 0 : pow(10, -14 + i);
            double G[MOST] = {a, b, 0, 0, b * bend};
            energy_model = JOINT_ANGLE, own_rest = shut ? 0 : atan2(0, -1);
            in = input_of(ELEMENT_JOINT, G);
            element_response[ELEMENT_JOINT](&in, &r);
            matrix_of(ELEMENT_JOINT, (const Lanes(*)[9])r.K, H);
            ck_assert_double_eq_tol(r.density[0], 0.5 * 2500 * bend * bend, 1e-12);
            // kappa |dy_0/a - dy_1/b|^2 across them, in all directions
            const double over[2] = {1 / a, -1 / b};
            for (int k = 0; k < 81; ++k) {
                const int row = k / 9, column = k % 9;
                const bool same = row / 3 == column / 3 && row / 3 > 0 && row % 3 < 2 && column % 3 < 2;
                const double expected = same ? 2500 * over[row % 3] * over[column % 3] : 0;
                ck_assert_double_eq_tol(H[k], expected, 1e-5 * 2500 * (i == 0 ? 1e-8 : 1));
            }
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kinds of element");
    TCase *cases = tcase_create("kinds of element");
    tcase_add_loop_test(cases, finite_differences, 0, TESTED_COUNT);
    tcase_add_loop_test(cases, projection, 0, TESTED_COUNT);
    tcase_add_loop_test(cases, prox, 0, TESTED_COUNT);
    tcase_add_test(cases, prox_of_a_bend);
    tcase_add_test(cases, closed_forms);
    tcase_add_test(cases, plane_stress);
    tcase_add_test(cases, folds);
    tcase_add_loop_test(cases, rest, 0, TESTED_COUNT);
    tcase_add_test(cases, nothing_is_nan);
    tcase_add_test(cases, without_direction);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
