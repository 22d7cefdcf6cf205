/// The surface and the cables of a frame as OBJ and PLY.
#ifndef OUTPUT_EXPORT_SURFACE_H
#define OUTPUT_EXPORT_SURFACE_H

#include "output/frame.h"

/// Triangles and segments with vertices of their own: only those of the frame that they use, in their order.
typedef struct ExportSurface {
    int32_t vertex_count, triangle_count, segment_count;
    const int32_t *vertex_points; ///< vertex_count: the vertex of the frame each is
    const int32_t *triangles;     ///< triangle_count x 3, indices of vertices
    const int32_t *segments;      ///< segment_count x 2, indices of vertices
    const uint8_t *colors;        ///< vertex_count x 3, of the body, sRGB
} ExportSurface;

VelaResult export_surface_make(VelaContext *context, const FrameTopology *topology, Arena *arena,
                               ExportSurface *surface);
/// Text, one object a body, segments as line elements, coordinates with nine digits.
VelaResult export_surface_obj(VelaContext *context, const char *path, const FrameTopology *topology,
                              const ExportSurface *surface, const Frame *frame);
/// Binary little-endian: float x y z, float vx vy vz, uchar red green blue; where there are segments, an element `edge` of
/// int vertex1 vertex2; `arena` for the bytes.
VelaResult export_surface_ply(VelaContext *context, const char *path, const ExportSurface *surface,
                              const Frame *frame, Arena *arena);

#endif
