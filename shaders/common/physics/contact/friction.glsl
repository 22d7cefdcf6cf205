// Friction of one contact over a stage with effective step a (theory.md section 8, "Friction, lagged" and semi-implicit); twin of
// src/physics/contact/friction.h. Motions x_i - base_i are formed from the exact positions and rounded once.
#ifndef COMMON_PHYSICS_CONTACT_FRICTION_GLSL
#define COMMON_PHYSICS_CONTACT_FRICTION_GLSL

#include "common/real.glsl"

struct FrictionContact {
    real weights[4];    ///< w_i of the closest points
    real3 tangents[2];  ///< the columns of T: an orthonormal pair, perpendicular to the normal
    real3 drift;        ///< motion of a turning obstacle's surface over the stage that its vertices do not make, m
    real coefficient;   ///< lagged: mu lambda, N; semi-implicit: c, N s/m; >= 0
    real2 dual; ///< its force on the way to the minimum, of the coefficient: what friction_follow makes of it
    real2 slip; ///< u where that was, m
    real trust; ///< in what a longer slip takes from the stiffness, 0 to 1: what friction_follow makes of it
};

/// `dual.x` of a contact whose slip nothing has followed yet; else dual is no longer than 1.
const real FRICTION_UNKNOWN = real(2.0);

/// What a contact whose slip goes on changing by more than itself has lost of `trust` comes back by no more than this a step of Newton's method.
const real FRICTION_REGAINED = real(0.25);

/// Which potential: lagged coefficient f0(y), semi-implicit coefficient/(2 a) y^2.
struct FrictionLaw {
    bool semi_implicit;
    real scale; ///< lagged: eps = eps_v a, m, the slip at which the force is full; semi-implicit: a, s; > 0
};

/// Hessian of friction in 10 numbers: block (i, l) = w_i w_l (along along^T + across across^T), N/m.
struct FrictionHessian {
    real weights[4];
    real3 along, across;
};

/// `speed` is eps_v, m/s; `step` is a, s: the time that the slip takes.
FrictionLaw friction_law(bool semi_implicit, real speed, real step)
{
    return FrictionLaw(semi_implicit, semi_implicit ? step : speed * step);
}

/// f0, m: y from eps on, a cubic with f0(0) = eps/3 below, C2 but for a kink of f0'' at eps. y >= 0, eps > 0, both m.
real friction_f0(real y, real eps)
{
    return y >= eps ? y : y * y * (real(1.0) - y / (real(3.0) * eps)) / eps + eps / real(3.0);
}

/// f1/y with f1 = f0', 1/m; 2/eps at y = 0.
real friction_f1_over_y(real y, real eps)
{
    return y >= eps ? real(1.0) / y : (real(2.0) - y / eps) / eps;
}

/// -m'/m with m = f1/y, 1/m: f0'' = m - f1 times this, for what a longer slip takes from m.
real friction_relief(real y, real eps)
{
    return real(1.0) / (y >= eps ? y : real(2.0) * eps - y);
}

/// Writes u, m, and returns y = |u|. `motion` holds x_i - base_i, m.
real friction_slip(FrictionContact contact, real3 motion[4], out real2 u)
{
    real3 sum = contact.drift;
    for (int vertex = 0; vertex < 4; ++vertex)
        sum += contact.weights[vertex] * motion[vertex];
    u = real2(dot(contact.tangents[0], sum), dot(contact.tangents[1], sum));
    return sqrt(dot(u, u));
}

/// (d potential/dy)/y, N/m: the gradient of the potential in u is this times u.
real friction_stiffness(FrictionContact contact, FrictionLaw law, real y)
{
    return contact.coefficient *
           (law.semi_implicit ? real(1.0) / law.scale : friction_f1_over_y(y, law.scale));
}

/// The potential, J; the lagged one without f0(0) = eps/3, which is no energy: 0 without slip.
real friction_energy(FrictionContact contact, FrictionLaw law, real3 motion[4])
{
    real2 u;
    const real y = friction_slip(contact, motion, u), eps = law.scale;
    const real potential = law.semi_implicit ? y * y / (real(2.0) * eps)
                           : y >= eps        ? y - eps / real(3.0)
                                             : y * y * (real(1.0) - y / (real(3.0) * eps)) / eps;
    return contact.coefficient * potential;
}

/// What friction takes from the motion, J: minus the work of its force over the displacement x - base; >= 0.
real friction_loss(FrictionContact contact, FrictionLaw law, real3 motion[4])
{
    real2 u;
    const real y = friction_slip(contact, motion, u);
    return friction_stiffness(contact, law, y) * y * y;
}

/// Gradient of the potential in the relative motion, N: minus the friction force on a vertex with weight 1.
real3 friction_pull(FrictionContact contact, FrictionLaw law, real3 motion[4])
{
    real2 u;
    const real stiffness = friction_stiffness(contact, law, friction_slip(contact, motion, u));
    return stiffness * (contact.tangents[0] * u.x + contact.tangents[1] * u.y);
}

/// Gradient of the potential, N: minus the friction force on each vertex.
void friction_gradient(FrictionContact contact, FrictionLaw law, real3 motion[4], out real3 gradient[4])
{
    const real3 pull = friction_pull(contact, law, motion);
    for (int vertex = 0; vertex < 4; ++vertex)
        gradient[vertex] = contact.weights[vertex] * pull;
}

/// The step of the dual that belongs to the step of Newton's method which has brought the slip to `motion`; nothing changes where the slip
/// has not.
void friction_follow(inout FrictionContact contact, FrictionLaw law, real3 motion[4])
{
    real2 u;
    const real y = friction_slip(contact, motion, u);
    const bool is_known = contact.dual.x < FRICTION_UNKNOWN;
    if (law.semi_implicit || (is_known && u == contact.slip))
        return;
    const real before = length(contact.slip);
    const real m = friction_f1_over_y(is_known ? before : y, law.scale);
    real lost = real(0.0); // of the dual, along the slip
    if (is_known && before > real(0.0))
        lost = friction_relief(before, law.scale) * dot(contact.slip, u - contact.slip) / before;
    contact.trust = is_known ? min(min(real(1.0), contact.trust + FRICTION_REGAINED), y / length(u - contact.slip))
                             : real(1.0);
    const real2 next = m * u - lost * contact.dual;
    contact.dual = next / max(length(next), real(1.0));
    contact.slip = u;
}

/// Gradient (N), and the matrix of Newton's method (N/m, positive semidefinite as it is), which is the Hessian where the dual p is
/// f1(y) u/y and trusted: hess_il = w_i w_l T (k I - q (p e^T + e p^T)/2) T^T, k the potential's slope over y, e = u/y and q friction_relief
/// times coefficient and trust. Its factors are those of Cholesky, across the slip first, where k is all there is.
FrictionHessian friction_hessian(FrictionContact contact, FrictionLaw law, real3 motion[4], out real3 gradient[4])
{
    real2 u;
    const real y = friction_slip(contact, motion, u), across = friction_stiffness(contact, law, y);
    const real relief =
        law.semi_implicit || y == real(0.0) ? real(0.0)
                                            : contact.trust * (contact.coefficient * friction_relief(y, law.scale));
    const real2 e = y > real(0.0) ? u / y : real2(1.0, 0.0);
    const real3 along = e.x * contact.tangents[0] + e.y * contact.tangents[1],
                aside = e.x * contact.tangents[1] - e.y * contact.tangents[0];
    const real root = sqrt(across), mixed = -real(0.5) * relief * (e.x * contact.dual.y - e.y * contact.dual.x),
               turned = across > real(0.0) ? mixed / root : real(0.0);
    FrictionHessian hessian;
    hessian.weights = contact.weights;
    hessian.along = sqrt(max(across - relief * dot(contact.dual, e) - turned * turned, real(0.0))) * along;
    hessian.across = root * aside + turned * along;
    friction_gradient(contact, law, motion, gradient);
    return hessian;
}

/// Block (i, l) for vertices of the weights w_i and w_l, N/m.
real3x3 friction_hessian_block(FrictionHessian hessian, real weight_i, real weight_l)
{
    return weight_i * weight_l *
           (outerProduct(hessian.along, hessian.along) + outerProduct(hessian.across, hessian.across));
}

/// The potential after motion + step less the one after `motion`, J, formed from the step: y'^2 - y^2 = du.(2 u + du). `slope`: its
/// derivative along `step` there, J. `magnitude`: what both are rounded from, as in plane_penalty_change.
real friction_change(FrictionContact contact, FrictionLaw law, real3 motion[4], real3 step[4], out real slope,
                     out real magnitude)
{
    real2 u, du;
    FrictionContact still = contact;
    still.drift = real3(0.0);
    const real y0 = friction_slip(contact, motion, u), moved = friction_slip(still, step, du), eps = law.scale;
    const real2 u1 = u + du;
    const real y1 = sqrt(dot(u1, u1)), square = dot(du, real(2.0) * u + du);
    const real stiffness = friction_stiffness(contact, law, y1);
    slope = stiffness * dot(u1, du);
    magnitude = (stiffness * y1 + friction_stiffness(contact, law, y0) * y0) * moved;
    if (law.semi_implicit)
        return contact.coefficient * square / (real(2.0) * eps);
    const real rise = y1 + y0 > real(0.0) ? square / (y1 + y0) : real(0.0);
    const real c0 = min(y0, eps), c1 = min(y1, eps);
    const real below = y0 < eps && y1 < eps ? rise : c1 - c0;
    const real above = y0 >= eps && y1 >= eps ? rise : max(y1, eps) - max(y0, eps);
    const real cubic = below * ((c1 + c0) - (c1 * c1 + c1 * c0 + c0 * c0) / (real(3.0) * eps)) / eps;
    return contact.coefficient * (cubic + above);
}

/// Prox of Coulomb friction (theory.md section 7): what is left of the tangential part t, m. `limit`: mu fn over the weight, m.
real3 friction_prox(real limit, real3 t)
{
    const real size = length(t);
    return size > limit ? (real(1.0) - limit / size) * t : real3(0.0);
}

#endif
