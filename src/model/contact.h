/// What collides under barrier contact: the surfaces of bodies and obstacles as vertices, edges and triangles. Vertices are
/// those of model/surface_map.h, so that nothing here knows what kind of body it touches. Obstacles take part with nodes of
/// their own behind those of the bodies, pinned to their prescribed motion, without mass: so whatever holds for pins (search
/// direction, filter, being in place at the end) holds for them.
#ifndef MODEL_CONTACT_H
#define MODEL_CONTACT_H

#include "model/exclusions.h"
#include "model/friction_rules.h"
#include "model/surface_map.h"

/// One copy of a body, or an obstacle: a surface that is a unit for friction, self-contact and the broad phase.
typedef struct ContactOwner {
    int32_t body;     ///< index into scene->bodies, -1 for an obstacle
    int32_t obstacle; ///< index into scene->obstacles, -1 for a body
    double
        separation; ///< this far from its surface others are kept, m: of a sphere, which is its centre, the radius; of a
                    ///< body half its contact thickness
    int32_t collision_group; ///< of ModelContact.exclusions
    bool is_cable;           ///< its edges are segments: every vertex is held against them
    bool
        meets_itself; ///< its own surface is held against itself; an affine body's never: the map keeps apart what is apart
    int32_t first_vertex, vertex_count; ///< of the surface map; none of a plane
    int32_t first_edge, edge_count;
    int32_t first_triangle, triangle_count;
} ContactOwner;

/// A plane: outside is where n.(x - x_point) > 0, n the direction from the vertex `point` to the vertex `tip`.
typedef struct ContactPlane {
    int32_t owner;
    int32_t point, tip;
} ContactPlane;

/// Whether an owner is a point without area: a sphere.
static inline bool contact_owner_is_point(const ContactOwner *owner)
{
    return owner->vertex_count == 1;
}

/// Areas are of the rest shape (theory.md section 8 "Weights"): a third of the areas of the triangles around; of a cable's
/// segment 2 r l, half of it for each of its ends.
typedef struct ModelContact {
    double
        stiffness; ///< kappa, N/m times contact area: the user's, or E d-hat with the largest Young's modulus
    int32_t owner_count;
    ContactOwner *owners; ///< copies of the bodies in their order, then obstacles other than planes
    double *vertex_areas; ///< of every vertex of the surface map
    int32_t edge_count;
    int32_t (*edges)[2]; ///< vertices, ascending: of triangles, and segments of cables
    double *edge_areas;
    int32_t triangle_count;
    int32_t (*triangles)[3]; ///< vertices, outward: those of ModelSurface
    double *triangle_areas;
    int32_t plane_count;
    ContactPlane *planes;
    bool has_friction;
    FrictionRules friction;
    ContactExclusions exclusions;
} ModelContact;

/// The vertices of a vertex, an edge or a triangle, by its number among all of its kind, the last one repeated.
static inline void model_contact_corners(const ModelContact *contact, SurfacePart part, int32_t number,
                                         int32_t corners[3])
{
    for (int k = 0; k < 3; ++k)
        corners[k] = part == SURFACE_VERTEX ? number
                     : part == SURFACE_EDGE ? contact->edges[number][k > 0]
                                            : contact->triangles[number][k];
}

/// Whether two owners may make contact at all.
static inline bool model_contact_may_meet(const ModelContact *contact, int32_t owner, int32_t other)
{
    return exclusions_may_meet(&contact->exclusions, contact->owners[owner].collision_group,
                               contact->owners[other].collision_group);
}

/// Coefficient of friction of two owners, one of which is a body's.
static inline double model_contact_friction(const ModelContact *contact, int32_t owner, int32_t other)
{
    const ContactOwner *a = &contact->owners[owner], *b = &contact->owners[other];
    return a->body >= 0 ? friction_rules_find(&contact->friction, a->body, b->body, b->obstacle)
                        : friction_rules_find(&contact->friction, b->body, a->body, a->obstacle);
}

#endif
