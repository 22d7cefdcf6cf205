/// Friction of one contact over a stage with effective step a (theory.md section 8, "Friction, lagged" and semi-implicit),
/// as a potential of the slip u = T^T (sum w_i (x_i - base_i) + drift), m, y = |u|. Weights, tangents and coefficient are those of an
/// earlier state and fixed, so the force acts in the tangent plane of that state and does not change the normal force.
#ifndef PHYSICS_CONTACT_FRICTION_H
#define PHYSICS_CONTACT_FRICTION_H

#include "base/matrix3.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct FrictionContact {
    int32_t vertices[4];   ///< of surfaces; those with weight 0 take no part
    double weights[4];     ///< w_i of the closest points
    double tangents[2][3]; ///< the columns of T: an orthonormal pair, perpendicular to the normal
    double
        drift[3]; ///< motion of a turning obstacle's surface over the stage that its vertices do not make, m
    double coefficient; ///< lagged: mu lambda, N; semi-implicit: c, N s/m; >= 0
    double dual
        [2]; ///< its force on the way to the minimum, of the coefficient: what friction_follow makes of it
    double slip[2]; ///< u where that was, m
    double
        trust; ///< in what a longer slip takes from the stiffness, 0 to 1: what friction_follow makes of it
} FrictionContact;

/// `dual[0]` of a contact whose slip nothing has followed yet; else dual is no longer than 1.
static const double FRICTION_UNKNOWN = 2;

/// What a contact whose slip goes on changing by more than itself has lost of `trust` comes back by no more than this a step of Newton's method.
static const double FRICTION_REGAINED = 0.25;

/// Which potential: lagged coefficient f0(y), semi-implicit coefficient/(2 a) y^2.
typedef struct FrictionLaw {
    bool semi_implicit;
    double scale; ///< lagged: eps = eps_v a, m, the slip at which the force is full; semi-implicit: a, s; > 0
} FrictionLaw;

/// `speed` is eps_v, m/s; `step` is a, s: the time that the slip takes.
static inline FrictionLaw friction_law(bool semi_implicit, double speed, double step)
{
    return (FrictionLaw){.semi_implicit = semi_implicit, .scale = semi_implicit ? step : speed * step};
}

/// f0, m: y from eps on, a cubic with f0(0) = eps/3 below, C2 but for a kink of f0'' at eps. y >= 0, eps > 0, both m.
static inline double friction_f0(double y, double eps)
{
    return y >= eps ? y : y * y * (1 - y / (3 * eps)) / eps + eps / 3;
}

/// f1/y with f1 = f0', 1/m; 2/eps at y = 0.
static inline double friction_f1_over_y(double y, double eps)
{
    return y >= eps ? 1 / y : (2 - y / eps) / eps;
}

/// -m'/m with m = f1/y, 1/m: f0'' = m - f1 times this, for what a longer slip takes from m.
static inline double friction_relief(double y, double eps)
{
    return 1 / (y >= eps ? y : 2 * eps - y);
}

/// Writes u, m, and returns y = |u|. `x` and `base` are the four vertices' coordinates, m.
static inline double friction_slip(const FrictionContact *contact, const double x[12], const double base[12],
                                   double u[2])
{
    double motion[3] = {contact->drift[0], contact->drift[1], contact->drift[2]};
    for (int i = 0; i < 12; ++i)
        motion[i % 3] += contact->weights[i / 3] * (x[i] - base[i]);
    u[0] = dot3(contact->tangents[0], motion);
    u[1] = dot3(contact->tangents[1], motion);
    return sqrt(u[0] * u[0] + u[1] * u[1]);
}

/// (d potential/dy)/y, N/m: the gradient of the potential in u is this times u.
static inline double friction_stiffness(const FrictionContact *contact, const FrictionLaw *law, double y)
{
    return contact->coefficient * (law->semi_implicit ? 1 / law->scale : friction_f1_over_y(y, law->scale));
}

/// The potential, J; the lagged one without f0(0) = eps/3, which is no energy: 0 without slip.
static inline double friction_energy(const FrictionContact *contact, const FrictionLaw *law,
                                     const double x[12], const double base[12])
{
    double u[2];
    const double y = friction_slip(contact, x, base, u), eps = law->scale;
    const double potential = law->semi_implicit ? y * y / (2 * eps) : friction_f0(y, eps) - eps / 3;
    return contact->coefficient * potential;
}

/// What friction takes from the motion, J: minus the work of its force over the displacement x - base; >= 0.
static inline double friction_loss(const FrictionContact *contact, const FrictionLaw *law, const double x[12],
                                   const double base[12])
{
    double u[2];
    const double y = friction_slip(contact, x, base, u);
    return friction_stiffness(contact, law, y) * y * y;
}

/// Gradient of the potential in the relative motion, N: minus the friction force on a vertex with weight 1.
static inline void friction_pull(const FrictionContact *contact, const FrictionLaw *law, const double x[12],
                                 const double base[12], double pull[3])
{
    double u[2];
    const double stiffness = friction_stiffness(contact, law, friction_slip(contact, x, base, u));
    for (int axis = 0; axis < 3; ++axis)
        pull[axis] = stiffness * (contact->tangents[0][axis] * u[0] + contact->tangents[1][axis] * u[1]);
}

/// Gradient of the potential, N: minus the friction force on each vertex.
static inline void friction_gradient(const FrictionContact *contact, const FrictionLaw *law,
                                     const double x[12], const double base[12], double gradient[12])
{
    double pull[3];
    friction_pull(contact, law, x, base, pull);
    for (int i = 0; i < 12; ++i)
        gradient[i] = contact->weights[i / 3] * pull[i % 3];
}

/// The step of the dual p that belongs to a step of Newton's method, which has brought the slip to where x is: p follows the equation
/// p = f1(y) u/y, made linear in both where the step began. At the minimum it is f1(y) u/y, and friction_hessian the true Hessian; on the
/// way there the slip may be turned round in a step, but p is then so to a part only. Idempotent: at the same x nothing changes.
/// Primal-dual Newton of Chan, Golub and Mulet, SIAM J. Sci. Comput. 20 (1999), with the dual kept within the unit disc as Hintermüller
/// and Stadler, SIAM J. Sci. Comput. 28 (2006), have it.
///
/// Where the step has changed the slip by more than there is now, the next one may too, and turn it round: `trust` is the slip over its change.
static inline void friction_follow(FrictionContact *contact, const FrictionLaw *law, const double x[12],
                                   const double base[12])
{
    double u[2], *p = contact->dual, *last = contact->slip;
    const double y = friction_slip(contact, x, base, u), eps = law->scale;
    if (law->semi_implicit || (p[0] < FRICTION_UNKNOWN && u[0] == last[0] && u[1] == last[1]))
        return;
    const double before = sqrt(last[0] * last[0] + last[1] * last[1]);
    const bool is_known = p[0] < FRICTION_UNKNOWN;
    const double m = friction_f1_over_y(is_known ? before : y, eps);
    double lost = 0; // of p, along the slip
    contact->trust =
        is_known ? fmin(fmin(1, contact->trust + FRICTION_REGAINED),
                        y / sqrt((u[0] - last[0]) * (u[0] - last[0]) + (u[1] - last[1]) * (u[1] - last[1])))
                 : 1;
    if (is_known && before > 0)
        lost =
            friction_relief(before, eps) * (last[0] * (u[0] - last[0]) + last[1] * (u[1] - last[1])) / before;
    for (int i = 0; i < 2; ++i) {
        p[i] = m * u[i] - lost * p[i];
        last[i] = u[i];
    }
    const double size = sqrt(p[0] * p[0] + p[1] * p[1]);
    for (int i = 0; i < 2 && size > 1; ++i)
        p[i] /= size;
}

/// Gradient in the relative motion (N, as friction_pull), and the matrix of Newton's method (N/m, symmetric, positive semidefinite as it
/// is), which is the Hessian where the dual p is f1(y) u/y and trusted: of vertices i and l it has w_i w_l times the block
/// T (k I - q (p e^T + e p^T)/2) T^T, k the potential's slope over y, e = u/y and q friction_relief times coefficient and `trust`. With a
/// trust of 0 no slip is turned round: k I bounds the potential from above.
static inline void friction_hessian(const FrictionContact *contact, const FrictionLaw *law,
                                    const double x[12], const double base[12], double pull[3],
                                    double block[9])
{
    double u[2];
    const double *p = contact->dual;
    const double y = friction_slip(contact, x, base, u), stiffness = friction_stiffness(contact, law, y);
    const double relief = law->semi_implicit || y == 0
                              ? 0
                              : contact->trust * (contact->coefficient * friction_relief(y, law->scale)) / y;
    const double plane[3] = {stiffness - relief * p[0] * u[0], -0.5 * relief * (p[0] * u[1] + p[1] * u[0]),
                             stiffness - relief * p[1] * u[1]}; // 00 01 11
    const double *s = contact->tangents[0], *t = contact->tangents[1];
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            block[3 * a + b] =
                plane[0] * (s[a] * s[b]) + plane[1] * (s[a] * t[b] + t[a] * s[b]) + plane[2] * (t[a] * t[b]);
    for (int axis = 0; axis < 3; ++axis)
        pull[axis] = stiffness * (s[axis] * u[0] + t[axis] * u[1]);
}

/// Prox of Coulomb friction (theory.md section 7): t, m, becomes what is left of it. `limit`: mu fn over the weight, m.
static inline void friction_prox(double limit, double t[3])
{
    const double size = norm3(t), left = size > limit ? 1 - limit / size : 0;
    for (int k = 0; k < 3; ++k)
        t[k] *= left;
}

#endif
