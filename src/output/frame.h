/// A recorded instant of the simulation, and what does not change from one to the next. States are stored as
/// states/NNNNNN.vst (docs/state-format.md); frame 0 carries the topology.
#ifndef OUTPUT_FRAME_H
#define OUTPUT_FRAME_H

#include "base/arena.h"

typedef struct FrameBody {
    const char *name;
    int32_t first_vertex, vertex_count; ///< of all array copies, contiguous
    int32_t first_tet, tet_count;
    int32_t first_triangle, triangle_count; ///< of the skin, or else of its surface
    double color[3];                        ///< as the user typed it, sRGB-encoded
    double roughness;
    int32_t skin_vertex_count; ///< the last ones of its vertices are its skin's; 0: it has none
} FrameBody;

/// One polyline: a copy of a body of cables.
typedef struct FrameCable {
    int32_t body;
    int32_t first_segment,
        segment_count; ///< at least one; each begins with the vertex the one before ends with
    double radius;     ///< m, > 0
} FrameCable;

/// Bodies by their vertices: the nodes of solids, what is drawn of bodies whose nodes are no part of their surface.
/// A body has triangles or segments.
typedef struct FrameTopology {
    int32_t vertex_count, triangle_count, body_count, segment_count, cable_count;
    int32_t element_count; ///< of all kinds, numbered kind by kind (model/elements.h), tetrahedra first
    const double *rest_positions; ///< vertex_count x 3, m
    int32_t tet_count;
    const int32_t *tets;              ///< tet_count x 4, indices of vertices
    const int32_t *triangles;         ///< triangle_count x 3, indices of vertices, outward
    const int32_t *triangle_elements; ///< triangle_count: the element behind each surface triangle
    const int32_t *segments;          ///< segment_count x 2, indices of vertices
    const int32_t *segment_elements;  ///< segment_count: the element behind each
    const FrameBody *bodies;
    const FrameCable
        *cables; ///< in the order of their bodies; together they have every segment once, in order
    int32_t multiplier_count; ///< rows of constraints, of runs with the solver compliant
    int32_t
        plain_count; ///< so many of the last bodies are drawn in their own colour, whatever is shown; not stored
    int32_t joint_count,
        rod_count; ///< of the scene's constraints: those that hold two points together, and distances
} FrameTopology;

typedef struct Frame {
    int64_t index;         ///< number of the frame, from 0
    int64_t step;          ///< number of the step it stands after
    double time;           ///< s
    double *positions;     ///< vertex_count x 3, m
    double *velocities;    ///< vertex_count x 3, m/s
    float *stretch;        ///< element_count, largest principal stretch
    float *energy_density; ///< element_count, J/m^3, rest energy subtracted
    float *
        stress; ///< element_count x STRESS_COMPONENTS: Cauchy stress, Pa, xx yy zz xy xz yz; NULL: not recorded
    float *strain; ///< with stress: element_count x PRINCIPAL_STRAINS, s - 1, the largest first
    float *
        tension; ///< element_count: what cables' segments pull with, N, NaN of all others; NULL: there are no cables
    double *multipliers; ///< multiplier_count: N, N m of angles, J of strains; NULL: there are none
    double *joints;      ///< joint_count x 3: where they are, m
    double *rods;        ///< rod_count x ROD_VALUES: both ends, m, then the pull between them, N
} Frame;

enum { STRESS_COMPONENTS = 6, PRINCIPAL_STRAINS = 3, ROD_VALUES = 7 };

/// sqrt(3/2 |deviator|^2) of a stress, Pa.
double frame_von_mises(const float stress[STRESS_COMPONENTS]);

/// Writes states/NNNNNN.vst in `folder`; `topology` is written with frame 0 only.
VelaResult frame_write(VelaContext *context, const char *folder, const FrameTopology *topology,
                       const Frame *frame);
/// Reads the topology from frame 0 of a run folder.
VelaResult frame_read_topology(VelaContext *context, const char *folder, Arena *arena,
                               FrameTopology *topology);
VelaResult frame_read(VelaContext *context, const char *folder, int64_t index, const FrameTopology *topology,
                      Arena *arena, Frame *frame);
/// Number of frames in a run folder: states/000000.vst, 000001.vst, … without a gap.
VelaResult frame_count(VelaContext *context, const char *folder, int64_t *count);

#endif
