// The area that a contact pair stands for; twin of src/physics/contact/area_weight.h.
#ifndef COMMON_PHYSICS_CONTACT_AREA_WEIGHT_GLSL
#define COMMON_PHYSICS_CONTACT_AREA_WEIGHT_GLSL

#include "common/real.glsl"

/// A vertex against a triangle: min(A_v, 2 A_t)/4.
real area_weight_point_triangle(real vertex_area, real triangle_area)
{
    return min(vertex_area, real(2.0) * triangle_area) / real(4.0);
}

/// Two edges: min(A_e, A_e')/2.
real area_weight_edges(real first_area, real second_area)
{
    return min(first_area, second_area) / real(2.0);
}

/// A vertex against a segment: min(A_v, A_e)/2.
real area_weight_point_edge(real vertex_area, real edge_area)
{
    return min(vertex_area, edge_area) / real(2.0);
}

#endif
