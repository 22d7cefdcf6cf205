// Barrier energy of a vertex before a plane (theory.md section 8): E = kappa w b(n.(x - c) - xi); twin of
// src/physics/contact/plane_barrier.h. The exact positions go in, in the order vertex, c, tip: a vertex may be metres from c and
// micrometres from the plane.
#ifndef COMMON_PHYSICS_CONTACT_PLANE_BARRIER_GLSL
#define COMMON_PHYSICS_CONTACT_PLANE_BARRIER_GLSL

#include "common/physics/contact/barrier.glsl"
#include "common/real.glsl"

struct PlaneBarrier {
    real stiffness;  ///< kappa w, J: kappa (N/m) times the area of the vertex (m^2); > 0
    real range;      ///< gap at which the barrier begins, m; > 0
    real separation; ///< xi: the least distance, m; >= 0
};

/// n.(x - c) - xi, m, and n. Within a few roundings of n.(x - c), and in single precision 2^-42 |x - c|.
real plane_barrier_gap(PlaneBarrier plane, Exact3 x[3], out real3 normal)
{
    const Exact3 axis = exact3_subtract(x[2], x[1]), offset = exact3_subtract(x[0], x[1]);
    const real3 direction = exact3_value(axis);
    const real size = sqrt(dot(direction, direction));
    normal = direction / size;
    return exact_value(exact_dot(axis, offset)) / size - plane.separation;
}

/// Energy in J, 0 beyond the range, infinity where the distance is not above the separation.
real plane_barrier_energy(PlaneBarrier plane, Exact3 x[3])
{
    real3 normal;
    const real gap = plane_barrier_gap(plane, x, normal);
    return gap > real(0.0) ? plane.stiffness * barrier(gap, plane.range) : real_infinity();
}

/// Normal force -kappa w b' >= 0, N, which pushes the vertex along n (written too); 0 beyond the range.
real plane_barrier_force(PlaneBarrier plane, Exact3 x[3], out real3 normal)
{
    const real gap = plane_barrier_gap(plane, x, normal);
    return -plane.stiffness * barrier_slope(gap, plane.range);
}

/// Gradient of the energy, N: opposite on the vertex and on c, 0 on the tip. False beyond the range, where it is 0.
bool plane_barrier_gradient(PlaneBarrier plane, Exact3 x[3], out real3 gradient[3])
{
    real3 normal;
    const real gap = plane_barrier_gap(plane, x, normal);
    gradient[0] = plane.stiffness * barrier_slope(gap, plane.range) * normal;
    gradient[1] = -gradient[0];
    gradient[2] = real3(0.0);
    return gap < plane.range;
}

/// Gradient, and f with the block f f^T = kappa w b'' n n^T (N/m) of the Hessian: + for the vertex with itself and c with itself,
/// - for the vertex with c, 0 for the tip. False beyond the range, where both are 0.
bool plane_barrier_hessian(PlaneBarrier plane, Exact3 x[3], out real3 gradient[3], out real3 factor)
{
    real3 normal;
    const real gap = plane_barrier_gap(plane, x, normal);
    factor = sqrt(plane.stiffness * barrier_curvature(gap, plane.range)) * normal;
    return plane_barrier_gradient(plane, x, gradient);
}

/// E after the vertices have moved by `step` less E before, J, formed from the motion of vertex and normal; `slope`: its derivative
/// along `step` there for a plane that does not turn, J; `magnitude`: what both are rounded from, as in plane_penalty_change.
real plane_barrier_change(PlaneBarrier plane, Exact3 x[3], real3 step[3], out real slope, out real magnitude)
{
    real3 normal;
    const real gap = plane_barrier_gap(plane, x, normal);
    const real3 move = step[0] - step[1], turn = step[2] - step[1], arm = exact3_difference(x[0], x[1]) + move;
    const real3 axis = exact3_difference(x[2], x[1]), turned = axis + turn;
    const real size = length(axis), new_size = length(turned);
    // n' - n = turn/|a'| - n (|a'|^2 - |a|^2)/(|a'| (|a'| + |a|)) for the axis a
    const real3 new_normal = turned / new_size;
    const real3 bend = (turn - dot(turn, real(2.0) * axis + turn) / (new_size + size) * normal) / new_size;
    const real rise = dot(normal, move) + dot(bend, arm);
    const real before = barrier_slope(gap, plane.range), after = barrier_slope(gap + rise, plane.range);
    const real3 parts = abs(normal) * (abs(step[0]) + abs(step[1])) + abs(bend * arm);
    slope = plane.stiffness * after * dot(new_normal, move);
    magnitude = plane.stiffness * max(abs(before), abs(after)) * (parts.x + parts.y + parts.z);
    return plane.stiffness * barrier_change(gap, rise, plane.range);
}

#endif
