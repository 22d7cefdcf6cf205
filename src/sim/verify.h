/// Checks a state of a simulation by itself, without anything that contact or the solvers compute: whether surfaces
/// intersect each other, a plane or a sphere, and whether elements that must not invert have done so. Exact but for spheres
/// (sim/intersections.h). Where the surfaces' vertices are is the model's to say (model/surface_map.h). Of a
/// cable its axis is looked at, against triangles, planes and spheres: a distance that contact keeps from a surface is not.
#ifndef SIM_VERIFY_H
#define SIM_VERIFY_H

#include "model/obstacles.h"
#include "sim/intersections.h"
#include "sim/simulation.h"

typedef struct Verification {
    Simulation *simulation; ///< borrowed
    TriangleSet set;   ///< surfaces of the bodies, and of the obstacles that are meshes; segments of cables
    double *nodes;     ///< the device's
    double *positions; ///< of the set: the bodies' surface vertices, then the vertices of obstacles
    ObstacleSurface *surfaces; ///< one an obstacle; those that are no meshes have no vertices
    int32_t *first_vertices;   ///< of each obstacle in `positions`
} Verification;

/// `simulation` is started and must outlive the verification, whose arrays its arena owns. VELA_ERROR_OUT_OF_MEMORY, or what
/// reading a surface fails with.
VelaResult verification_create(Simulation *simulation, Verification *verification);

/// The initial state of barrier contact, which cannot start from surfaces that touch: VELA_ERROR_INVALID_INPUT with a message
/// as verification_check's. Without `contact.self` a body may intersect itself.
VelaResult verification_check_start(Simulation *simulation);
/// Checks the current state. VELA_ERROR_VERIFICATION with a message that names the step, and the first of what is wrong:
/// triangles with their nodes and the body or obstacle they belong to, a node, or an element. Vertices that are no nodes are
/// counted within their body. Planes are left out under penalty contact,
/// which works by what sinks in.
VelaResult verification_check(Verification *verification);

#endif
