/// What is drawn of the bodies: their surface triangles, with vertices split along sharp edges of the rest shape.
#ifndef RENDER_SURFACE_H
#define RENDER_SURFACE_H

#include "output/frame.h"
#include "scene/scene.h"

/// One vertex as the shaders read it (shaders/render/body.vert).
typedef struct SurfaceVertex {
    float position[3]; ///< m, relative to the renderer's centre
    float normal[3];   ///< unit, outward
    float value;       ///< what color_by maps; 0 for COLOR_BY_BODY, RENDER_NO_VALUE where there is none
    uint32_t body;
} SurfaceVertex;

typedef struct RenderSurface {
    int32_t point_count, triangle_count;
    int32_t vertex_count;
    int32_t *vertex_points; ///< vertex_count: the frame's vertex, a point, that a vertex stands on
    uint32_t *vertex_body;  ///< vertex_count
    uint32_t *indices;      ///< triangle_count x 3: vertices
    double mean_edge;       ///< mean edge length of the rest surface, m
    double *normals;        ///< vertex_count x 3, scratch
    double *values;         ///< point_count x 2, scratch: weighted sum, weight
} RenderSurface;

/// Corners that meet at a point share a vertex where they are joined by smooth edges. A crease is an edge at which the
/// rest surface turns by more than `crease_degrees` amid flat or as sharp surroundings, or by more than 80 degrees.
/// Everything is owned by `arena`. VELA_ERROR_INVALID_INPUT for indices out of range.
VelaResult surface_create(Arena *arena, const FrameTopology *topology, double crease_degrees,
                          RenderSurface *surface);

/// What `color_by` shows of an element: its stretch, energy density, von Mises stress, the principal strain of the largest size, change of
/// thickness or tension; NaN where it has none.
double render_element_value(const Frame *frame, ColorBy color_by, int32_t element);
/// SurfaceVertex.value of a value, which may be NaN.
float surface_value(double value);
/// Positions relative to `center`, angle-weighted normals, and per vertex the value of `color_by`: stretch and energy
/// density are area-weighted means over the tets behind the triangles around the point. min and max (m, absolute) receive the
/// bounds of the surface. VELA_ERROR_INVALID_INPUT for a position that is not finite.
VelaResult surface_fill(VelaContext *context, RenderSurface *surface, const FrameTopology *topology,
                        const Frame *frame, const double center[3], ColorBy color_by, SurfaceVertex *vertices,
                        double min[3], double max[3]);

#endif
