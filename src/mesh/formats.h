/// One entry per file format. `data[size]` must be 0; `name` is for messages.
#ifndef MESH_FORMATS_H
#define MESH_FORMATS_H

#include "mesh/mesh.h"

/// Gmsh .msh 2.x and 4.1, text and binary. A node group for every physical group: its name from
/// $PhysicalNames, else its number; groups of the same name are one.
VelaResult gmsh_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                      TetMesh *mesh);
/// Medit .mesh, text. A node group for every reference number but 0.
VelaResult medit_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                       TetMesh *mesh);
/// TetGen .node and .ele; indices start at what the first node has, 0 or 1. A node group for every boundary
/// marker but 0.
VelaResult tetgen_parse(VelaContext *context, const char *node_name, const char *node_data, size_t node_size,
                        const char *element_name, const char *element_data, size_t element_size, Arena *arena,
                        TetMesh *mesh);
/// VTK legacy .vtk, text and binary, UNSTRUCTURED_GRID, versions 1 to 5. A node group for every value but 0
/// of the first integer SCALARS of CELL_DATA; other data are passed over.
VelaResult vtk_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TetMesh *mesh);

/// Wavefront .obj: v and f; texture, normals, groups, materials, lines and points are passed over.
VelaResult obj_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh);
/// Stanford .ply, text and binary of either byte order; elements and properties other than vertex x y z and
/// face vertex_indices are passed over.
VelaResult ply_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh);
/// .stl, text and binary; equal vertices are merged, in order of first appearance; normals are not used.
VelaResult stl_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh);
/// .off, text; colours and normals are passed over.
VelaResult off_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh);

#endif
