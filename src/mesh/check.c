#include "mesh/check.h"
#include "mesh/facets.h"
#include "mesh/scanner.h"
#include "mesh/tet.h"

#include <stdio.h>
#include <string.h>

static int64_t node_id(const MeshPlaces *places, int32_t node)
{
    return places->nodes ? places->nodes[node] : node;
}

static void warn_unused(VelaContext *context, const MeshPlaces *places, int32_t node_count,
                        const double *nodes, const uint8_t *used)
{
    int32_t count = 0, first = -1;
    for (int32_t n = 0; n < node_count; ++n) {
        if (used[n])
            continue;
        first = count == 0 ? n : first;
        ++count;
    }
    if (count > 0)
        context_log(context, VELA_LOG_WARNING,
                    "%s: nodes that belong to no element: %d, the first is node %lld at (%g, %g, %g)",
                    places->name, count, (long long)node_id(places, first), nodes[3 * (size_t)first],
                    nodes[3 * (size_t)first + 1], nodes[3 * (size_t)first + 2]);
}

static VelaResult find_unused(VelaContext *context, const MeshPlaces *places, int32_t node_count,
                              const double *nodes, int64_t corner_count, const int32_t *corners)
{
    Arena scratch = arena_make(context);
    uint8_t *used;
    const VelaResult result = ARENA_ARRAY(&scratch, used, node_count);
    if (result == VELA_OK) {
        for (int64_t i = 0; i < corner_count; ++i)
            used[corners[i]] = 1;
        warn_unused(context, places, node_count, nodes, used);
    }
    arena_clear(&scratch);
    return result;
}

// ---------------------------------------------------------------- tetrahedra

static double longest_edge_sq(const double *nodes, const int32_t tet[4])
{
    double longest_sq = 0;
    for (int a = 0; a < 4; ++a)
        for (int b = a + 1; b < 4; ++b) {
            double edge[3];
            subtract3(nodes + 3 * (size_t)tet[b], nodes + 3 * (size_t)tet[a], edge);
            longest_sq = fmax(longest_sq, dot3(edge, edge));
        }
    return longest_sq;
}

static VelaResult orient_tets(VelaContext *context, const MeshPlaces *places, TetMesh *mesh)
{
    int32_t turned = 0, first = 0;
    char place[32];
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        int32_t *tet = mesh->tets + 4 * (size_t)t;
        const double volume = tet_volume(mesh->nodes, tet), edge_sq = longest_edge_sq(mesh->nodes, tet);
        const double *at = mesh->nodes + 3 * (size_t)tet[0];
        FAIL_IF(context, !(fabs(volume) > TET_DEGENERATE * edge_sq * sqrt(edge_sq)), VELA_ERROR_INVALID_INPUT,
                "%s: %s: found degenerate tetrahedron %d (counted from 0; nodes %lld %lld %lld %lld, at (%g, "
                "%g, %g)) of volume %g, expected more than %g times its longest edge (%g) cubed",
                places->name, place_text(places->byte_places, places->elements[t], place), t,
                (long long)node_id(places, tet[0]), (long long)node_id(places, tet[1]),
                (long long)node_id(places, tet[2]), (long long)node_id(places, tet[3]), at[0], at[1], at[2],
                volume, TET_DEGENERATE, sqrt(edge_sq));
        if (volume < 0) {
            tet_turn(tet);
            first = turned == 0 ? t : first;
            ++turned;
        }
    }
    if (turned > 0)
        context_log(context, VELA_LOG_WARNING,
                    "%s: tetrahedra that were oriented negatively and have been turned: %d of %d, the first "
                    "is %d (%s)",
                    places->name, turned, mesh->tet_count, first,
                    place_text(places->byte_places, places->elements[first], place));
    return VELA_OK;
}

/// Whether two tets have the same four nodes.
static bool same_tet(const int32_t a[4], const int32_t b[4])
{
    for (int i = 0; i < 4; ++i)
        if (a[i] != b[0] && a[i] != b[1] && a[i] != b[2] && a[i] != b[3])
            return false;
    return true;
}

typedef struct FaceReport {
    int32_t repeated, first_repeated, first_original;
    int32_t crowded, overlapping;
    Facet first_crowded, first_overlapping;
} FaceReport;

/// Looks at the tets of one face; marks those that repeat an earlier one of the same nodes.
static void inspect_face(const TetMesh *mesh, const Facet *facets, int64_t run, uint8_t *repeats,
                         FaceReport *report)
{
    enum { REMEMBERED = 8 }; // a face with more tets than that is odd enough by itself
    int32_t sides[2] = {0, 0}, kept[REMEMBERED], kept_count = 0;
    for (int64_t i = 0; i < run; ++i) {
        const int32_t t = (int32_t)(facets[i].owner / 4);
        for (int32_t k = 0; k < kept_count && !repeats[t]; ++k) {
            if (same_tet(mesh->tets + 4 * (size_t)t, mesh->tets + 4 * (size_t)kept[k])) {
                repeats[t] = 1;
                if (report->repeated++ == 0 || t < report->first_repeated)
                    report->first_repeated = t, report->first_original = kept[k];
            }
        }
        if (repeats[t])
            continue;
        ++sides[facets[i].odd];
        if (kept_count < REMEMBERED)
            kept[kept_count++] = t;
    }
    if (sides[0] + sides[1] > 2 && report->crowded++ == 0)
        report->first_crowded = facets[0];
    else if (sides[0] + sides[1] == 2 && sides[0] != 1 && report->overlapping++ == 0)
        report->first_overlapping = facets[0];
}

static void warn_face(VelaContext *context, const MeshPlaces *places, const TetMesh *mesh, int32_t count,
                      const Facet *first, const char *what)
{
    char place[32];
    const int32_t t = (int32_t)(first->owner / 4);
    const double *at = mesh->nodes + 3 * (size_t)first->nodes[0];
    if (count > 0)
        context_log(context, VELA_LOG_WARNING,
                    "%s: faces that %s: %d, the first has nodes %lld %lld %lld at (%g, %g, %g), of "
                    "tetrahedron %d (%s)",
                    places->name, what, count, (long long)node_id(places, first->nodes[0]),
                    (long long)node_id(places, first->nodes[1]), (long long)node_id(places, first->nodes[2]),
                    at[0], at[1], at[2], t, place_text(places->byte_places, places->elements[t], place));
}

static void drop_repeated(VelaContext *context, const MeshPlaces *places, const FaceReport *report,
                          const uint8_t *repeats, TetMesh *mesh)
{
    if (report->repeated == 0)
        return;
    char place[32];
    context_log(context, VELA_LOG_WARNING,
                "%s: tetrahedra that repeat another one and have been dropped: %d, the first is %d (%s), "
                "which repeats %d",
                places->name, report->repeated, report->first_repeated,
                place_text(places->byte_places, places->elements[report->first_repeated], place),
                report->first_original);
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        if (!repeats[t]) {
            memmove(mesh->tets + 4 * (size_t)kept, mesh->tets + 4 * (size_t)t, 4 * sizeof *mesh->tets);
            ++kept;
        }
    }
    mesh->tet_count = kept;
}

/// Reports edges of a surface that do not have exactly two triangles, which pass them in opposite directions. Those of
/// one triangle only where the surface must not be open.
static VelaResult check_edges(VelaContext *context, const MeshPlaces *places, const char *what,
                              bool may_be_open, int32_t node_count, const double *nodes,
                              int32_t triangle_count, const int32_t *triangles, bool *closed)
{
    Arena scratch = arena_make(context);
    Facet *edges;
    const VelaResult result =
        facets_of_triangles(context, node_count, triangle_count, triangles, &scratch, &edges);
    const int64_t edge_count = result == VELA_OK ? 3 * (int64_t)triangle_count : 0;
    const char *const odd[3] = {"have one triangle only", "have more than two triangles",
                                "are passed by both their triangles in the same direction"};
    int64_t counts[3] = {0, 0, 0}, firsts[3] = {0, 0, 0};
    for (int64_t i = 0, run; i < edge_count; i += run) {
        run = facets_run(edges, edge_count, i);
        const int kind = run == 1 ? 0 : run > 2 ? 1 : edges[i].odd == edges[i + 1].odd ? 2 : -1;
        if (kind >= 0 && counts[kind]++ == 0)
            firsts[kind] = i;
    }
    for (int kind = 0; kind < 3; ++kind) {
        const Facet *first = &edges[firsts[kind]];
        if (counts[kind] > 0 && !(kind == 0 && may_be_open))
            context_log(
                context, VELA_LOG_WARNING,
                "%s: edges of the %s that %s: %lld, the first is %lld-%lld at (%g, %g, %g), of triangle %lld",
                places->name, what, odd[kind], (long long)counts[kind],
                (long long)node_id(places, first->nodes[0]), (long long)node_id(places, first->nodes[1]),
                nodes[3 * (size_t)first->nodes[0]], nodes[3 * (size_t)first->nodes[0] + 1],
                nodes[3 * (size_t)first->nodes[0] + 2], (long long)(first->owner / 3));
    }
    *closed = counts[0] + counts[1] + counts[2] == 0;
    arena_clear(&scratch);
    return result;
}

static VelaResult check_faces(VelaContext *context, const MeshPlaces *places, TetMesh *mesh, Arena *scratch)
{
    Facet *facets;
    uint8_t *repeats;
    FaceReport report = {0};
    TRY(ARENA_ARRAY(scratch, repeats, mesh->tet_count));
    TRY(facets_of_tets(context, mesh, scratch, &facets));
    const int64_t count = 4 * (int64_t)mesh->tet_count;
    for (int64_t i = 0, run; i < count; i += run) {
        run = facets_run(facets, count, i);
        if (run > 1)
            inspect_face(mesh, facets + i, run, repeats, &report);
    }
    warn_face(context, places, mesh, report.crowded, &report.first_crowded, "have more than two tetrahedra");
    warn_face(context, places, mesh, report.overlapping, &report.first_overlapping,
              "have two tetrahedra on the same side");
    drop_repeated(context, places, &report, repeats, mesh);
    return VELA_OK;
}

VelaResult mesh_check_tets(VelaContext *context, const MeshPlaces *places, TetMesh *mesh)
{
    TRY(orient_tets(context, places, mesh));
    Arena scratch = arena_make(context);
    int32_t triangle_count, *triangles;
    bool closed;
    VelaResult result;
    TRY_GOTO(result, check_faces(context, places, mesh, &scratch), done);
    TRY_GOTO(
        result,
        find_unused(context, places, mesh->node_count, mesh->nodes, 4 * (int64_t)mesh->tet_count, mesh->tets),
        done);
    arena_clear(&scratch);
    TRY_GOTO(result, mesh_surface(context, mesh, &scratch, &triangle_count, &triangles), done);
    result = check_edges(context, places, "boundary", false, mesh->node_count, mesh->nodes, triangle_count,
                         triangles, &closed);
done:
    arena_clear(&scratch);
    return result;
}

// ---------------------------------------------------------------- triangles

/// Drops triangles that name a node twice; they have no area and no normal.
static void drop_collapsed(VelaContext *context, const MeshPlaces *places, TriangleMesh *mesh)
{
    int32_t kept = 0, first = -1;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *triangle = mesh->triangles + 3 * (size_t)t;
        if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) {
            first = first < 0 ? t : first;
            continue;
        }
        memmove(mesh->triangles + 3 * (size_t)kept, triangle, 3 * sizeof *triangle);
        ++kept;
    }
    char place[32];
    if (kept < mesh->triangle_count)
        context_log(context, VELA_LOG_WARNING,
                    "%s: triangles with a node twice, which have been dropped: %d, the first is %d (%s)",
                    places->name, mesh->triangle_count - kept, first,
                    place_text(places->byte_places, places->elements[first], place));
    mesh->triangle_count = kept;
}

/// Six times the enclosed volume; warns about triangles whose corners lie on a line.
static double measure_triangles(VelaContext *context, const MeshPlaces *places, const TriangleMesh *mesh)
{
    int32_t flat = 0, first = 0;
    double volume = 0;
    const double *origin = mesh->nodes;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double edges[3][3], normal[3], from[3];
        const int32_t *triangle = mesh->triangles + 3 * (size_t)t;
        double longest_sq = 0;
        for (int e = 0; e < 3; ++e) {
            subtract3(mesh->nodes + 3 * (size_t)triangle[(e + 1) % 3], mesh->nodes + 3 * (size_t)triangle[e],
                      edges[e]);
            longest_sq = fmax(longest_sq, dot3(edges[e], edges[e]));
        }
        cross3(edges[0], edges[1], normal);
        if (!(norm3(normal) > TET_DEGENERATE * longest_sq)) {
            first = flat == 0 ? t : first;
            ++flat;
        }
        subtract3(mesh->nodes + 3 * (size_t)triangle[0], origin, from);
        volume += dot3(from, normal);
    }
    const double *at = mesh->nodes + 3 * (size_t)mesh->triangles[3 * (size_t)first];
    if (flat > 0)
        context_log(context, VELA_LOG_WARNING,
                    "%s: triangles without area: %d, the first is %d, at (%g, %g, %g)", places->name, flat,
                    first, at[0], at[1], at[2]);
    return volume;
}

VelaResult mesh_check_triangles(VelaContext *context, const MeshPlaces *places, TriangleMesh *mesh)
{
    drop_collapsed(context, places, mesh);
    FAIL_IF(context, mesh->triangle_count == 0, VELA_ERROR_INVALID_INPUT,
            "%s: found no triangle with three different nodes, expected at least one", places->name);
    TRY(find_unused(context, places, mesh->node_count, mesh->nodes, 3 * (int64_t)mesh->triangle_count,
                    mesh->triangles));
    bool closed;
    TRY(check_edges(context, places, "surface", true, mesh->node_count, mesh->nodes, mesh->triangle_count,
                    mesh->triangles, &closed));
    const double volume = measure_triangles(context, places, mesh);
    if (closed && volume < 0)
        context_log(context, VELA_LOG_WARNING,
                    "%s: the surface is closed and its triangles face inwards (volume %g)", places->name,
                    volume / 6);
    return VELA_OK;
}
