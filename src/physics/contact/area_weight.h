/// The area that a contact pair stands for (theory.md section 8, "Weights"), m^2, from areas of the rest shape: A_v and A_e, a
/// third of the areas of the triangles around a vertex and along an edge, and A_t, a triangle's own. The smaller side counts,
/// so that the large triangles of an obstacle do not weigh in with the whole of their area in every pair with a fine body. Where
/// both sides are evenly fine, A_e is 2/3 of a triangle and A_v two triangles: then these are A_v/4 and (A_e + A_e')/4.
#ifndef PHYSICS_CONTACT_AREA_WEIGHT_H
#define PHYSICS_CONTACT_AREA_WEIGHT_H

#include <math.h>

/// A vertex against a triangle: min(A_v, 2 A_t)/4.
static inline double area_weight_point_triangle(double vertex_area, double triangle_area)
{
    return fmin(vertex_area, 2 * triangle_area) / 4;
}

/// Two edges, a pair that is counted once: min(A_e, A_e')/2.
static inline double area_weight_edges(double first_area, double second_area)
{
    return fmin(first_area, second_area) / 2;
}

/// A vertex against a segment of a cable: min(A_v, A_e)/2, A_e = 2 r l.
static inline double area_weight_point_edge(double vertex_area, double edge_area)
{
    return fmin(vertex_area, edge_area) / 2;
}

#endif
