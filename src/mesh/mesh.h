/// Tetrahedral and triangle meshes as the readers and the built-in shapes deliver them.
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "base/arena.h"

/// A named set of nodes: a Gmsh physical group (all nodes of its elements), or a Medit/VTK reference number as name.
typedef struct NodeGroup {
    const char *name;
    int32_t node_count;
    int32_t *nodes; ///< ascending, each once
} NodeGroup;

/// Everything is owned by the arena it was made in. Indices are 0-based, in file order.
typedef struct TetMesh {
    int32_t node_count;
    double *nodes; ///< node_count x 3, m
    int32_t tet_count;
    int32_t *tets; ///< tet_count x 4, positively oriented: det(b-a, c-a, d-a) > 0
    int32_t group_count;
    NodeGroup *groups;
} TetMesh;

typedef struct TriangleMesh {
    int32_t node_count;
    double *nodes; ///< node_count x 3, m
    int32_t triangle_count;
    int32_t *triangles; ///< triangle_count x 3, counter-clockwise seen from outside
} TriangleMesh;

/// Reads a tetrahedral mesh; the format follows from the ending (.msh .mesh .node/.ele .vtk) and from the content
/// (Gmsh 2.2 or 4.1, text or binary). Reports through the log what it repaired (elements turned) and what is odd
/// (unused nodes, non-manifold surface, with index and place); fails with VELA_ERROR_INVALID_INPUT and file, line,
/// found and expected where it cannot be used (degenerate element: index, nodes, place), VELA_ERROR_IO.
VelaResult mesh_read_tets(VelaContext *context, const char *path, Arena *arena, TetMesh *mesh);
/// Reads a surface: .obj .ply .stl .off (STL vertices are merged where equal; polygons are fanned).
VelaResult mesh_read_triangles(VelaContext *context, const char *path, Arena *arena, TriangleMesh *mesh);

// Built-in solids (interface.md "geometry"), centred at the origin, positively oriented.
/// The split of every cell into six tetrahedra is part of the interface: interface.md, `box`.
VelaResult mesh_make_box(VelaContext *context, const double size[3], const int32_t cells[3], Arena *arena, TetMesh *mesh);
/// `resolution`: cells across the diameter (at least 2).
VelaResult mesh_make_ball(VelaContext *context, double radius, int32_t resolution, Arena *arena, TetMesh *mesh);
/// Axis along y. `resolution`: cells across the diameter.
VelaResult mesh_make_cylinder(VelaContext *context, double radius, double length, int32_t resolution, Arena *arena,
                              TetMesh *mesh);
/// In the XZ plane, about y. `radius` to the centre of the tube, `tube` its radius, `resolution` cells across the tube.
VelaResult mesh_make_torus(VelaContext *context, double radius, double tube, int32_t resolution, Arena *arena,
                           TetMesh *mesh);

/// Boundary triangles of the tets, outward, in ascending order of (tet, face). `*triangles` is count x 3.
VelaResult mesh_surface(VelaContext *context, const TetMesh *mesh, Arena *arena, int32_t *count, int32_t **triangles);

typedef struct MeshQuality {
    double smallest_dihedral, largest_dihedral; ///< degrees
    double smallest_volume, largest_volume;     ///< m^3
} MeshQuality;
MeshQuality mesh_quality(const TetMesh *mesh);

VelaResult mesh_write_obj(VelaContext *context, const char *path, const TriangleMesh *mesh);
VelaResult mesh_write_ply(VelaContext *context, const char *path, const TriangleMesh *mesh);

#endif
