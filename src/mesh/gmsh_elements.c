#include "mesh/formats.h"
#include "mesh/gmsh.h"

#include <stdio.h>
#include <string.h>

static const GmshElementType ELEMENT_TYPES[] = {
    {1, "line", 1, 2},        {2, "triangle", 2, 3}, {3, "quadrangle", 2, 4},
    {4, "tetrahedron", 3, 4}, {15, "point", 0, 1},
};

/// Names of the Gmsh element types that vela refuses.
static const char *refused_name(int64_t type)
{
    static const struct {
        int64_t type;
        const char *name;
    } names[] = {
        {5, "hexahedra"},
        {6, "prisms"},
        {7, "pyramids"},
        {8, "second-order lines"},
        {9, "second-order triangles"},
        {10, "second-order quadrangles"},
        {11, "second-order tetrahedra"},
        {12, "second-order hexahedra"},
        {13, "second-order prisms"},
        {14, "second-order pyramids"},
        {16, "second-order quadrangles"},
        {17, "second-order hexahedra"},
        {18, "second-order prisms"},
        {19, "second-order pyramids"},
        {21, "third-order triangles"},
        {26, "third-order lines"},
        {29, "third-order tetrahedra"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].type == type)
            return names[i].name;
    return "of no known kind";
}

VelaResult gmsh_element_type(GmshFile *file, int64_t type, const GmshElementType **found)
{
    for (size_t i = 0; i < sizeof ELEMENT_TYPES / sizeof *ELEMENT_TYPES; ++i)
        if (ELEMENT_TYPES[i].type == type) {
            *found = &ELEMENT_TYPES[i];
            return VELA_OK;
        }
    return scanner_fail(
        &file->scanner,
        "found elements of type %lld (%s), expected first-order tetrahedra (4), or points, lines, "
        "triangles and quadrangles for groups",
        (long long)type, refused_name(type));
}

void gmsh_start_data(GmshFile *file)
{
    if (file->binary) {
        scanner_next_line(&file->scanner);
        file->scanner.binary = true;
    }
}
