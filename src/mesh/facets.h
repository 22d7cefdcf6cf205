/// Faces of tetrahedra and edges of triangles, brought together where they have the same nodes.
#ifndef MESH_FACETS_H
#define MESH_FACETS_H

#include "mesh/mesh.h"

typedef struct Facet {
    int32_t nodes[3]; ///< ascending; an edge has -1 in the third place
    bool odd;         ///< whether its owner saw the nodes in an odd permutation of the ascending order
    int64_t owner;    ///< 4 tet + face, or 3 triangle + edge (from node `edge` to the next)
} Facet;

/// All 4 faces of every tet, sorted by nodes, then owner. `*facets` is 4 x tet_count.
VelaResult facets_of_tets(VelaContext *context, const TetMesh *mesh, Arena *arena, Facet **facets);
/// All 3 edges of every triangle, sorted by nodes, then owner. `*facets` is 3 x triangle_count.
VelaResult facets_of_triangles(VelaContext *context, int32_t node_count, int32_t triangle_count,
                               const int32_t *triangles, Arena *arena, Facet **facets);
/// How many facets from `first` on have the same nodes.
int64_t facets_run(const Facet *facets, int64_t count, int64_t first);

#endif
