/// The surface of a frame as OBJ and PLY.
#ifndef OUTPUT_EXPORT_SURFACE_H
#define OUTPUT_EXPORT_SURFACE_H

#include "output/frame.h"

/// The surface with vertices of its own: only those of the frame that triangles use, in their order.
typedef struct ExportSurface {
    int32_t vertex_count, triangle_count;
    const int32_t *vertex_points; ///< vertex_count: the vertex of the frame each is
    const int32_t *triangles;     ///< triangle_count x 3, indices of vertices
    const uint8_t *colors;        ///< vertex_count x 3, of the body, sRGB
} ExportSurface;

VelaResult export_surface_make(VelaContext *context, const FrameTopology *topology, Arena *arena,
                               ExportSurface *surface);
/// Text, one object a body, coordinates with nine digits.
VelaResult export_surface_obj(VelaContext *context, const char *path, const FrameTopology *topology,
                              const ExportSurface *surface, const Frame *frame);
/// Binary little-endian: float x y z, float vx vy vz, uchar red green blue; `arena` for the bytes.
VelaResult export_surface_ply(VelaContext *context, const char *path, const ExportSurface *surface,
                              const Frame *frame, Arena *arena);

#endif
