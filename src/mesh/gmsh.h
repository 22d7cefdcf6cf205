/// What the two versions of the Gmsh format share.
#ifndef MESH_GMSH_H
#define MESH_GMSH_H

#include "mesh/builder.h"

typedef struct GmshElementType {
    int32_t type;
    const char *name;
    int32_t dimension, node_count;
} GmshElementType;

/// The physical groups of one geometrical entity: physical_tags[first .. first + count).
typedef struct GmshEntity {
    int32_t dimension;
    int64_t tag;
    size_t first, count;
} GmshEntity;

typedef struct GmshFile {
    Scanner scanner;
    MeshBuilder builder;
    bool binary;
    bool have_nodes, have_elements, have_entities;
    size_t entity_count, entity_capacity;
    GmshEntity *entities; ///< sorted by dimension and tag
    size_t physical_count, physical_capacity;
    int64_t *physical_tags;
} GmshFile;

/// The type of an element vela takes: points, lines, triangles, quadrangles, tetrahedra of first order.
/// Others are refused by name.
VelaResult gmsh_element_type(GmshFile *file, int64_t type, const GmshElementType **found);
/// In a binary file the data of a section start on the next line: behind its name, in version 2 behind the count.
void gmsh_start_data(GmshFile *file);
VelaResult gmsh2_read_nodes(GmshFile *file);
VelaResult gmsh2_read_elements(GmshFile *file);
VelaResult gmsh4_read_entities(GmshFile *file);
VelaResult gmsh4_read_nodes(GmshFile *file);
VelaResult gmsh4_read_elements(GmshFile *file);

#endif
