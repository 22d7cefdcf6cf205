#include "api/rims.h"

#include "mesh/facets.h"

#include <string.h>

/// Edges of one triangle, in its direction.
typedef struct Border {
    int32_t count;
    int32_t (*ends)[2];
    int32_t *elements, *bodies;
} Border;

static VelaResult collect(Arena *arena, Arena *scratch, const SceneDef *scene, const FrameTopology *topology,
                          Border *border)
{
    const int64_t sides = 3 * (int64_t)topology->triangle_count;
    Facet *edges;
    TRY(facets_of_triangles(arena->context, topology->vertex_count, topology->triangle_count,
                            topology->triangles, scratch, &edges));
    TRY(ARENA_ARRAY(scratch, border->ends, sides));
    TRY(ARENA_ARRAY(scratch, border->elements, sides));
    TRY(ARENA_ARRAY(scratch, border->bodies, sides));
    for (int64_t first = 0, run; first < sides; first += run) {
        run = facets_run(edges, sides, first);
        if (run != 1)
            continue;
        const int64_t side = edges[first].owner, triangle = side / 3;
        int32_t body = 0;
        while (body + 1 < topology->body_count && topology->bodies[body + 1].first_triangle <= triangle)
            ++body;
        if (scene->bodies[body].type != BODY_SHELL)
            continue;
        border->ends[border->count][0] = topology->triangles[side];
        border->ends[border->count][1] = topology->triangles[3 * triangle + (side + 1) % 3];
        border->elements[border->count] = topology->triangle_elements[triangle];
        border->bodies[border->count++] = body;
    }
    return VELA_OK;
}

/// Appends the chains of edges as cables.
static void chain(const SceneDef *scene, const Border *border, const int32_t *edge_from, uint8_t *done,
                  FrameTopology *with, int32_t *segments, int32_t *elements, FrameCable *cables)
{
    for (int32_t first = 0; first < border->count; ++first) {
        if (done[first])
            continue;
        FrameCable *cable = &cables[with->cable_count++];
        *cable = (FrameCable){.body = border->bodies[first],
                              .first_segment = with->segment_count,
                              .radius = 0.5 * scene->bodies[border->bodies[first]].thickness};
        for (int32_t edge = first; edge >= 0 && !done[edge]; edge = edge_from[border->ends[edge][1]]) {
            done[edge] = 1;
            memcpy(segments + 2 * (size_t)with->segment_count, border->ends[edge], sizeof border->ends[edge]);
            elements[with->segment_count++] = border->elements[edge];
            ++cable->segment_count;
        }
    }
}

static VelaResult add(Arena *arena, Arena *scratch, const SceneDef *scene, const FrameTopology *topology,
                      FrameTopology *with)
{
    Border border = {0};
    int32_t *edge_from, *segments, *elements;
    uint8_t *done;
    FrameCable *cables;
    TRY(collect(arena, scratch, scene, topology, &border));
    TRY(ARENA_ARRAY(scratch, edge_from, topology->vertex_count));
    TRY(ARENA_ARRAY(scratch, done, border.count));
    TRY(ARENA_ARRAY(arena, segments, 2 * ((size_t)topology->segment_count + (size_t)border.count)));
    TRY(ARENA_ARRAY(arena, elements, (size_t)topology->segment_count + (size_t)border.count));
    TRY(ARENA_ARRAY(arena, cables, (size_t)topology->cable_count + (size_t)border.count));
    for (int32_t v = 0; v < topology->vertex_count; ++v)
        edge_from[v] = -1;
    for (int32_t edge = border.count - 1; edge >= 0; --edge)
        edge_from[border.ends[edge][0]] = edge;
    for (int32_t s = 0; s < topology->segment_count; ++s) {
        memcpy(segments + 2 * (size_t)s, topology->segments + 2 * (size_t)s, 2 * sizeof *segments);
        elements[s] = topology->segment_elements[s];
    }
    for (int32_t c = 0; c < topology->cable_count; ++c)
        cables[c] = topology->cables[c];
    chain(scene, &border, edge_from, done, with, segments, elements, cables);
    with->segments = segments, with->segment_elements = elements, with->cables = cables;
    return VELA_OK;
}

VelaResult rims_add(Arena *arena, const SceneDef *scene, const FrameTopology *topology,
                    const FrameTopology **with_rims)
{
    bool shells = false;
    for (int32_t b = 0; b < scene->body_count; ++b)
        shells = shells || scene->bodies[b].type == BODY_SHELL;
    *with_rims = topology;
    if (!shells)
        return VELA_OK;
    Arena scratch = arena_make(arena->context);
    FrameTopology *with;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(arena, with, 1), done);
    *with = *topology;
    result = add(arena, &scratch, scene, topology, with);
    *with_rims = with;
done:
    arena_clear(&scratch);
    return result;
}
