/// Which tetrahedron of a mesh a point lies in, or which is nearest to it.
#ifndef MODEL_TET_SEARCH_H
#define MODEL_TET_SEARCH_H

#include "mesh/mesh.h"

/// A complete binary tree of boxes over the tetrahedra, ordered along a curve through space.
typedef struct TetSearch {
    const TetMesh *mesh; ///< must outlive the search
    int32_t *order;      ///< tetrahedra along the curve
    int32_t leaf_count;  ///< a power of two; leaf l has the places [l n/leaves, (l+1) n/leaves) of `order`
    double (*boxes)
        [6]; ///< lowest and highest corner of node i, whose children are 2i and 2i + 1; the root is 1, leaf l the node leaf_count + l
    double tolerance; ///< lengths below it are rounding, m
} TetSearch;

/// Place of a point in a mesh.
typedef struct TetPlace {
    int32_t tet;
    double weights[4]; ///< of the tetrahedron's corners: they sum to 1, and outside of it some are negative
    double distance;   ///< to the tetrahedron, m; 0 inside
} TetPlace;

/// The mesh has at least one tetrahedron, all of positive volume. Owned by the arena.
VelaResult tet_search_create(VelaContext *context, const TetMesh *mesh, Arena *arena, TetSearch *search);
/// The nearest tetrahedron; of several at the same distance, to rounding, the one in which the point's least weight is largest, so that
/// weights stay as small as they can; of several of these the first one. `guess`: any tetrahedron, which changes nothing; a near one saves
/// time.
TetPlace tet_search_find(const TetSearch *search, const double point[3], int32_t guess);

#endif
