#include "mesh/surface_builder.h"
#include "mesh/check.h"

#include <string.h>

SurfaceBuilder surface_builder_make(VelaContext *context, Arena *arena, int32_t first_index)
{
    return (SurfaceBuilder){
        .context = context, .arena = arena, .scratch = arena_make(context), .first_index = first_index};
}

void surface_builder_clear(SurfaceBuilder *builder)
{
    arena_clear(&builder->scratch);
}

VelaResult surface_add_node(SurfaceBuilder *builder, const double point[3])
{
    const size_t n = builder->node_count;
    TRY(arena_grow(&builder->scratch, (void **)&builder->nodes, &builder->node_capacity, n + 1,
                   3 * sizeof(double)));
    memcpy(builder->nodes + 3 * n, point, 3 * sizeof(double));
    ++builder->node_count;
    return VELA_OK;
}

VelaResult surface_add_corner(SurfaceBuilder *builder, int32_t node, int64_t place)
{
    if (builder->corner_count >= 2) {
        const size_t t = builder->triangle_count;
        TRY(arena_grow(&builder->scratch, (void **)&builder->triangles, &builder->triangle_capacity, t + 1,
                       3 * sizeof(int32_t)));
        TRY(ARENA_GROW(&builder->scratch, builder->places, &builder->place_capacity, t + 1));
        memcpy(builder->triangles + 3 * t, (int32_t[3]){builder->corners[0], builder->corners[1], node},
               3 * sizeof(int32_t));
        builder->places[t] = place;
        ++builder->triangle_count;
    }
    builder->corners[builder->corner_count > 0] = node;
    ++builder->corner_count;
    return VELA_OK;
}

VelaResult surface_end_polygon(SurfaceBuilder *builder, const Scanner *scanner)
{
    if (builder->corner_count < 3)
        return scanner_fail(scanner, "found a face of %d corners, expected at least 3",
                            builder->corner_count);
    builder->corner_count = 0;
    return VELA_OK;
}

VelaResult surface_builder_finish(SurfaceBuilder *builder, const Scanner *scanner, TriangleMesh *mesh)
{
    const size_t node_count = builder->node_count, triangle_count = builder->triangle_count;
    FAIL_IF(builder->context, node_count > INT32_MAX || triangle_count > INT32_MAX, VELA_ERROR_INVALID_INPUT,
            "%s: found %zu vertices and %zu triangles, expected at most %d each", scanner->name, node_count,
            triangle_count, INT32_MAX);
    FAIL_IF(builder->context, node_count == 0 || triangle_count == 0, VELA_ERROR_INVALID_INPUT,
            "%s: found no %s, expected at least one face", scanner->name,
            node_count == 0 ? "vertices" : "faces");
    for (size_t i = 0; i < 3 * triangle_count; ++i) {
        char place[32];
        FAIL_IF(builder->context, builder->triangles[i] < 0 || (size_t)builder->triangles[i] >= node_count,
                VELA_ERROR_INVALID_INPUT,
                "%s: %s: found vertex %lld in a face, expected one between %d and %lld", scanner->name,
                place_text(scanner->byte_places, builder->places[i / 3], place),
                (long long)builder->triangles[i] + builder->first_index, builder->first_index,
                (long long)node_count - 1 + builder->first_index);
    }
    *mesh = (TriangleMesh){.node_count = (int32_t)node_count, .triangle_count = (int32_t)triangle_count};
    TRY(ARENA_ARRAY(builder->arena, mesh->nodes, 3 * node_count));
    TRY(ARENA_ARRAY(builder->arena, mesh->triangles, 3 * triangle_count));
    memcpy(mesh->nodes, builder->nodes, 3 * node_count * sizeof *mesh->nodes);
    memcpy(mesh->triangles, builder->triangles, 3 * triangle_count * sizeof *mesh->triangles);
    const MeshPlaces places = {scanner->name, scanner->byte_places, NULL, builder->places};
    return mesh_check_triangles(builder->context, &places, mesh);
}
