/// Skins for scenes in the text of a test: files of surfaces.
#ifndef TESTS_SKIN_FIXTURE_H
#define TESTS_SKIN_FIXTURE_H

#include "check_main.h"

#include "mesh/mesh.h"

enum { SKIN_CELLS_MOST = 12 };

/// The surface of a cube around the origin, every face of cells x cells squares, as an OBJ file.
static inline void write_cube_skin(const char *path, double half, int cells)
{
    int vertex[SKIN_CELLS_MOST + 1][SKIN_CELLS_MOST + 1][SKIN_CELLS_MOST + 1], count = 0;
    const int n = cells;
    FILE *file = fopen(path, "w");
    ck_assert_msg(file != NULL, "%s: cannot be written", path);
    ck_assert_int_le(cells, SKIN_CELLS_MOST);
    for (int c = 0; c < (n + 1) * (n + 1) * (n + 1); ++c) {
        const int at[3] = {c % (n + 1), c / (n + 1) % (n + 1), c / (n + 1) / (n + 1)};
        bool outside = false;
        for (int k = 0; k < 3; ++k)
            outside |= at[k] == 0 || at[k] == n;
        if (!outside)
            continue;
        vertex[at[0]][at[1]][at[2]] = ++count;
        fprintf(file, "v %.17g %.17g %.17g\n", half * (2.0 * at[0] / n - 1), half * (2.0 * at[1] / n - 1),
                half * (2.0 * at[2] / n - 1));
    }
    for (int face = 0; face < 6; ++face)
        for (int cell = 0; cell < n * n; ++cell) {
            int corners[4]; // around the cell, counter-clockwise seen against the axis
            for (int k = 0; k < 4; ++k) {
                int at[3];
                at[face / 2] = face % 2 * n;
                at[(face / 2 + 1) % 3] = cell % n + (k == 1 || k == 2);
                at[(face / 2 + 2) % 3] = cell / n + (k >= 2);
                corners[face % 2 ? k : 3 - k] = vertex[at[0]][at[1]][at[2]];
            }
            fprintf(file, "f %d %d %d\nf %d %d %d\n", corners[0], corners[1], corners[2], corners[0],
                    corners[2], corners[3]);
        }
    fclose(file);
}

/// The surface of a mesh of tetrahedra with all its nodes, in the same order.
static inline void write_own_skin(VelaContext *context, const char *path, const TetMesh *mesh)
{
    Arena arena = arena_make(context);
    TriangleMesh surface = {.node_count = mesh->node_count, .nodes = mesh->nodes};
    ASSERT_OK(context, mesh_surface(context, mesh, &arena, &surface.triangle_count, &surface.triangles));
    ASSERT_OK(context, mesh_write_obj(context, path, &surface));
    arena_clear(&arena);
}

#endif
