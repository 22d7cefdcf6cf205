/// Tetrahedral and triangle meshes as the readers and the built-in shapes deliver them.
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "base/arena.h"

/// A named set of nodes: a Gmsh physical group of any dimension (all nodes of its elements), or the reference
/// number of a Medit, VTK or TetGen file as name. Groups of the same name are one; groups are sorted by name.
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

/// A format by the ending of a file's name.
typedef enum MeshFormat {
    MESH_FORMAT_UNKNOWN,
    MESH_FORMAT_GMSH,   ///< .msh
    MESH_FORMAT_MEDIT,  ///< .mesh
    MESH_FORMAT_TETGEN, ///< .node, .ele: two files
    MESH_FORMAT_VTK,    ///< .vtk
    MESH_FORMAT_OBJ,
    MESH_FORMAT_PLY,
    MESH_FORMAT_STL,
    MESH_FORMAT_OFF,
} MeshFormat;
MeshFormat mesh_format(const char *path);

/// Reads a tetrahedral mesh; the format follows from the ending (.msh .mesh .node/.ele .vtk) and from the
/// content (Gmsh 2.2 or 4.1, text or binary). Of TetGen's pair either name may be given. Reports through the
/// log, as warnings with count, first index and place: elements that were negatively oriented and have been
/// turned, elements that repeat another one and have been dropped, unused nodes (kept), faces with more than
/// two elements or with two on the same side, boundary edges without exactly two triangles. Fails with
/// VELA_ERROR_INVALID_INPUT, and file, line (byte in a binary file), found and expected in the message, where
/// the file cannot be used: elements other than first-order tetrahedra (points, lines, triangles and
/// quadrangles only serve groups), |volume| of at most 1e-14 times the longest edge cubed, coordinates above
/// 1e30; VELA_ERROR_IO, VELA_ERROR_OUT_OF_MEMORY. Counts are checked against the file's size before anything
/// is allocated for them.
VelaResult mesh_read_tets(VelaContext *context, const char *path, Arena *arena, TetMesh *mesh);

/// Merges nodes closer than `distance` (m, above 0; chains of them become one): elements and groups then name the first of each
/// cluster, in its place, and the others belong to nothing; no node is renumbered. `merged`: how many went. Fails with
/// VELA_ERROR_INVALID_INPUT where two corners of an element, or one left without volume, would be merged.
VelaResult mesh_weld(VelaContext *context, double distance, TetMesh *mesh, int32_t *merged);
/// Into how many pieces that share no node `count` elements of `corners` nodes each fall. VELA_ERROR_OUT_OF_MEMORY.
VelaResult mesh_count_pieces(VelaContext *context, int32_t node_count, int32_t corners, int32_t count,
                             const int32_t *elements, int32_t *pieces);
/// Reads a surface: .obj .ply .stl .off (STL vertices are merged where equal; polygons are fanned from their
/// first corner). It may be open. Drops triangles with a node twice; these, unused nodes, triangles without
/// area, edges with more than two triangles or with two in the same direction, and a closed surface that faces
/// inwards are reported through the log.
VelaResult mesh_read_triangles(VelaContext *context, const char *path, Arena *arena, TriangleMesh *mesh);

/// A file's bytes in memory. `data[size]` must be 0, as file_read leaves it. `name` is for messages.
typedef struct MeshSource {
    const char *name;
    const char *data;
    size_t size;
} MeshSource;

/// As mesh_read_tets, from memory. `sources`: one, or for MESH_FORMAT_TETGEN two, the .node file first.
VelaResult mesh_parse_tets(VelaContext *context, MeshFormat format, const MeshSource *sources, Arena *arena,
                           TetMesh *mesh);
/// As mesh_read_triangles, from memory.
VelaResult mesh_parse_triangles(VelaContext *context, MeshFormat format, const MeshSource *source,
                                Arena *arena, TriangleMesh *mesh);

// Built-in solids (docs/scene-reference.md, geometry), centred at the origin, positively oriented. Lengths are between
// 1e-9 and 1e9 m, else VELA_ERROR_INVALID_INPUT with a message. Every cell of a grid is split into six
// tetrahedra; ball, cylinder and torus mirror that split about their middle, so an even `resolution` gives a
// symmetric mesh. "dihedral": smallest and largest dihedral angle in degrees; "volume": relative to the
// smooth solid.

/// `cells` along x, y, z, at least 1 each. Node i + (nx+1)(j + (ny+1)k) for i along x, j along y, k along z.
/// The split of every cell is part of the scene format, for results depend on it: with the local corners
/// 0=000 1=100 2=110 3=010 4=001 5=101 6=111 7=011 (xyz) the tetrahedra 0126 0156 0326 0376 0456 0476 in this
/// order, where the last two nodes of a negative one (the second, third and sixth) trade places.
/// Dihedral 45 to 90 for cubic cells.
VelaResult mesh_make_box(VelaContext *context, const double size[3], const int32_t cells[3], Arena *arena,
                         TetMesh *mesh);
/// `resolution`: cells across the diameter (at least 2). Surface nodes lie on the sphere. Resolution 4: 125
/// nodes, 384 tets, dihedral 31..102, volume -6.1 %; 8: 729, 3072, 29..110, -1.6 %; 16: 4913, 24576, 29..113,
/// -0.39 %. Never below 26 (odd resolutions).
VelaResult mesh_make_ball(VelaContext *context, double radius, int32_t resolution, Arena *arena,
                          TetMesh *mesh);
/// Axis along y. `resolution`: cells across the diameter (at least 2); along the axis as many as keep cells
/// near cubic. Dihedral 32..121 where length is a multiple of the cell size; volume -2.6 % at 4, -0.64 % at
/// 8, -0.16 % at 16.
VelaResult mesh_make_cylinder(VelaContext *context, double radius, double length, int32_t resolution,
                              Arena *arena, TetMesh *mesh);
/// In the XZ plane, about y. `radius` to the centre of the tube, `tube` its radius (below `radius`),
/// `resolution` cells across the tube (at least 2); an even number of layers around that keeps cells near
/// cubic on the centre line. tube/radius 0.3: dihedral 27..123, volume -2.9 % at 4, -0.73 % at 8, -0.18 % at
/// 16; tube/radius 0.6: 19..124. Cells at the inner rim shrink as tube/radius nears 1.
VelaResult mesh_make_torus(VelaContext *context, double radius, double tube, int32_t resolution, Arena *arena,
                           TetMesh *mesh);

// Built-in surfaces in the XZ plane, centred at the origin, their triangles counter-clockwise seen from +Y. Lengths as above.

/// `size` and `cells` along x and z. Node i + (nx+1) k for i along x, k along z. Cell (i, k) is split along the diagonal from its
/// first to its last node where i + k is even, along the other one where it is odd.
VelaResult mesh_make_sheet(VelaContext *context, const double size[2], const int32_t cells[2], Arena *arena,
                           TriangleMesh *mesh);
/// `resolution`: cells across the diameter (at least 2); diagonals point away from the middle.
VelaResult mesh_make_disk(VelaContext *context, double radius, int32_t resolution, Arena *arena,
                          TriangleMesh *mesh);

/// Boundary triangles of the tets, outward, in ascending order of (tet, face); face f is opposite node f.
/// `*triangles` is count x 3. A face is on the boundary when exactly one tet has it.
/// VELA_ERROR_OUT_OF_MEMORY.
VelaResult mesh_surface(VelaContext *context, const TetMesh *mesh, Arena *arena, int32_t *count,
                        int32_t **triangles);

typedef struct MeshQuality {
    double smallest_dihedral, largest_dihedral; ///< degrees
    double smallest_volume, largest_volume;     ///< m^3
} MeshQuality;
MeshQuality mesh_quality(const TetMesh *mesh);

/// Text, 17 digits. Both writers replace the file only once it is complete; VELA_ERROR_IO.
VelaResult mesh_write_obj(VelaContext *context, const char *path, const TriangleMesh *mesh);
/// Binary, little-endian, double coordinates.
VelaResult mesh_write_ply(VelaContext *context, const char *path, const TriangleMesh *mesh);

#endif
