/// Small surfaces and cables for the tests of render, each a body of a topology.
#ifndef TESTS_RENDER_FIXTURE_H
#define TESTS_RENDER_FIXTURE_H

#include "output/frame.h"

#include <math.h>
#include <string.h>

enum { FIXTURE_NODES = 2048, FIXTURE_TRIANGLES = 4096, FIXTURE_SEGMENTS = 128, FIXTURE_BODIES = 2 };

typedef struct RenderFixture {
    double positions[3 * FIXTURE_NODES], velocities[3 * FIXTURE_NODES];
    float stretch[1 + FIXTURE_SEGMENTS], energy_density[1 + FIXTURE_SEGMENTS];
    int32_t triangles[3 * FIXTURE_TRIANGLES], triangle_elements[FIXTURE_TRIANGLES], tets[4];
    int32_t segments[2 * FIXTURE_SEGMENTS], segment_elements[FIXTURE_SEGMENTS];
    FrameBody body, bodies[FIXTURE_BODIES]; ///< the surface; what there is where there are cables
    FrameCable cables[FIXTURE_BODIES];
    FrameTopology topology;
    Frame frame; ///< at rest
} RenderFixture;

static inline void fixture_finish(RenderFixture *fixture, int32_t node_count, int32_t triangle_count)
{
    fixture->body = (FrameBody){.name = "body",
                                .vertex_count = node_count,
                                .tet_count = 1,
                                .triangle_count = triangle_count,
                                .color = {0.85, 0.25, 0.2},
                                .roughness = 0.7};
    fixture->topology = (FrameTopology){.vertex_count = node_count,
                                        .element_count = 1,
                                        .triangle_count = triangle_count,
                                        .body_count = 1,
                                        .rest_positions = fixture->positions,
                                        .tet_count = 1,
                                        .tets = fixture->tets,
                                        .triangles = fixture->triangles,
                                        .triangle_elements = fixture->triangle_elements,
                                        .bodies = &fixture->body};
    fixture->frame = (Frame){.positions = fixture->positions,
                             .velocities = fixture->velocities,
                             .stretch = fixture->stretch,
                             .energy_density = fixture->energy_density};
}

/// The surface of [-s/2, s/2]^3 moved by `center`: each face `cells` x `cells` squares of two triangles, nodes shared.
static inline void fixture_box(RenderFixture *fixture, const double center[3], double size, int32_t cells)
{
    memset(fixture, 0, sizeof *fixture);
    const int32_t n = cells + 1;
    int32_t node_of[8 * 8 * 8], node_count = 0, triangle_count = 0;
    for (int32_t i = 0; i < n * n * n; ++i) {
        const int32_t at[3] = {i % n, i / n % n, i / (n * n)};
        bool outside = false;
        for (int c = 0; c < 3; ++c)
            outside = outside || at[c] == 0 || at[c] == cells;
        if (!outside)
            continue;
        for (int c = 0; c < 3; ++c)
            fixture->positions[3 * node_count + c] = center[c] + size * ((double)at[c] / cells - 0.5);
        node_of[i] = node_count++;
    }
    const int32_t stride[3] = {1, n, n * n};
    for (int axis = 0; axis < 3; ++axis) {
        const int32_t u = stride[(axis + 1) % 3], v = stride[(axis + 2) % 3];
        for (int side = 0; side < 2; ++side)
            for (int32_t k = 0; k < cells * cells; ++k) {
                const int32_t a = side * cells * stride[axis] + k % cells * u + k / cells * v;
                const int32_t corner[4] = {a, a + u, a + u + v, a + v};
                const int32_t order[2][3] = {{0, 1, 2}, {0, 2, 3}};
                for (int t = 0; t < 2; ++t, ++triangle_count)
                    for (int j = 0; j < 3; ++j)
                        fixture->triangles[3 * triangle_count + (side ? j : 2 - j)] =
                            node_of[corner[order[t][j]]];
            }
    }
    fixture_finish(fixture, node_count, triangle_count);
}

/// Adds a body of one cable through `point_count` points (x 3, m) to what is there; zero the fixture for nothing else.
static inline void fixture_add_cable(RenderFixture *fixture, const double *points, int32_t point_count,
                                     double radius)
{
    FrameTopology *topology = &fixture->topology;
    if (topology->vertex_count == 0) {
        fixture_finish(fixture, 0, 0);
        topology->body_count = 0;
    }
    const int32_t first = topology->vertex_count, body = topology->body_count++;
    fixture->cables[topology->cable_count++] =
        (FrameCable){body, topology->segment_count, point_count - 1, radius};
    memcpy(fixture->positions + 3 * first, points, 3 * (size_t)point_count * sizeof *points);
    for (int32_t i = 0; i + 1 < point_count; ++i) {
        const int32_t segment = topology->segment_count++;
        fixture->segments[2 * segment] = first + i;
        fixture->segments[2 * segment + 1] = first + i + 1;
        fixture->segment_elements[segment] = topology->element_count++;
    }
    topology->vertex_count += point_count;
    if (topology->triangle_count > 0)
        fixture->bodies[0] = fixture->body;
    fixture->bodies[body] = (FrameBody){"cable", first, point_count, 0, 0, 0, 0, {0.2, 0.6, 0.25}, 0.7, 0};
    topology->segments = fixture->segments;
    topology->segment_elements = fixture->segment_elements;
    topology->bodies = fixture->bodies;
    topology->cables = fixture->cables;
}

#endif
