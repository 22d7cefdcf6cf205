/// Collects the nodes and polygons of a surface file and makes the mesh of them.
#ifndef MESH_SURFACE_BUILDER_H
#define MESH_SURFACE_BUILDER_H

#include "mesh/mesh.h"
#include "mesh/scanner.h"

typedef struct SurfaceBuilder {
    VelaContext *context;
    Arena *arena;        ///< of the mesh
    Arena scratch;       ///< of everything else
    int32_t first_index; ///< what the file calls the first node
    size_t node_count, node_capacity;
    double *nodes;
    size_t triangle_count, triangle_capacity, place_capacity;
    int32_t *triangles; ///< indices from 0; checked at the end, for nodes may come after triangles
    int64_t *places;
    int32_t corner_count, corners[2]; ///< of the present polygon: the first corner and the last one
} SurfaceBuilder;

SurfaceBuilder surface_builder_make(VelaContext *context, Arena *arena, int32_t first_index);
/// Frees what is not the mesh.
void surface_builder_clear(SurfaceBuilder *builder);
VelaResult surface_add_node(SurfaceBuilder *builder, const double point[3]);
/// Adds a corner, from the third on with a triangle of the fan, to the present polygon.
VelaResult surface_add_corner(SurfaceBuilder *builder, int32_t node, int64_t place);
/// Ends the present polygon, which must have at least three corners.
VelaResult surface_end_polygon(SurfaceBuilder *builder, const Scanner *scanner);
/// Makes the mesh and checks it (mesh_check_triangles).
VelaResult surface_builder_finish(SurfaceBuilder *builder, const Scanner *scanner, TriangleMesh *mesh);

#endif
