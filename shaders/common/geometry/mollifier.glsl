// The factor e of nearly parallel edges; twin of src/geometry/mollifier.h, which says more.
#ifndef COMMON_GEOMETRY_MOLLIFIER_GLSL
#define COMMON_GEOMETRY_MOLLIFIER_GLSL

#include "common/real.glsl"

/// m^4, from the squared lengths of the edges at rest, m^2.
real mollifier_threshold(real rest_length_sq_u, real rest_length_sq_v)
{
    return real(1e-3) * rest_length_sq_u * rest_length_sq_v;
}

/// c = |u x v|^2, m^4
real edges_cross_sq(real3 x[4])
{
    const real3 n = cross(x[1] - x[0], x[3] - x[2]);
    return dot(n, n);
}

/// dc/du = 2 v x (u x v), dc/dv = 2 (u x v) x u; x_1 and x_3 with plus, x_0 and x_2 with minus.
void edges_cross_sq_gradient(real3 x[4], out real3 gradient[4])
{
    const real3 u = x[1] - x[0], v = x[3] - x[2], n = cross(u, v);
    gradient[1] = real(2.0) * cross(v, n);
    gradient[0] = -gradient[1];
    gradient[3] = real(2.0) * cross(n, u);
    gradient[2] = -gradient[3];
}

/// e, 0 to 1. `threshold` > 0, m^4.
real mollifier(real3 x[4], real threshold)
{
    const real m = edges_cross_sq(x) / threshold;
    return m < real(1.0) ? m * (real(2.0) - m) : real(1.0);
}

/// grad e = e' grad c, e' = 2 (1 - m)/threshold; 1/m
void mollifier_gradient(real3 x[4], real threshold, out real3 gradient[4])
{
    const real m = edges_cross_sq(x) / threshold,
               slope = m < real(1.0) ? real(2.0) * (real(1.0) - m) / threshold : real(0.0);
    edges_cross_sq_gradient(x, gradient);
    for (int vertex = 0; vertex < 4; ++vertex)
        gradient[vertex] *= slope;
}

/// e at x and its change with a motion; each is off by some roundings of its magnitude, which is many times the value where edges are
/// nearly parallel.
struct MollifierChange {
    real before, change, before_magnitude, change_magnitude;
};

/// e at x + step less e at x, formed from the motion: n' - n = du x v' + u x dv, c' - c = (n' - n).(n' + n), and
/// e' - e = (m' - m)(2 - m' - m) with m bounded by 1. A product u x v is off by a rounding of |u| |v|.
MollifierChange mollifier_change(real3 x[4], real3 step[4], real threshold)
{
    const real3 u = x[1] - x[0], v = x[3] - x[2], du = step[1] - step[0], dv = step[3] - step[2];
    const real3 before = cross(u, v), turn = cross(du, v + dv) + cross(u, dv), after = before + turn;
    const real m_before = dot(before, before) / threshold, m_after = dot(after, after) / threshold;
    const real m0 = min(m_before, real(1.0)), m1 = min(m_after, real(1.0));
    const bool both = m_before < real(1.0) && m_after < real(1.0);
    const real rest = real(2.0) - m0 - m1, change = both ? dot(turn, before + after) / threshold : m1 - m0;
    const real size = length(u) * length(v), swing = length(du) * length(v + dv) + length(u) * length(dv);
    const real shorter = min(length(before), length(after)), longer = max(length(before), length(after));
    const real off = both ? longer * swing + length(turn) * size : shorter * (swing + size);
    return MollifierChange(m0 * (real(2.0) - m0), change * rest,
                           real(4.0) * (real(1.0) - m0) * length(before) * size / threshold, real(2.0) * rest * off / threshold);
}

#endif
