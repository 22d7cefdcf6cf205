/// Small meshes in every format and variant, written here, for tests of the readers and for mutations of them.
///
/// The solid is the unit box of one cell: 8 nodes, 6 tets. Where a format can, it carries the groups "corner" (node 0),
/// "7" without a name (the line of nodes 0 and 1), "left" (the two triangles at x = -0.5) and "whole" (all tets).
/// The surface is that of the box: 8 nodes, 12 triangles.
#ifndef TESTS_MESH_SEEDS_H
#define TESTS_MESH_SEEDS_H

#include "mesh/mesh.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bytes {
    char *data; ///< data[size] is 0
    size_t size, capacity;
    bool other_order; ///< binary numbers are written in the byte order this machine does not have
} Bytes;

static inline void bytes_append(Bytes *bytes, const void *data, size_t size)
{
    if (bytes->size + size + 1 > bytes->capacity) {
        bytes->capacity = 2 * (bytes->size + size + 1);
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (!bytes->data)
            abort();
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    bytes->data[bytes->size] = 0;
}

static inline void bytes_text(Bytes *bytes, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        abort();
    bytes_append(bytes, text, (size_t)length);
}

static inline void bytes_number(Bytes *bytes, const void *number, size_t size)
{
    char ordered[8];
    for (size_t i = 0; i < size; ++i)
        ordered[i] = ((const char *)number)[bytes->other_order ? size - 1 - i : i];
    bytes_append(bytes, ordered, size);
}

static inline void bytes_ints(Bytes *bytes, int count, const int32_t *values)
{
    for (int i = 0; i < count; ++i)
        bytes_number(bytes, &values[i], sizeof *values);
}

static inline void bytes_longs(Bytes *bytes, int count, const int64_t *values)
{
    for (int i = 0; i < count; ++i)
        bytes_number(bytes, &values[i], sizeof *values);
}

static inline void bytes_doubles(Bytes *bytes, int count, const double *values)
{
    for (int i = 0; i < count; ++i)
        bytes_number(bytes, &values[i], sizeof *values);
}

static inline void bytes_floats(Bytes *bytes, int count, const double *values)
{
    for (int i = 0; i < count; ++i)
        bytes_number(bytes, &(float){(float)values[i]}, sizeof(float));
}

static inline bool machine_is_little(void)
{
    return *(const char *)&(const int32_t){1} == 1;
}

// ---------------------------------------------------------------- the meshes

enum { SEED_NODES = 8, SEED_TETS = 6, SEED_TRIANGLES = 12 };

static const double SEED_POINTS[SEED_NODES][3] = {{-.5, -.5, -.5}, {.5, -.5, -.5}, {-.5, .5, -.5},
                                                  {.5, .5, -.5},   {-.5, -.5, .5}, {.5, -.5, .5},
                                                  {-.5, .5, .5},   {.5, .5, .5}};
static const int32_t SEED_CORNERS[SEED_TETS][4] = {{0, 1, 3, 7}, {0, 1, 7, 5}, {0, 2, 7, 3},
                                                   {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 7, 6}};
static const int32_t SEED_LEFT[2][3] = {{0, 6, 2}, {0, 4, 6}};
static const int32_t SEED_FACES[SEED_TRIANGLES][3] = {{0, 3, 1}, {1, 3, 7}, {0, 1, 5}, {1, 7, 5},
                                                      {0, 2, 3}, {2, 7, 3}, {0, 6, 2}, {2, 6, 7},
                                                      {0, 5, 4}, {4, 5, 7}, {0, 4, 6}, {4, 7, 6}};

typedef struct Seed {
    const char *name; ///< a file name with the format's ending
    MeshFormat format;
    Bytes files[2]; ///< the second for TetGen only
} Seed;

static inline void seed_names(Bytes *out)
{
    bytes_text(out, "$PhysicalNames\n3\n0 1 \"corner\"\n2 2 \"left\"\n3 3 \"whole\"\n$EndPhysicalNames\n");
}

static inline void seed_gmsh2(Bytes *out)
{
    bytes_text(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    seed_names(out);
    bytes_text(out, "$Nodes\n%d\n", SEED_NODES);
    for (int n = 0; n < SEED_NODES; ++n)
        bytes_text(out, "%d %g %g %g\n", n + 1, SEED_POINTS[n][0], SEED_POINTS[n][1], SEED_POINTS[n][2]);
    bytes_text(out, "$EndNodes\n$Elements\n%d\n1 15 2 1 1 1\n2 1 2 7 1 1 2\n", SEED_TETS + 4);
    for (int t = 0; t < 2; ++t)
        bytes_text(out, "%d 2 2 2 1 %d %d %d\n", t + 3, SEED_LEFT[t][0] + 1, SEED_LEFT[t][1] + 1,
                   SEED_LEFT[t][2] + 1);
    for (int t = 0; t < SEED_TETS; ++t)
        bytes_text(out, "%d 4 2 3 1 %d %d %d %d\n", t + 5, SEED_CORNERS[t][0] + 1, SEED_CORNERS[t][1] + 1,
                   SEED_CORNERS[t][2] + 1, SEED_CORNERS[t][3] + 1);
    bytes_text(out, "$EndElements\n$ElementData\n0\n0\n0\n$EndElementData\n");
}

static inline void seed_gmsh2_binary(Bytes *out)
{
    bytes_text(out, "$MeshFormat\n2.2 1 8\n");
    bytes_ints(out, 1, (int32_t[]){1});
    bytes_text(out, "\n$EndMeshFormat\n");
    seed_names(out);
    bytes_text(out, "$Nodes\n%d\n", SEED_NODES);
    for (int n = 0; n < SEED_NODES; ++n) {
        bytes_ints(out, 1, (int32_t[]){n + 1});
        bytes_doubles(out, 3, SEED_POINTS[n]);
    }
    bytes_text(out, "\n$EndNodes\n$Elements\n%d\n", SEED_TETS + 4);
    bytes_ints(out, 7, (int32_t[]){15, 1, 2, 1, 1, 1, 1});
    bytes_ints(out, 8, (int32_t[]){1, 1, 2, 2, 7, 1, 1, 2});
    bytes_ints(out, 3, (int32_t[]){2, 2, 2});
    for (int t = 0; t < 2; ++t)
        bytes_ints(out, 6,
                   (int32_t[]){t + 3, 2, 1, SEED_LEFT[t][0] + 1, SEED_LEFT[t][1] + 1, SEED_LEFT[t][2] + 1});
    bytes_ints(out, 3, (int32_t[]){4, SEED_TETS, 2});
    for (int t = 0; t < SEED_TETS; ++t) {
        const int32_t *tet = SEED_CORNERS[t];
        bytes_ints(out, 7, (int32_t[]){t + 5, 3, 1, tet[0] + 1, tet[1] + 1, tet[2] + 1, tet[3] + 1});
    }
    bytes_text(out, "\n$EndElements\n");
}

/// Nodes have the sparse ids 10, 20, … here.
static inline void seed_gmsh4(Bytes *out)
{
    bytes_text(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    seed_names(out);
    bytes_text(out,
               "$Entities\n1 1 1 1\n1 -.5 -.5 -.5 1 1 \n1 -.5 -.5 -.5 .5 -.5 -.5 1 7 2 1 -1 \n"
               "1 -.5 -.5 -.5 -.5 .5 .5 1 2 1 1 \n1 -.5 -.5 -.5 .5 .5 .5 1 3 1 1 \n$EndEntities\n"
               "$Nodes\n2 %d 10 80\n0 1 0 1\n10\n-.5 -.5 -.5\n3 1 1 7\n",
               SEED_NODES);
    for (int n = 1; n < SEED_NODES; ++n)
        bytes_text(out, "%d\n", 10 * (n + 1));
    for (int n = 1; n < SEED_NODES; ++n)
        bytes_text(out, "%g %g %g .1 .2 .3\n", SEED_POINTS[n][0], SEED_POINTS[n][1], SEED_POINTS[n][2]);
    bytes_text(out, "$EndNodes\n$Elements\n4 %d 1 10\n0 1 15 1\n1 10 \n1 1 1 1\n2 10 20 \n2 1 2 2\n",
               SEED_TETS + 4);
    for (int t = 0; t < 2; ++t)
        bytes_text(out, "%d %d %d %d \n", t + 3, 10 * (SEED_LEFT[t][0] + 1), 10 * (SEED_LEFT[t][1] + 1),
                   10 * (SEED_LEFT[t][2] + 1));
    bytes_text(out, "3 1 4 %d\n", SEED_TETS);
    for (int t = 0; t < SEED_TETS; ++t)
        bytes_text(out, "%d %d %d %d %d \n", t + 5, 10 * (SEED_CORNERS[t][0] + 1),
                   10 * (SEED_CORNERS[t][1] + 1), 10 * (SEED_CORNERS[t][2] + 1),
                   10 * (SEED_CORNERS[t][3] + 1));
    bytes_text(out, "$EndElements\n");
}

/// Nodes have ids a billion apart here, too far for a table.
static inline void seed_gmsh4_binary(Bytes *out)
{
    const int64_t far = 1000000000;
    bytes_text(out, "$MeshFormat\n4.1 1 8\n");
    bytes_ints(out, 1, (int32_t[]){1});
    bytes_text(out, "\n$EndMeshFormat\n");
    seed_names(out);
    bytes_text(out, "$Entities\n");
    bytes_longs(out, 4, (int64_t[]){1, 1, 1, 1});
    for (int d = 0; d < 4; ++d) {
        bytes_ints(out, 1, (int32_t[]){1});
        bytes_doubles(out, d == 0 ? 3 : 6, (double[]){-.5, -.5, -.5, .5, .5, .5});
        bytes_longs(out, 1, (int64_t[]){1});
        bytes_ints(out, 1, (int32_t[]){(int32_t[]){1, 7, 2, 3}[d]});
        if (d > 0) {
            bytes_longs(out, 1, (int64_t[]){1});
            bytes_ints(out, 1, (int32_t[]){-1});
        }
    }
    bytes_text(out, "\n$EndEntities\n$Nodes\n");
    bytes_longs(out, 4, (int64_t[]){1, SEED_NODES, far, SEED_NODES * far});
    bytes_ints(out, 3, (int32_t[]){3, 1, 0});
    bytes_longs(out, 1, (int64_t[]){SEED_NODES});
    for (int n = 0; n < SEED_NODES; ++n)
        bytes_longs(out, 1, (int64_t[]){(n + 1) * far});
    for (int n = 0; n < SEED_NODES; ++n)
        bytes_doubles(out, 3, SEED_POINTS[n]);
    bytes_text(out, "\n$EndNodes\n$Elements\n");
    bytes_longs(out, 4, (int64_t[]){4, SEED_TETS + 4, 1, SEED_TETS + 4});
    bytes_ints(out, 3, (int32_t[]){0, 1, 15});
    bytes_longs(out, 3, (int64_t[]){1, 1, far});
    bytes_ints(out, 3, (int32_t[]){1, 1, 1});
    bytes_longs(out, 4, (int64_t[]){1, 2, far, 2 * far});
    bytes_ints(out, 3, (int32_t[]){2, 1, 2});
    bytes_longs(out, 1, (int64_t[]){2});
    for (int t = 0; t < 2; ++t) {
        bytes_longs(out, 1, (int64_t[]){t + 3});
        for (int n = 0; n < 3; ++n)
            bytes_longs(out, 1, (int64_t[]){(SEED_LEFT[t][n] + 1) * far});
    }
    bytes_ints(out, 3, (int32_t[]){3, 1, 4});
    bytes_longs(out, 1, (int64_t[]){SEED_TETS});
    for (int t = 0; t < SEED_TETS; ++t) {
        bytes_longs(out, 1, (int64_t[]){t + 5});
        for (int n = 0; n < 4; ++n)
            bytes_longs(out, 1, (int64_t[]){(SEED_CORNERS[t][n] + 1) * far});
    }
    bytes_text(out, "\n$EndElements\n");
}

static inline void seed_medit(Bytes *out)
{
    bytes_text(out, "MeshVersionFormatted 2\nDimension\n3\n# a comment\nVertices\n%d\n", SEED_NODES);
    for (int n = 0; n < SEED_NODES; ++n)
        bytes_text(out, "%g %g %g %d\n", SEED_POINTS[n][0], SEED_POINTS[n][1], SEED_POINTS[n][2],
                   n == 0 ? 1 : 0);
    bytes_text(out, "Corners\n1\n1\nEdges\n1\n1 2 7\nTriangles\n2\n");
    for (int t = 0; t < 2; ++t)
        bytes_text(out, "%d %d %d 2\n", SEED_LEFT[t][0] + 1, SEED_LEFT[t][1] + 1, SEED_LEFT[t][2] + 1);
    bytes_text(out, "Tetrahedra\n%d\n", SEED_TETS);
    for (int t = 0; t < SEED_TETS; ++t)
        bytes_text(out, "%d %d %d %d 3\n", SEED_CORNERS[t][0] + 1, SEED_CORNERS[t][1] + 1,
                   SEED_CORNERS[t][2] + 1, SEED_CORNERS[t][3] + 1);
    bytes_text(out, "End\n");
}

static inline void seed_tetgen(Bytes *nodes, Bytes *elements, int base)
{
    bytes_text(nodes, "# nodes\n%d 3 1 1\n", SEED_NODES);
    for (int n = 0; n < SEED_NODES; ++n)
        bytes_text(nodes, "%d %g %g %g 0.5 %d\n", n + base, SEED_POINTS[n][0], SEED_POINTS[n][1],
                   SEED_POINTS[n][2], SEED_POINTS[n][0] < 0 ? 2 : 0);
    bytes_text(elements, "%d 4 1\n", SEED_TETS);
    for (int t = 0; t < SEED_TETS; ++t)
        bytes_text(elements, "%d %d %d %d %d 3\n", t + base, SEED_CORNERS[t][0] + base,
                   SEED_CORNERS[t][1] + base, SEED_CORNERS[t][2] + base, SEED_CORNERS[t][3] + base);
}

static inline void seed_vtk(Bytes *out, bool binary, bool offsets)
{
    bytes_text(out, "# vtk DataFile Version %s\nbox\n%s\nDATASET UNSTRUCTURED_GRID\n",
               offsets ? "5.1" : "3.0", binary ? "BINARY" : "ASCII");
    bytes_text(out, "POINTS %d double\n", SEED_NODES);
    for (int n = 0; n < SEED_NODES; ++n) {
        if (binary)
            bytes_doubles(out, 3, SEED_POINTS[n]);
        else
            bytes_text(out, "%g %g %g\n", SEED_POINTS[n][0], SEED_POINTS[n][1], SEED_POINTS[n][2]);
    }
    const int cells = SEED_TETS + 2, total = 4 * SEED_TETS + 2 * 3;
    bytes_text(out, "\nCELLS %d %d\n", offsets ? cells + 1 : cells, offsets ? total : total + cells);
    int64_t offset = 0;
    if (offsets)
        bytes_text(out, "OFFSETS vtktypeint64\n");
    for (int c = 0; offsets && c <= cells; ++c) {
        if (binary)
            bytes_longs(out, 1, &offset);
        else
            bytes_text(out, "%d ", (int)offset);
        offset += c < 2 ? 3 : 4;
    }
    if (offsets)
        bytes_text(out, "\nCONNECTIVITY vtktypeint64\n");
    for (int c = 0; c < cells; ++c) {
        const int count = c < 2 ? 3 : 4;
        if (binary && !offsets)
            bytes_ints(out, 1, (int32_t[]){count});
        if (!binary && !offsets)
            bytes_text(out, "%d ", count);
        for (int n = 0; n < count; ++n) {
            const int32_t node = c < 2 ? SEED_LEFT[c][n] : SEED_CORNERS[c - 2][n];
            if (!binary)
                bytes_text(out, "%d%s", node, n + 1 < count ? " " : "\n");
            else if (offsets)
                bytes_longs(out, 1, (int64_t[]){node});
            else
                bytes_ints(out, 1, &node);
        }
    }
    bytes_text(out, "\nCELL_TYPES %d\n", cells);
    for (int c = 0; c < cells; ++c)
        binary ? bytes_ints(out, 1, (int32_t[]){c < 2 ? 5 : 10}) : bytes_text(out, "%d\n", c < 2 ? 5 : 10);
    bytes_text(out, "\nCELL_DATA %d\nSCALARS region int 1\nLOOKUP_TABLE default\n", cells);
    for (int c = 0; c < cells; ++c)
        binary ? bytes_ints(out, 1, (int32_t[]){c < 2 ? 2 : 3}) : bytes_text(out, "%d\n", c < 2 ? 2 : 3);
}

static inline void seed_obj(Bytes *out)
{
    bytes_text(out, "# a box\nmtllib box.mtl\no box\n");
    for (int n = 0; n < SEED_NODES; ++n)
        bytes_text(out, "v %g %g %g\n", SEED_POINTS[n][0], SEED_POINTS[n][1], SEED_POINTS[n][2]);
    bytes_text(out, "vt 0 0\nvn 0 0 1\ns off\n");
    static const char *const forms[4] = {"f %d %d %d\n", "f %d/1 %d/1 %d/1\n", "f %d//1 %d//1 %d//1\n",
                                         "f %d/1/1 %d/1/1 %d/1/1\n"};
    for (int t = 0; t < SEED_TRIANGLES; ++t) {
        const int32_t *face = SEED_FACES[t], base = t % 5 == 4 ? -SEED_NODES : 1;
        bytes_text(out, forms[t % 4], face[0] + base, face[1] + base, face[2] + base);
    }
}

static inline void seed_ply(Bytes *out, const char *format)
{
    const bool binary = strcmp(format, "ascii") != 0;
    bytes_text(
        out,
        "ply\nformat %s 1.0\ncomment a box\nelement vertex %d\nproperty float x\nproperty double y\n"
        "property float z\nproperty uchar red\nelement face %d\nproperty list uchar int vertex_indices\n"
        "property short flags\nend_header\n",
        format, SEED_NODES, SEED_TRIANGLES);
    for (int n = 0; n < SEED_NODES; ++n) {
        const double *p = SEED_POINTS[n];
        if (!binary) {
            bytes_text(out, "%g %g %g 255\n", p[0], p[1], p[2]);
            continue;
        }
        bytes_floats(out, 1, p);
        bytes_doubles(out, 1, p + 1);
        bytes_floats(out, 1, p + 2);
        bytes_append(out, "\377", 1);
    }
    for (int t = 0; t < SEED_TRIANGLES; ++t) {
        const int32_t *face = SEED_FACES[t];
        if (!binary) {
            bytes_text(out, "3 %d %d %d -1\n", face[0], face[1], face[2]);
            continue;
        }
        bytes_append(out, "\003", 1);
        bytes_ints(out, 3, face);
        bytes_append(out, "\377\377", 2);
    }
}

static inline void seed_stl(Bytes *out, bool binary)
{
    char header[80] = "solid binary that starts like text";
    if (binary) {
        bytes_append(out, header, sizeof header);
        bytes_ints(out, 1, (int32_t[]){SEED_TRIANGLES});
    } else {
        bytes_text(out, "solid box\n");
    }
    for (int t = 0; t < SEED_TRIANGLES; ++t) {
        if (binary)
            bytes_floats(out, 3, (double[]){0, 0, 0});
        else
            bytes_text(out, "  facet normal 0 0 nan\n    outer loop\n");
        for (int n = 0; n < 3; ++n) {
            const double *p = SEED_POINTS[SEED_FACES[t][n]];
            if (binary)
                bytes_floats(out, 3, p);
            else
                bytes_text(out, "      vertex %g %g %g\n", p[0], p[1], p[2]);
        }
        if (binary)
            bytes_append(out, "\0\0", 2);
        else
            bytes_text(out, "    endloop\n  endfacet\n");
    }
    if (!binary)
        bytes_text(out, "endsolid box\n");
}

static inline void seed_off(Bytes *out)
{
    bytes_text(out, "OFF # a box\n%d %d 0\n", SEED_NODES, SEED_TRIANGLES);
    for (int n = 0; n < SEED_NODES; ++n)
        bytes_text(out, "%g %g %g\n", SEED_POINTS[n][0], SEED_POINTS[n][1], SEED_POINTS[n][2]);
    for (int t = 0; t < SEED_TRIANGLES; ++t)
        bytes_text(out, "3 %d %d %d 0.5 0.5 0.5\n", SEED_FACES[t][0], SEED_FACES[t][1], SEED_FACES[t][2]);
}

enum { SEED_COUNT = 20 };

static inline void seeds_make(Seed seeds[SEED_COUNT])
{
    static const char *const names[SEED_COUNT] = {
        "text22.msh",    "binary22.msh", "swapped22.msh", "text41.msh", "binary41.msh",
        "swapped41.msh", "text.mesh",    "zero.node",     "one.node",   "text3.vtk",
        "binary3.vtk",   "text5.vtk",    "binary5.vtk",   "text.obj",   "text.ply",
        "little.ply",    "big.ply",      "text.stl",      "binary.stl", "text.off",
    };
    const bool little = machine_is_little();
    for (int s = 0; s < SEED_COUNT; ++s) {
        seeds[s] = (Seed){.name = names[s], .format = mesh_format(names[s])};
        Bytes *out = seeds[s].files;
        // VTK and the one PLY are big-endian, the other PLY and STL little-endian; Gmsh tells its order.
        const bool big = s == 10 || s == 12 || s == 16, told = s < 9;
        out[0].other_order = told ? s == 2 || s == 5 : big == little;
        switch (s) {
        case 0:
            seed_gmsh2(out);
            break;
        case 1:
        case 2:
            seed_gmsh2_binary(out);
            break;
        case 3:
            seed_gmsh4(out);
            break;
        case 4:
        case 5:
            seed_gmsh4_binary(out);
            break;
        case 6:
            seed_medit(out);
            break;
        case 7:
        case 8:
            seed_tetgen(out, out + 1, s - 7);
            break;
        case 9:
        case 10:
            seed_vtk(out, s == 10, false);
            break;
        case 11:
        case 12:
            seed_vtk(out, s == 12, true);
            break;
        case 13:
            seed_obj(out);
            break;
        case 14:
            seed_ply(out, "ascii");
            break;
        case 15:
            seed_ply(out, "binary_little_endian");
            break;
        case 16:
            seed_ply(out, "binary_big_endian");
            break;
        case 17:
        case 18:
            seed_stl(out, s == 18);
            break;
        case 19:
            seed_off(out);
            break;
        }
    }
}

static inline void seeds_free(Seed seeds[SEED_COUNT])
{
    for (int s = 0; s < SEED_COUNT; ++s)
        for (int f = 0; f < 2; ++f)
            free(seeds[s].files[f].data);
}

#endif
