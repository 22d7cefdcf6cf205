/// Which surface triangles intersect, decided exactly (geometry/triangle_intersection.h) and by nothing that contact uses:
/// for checking its results.
#ifndef SIM_INTERSECTIONS_H
#define SIM_INTERSECTIONS_H

#include "base/arena.h"

/// Triangles of several owners over common vertices. A segment, the axis of a cable, is a triangle whose last two vertices are
/// one: it is held against triangles, not against segments, since two lines pass each other without anything to see. All arrays
/// are borrowed.
typedef struct TriangleSet {
    int32_t vertex_count;
    const double *positions; ///< vertex_count x 3, m, finite; coordinates below 1e-60 m count as 0
    int32_t triangle_count;
    const int32_t *triangles; ///< triangle_count x 3
    const int32_t *owners;    ///< triangle_count: a body >= 0, an obstacle < 0
    bool skips_own;           ///< triangles of one owner are not held against each other
    /// Whether two triangles are held against each other; NULL: all are.
    bool (*may_meet)(const void *data, int32_t triangle, int32_t other);
    const void *data; ///< of may_meet
} TriangleSet;

typedef struct IntersectionPair {
    int32_t triangles[2]; ///< the smaller index first
} IntersectionPair;

/// All pairs of triangles with a common point (touching counts) that is not their common vertex or edge, but for pairs of two
/// obstacles and those of two segments. Writes the first `most` of them, ascending in the first triangle, and their full number to `count`.
/// VELA_ERROR_OUT_OF_MEMORY.
VelaResult intersections_find(VelaContext *context, const TriangleSet *set, int32_t most,
                              IntersectionPair *pairs, int64_t *count);

/// A point that lies in a solid.
typedef struct Enclosure {
    int32_t point; ///< its index
    int32_t solid;
} Enclosure;

/// Points that are held against solids. All is borrowed.
typedef struct PointSet {
    int32_t count;
    const double (*points)[3]; ///< m
    /// Whether a point is held against a solid.
    bool (*is_held)(const void *data, int32_t point, int32_t solid);
    const void *data; ///< of is_held
} PointSet;

/// Which points lie inside which solids. `solids`: for each triangle the solid it bounds, 0 to solid_count - 1, or -1 for a
/// surface that bounds none; those of a solid are closed and oriented (a cavity inward). A point on a surface counts as outside.
/// Decided by the exact winding number along a ray, with a tree of boxes. Writes the first `most`, ascending in the points, and their full number to `count`.
/// VELA_ERROR_OUT_OF_MEMORY.
VelaResult enclosures_find(VelaContext *context, const TriangleSet *set, int32_t solid_count,
                           const int32_t *solids, const PointSet *points, int32_t most, Enclosure *found,
                           int64_t *count);

/// Whether a triangle has a point in the closed ball, to rounding: one that is nearer to it than 1e-14 of its own farthest
/// corner's distance from the centre may count too. m.
bool triangle_meets_ball(const double triangle[9], const double center[3], double radius);

#endif
