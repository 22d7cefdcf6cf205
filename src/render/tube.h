/// What is drawn of cables: closed tubes around their polylines, round at both ends.
///
/// A tube is a pole, rings of vertices, and a pole. The rings of a joint lie on the sphere about it: where a cable bends a little
/// they all stand halfway between its two directions, so that light and shade run on smoothly from segment to segment;
/// where it bends more they sweep over the rest, so that a kink is round outside. Rings turn with the cable and not about
/// it (each is the one before, rotated by the smallest rotation between the directions), so tubes do not twist.
#ifndef RENDER_TUBE_H
#define RENDER_TUBE_H

#include "render/surface.h"

enum { TUBE_SIDES_LEAST = 12, TUBE_SIDES_MOST = 24 };

typedef struct RenderTubes {
    int32_t
        sides; ///< vertices a ring: 4 times the rings a joint or an end has; fewer where cables have many segments
    int32_t vertex_count, triangle_count;
    uint32_t *indices;                 ///< triangle_count x 3: vertices, outward
    double circle[TUBE_SIDES_MOST][2]; ///< cosine and sine at the vertices of a ring
    double mean_edge;                  ///< mean distance of neighbours on a ring, m; 0 without cables
} RenderTubes;

/// Everything is owned by `arena`. VELA_ERROR_INVALID_INPUT for what does not fit (indices, ranges, radii), or for more than
/// can be drawn.
VelaResult tubes_create(Arena *arena, const FrameTopology *topology, RenderTubes *tubes);

/// Positions relative to `center`, unit normals, and per vertex the value of `color_by`: stretch and energy density are
/// means of the two segments at a point. Segments without length, and cables that are a point, are drawn as well.
/// VELA_ERROR_INVALID_INPUT for a position that is not finite.
VelaResult tubes_fill(VelaContext *context, const RenderTubes *tubes, const FrameTopology *topology,
                      const Frame *frame, const double center[3], ColorBy color_by, SurfaceVertex *vertices);

#endif
