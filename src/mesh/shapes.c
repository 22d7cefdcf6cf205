#include "mesh/mesh.h"
#include "mesh/tet.h"

#include "base/matrix3.h"

// Every solid is a grid of cells, each split into six tetrahedra around its diagonal 0-6, whose nodes are
// then moved. Ball, cylinder and torus mirror the split so that all diagonals point away from the middle:
// then the shape is as symmetric as its grid, and no tetrahedron has two faces on the surface, where they
// would be flattened.

typedef enum GridSplit {
    SPLIT_PLAIN,     ///< the diagonal goes up the axis in every cell
    SPLIT_OUTWARD,   ///< away from the middle of the axis
    SPLIT_ALTERNATE, ///< up and down in turn
} GridSplit;

typedef struct Grid {
    int32_t cells[3];
    GridSplit split[3];
    bool closed; ///< the second axis runs in a ring: its last layer of cells ends at its first layer of nodes
} Grid;

static const double LENGTH_MIN = 1e-9, LENGTH_MAX = 1e9;

static VelaResult check_length(VelaContext *context, const char *shape, const char *name, double value)
{
    FAIL_IF(context, !(value >= LENGTH_MIN && value <= LENGTH_MAX), VELA_ERROR_INVALID_INPUT,
            "%s: %s is %g, expected a length between %g and %g m", shape, name, value, LENGTH_MIN,
            LENGTH_MAX);
    return VELA_OK;
}

static VelaResult check_cells(VelaContext *context, const char *shape, const char *name, int32_t value,
                              int32_t smallest)
{
    FAIL_IF(context, value < smallest, VELA_ERROR_INVALID_INPUT, "%s: %s is %d, expected at least %d", shape,
            name, value, smallest);
    return VELA_OK;
}

static bool cell_flipped(GridSplit split, int32_t index, int32_t count)
{
    switch (split) {
    case SPLIT_OUTWARD:
        return 2 * (int64_t)index + 1 < count;
    case SPLIT_ALTERNATE:
        return index % 2 != 0;
    case SPLIT_PLAIN:
        break;
    }
    return false;
}

static int32_t layer_nodes(const Grid *grid, int axis)
{
    return grid->cells[axis] + (axis == 1 && grid->closed ? 0 : 1);
}

static int32_t node_index(const Grid *grid, const int32_t place[3])
{
    const int32_t j = place[1] % (grid->closed ? grid->cells[1] : INT32_MAX);
    return place[0] + layer_nodes(grid, 0) * (j + layer_nodes(grid, 1) * place[2]);
}

/// The six tetrahedra of one cell; those that come out negative are oriented by grid_orient.
static void cell_split(const Grid *grid, const int32_t cell[3], int32_t tets[24])
{
    static const int32_t corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                          {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int32_t split[24] = {0, 1, 2, 6, 0, 1, 5, 6, 0, 3, 2, 6, 0, 3, 7, 6, 0, 4, 5, 6, 0, 4, 7, 6};
    int32_t nodes[8];
    for (int c = 0; c < 8; ++c) {
        int32_t place[3];
        for (int axis = 0; axis < 3; ++axis) {
            const bool flipped = cell_flipped(grid->split[axis], cell[axis], grid->cells[axis]);
            place[axis] = cell[axis] + (flipped ? 1 - corners[c][axis] : corners[c][axis]);
        }
        nodes[c] = node_index(grid, place);
    }
    for (int n = 0; n < 24; ++n)
        tets[n] = nodes[split[n]];
}

static VelaResult grid_make(VelaContext *context, const char *shape, const Grid *grid, Arena *arena,
                            TetMesh *mesh)
{
    double node_count = 1, cell_count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        node_count *= (double)grid->cells[axis] + 1;
        cell_count *= (double)grid->cells[axis];
    }
    FAIL_IF(context, node_count > INT32_MAX || 6 * cell_count > INT32_MAX, VELA_ERROR_INVALID_INPUT,
            "%s: %d x %d x %d cells make %.3g tetrahedra, expected at most %d", shape, grid->cells[0],
            grid->cells[1], grid->cells[2], 6 * cell_count, INT32_MAX);
    *mesh = (TetMesh){0};
    const int32_t nodes = layer_nodes(grid, 0) * layer_nodes(grid, 1) * layer_nodes(grid, 2);
    const int32_t tets = 6 * grid->cells[0] * grid->cells[1] * grid->cells[2];
    TRY(arena_allocate(arena, (size_t)nodes, 3 * sizeof(double), (void **)&mesh->nodes));
    TRY(arena_allocate(arena, (size_t)tets, 4 * sizeof(int32_t), (void **)&mesh->tets));
    mesh->node_count = nodes;
    mesh->tet_count = tets;
    int32_t *next = mesh->tets;
    int32_t cell[3];
    for (cell[2] = 0; cell[2] < grid->cells[2]; ++cell[2])
        for (cell[1] = 0; cell[1] < grid->cells[1]; ++cell[1])
            for (cell[0] = 0; cell[0] < grid->cells[0]; ++cell[0], next += 24)
                cell_split(grid, cell, next);
    return VELA_OK;
}

/// Place of a node in the grid, each coordinate in [-1, 1].
static void grid_place(const Grid *grid, int32_t index, double place[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        const int32_t layer = layer_nodes(grid, axis);
        place[axis] = (2.0 * (index % layer) - grid->cells[axis]) / grid->cells[axis];
        index /= layer;
    }
}

static void grid_orient(TetMesh *mesh)
{
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        int32_t *tet = mesh->tets + 4 * (size_t)t;
        if (tet_volume(mesh->nodes, tet) < 0)
            tet_turn(tet);
    }
}

VelaResult mesh_make_box(VelaContext *context, const double size[3], const int32_t cells[3], Arena *arena,
                         TetMesh *mesh)
{
    Grid grid = {.split = {SPLIT_PLAIN, SPLIT_PLAIN, SPLIT_PLAIN}};
    for (int axis = 0; axis < 3; ++axis) {
        TRY(check_length(context, "box", (const char *[]){"size[0]", "size[1]", "size[2]"}[axis],
                         size[axis]));
        TRY(check_cells(context, "box", (const char *[]){"cells[0]", "cells[1]", "cells[2]"}[axis],
                        cells[axis], 1));
        grid.cells[axis] = cells[axis];
    }
    TRY(grid_make(context, "box", &grid, arena, mesh));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        double place[3];
        grid_place(&grid, n, place);
        for (int axis = 0; axis < 3; ++axis)
            mesh->nodes[3 * (size_t)n + axis] = 0.5 * size[axis] * place[axis];
    }
    grid_orient(mesh);
    return VELA_OK;
}

/// Maps the square or cube [-1, 1]^dimensions onto the unit disc or ball: the shell where the largest
/// coordinate is s becomes the sphere of radius s, and the lines of the grid on it are spaced by equal
/// angles. The creases of this map, the planes x = y and so on, are faces of the tetrahedra, so none is bent.
static void round_off(int dimensions, double place[])
{
    static const double QUARTER = 0.78539816339744831; // pi / 4
    double s = 0, length_sq = 0;
    for (int axis = 0; axis < dimensions; ++axis)
        s = fmax(s, fabs(place[axis]));
    if (s == 0)
        return;
    double out[3];
    for (int axis = 0; axis < dimensions; ++axis) {
        out[axis] = tan(QUARTER * (place[axis] / s));
        length_sq += out[axis] * out[axis];
    }
    for (int axis = 0; axis < dimensions; ++axis)
        place[axis] = s * out[axis] / sqrt(length_sq);
}

VelaResult mesh_make_ball(VelaContext *context, double radius, int32_t resolution, Arena *arena,
                          TetMesh *mesh)
{
    TRY(check_length(context, "ball", "radius", radius));
    TRY(check_cells(context, "ball", "resolution", resolution, 2));
    const Grid grid = {.cells = {resolution, resolution, resolution},
                       .split = {SPLIT_OUTWARD, SPLIT_OUTWARD, SPLIT_OUTWARD}};
    TRY(grid_make(context, "ball", &grid, arena, mesh));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        double place[3];
        grid_place(&grid, n, place);
        round_off(3, place);
        for (int axis = 0; axis < 3; ++axis)
            mesh->nodes[3 * (size_t)n + axis] = radius * place[axis];
    }
    grid_orient(mesh);
    return VELA_OK;
}

VelaResult mesh_make_cylinder(VelaContext *context, double radius, double length, int32_t resolution,
                              Arena *arena, TetMesh *mesh)
{
    TRY(check_length(context, "cylinder", "radius", radius));
    TRY(check_length(context, "cylinder", "length", length));
    TRY(check_cells(context, "cylinder", "resolution", resolution, 2));
    const double layers = fmax(1, round(length * resolution / (2 * radius)));
    FAIL_IF(context, layers > INT32_MAX, VELA_ERROR_INVALID_INPUT,
            "cylinder: length %g m at %d cells across radius %g m makes %.3g layers, expected at most %d",
            length, resolution, radius, layers, INT32_MAX);
    const Grid grid = {.cells = {resolution, (int32_t)layers, resolution},
                       .split = {SPLIT_OUTWARD, SPLIT_OUTWARD, SPLIT_OUTWARD}};
    TRY(grid_make(context, "cylinder", &grid, arena, mesh));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        double place[3];
        grid_place(&grid, n, place);
        double across[2] = {place[0], place[2]};
        round_off(2, across);
        double *node = mesh->nodes + 3 * (size_t)n;
        node[0] = radius * across[0];
        node[1] = 0.5 * length * place[1];
        node[2] = radius * across[1];
    }
    grid_orient(mesh);
    return VELA_OK;
}

VelaResult mesh_make_torus(VelaContext *context, double radius, double tube, int32_t resolution, Arena *arena,
                           TetMesh *mesh)
{
    static const double PI = 3.14159265358979323846;
    TRY(check_length(context, "torus", "radius", radius));
    TRY(check_length(context, "torus", "tube", tube));
    TRY(check_cells(context, "torus", "resolution", resolution, 2));
    FAIL_IF(context, tube >= radius, VELA_ERROR_INVALID_INPUT,
            "torus: tube is %g m, expected less than the radius, %g m", tube, radius);
    const double pairs = fmax(2, round(0.5 * PI * radius * resolution / tube));
    FAIL_IF(context, pairs > INT32_MAX / 2, VELA_ERROR_INVALID_INPUT,
            "torus: radius %g m at %d cells across tube %g m makes %.3g layers, expected at most %d", radius,
            resolution, tube, 2 * pairs, INT32_MAX);
    const Grid grid = {.cells = {resolution, 2 * (int32_t)pairs, resolution},
                       .split = {SPLIT_OUTWARD, SPLIT_ALTERNATE, SPLIT_OUTWARD},
                       .closed = true};
    TRY(grid_make(context, "torus", &grid, arena, mesh));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        double place[3];
        grid_place(&grid, n, place);
        double across[2] = {place[0], place[2]};
        round_off(2, across);
        const double angle = PI * (place[1] + 1), distance = radius + tube * across[0];
        double *node = mesh->nodes + 3 * (size_t)n;
        node[0] = distance * cos(angle);
        node[1] = tube * across[1];
        node[2] = distance * sin(angle);
    }
    grid_orient(mesh);
    return VELA_OK;
}

// ---------------------------------------------------------------- surfaces

// Nodes at their places in [-1, 1]^2 and triangles; `outward`: diagonals away from the middle, else in turn.
static VelaResult sheet_make(VelaContext *context, const char *shape, const int32_t cells[2], bool outward,
                             Arena *arena, TriangleMesh *mesh)
{
    const double node_count = ((double)cells[0] + 1) * ((double)cells[1] + 1),
                 triangle_count = 2.0 * cells[0] * cells[1];
    FAIL_IF(context, triangle_count > INT32_MAX / 4, VELA_ERROR_INVALID_INPUT,
            "%s: %d x %d cells make %.3g triangles, expected at most %d", shape, cells[0], cells[1],
            triangle_count, INT32_MAX / 4);
    *mesh = (TriangleMesh){.node_count = (int32_t)node_count, .triangle_count = (int32_t)triangle_count};
    TRY(ARENA_ARRAY(arena, mesh->nodes, 3 * (size_t)mesh->node_count));
    TRY(ARENA_ARRAY(arena, mesh->triangles, 3 * (size_t)mesh->triangle_count));
    const int32_t row = cells[0] + 1;
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        mesh->nodes[3 * (size_t)n] = (2.0 * (n % row) - cells[0]) / cells[0];
        mesh->nodes[3 * (size_t)n + 2] = (2.0 * (n / row) - cells[1]) / cells[1];
    }
    int32_t *next = mesh->triangles;
    for (int32_t k = 0; k < cells[1]; ++k)
        for (int32_t i = 0; i < cells[0]; ++i, next += 6) {
            const int32_t first = i + row * k, corners[4] = {first, first + row, first + row + 1, first + 1};
            const bool crossed =
                outward ? cell_flipped(SPLIT_OUTWARD, i, cells[0]) != cell_flipped(SPLIT_OUTWARD, k, cells[1])
                        : (i + k) % 2 != 0;
            const int32_t split[6] = {crossed, 1 + crossed, 2 + crossed, crossed, 2 + crossed, 3 + crossed};
            for (int n = 0; n < 6; ++n)
                next[n] = corners[split[n] % 4];
        }
    return VELA_OK;
}

VelaResult mesh_make_sheet(VelaContext *context, const double size[2], const int32_t cells[2], Arena *arena,
                           TriangleMesh *mesh)
{
    for (int axis = 0; axis < 2; ++axis) {
        TRY(check_length(context, "sheet", axis == 0 ? "size[0]" : "size[1]", size[axis]));
        TRY(check_cells(context, "sheet", axis == 0 ? "cells[0]" : "cells[1]", cells[axis], 1));
    }
    TRY(sheet_make(context, "sheet", cells, false, arena, mesh));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        mesh->nodes[3 * (size_t)n] *= 0.5 * size[0];
        mesh->nodes[3 * (size_t)n + 2] *= 0.5 * size[1];
    }
    return VELA_OK;
}

VelaResult mesh_make_disk(VelaContext *context, double radius, int32_t resolution, Arena *arena,
                          TriangleMesh *mesh)
{
    TRY(check_length(context, "disk", "radius", radius));
    TRY(check_cells(context, "disk", "resolution", resolution, 2));
    TRY(sheet_make(context, "disk", (const int32_t[]){resolution, resolution}, true, arena, mesh));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        double *node = mesh->nodes + 3 * (size_t)n, across[2] = {node[0], node[2]};
        round_off(2, across);
        node[0] = radius * across[0];
        node[2] = radius * across[1];
    }
    return VELA_OK;
}
