#include "mesh/facets.h"
#include "mesh/tet.h"

/// Marks face f of tet t, as bit f of faces[t], where no other tet has it; counts them.
static VelaResult find_boundary(VelaContext *context, const TetMesh *mesh, uint8_t *faces,
                                int64_t *boundary_count)
{
    Arena scratch = arena_make(context);
    Facet *facets;
    const VelaResult result = facets_of_tets(context, mesh, &scratch, &facets);
    *boundary_count = 0;
    if (result == VELA_OK) {
        const int64_t count = 4 * (int64_t)mesh->tet_count;
        for (int64_t i = 0, run; i < count; i += run) {
            run = facets_run(facets, count, i);
            if (run == 1) {
                faces[facets[i].owner / 4] |= (uint8_t)(1u << facets[i].owner % 4);
                ++*boundary_count;
            }
        }
    }
    arena_clear(&scratch);
    return result;
}

static void write_boundary(const TetMesh *mesh, const uint8_t *faces, int32_t *triangles)
{
    for (int32_t t = 0; t < mesh->tet_count; ++t)
        for (int f = 0; f < 4; ++f)
            if (faces[t] >> f & 1)
                for (int n = 0; n < 3; ++n)
                    *triangles++ = mesh->tets[4 * (size_t)t + (size_t)TET_FACES[f][n]];
}

VelaResult mesh_surface(VelaContext *context, const TetMesh *mesh, Arena *arena, int32_t *count,
                        int32_t **triangles)
{
    *count = 0;
    *triangles = NULL;
    Arena scratch = arena_make(context);
    uint8_t *faces;
    int64_t boundary_count = 0;
    VelaResult result = ARENA_ARRAY(&scratch, faces, mesh->tet_count);
    if (result == VELA_OK)
        result = find_boundary(context, mesh, faces, &boundary_count);
    if (result == VELA_OK && boundary_count > INT32_MAX)
        result = context_fail(context, VELA_ERROR_UNSUPPORTED, "%lld surface triangles, expected at most %d",
                              (long long)boundary_count, INT32_MAX);
    if (result == VELA_OK)
        result = arena_allocate(arena, (size_t)boundary_count, 3 * sizeof(int32_t), (void **)triangles);
    if (result == VELA_OK) {
        write_boundary(mesh, faces, *triangles);
        *count = (int32_t)boundary_count;
    }
    arena_clear(&scratch);
    return result;
}
