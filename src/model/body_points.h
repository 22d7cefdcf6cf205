/// Points of bodies as weighted sums of nodes: where constraints take hold of them.
#ifndef MODEL_BODY_POINTS_H
#define MODEL_BODY_POINTS_H

#include "model/bodies.h"
#include "model/model.h"

enum { POINT_NODES_MOST = 4 };

/// A weighted sum of nodes; the weights sum to 1, those of a direction to 0.
typedef struct BodyPoint {
    int32_t count;
    int32_t nodes[POINT_NODES_MOST];
    double weights[POINT_NODES_MOST];
} BodyPoint;

/// Four nodes that a part of a body moves with as one affine map: a tetrahedron of a solid, an affine body's control nodes, four anchors
/// of the world.
typedef struct BodyFrame {
    int32_t nodes[4];
    double origin[3];    ///< where the first of them starts, m
    double gradients[9]; ///< rows: of the weights of the others, 1/m
} BodyFrame;

/// A place on the surface of one copy of a body.
typedef struct SurfacePlace {
    BodyPoint point;
    int32_t copy;
    double distance; ///< to the point asked for, m
} SurfacePlace;

/// The point of a body's own surface (a cable's: of its segments) that is nearest to `point` in the initial state, over all copies but
/// `without` (-1: all of them).
SurfacePlace body_surface_nearest(const Model *model, int32_t body, const double point[3], int32_t without);
/// A vertex of a body, counted through its copies.
BodyPoint body_vertex_point(const Model *model, int32_t body, int32_t vertex);
/// The frame of a copy of a solid or affine body around a point: of a solid the tetrahedron that it is in, or the nearest one.
VelaResult body_frame(VelaContext *context, const Model *model, const BodyMesh *mesh, int32_t body,
                      int32_t copy, const double point[3], BodyFrame *frame);
/// The frame of four nodes that do not lie in a plane.
BodyFrame nodes_frame(const Model *model, const int32_t nodes[4]);
BodyPoint frame_point(const BodyFrame *frame, const double point[3]);
BodyPoint frame_direction(const BodyFrame *frame, const double direction[3]);

#endif
