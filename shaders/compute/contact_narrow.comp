// variant: f64
// Which raw pairs may come within their range, and on which of them CCD has to look (theory.md section 8, "Which pairs").
//
// A distance of single precision may be above the true one, and of slivers far above it. What says that a pair is far is the way
// between its primitives along a direction, L(n) = min n.a - max n.b <= d: an inaccurate direction only makes it smaller.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Numbers { real numbers[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Rest { Exact3 rest[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 6) buffer Raw { uvec2 raw[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Kept { uint kept[]; };

#include "common/contact/lists.glsl"
#include "common/invocation.glsl"

#include "common/contact/queries.glsl"

#include "common/contact/pairs.glsl"

#include "common/contact/planes.glsl"

/// How far the first primitive is before the second along n, times |n|.
real way_along(real3 y[4], int kind, real3 n)
{
    real low = real_infinity(), high = -real_infinity();
    for (int c = 0; c < 4; ++c) {
        const real along = dot(n, y[c]);
        low = c < kind ? min(low, along) : low;
        high = c < kind ? high : max(high, along);
    }
    return low - high;
}

/// A lower bound of the distance; 0 where there is none.
real distance_bound(real3 y[4], int kind)
{
    const real3 centers = kind == PAIR_POINT_TRIANGLE ? real(3.0) * y[0] - (y[1] + y[2] + y[3])
                                                      : y[0] + y[1] - (y[2] + y[3]);
    const ClosestPoints closest = closest_points(y, kind);
    const real centers_sq = dot(centers, centers);
    real bound = real(0.0);
    if (centers_sq > real(0.0))
        bound = max(bound, way_along(y, kind, centers) / sqrt(centers_sq));
    if (closest.distance_sq > real(0.0))
        bound = max(bound, way_along(y, kind, closest.r) / sqrt(closest.distance_sq));
    return bound;
}

/// The largest relative motion of a vertex of one primitive and a vertex of the other.
real approach(real3 p[4], int kind)
{
    real largest = real(0.0);
    for (int a = 0; a < 2; ++a)
        for (int b = 1; b < 4; ++b) {
            const real3 relative = p[a] - p[b];
            if (a < kind && b >= kind)
                largest = max(largest, dot(relative, relative));
        }
    return sqrt(largest);
}

/// The twin of ways_meet in src/device/cpu/contact/pool_pair.c: whether the primitives may come within `reach` of each other on straight ways
/// from y to y + p.
bool ways_meet(real3 y[4], real3 p[4], int kind, real reach)
{
    const real far = real_infinity();
    bvec3 first_above = bvec3(true), second_above = bvec3(true);
    for (int end = 0; end < 2; ++end) {
        real3 first_low = real3(far), first_high = real3(-far), second_low = real3(far), second_high = real3(-far);
        for (int c = 0; c < 4; ++c) {
            const real3 at = end == 0 ? y[c] : y[c] + p[c];
            first_low = c < kind ? min(first_low, at) : first_low;
            first_high = c < kind ? max(first_high, at) : first_high;
            second_low = c < kind ? second_low : min(second_low, at);
            second_high = c < kind ? second_high : max(second_high, at);
        }
        for (int k = 0; k < 3; ++k) {
            first_above[k] = first_above[k] && first_low[k] - second_high[k] > reach;
            second_above[k] = second_above[k] && second_low[k] - first_high[k] > reach;
        }
    }
    return !any(first_above) && !any(second_above);
}

bool pair_is_near(Pair pair, out bool approaches)
{
    const int kind = pair_kind(pair.kind);
    Exact3 x[4] = Exact3[4](vertices[pair.vertices.x], vertices[pair.vertices.y], vertices[pair.vertices.z],
                            vertices[pair.vertices.w]);
    real3 y[4], p[4];
    relative_vertices(x, y);
    for (int c = 0; c < 4; ++c)
        p[c] = moves != 0u ? exact3_value(motion[pair.vertices[c]]) : real3(0.0);
    real size = real(0.0);
    for (int c = 0; c < 4; ++c)
        size = max(size, sqrt(dot(y[c], y[c])) + sqrt(dot(p[c], p[c])));
    // eta of theory.md section 8: what rounding may have moved the vertices by.
    const real3 place = exact3_value(x[0]);
    const real eta = real(24.0) * REAL_ROUNDOFF * size + real(8.0) * REAL_ROUNDOFF * REAL_ROUNDOFF * (sqrt(dot(place, place)) + size);
    // The rest shape makes range and separation smaller, never larger.
    const real reach = numbers[CONTACT_DISTANCE] + owner_separation(pair.owners.x) + owner_separation(pair.owners.y);
    approaches = false;
    if (!ways_meet(y, p, kind, reach + eta))
        return false;
    const real bound = distance_bound(y, kind) - eta, closer = approach(p, kind);
    if (bound - closer >= reach)
        return false;
    const PairNumbers barrier = pair_numbers(pair);
    const real gap = bound - barrier.separation;
    // A half instead of the tenth that CCD keeps: far beyond rounding.
    approaches = closer > real(0.5) * gap;
    return barrier.is_apart && (approaches || gap - closer < barrier.range);
}

/// Whether a joint holds the pair together; not of a plane.
bool pair_is_joined(Pair pair)
{
    const uint kind = pair.kind == CONTACT_EDGE_EDGE ? PRIMITIVE_EDGE : PRIMITIVE_VERTEX,
               other = pair.kind == CONTACT_POINT_TRIANGLE ? PRIMITIVE_TRIANGLE : PRIMITIVE_EDGE;
    return are_joined(kind, pair.parts.x, other, pair.parts.y);
}

void main()
{
    const uint i = invocation_number();
    if (i >= control[CONTACT_RAW_COUNT])
        return;
    const Pair pair = raw_pair(raw[i].x, raw[i].y);
    bool approaches, near;
    if (pair.kind == CONTACT_POINT_PLANE)
        near = plane_is_near(pair.vertices.x, raw[i].y, approaches);
    else
        near = !pair_is_joined(pair) && pair_is_near(pair, approaches);
    kept[i] = near ? 1u : 0u;
    if (near)
        raw[i].y |= uint(RAW_KEPT) | (approaches ? uint(RAW_APPROACHES) : 0u);
}
