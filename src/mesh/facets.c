#include "mesh/facets.h"
#include "mesh/tet.h"

#include <stdlib.h>

static void facet_exchange(Facet *facet, int a, int b)
{
    if (facet->nodes[a] > facet->nodes[b]) {
        const int32_t node = facet->nodes[a];
        facet->nodes[a] = facet->nodes[b];
        facet->nodes[b] = node;
        facet->odd = !facet->odd;
    }
}

static int facet_compare(const void *left, const void *right)
{
    const Facet *a = left, *b = right;
    for (int n = 0; n < 3; ++n)
        if (a->nodes[n] != b->nodes[n])
            return a->nodes[n] < b->nodes[n] ? -1 : 1;
    return a->owner < b->owner ? -1 : a->owner > b->owner;
}

/// Counting sort by the first node, then each node's few facets by comparison: n log n at worst, n on real
/// meshes.
static VelaResult facets_sort(VelaContext *context, int32_t node_count, int64_t count, const Facet *facets,
                              Facet *sorted)
{
    Arena scratch = arena_make(context);
    int64_t *next;
    VelaResult result = ARENA_ARRAY(&scratch, next, (size_t)node_count + 1);
    if (result == VELA_OK) {
        for (int64_t i = 0; i < count; ++i)
            ++next[facets[i].nodes[0] + 1];
        for (int32_t n = 0; n < node_count; ++n)
            next[n + 1] += next[n];
        for (int64_t i = 0; i < count; ++i)
            sorted[next[facets[i].nodes[0]]++] = facets[i];
        // next[n] is now the end of node n's facets.
        for (int32_t n = 0; n < node_count; ++n) {
            const int64_t first = n > 0 ? next[n - 1] : 0;
            if (next[n] - first > 1)
                qsort(sorted + first, (size_t)(next[n] - first), sizeof *sorted, facet_compare);
        }
    }
    arena_clear(&scratch);
    return result;
}

VelaResult facets_of_tets(VelaContext *context, const TetMesh *mesh, Arena *arena, Facet **facets)
{
    const int64_t count = 4 * (int64_t)mesh->tet_count;
    TRY(ARENA_ARRAY(arena, *facets, count));
    Arena scratch = arena_make(context);
    Facet *unsorted;
    VelaResult result = ARENA_ARRAY(&scratch, unsorted, count);
    if (result == VELA_OK) {
        for (int64_t i = 0; i < count; ++i) {
            const int32_t *tet = mesh->tets + 4 * (i / 4), *face = TET_FACES[i % 4];
            unsorted[i] = (Facet){.nodes = {tet[face[0]], tet[face[1]], tet[face[2]]}, .owner = i};
            facet_exchange(&unsorted[i], 0, 1);
            facet_exchange(&unsorted[i], 1, 2);
            facet_exchange(&unsorted[i], 0, 1);
        }
        result = facets_sort(context, mesh->node_count, count, unsorted, *facets);
    }
    arena_clear(&scratch);
    return result;
}

VelaResult facets_of_triangles(VelaContext *context, int32_t node_count, int32_t triangle_count,
                               const int32_t *triangles, Arena *arena, Facet **facets)
{
    const int64_t count = 3 * (int64_t)triangle_count;
    TRY(ARENA_ARRAY(arena, *facets, count));
    Arena scratch = arena_make(context);
    Facet *unsorted;
    VelaResult result = ARENA_ARRAY(&scratch, unsorted, count);
    if (result == VELA_OK) {
        for (int64_t i = 0; i < count; ++i) {
            const int32_t *triangle = triangles + 3 * (i / 3);
            unsorted[i] = (Facet){.nodes = {triangle[i % 3], triangle[(i + 1) % 3], -1}, .owner = i};
            facet_exchange(&unsorted[i], 0, 1);
        }
        result = facets_sort(context, node_count, count, unsorted, *facets);
    }
    arena_clear(&scratch);
    return result;
}

int64_t facets_run(const Facet *facets, int64_t count, int64_t first)
{
    int64_t end = first + 1;
    while (end < count && facets[end].nodes[0] == facets[first].nodes[0] &&
           facets[end].nodes[1] == facets[first].nodes[1] && facets[end].nodes[2] == facets[first].nodes[2])
        ++end;
    return end - first;
}
