// Friction potentials (theory.md section 8): numbers, finite differences, bounds of the force, loss.
#include "check_main.h"
#include "pair_matrix.h"
#include "random_matrix.h"

#include "geometry/tangent.h"
#include "physics/contact/friction.h"

enum { CASES = 300 };

/// A contact with random weights and tangents, and a displacement with slip y.
static FrictionContact random_contact(RandomState *random, double y, double x[12], double base[12])
{
    double normal[3] = {random_between(random, -1, 1), random_between(random, -1, 1),
                        random_between(random, 1, 2)};
    const double s = random_between(random, 0, 1), t = random_between(random, 0, 1);
    FrictionContact contact = {.vertices = {0, 1, 2, 3},
                               .weights = {1 - s, s, t - 1, -t},
                               .coefficient = random_between(random, 0.1, 3),
                               .dual = {FRICTION_UNKNOWN}};
    tangent_basis(normal, contact.tangents);
    for (int i = 0; i < 12; ++i) {
        base[i] = random_between(random, -1, 1);
        x[i] = base[i] + random_between(random, -1, 1);
    }
    for (int i = 0; i < 3; ++i)
        contact.drift[i] = random_between(random, -1, 1);
    double u[2];
    const double factor = y / friction_slip(&contact, x, base, u);
    for (int i = 0; i < 12; ++i)
        x[i] = base[i] + factor * (x[i] - base[i]);
    for (int i = 0; i < 3; ++i)
        contact.drift[i] *= factor;
    return contact;
}

START_TEST(friction_functions)
{
    const double eps = 1e-3;
    ck_assert_double_eq_tol(friction_f0(0, eps), eps / 3, 1e-18);
    ck_assert_double_eq_tol(friction_f0(eps, eps), eps, 1e-18);
    ck_assert_double_eq_tol(friction_f0(eps * (1 - 1e-9), eps), eps * (1 - 1e-9), 1e-18);
    ck_assert_double_eq(friction_f1_over_y(0, eps), 2 / eps);
    for (double y = 0.05 * eps; y < 2 * eps; y += 0.1 * eps) {
        const double step = 1e-4 * eps;
        ck_assert_double_eq_tol(y * friction_f1_over_y(y, eps),
                                (friction_f0(y + step, eps) - friction_f0(y - step, eps)) / (2 * step), 1e-8);
        const double ahead = (y + step) * friction_f1_over_y(y + step, eps),
                     behind = (y - step) * friction_f1_over_y(y - step, eps);
        const double m = friction_f1_over_y(y, eps), curvature = m * (1 - friction_relief(y, eps) * y);
        ck_assert_double_eq_tol(curvature * eps, (ahead - behind) / (2 * step) * eps, 1e-8);
    }
    // Creep on a slope of tan(phi) = r mu: f1(y/eps) = r at y/eps = 1 - sqrt(1 - r).
    for (double r = 0.1; r < 1; r += 0.1) {
        const double y = eps * (1 - sqrt(1 - r));
        ck_assert_double_eq_tol(y * friction_f1_over_y(y, eps), r, 1e-14);
    }
}
END_TEST

static void check_derivatives(const FrictionContact *contact, const FrictionLaw *law, const double x[12],
                              const double base[12], double step)
{
    double gradient[12], hessian[144];
    friction_matrix(contact, law, x, base, gradient, hessian);
    double u[2], size = 0;
    const double y = friction_slip(contact, x, base, u);
    const double force = friction_stiffness(contact, law, y) * y;
    for (int i = 0; i < 144; ++i)
        size = fmax(size, fabs(hessian[i]));
    for (int i = 0; i < 12; ++i) {
        double ahead[12], behind[12], one[12], two[12];
        memcpy(ahead, x, sizeof ahead), memcpy(behind, x, sizeof behind);
        ahead[i] += step, behind[i] -= step;
        const double rise =
            friction_energy(contact, law, ahead, base) - friction_energy(contact, law, behind, base);
        ck_assert_double_eq_tol(gradient[i], rise / (2 * step), 1e-6 * fmax(force, step * size));
        friction_gradient(contact, law, ahead, base, one);
        friction_gradient(contact, law, behind, base, two);
        for (int k = 0; k < 12; ++k) {
            ck_assert_double_eq_tol(hessian[12 * k + i], (one[k] - two[k]) / (2 * step), 1e-6 * size);
            ck_assert_double_eq(hessian[12 * k + i], hessian[12 * i + k]);
        }
    }
    double pull[3];
    friction_pull(contact, law, x, base, pull);
    double loss = dot3(pull, contact->drift);
    for (int i = 0; i < 12; ++i)
        loss += gradient[i] * (x[i] - base[i]);
    ck_assert_double_eq_tol(friction_loss(contact, law, x, base), loss, 1e-12 * fmax(loss, force * y));
}

START_TEST(friction_derivatives)
{
    RandomState random = {127};
    for (int i = 0; i < CASES; ++i) {
        const bool semi_implicit = i % 2 == 0;
        const double speed = 1, a = random_between(&random, 1e-3, 1e-1), eps = speed * a;
        // Below, at some distance from, and above the kink at y = eps.
        const double y =
            eps * (i % 3 == 0 ? random_between(&random, 0.05, 0.95) : random_between(&random, 1.05, 50));
        double x[12], base[12];
        FrictionContact contact = random_contact(&random, y, x, base);
        const FrictionLaw law = friction_law(semi_implicit, speed, a);
        friction_follow(&contact, &law, x, base);
        check_derivatives(&contact, &law, x, base, 1e-4 * fmin(y, eps));
    }
}
END_TEST

// The curvature of a matrix along a random direction is not negative, to `rounding` (N/m).
static void check_not_negative(RandomState *random, const double hessian[144], double rounding)
{
    double direction[12], bend = 0;
    for (int k = 0; k < 12; ++k)
        direction[k] = random_between(random, -1, 1);
    for (int k = 0; k < 144; ++k)
        bend += direction[k / 12] * hessian[k] * direction[k % 12];
    ck_assert_double_ge(bend, -rounding);
}

// The lagged force is at most mu lambda and along the slip; its curvature is positive along every direction.
START_TEST(lagged_force_is_bounded)
{
    RandomState random = {131};
    for (int i = 0; i < CASES; ++i) {
        const FrictionLaw law = friction_law(false, 1e-3, 1e-2);
        double x[12], base[12], gradient[12], hessian[144], force[3] = {0, 0, 0}, u[2];
        FrictionContact contact = random_contact(&random, law.scale * pow(10, i % 7 - 3), x, base);
        friction_follow(&contact, &law, x, base);
        friction_matrix(&contact, &law, x, base, gradient, hessian);
        for (int k = 0; k < 6; ++k)
            force[k % 3] -= gradient[k];
        ck_assert_double_le(norm3(force), contact.coefficient * (1 + 1e-14));
        const double y = friction_slip(&contact, x, base, u);
        if (y > law.scale)
            ck_assert_double_eq_tol(norm3(force), contact.coefficient, 1e-14 * contact.coefficient);
        ck_assert_double_lt(dot3(force, contact.tangents[0]) * u[0] + dot3(force, contact.tangents[1]) * u[1],
                            0);
        check_not_negative(&random, hessian, 1e-14 * contact.coefficient / law.scale);
    }
}
END_TEST

// What a step of the dual p is: the solution, in p + dp, of p y/f1(y) = u made linear in both p and u where the step began. So it is off by
// what is of second order in the step; and the dual stays in the unit disc, however far the step went.
START_TEST(dual_follows_the_slip)
{
    RandomState random = {139};
    const FrictionLaw law = friction_law(false, 1e-3, 1e-2);
    for (int i = 0; i < CASES; ++i) {
        double x[12], base[12], u[2], next[12];
        // y is not at the kink of f1.
        const double y =
            law.scale * (i % 2 == 0 ? random_between(&random, 0.1, 0.9) : random_between(&random, 1.1, 20));
        FrictionContact start = random_contact(&random, y, x, base);
        friction_follow(&start, &law, x, base);
        const double m = friction_f1_over_y(friction_slip(&start, x, base, u), law.scale);
        for (int k = 0; k < 2; ++k)
            ck_assert_double_eq_tol(start.dual[k], m * u[k], 1e-15);
        FrictionContact still = start;
        friction_follow(&still, &law, x, base);
        ck_assert_mem_eq(&still, &start, sizeof still);
        double off[2];
        for (int half = 0; half < 2; ++half) {
            const double step = (half == 0 ? 1e-3 : 5e-4) * y;
            FrictionContact contact = start;
            for (int k = 0; k < 12; ++k)
                next[k] = x[k] + step * cos(7.0 * k + i);
            friction_follow(&contact, &law, next, base);
            const double there = friction_f1_over_y(friction_slip(&contact, next, base, u), law.scale);
            off[half] = hypot(contact.dual[0] - there * u[0], contact.dual[1] - there * u[1]);
        }
        ck_assert_double_le(off[0], 2e-5);
        ck_assert_double_le(off[1], 0.3 * off[0] + 1e-15);
        for (int k = 0; k < 12; ++k)
            next[k] = x[k] + y * pow(10, i % 5) * random_between(&random, -1, 1);
        friction_follow(&start, &law, next, base);
        ck_assert_double_le(hypot(start.dual[0], start.dual[1]), 1 + 1e-15);
    }
}
END_TEST

// A slip that turns round, or is left with less than it has changed by, is trusted as far as that goes; once it changes by little the trust is
// back after some steps, and the matrix the Hessian. Without trust it is what bounds the potential from above.
START_TEST(trust_is_lost_and_comes_back)
{
    RandomState random = {151};
    const FrictionLaw law = friction_law(false, 1e-3, 1e-2);
    for (int i = 0; i < CASES; ++i) {
        double x[12], base[12], next[12], u[2], gradient[12], hessian[144];
        const double y = law.scale * pow(10, random_between(&random, -1, 2)),
                     part = random_between(&random, -0.9, 0.45);
        FrictionContact contact = random_contact(&random, y, x, base);
        friction_follow(&contact, &law, x, base);
        ck_assert_double_eq(contact.trust, 1);
        // Its slip, drift aside, becomes a part of what it was.
        friction_slip(&contact, x, base, u);
        const double back[3] = {contact.tangents[0][0] * u[0] + contact.tangents[1][0] * u[1],
                                contact.tangents[0][1] * u[0] + contact.tangents[1][1] * u[1],
                                contact.tangents[0][2] * u[0] + contact.tangents[1][2] * u[1]};
        double squares = 0;
        for (int c = 0; c < 4; ++c)
            squares += contact.weights[c] * contact.weights[c];
        for (int k = 0; k < 12; ++k)
            next[k] = x[k] - (1 - part) * contact.weights[k / 3] / squares * back[k % 3];
        friction_follow(&contact, &law, next, base);
        ck_assert_double_eq_tol(contact.trust, fabs(part) / (1 - part), 1e-6);
        const double lost = contact.trust;
        for (int step = 1; step <= 4; ++step) {
            for (int k = 0; k < 12; ++k)
                next[k] -= 1e-4 * part * contact.weights[k / 3] / squares * back[k % 3];
            friction_follow(&contact, &law, next, base);
            ck_assert_double_eq_tol(contact.trust, fmin(1, lost + 0.25 * step), 1e-12);
        }
        contact.trust = 0;
        friction_matrix(&contact, &law, x, base, gradient, hessian);
        const double k = friction_stiffness(&contact, &law, friction_slip(&contact, x, base, u));
        for (int row = 0; row < 12; ++row)
            for (int column = 0; column < 12; ++column) {
                const double along = contact.tangents[0][row % 3] * contact.tangents[0][column % 3] +
                                     contact.tangents[1][row % 3] * contact.tangents[1][column % 3];
                ck_assert_double_eq_tol(hessian[12 * row + column],
                                        k * contact.weights[row / 3] * contact.weights[column / 3] * along,
                                        1e-12 * k);
            }
    }
}
END_TEST

// The matrix is positive semidefinite wherever the dual is, here on the rim of its disc.
START_TEST(matrix_is_never_indefinite)
{
    RandomState random = {149};
    const FrictionLaw law = friction_law(false, 1e-3, 1e-2);
    for (int i = 0; i < CASES; ++i) {
        double x[12], base[12], gradient[12], hessian[144];
        FrictionContact contact = random_contact(&random, law.scale * pow(10, i % 7 - 3), x, base);
        const double angle = random_between(&random, 0, 6.3);
        contact.dual[0] = cos(angle), contact.dual[1] = sin(angle);
        contact.trust = i % 4 == 0 ? random_between(&random, 0, 1) : 1;
        friction_matrix(&contact, &law, x, base, gradient, hessian);
        check_not_negative(&random, hessian, 1e-14 * contact.coefficient / law.scale);
    }
}
END_TEST

// Without slip: no force, no energy, the stiffness 2/eps or 1/a, and nothing that is not a number.
START_TEST(no_slip)
{
    RandomState random = {137};
    double x[12], base[12], gradient[12], hessian[144];
    FrictionContact contact = random_contact(&random, 1, x, base);
    memset(contact.drift, 0, sizeof contact.drift);
    for (int semi_implicit = 0; semi_implicit < 2; ++semi_implicit) {
        const FrictionLaw law = friction_law(semi_implicit == 1, 1e-3, 1e-2);
        friction_follow(&contact, &law, base, base);
        friction_matrix(&contact, &law, base, base, gradient, hessian);
        ck_assert_double_eq(friction_energy(&contact, &law, base, base), 0);
        ck_assert_double_eq(friction_loss(&contact, &law, base, base), 0);
        double trace = 0, expected = 0;
        for (int i = 0; i < 12; ++i) {
            ck_assert_double_eq(gradient[i], 0);
            trace += hessian[13 * i];
        }
        for (int i = 0; i < 4; ++i)
            expected += 2 * contact.coefficient * contact.weights[i] * contact.weights[i];
        expected *= semi_implicit == 1 ? 1 / law.scale : 2 / law.scale;
        ck_assert_double_eq_tol(trace / expected, 1, 1e-13);
    }
}
END_TEST

// [ASE]: on a plane v_{n+1} = v_n/(1 + h mu g/v_n), the minimum of (m/2) |x - xt|^2/h^2 + P_n; its loss is 2 P_n.
START_TEST(semi_implicit_step)
{
    const double m = 2, g = 9.81, mu = 0.5, v = 2, h = 0.01;
    FrictionContact contact = {.weights = {1, -1, 0, 0}, .tangents = {{1, 0, 0}, {0, 1, 0}}};
    contact.coefficient = mu * m * g / v;
    const FrictionLaw law = friction_law(true, 1e-3, h);
    const double next = v / (1 + h * mu * g / v);
    const double base[12] = {0}, x[12] = {h * next};
    double gradient[12];
    friction_gradient(&contact, &law, x, base, gradient);
    ck_assert_double_eq_tol(m * (next - v) / h, -gradient[0], 1e-11);
    ck_assert_double_eq(gradient[3], -gradient[0]);
    ck_assert_double_eq_tol(friction_loss(&contact, &law, x, base),
                            2 * friction_energy(&contact, &law, x, base), 1e-15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact_friction");
    TCase *cases = tcase_create("contact_friction");
    tcase_add_test(cases, friction_functions);
    tcase_add_test(cases, friction_derivatives);
    tcase_add_test(cases, lagged_force_is_bounded);
    tcase_add_test(cases, dual_follows_the_slip);
    tcase_add_test(cases, trust_is_lost_and_comes_back);
    tcase_add_test(cases, matrix_is_never_indefinite);
    tcase_add_test(cases, no_slip);
    tcase_add_test(cases, semi_implicit_step);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
