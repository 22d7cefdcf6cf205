#include "mesh/moments.h"

#include "base/matrix3.h"
#include "mesh/facets.h"

// Adds the moments of a signed tetrahedron: volume, volume times mean, second moments; corners relative to the origin.
static void add_tet(double x[4][3], SolidMoments *sum)
{
    double edges[3][3], normal[3], all[3] = {0};
    for (int a = 0; a < 3; ++a)
        subtract3(x[a + 1], x[0], edges[a]);
    cross3(edges[0], edges[1], normal);
    const double volume = dot3(normal, edges[2]) / 6;
    for (int a = 0; a < 4; ++a)
        add_scaled3(all, 1, x[a], all);
    sum->volume += volume;
    add_scaled3(sum->center, volume / 4, all, sum->center);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double squares = all[i] * all[k];
            for (int a = 0; a < 4; ++a)
                squares += x[a][i] * x[a][k];
            sum->second[3 * i + k] += volume / 20 * squares;
        }
}

// Twice: about the middle of the nodes to find the centre, then about the centre, so that no digits cancel.
static void integrate(int corners, int32_t count, const int32_t *indices, int32_t node_count,
                      const double *nodes, SolidMoments *moments)
{
    double origin[3] = {0};
    for (int32_t i = 0; i < node_count; ++i)
        add_scaled3(origin, 1.0 / node_count, nodes + 3 * (size_t)i, origin);
    for (int pass = 0; pass < 2; ++pass) {
        SolidMoments sum = {0};
        for (int32_t e = 0; e < count; ++e) {
            double x[4][3] = {{0}}; // of a triangle the fourth corner is the origin
            for (int a = 0; a < corners; ++a)
                subtract3(nodes + 3 * (size_t)indices[corners * (size_t)e + (size_t)a], origin,
                          x[4 - corners + a]);
            add_tet(x, &sum);
        }
        *moments = sum;
        if (sum.volume != 0)
            add_scaled3(origin, 1 / sum.volume, sum.center, origin);
    }
    // What is left between the origin and the centre is rounding.
    for (int k = 0; k < 3; ++k)
        moments->center[k] = origin[k];
}

void mesh_moments_of_tets(const TetMesh *mesh, SolidMoments *moments)
{
    integrate(4, mesh->tet_count, mesh->tets, mesh->node_count, mesh->nodes, moments);
}

// Every edge has as many triangles on one side as on the other.
static VelaResult check_closed(VelaContext *context, const TriangleMesh *mesh, Arena *scratch)
{
    Facet *edges;
    TRY(facets_of_triangles(context, mesh->node_count, mesh->triangle_count, mesh->triangles, scratch,
                            &edges));
    const int64_t count = 3 * (int64_t)mesh->triangle_count;
    for (int64_t i = 0, run; i < count; i += run) {
        run = facets_run(edges, count, i);
        int64_t odd = 0;
        for (int64_t k = i; k < i + run; ++k)
            odd += edges[k].odd;
        FAIL_IF(context, run % 2 != 0, VELA_ERROR_INVALID_INPUT,
                "the surface is open: the edge between vertices %d and %d has %lld triangle%s, expected two",
                edges[i].nodes[0], edges[i].nodes[1], (long long)run, run == 1 ? "" : "s");
        FAIL_IF(
            context, 2 * odd != run, VELA_ERROR_INVALID_INPUT,
            "the surface turns over: triangles %lld and %lld pass the edge between vertices %d and %d in the "
            "same direction, expected opposite ones",
            (long long)(edges[i].owner / 3), (long long)(edges[i + 1].owner / 3), edges[i].nodes[0],
            edges[i].nodes[1]);
    }
    return VELA_OK;
}

VelaResult mesh_moments_of_surface(VelaContext *context, const TriangleMesh *mesh, SolidMoments *moments)
{
    Arena scratch = arena_make(context);
    const VelaResult closed = check_closed(context, mesh, &scratch);
    arena_clear(&scratch);
    TRY(closed);
    integrate(3, mesh->triangle_count, mesh->triangles, mesh->node_count, mesh->nodes, moments);
    FAIL_IF(context, !(moments->volume > 0), VELA_ERROR_INVALID_INPUT,
            "the surface encloses %g m^3, expected more than 0%s", moments->volume,
            moments->volume < 0 ? ": it is inside out, its triangles face inwards" : "");
    return VELA_OK;
}
