#include "mesh/mesh.h"
#include "mesh/tet.h"

#include <math.h>
#include <stdlib.h>

/// A node in a grid of cubes as wide as the distance.
typedef struct Cell {
    int64_t at[3];
    int32_t node;
} Cell;

static int compare_places(const int64_t a[3], const int64_t b[3])
{
    for (int k = 0; k < 3; ++k)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_cells(const void *a, const void *b)
{
    const Cell *x = a, *y = b;
    const int order = compare_places(x->at, y->at);
    return order != 0 ? order : (x->node > y->node) - (x->node < y->node);
}

/// The first cell that is not before `at`.
static int32_t find_cell(const Cell *cells, int32_t count, const int64_t at[3])
{
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (compare_places(cells[middle].at, at) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int32_t find_root(int32_t *parents, int32_t node)
{
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

static int compare_nodes(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// The root of a cluster is its lowest node.
static void join(int32_t *parents, int32_t a, int32_t b)
{
    a = find_root(parents, a), b = find_root(parents, b);
    parents[a > b ? a : b] = a < b ? a : b;
}

static void join_near(const TetMesh *mesh, double distance, const Cell *cells, int32_t *parents)
{
    for (int32_t c = 0; c < mesh->node_count; ++c)
        for (int near = 0; near < 27; ++near) {
            const int64_t at[3] = {cells[c].at[0] + near / 9 - 1, cells[c].at[1] + near / 3 % 3 - 1,
                                   cells[c].at[2] + near % 3 - 1};
            for (int32_t other = find_cell(cells, mesh->node_count, at);
                 other < mesh->node_count && compare_places(cells[other].at, at) == 0; ++other) {
                double way[3];
                subtract3(mesh->nodes + 3 * (size_t)cells[other].node,
                          mesh->nodes + 3 * (size_t)cells[c].node, way);
                if (cells[other].node < cells[c].node && norm3(way) < distance)
                    join(parents, cells[other].node, cells[c].node);
            }
        }
}

static VelaResult find_clusters(VelaContext *context, const TetMesh *mesh, double distance, Arena *arena,
                                int32_t **parents)
{
    static const double FARTHEST = 1e15; // cells from the origin: beyond, they cannot be told apart
    Cell *cells;
    TRY(ARENA_ARRAY(arena, cells, mesh->node_count));
    TRY(ARENA_ARRAY(arena, *parents, mesh->node_count));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        (*parents)[n] = n;
        cells[n].node = n;
        for (int k = 0; k < 3; ++k) {
            const double cell = floor(mesh->nodes[3 * (size_t)n + (size_t)k] / distance);
            FAIL_IF(context, !(fabs(cell) < FARTHEST), VELA_ERROR_INVALID_INPUT,
                    "weld: found %g m, expected at least 1e-15 of the mesh's coordinates", distance);
            cells[n].at[k] = (int64_t)cell;
        }
    }
    qsort(cells, (size_t)mesh->node_count, sizeof *cells, compare_cells);
    join_near(mesh, distance, cells, *parents);
    return VELA_OK;
}

static VelaResult rename_nodes(VelaContext *context, double distance, int32_t *parents, TetMesh *mesh)
{
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        int32_t *tet = mesh->tets + 4 * (size_t)t;
        for (int a = 0; a < 4; ++a)
            tet[a] = find_root(parents, tet[a]);
        FAIL_IF(context, !(tet_volume(mesh->nodes, tet) > 0), VELA_ERROR_INVALID_INPUT,
                "weld: %g m leaves tetrahedron %d without volume, expected less than its shortest edge",
                distance, t);
    }
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        NodeGroup *group = &mesh->groups[g];
        int32_t kept = 0;
        for (int32_t i = 0; i < group->node_count; ++i)
            group->nodes[i] = find_root(parents, group->nodes[i]);
        qsort(group->nodes, (size_t)group->node_count, sizeof *group->nodes, compare_nodes);
        for (int32_t i = 0; i < group->node_count; ++i)
            if (i == 0 || group->nodes[i] != group->nodes[i - 1])
                group->nodes[kept++] = group->nodes[i];
        group->node_count = kept;
    }
    return VELA_OK;
}

VelaResult mesh_weld(VelaContext *context, double distance, TetMesh *mesh, int32_t *merged)
{
    Arena scratch = arena_make(context);
    int32_t *parents;
    *merged = 0;
    VelaResult result = find_clusters(context, mesh, distance, &scratch, &parents);
    for (int32_t n = 0; result == VELA_OK && n < mesh->node_count; ++n)
        *merged += parents[n] != n;
    if (result == VELA_OK)
        result = rename_nodes(context, distance, parents, mesh);
    arena_clear(&scratch);
    return result;
}

VelaResult mesh_count_pieces(VelaContext *context, int32_t node_count, int32_t corners, int32_t count,
                             const int32_t *elements, int32_t *pieces)
{
    Arena scratch = arena_make(context);
    int32_t *parents;
    uint8_t *counted;
    *pieces = 0;
    VelaResult result = ARENA_ARRAY(&scratch, parents, node_count);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&scratch, counted, node_count);
    if (result == VELA_OK) {
        for (int32_t n = 0; n < node_count; ++n)
            parents[n] = n;
        for (int64_t i = 0; i < corners * (int64_t)count; ++i)
            join(parents, elements[i / corners * corners], elements[i]);
        // Each piece has one root, which is a corner: a node that no element uses is alone and none.
        for (int64_t i = 0; i < corners * (int64_t)count; ++i) {
            const int32_t root = find_root(parents, elements[i]);
            *pieces += !counted[root];
            counted[root] = 1;
        }
    }
    arena_clear(&scratch);
    return result;
}
