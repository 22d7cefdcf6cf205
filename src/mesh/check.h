/// What every mesh is checked for after it was read, whatever its format.
#ifndef MESH_CHECK_H
#define MESH_CHECK_H

#include "mesh/mesh.h"

/// Where the parts of a mesh stand in their file.
typedef struct MeshPlaces {
    const char *name;        ///< of the file
    bool byte_places;        ///< places are byte offsets, else lines
    const int64_t *nodes;    ///< the file's own ids, node_count; NULL: indices from 0
    const int64_t *elements; ///< place of each tet or triangle
} MeshPlaces;

/// A tetrahedron is degenerate when |volume| is at most this times its longest edge cubed.
#define TET_DEGENERATE 1e-14

/// Turns negative tets, refuses degenerate ones (VELA_ERROR_INVALID_INPUT), drops repetitions; logs warnings
/// for these and for unused nodes, faces with more than two tets, tets on the same side of a face, and
/// surface edges without exactly two triangles.
VelaResult mesh_check_tets(VelaContext *context, const MeshPlaces *places, TetMesh *mesh);
/// Drops triangles that name a node twice; logs warnings for these, for unused nodes, edges with more than
/// two triangles, neighbours of opposite orientation, triangles without area, and a surface that faces
/// inwards.
VelaResult mesh_check_triangles(VelaContext *context, const MeshPlaces *places, TriangleMesh *mesh);

#endif
