// How far a vertex and a plane may move; as plane_safe of src/device/cpu/contact/candidate_terms.c. Include
// common/contact/candidates.glsl before, and declare the buffer `motion`.
#ifndef COMMON_CONTACT_PLANE_FILTER_GLSL
#define COMMON_CONTACT_PLANE_FILTER_GLSL

#include "common/geometry/ccd.glsl"

/// n.(x - c) less separation after the part t of the motion, m.
real plane_gap_after(PlaneBarrier plane, Exact3 x[3], Exact3 d[3], real t)
{
    Exact3 moved[3];
    real3 normal;
    for (int i = 0; i < 3; ++i)
        moved[i] = exact3_add(x[i], exact3_scale(exact(t), d[i]));
    return plane_barrier_gap(plane, moved, normal);
}

/// With a bound on how fast the vertex and a turning plane approach: |n'| <= |turn| / |tip - point|, and that length stays above
/// a half while the plane turns by less than 60 degrees.
real turning_plane_safe(PlaneBarrier plane, Exact3 x[3], Exact3 d[3], real gap, real turn, real offset, real relative)
{
    const real speed = relative + real(2.0) * turn * (offset + relative), kept = CCD_SAFETY * gap;
    if (!(gap > real(0.0)) || turn > real(1.0))
        return gap > real(0.0) ? min(real(0.5) / turn, real(0.5) * gap / speed) : real(0.0);
    real t = real(0.0), now = gap;
    for (int turns = 0; turns < CCD_MAX_TURNS && (t == real(0.0) || now >= real(1.5) * kept); ++turns) {
        const real next = t + (now - kept) / speed;
        if (next >= real(1.0))
            return real(1.0);
        if (!(next > t))
            return t;
        t = next;
        now = plane_gap_after(plane, x, d, t) - CCD_ROUNDING * gap;
    }
    return t;
}

real plane_safe(Candidate candidate)
{
    const PlaneBarrier plane = candidate_plane(candidate);
    Exact3 x[3], d[3];
    real3 normal;
    candidate_plane_places(candidate, x);
    for (int i = 0; i < 3; ++i)
        d[i] = motion[candidate.vertices[i]];
    const real3 offset = exact3_difference(x[0], x[1]), relative = exact3_difference(d[0], d[1]),
                turn = exact3_difference(d[2], d[1]);
    const real gap = plane_barrier_gap(plane, x, normal), size = sqrt(dot(offset, offset)), speed = sqrt(dot(relative, relative));
    // What rounding may have added to the gap: common/physics/contact/plane_barrier.glsl.
    const real height_size = abs(gap + plane.separation) + plane.separation + real(1e-6) * size;
    if (dot(turn, turn) == real(0.0))
        return ccd_plane(gap + plane.separation, height_size, -dot(normal, relative), speed, plane.separation);
    return turning_plane_safe(plane, x, d, gap - CCD_ROUNDING * height_size, sqrt(dot(turn, turn)), size, speed);
}

#endif
