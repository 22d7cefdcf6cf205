// Gradients of the squared distance D (m^2) and of the distance d (m) of a pair, and what its Hessian is made of; twin of
// src/geometry/distance.h.
#ifndef COMMON_GEOMETRY_DISTANCE_GLSL
#define COMMON_GEOMETRY_DISTANCE_GLSL

#include "common/geometry/closest_points.glsl"

/// grad_i D = 2 w_i r
void distance_sq_gradient(ClosestPoints closest, out real3 gradient[4])
{
    for (int vertex = 0; vertex < 4; ++vertex)
        gradient[vertex] = real(2.0) * closest.weights[vertex] * closest.r;
}

/// grad_i d = w_i r/d
void distance_gradient(ClosestPoints closest, out real3 gradient[4])
{
    const real3 n = closest.r / sqrt(closest.distance_sq);
    for (int vertex = 0; vertex < 4; ++vertex)
        gradient[vertex] = closest.weights[vertex] * n;
}

/// D after the vertices have moved by `step` less D before, m^2, formed from the motion: with m = sum w_i step_i for the old
/// weights and s = sum (w_1i - w_i) x_1i for the new ones, r_1 = r + m + s, so |r_1|^2 - |r|^2 = m.(2 r + m) + 2 s.r_1 - |s|^2 for any
/// weights; errors of weights that are best count twice. s is summed from vertices of the new closest features, to which r_1 is
/// perpendicular: the rounding of weights then does not reach s.r_1. `shift_sq` is |s|^2. `before` and `after` are the closest points
/// at x and `moved` = x + step.
real distance_sq_change(ClosestPoints before, ClosestPoints after, real3 moved[4], real3 step[4], int kind,
                        out real shift_sq)
{
    real3 m = real3(0.0), s = real3(0.0), base[2] = real3[2](real3(0.0), real3(0.0));
    for (int vertex = 0; vertex < 4; ++vertex) {
        const bool takes_part = (after.features >> vertex & 1) != 0;
        base[0] = takes_part && vertex < kind ? moved[vertex] : base[0];
        base[1] = takes_part && vertex >= kind ? moved[vertex] : base[1];
    }
    real along = real(0.0); // s.r_1
    for (int vertex = 0; vertex < 4; ++vertex) {
        const real3 arm = (after.weights[vertex] - before.weights[vertex]) * (moved[vertex] - (vertex < kind ? base[0] : base[1]));
        m += before.weights[vertex] * step[vertex];
        s += arm;
        along += dot(arm, after.r);
    }
    shift_sq = dot(s, s);
    return dot(m, real(2.0) * before.r + m) + (real(2.0) * along - shift_sq);
}

#endif
