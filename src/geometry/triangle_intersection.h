/// Whether two triangles in space have a common point, decided exactly (geometry/orientation.h). Triangles are closed, so
/// touching counts; they may be coplanar, and of zero area. Coordinates in m, node after node, in the range of
/// orientation.h.
#ifndef GEOMETRY_TRIANGLE_INTERSECTION_H
#define GEOMETRY_TRIANGLE_INTERSECTION_H

#include <stdbool.h>

/// Any common point of p_0 p_1 p_2 and q_0 q_1 q_2.
bool triangles_meet(const double p[9], const double q[9]);

/// Any common point but p_0 = q_0, the corner that both share.
bool triangles_meet_beyond_corner(const double p[9], const double q[9]);

/// Any common point that is not on the edge p_0 p_1 = q_0 q_1, which both share: two triangles folded onto each other.
bool triangles_meet_beyond_edge(const double p[9], const double q[9]);

#endif
