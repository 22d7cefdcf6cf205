/// Measures of one tetrahedron, shared inside mesh/.
#ifndef MESH_TET_H
#define MESH_TET_H

#include "base/matrix3.h"

#include <stdint.h>

/// The four faces of a positive tetrahedron, outward, face f opposite node f.
static const int32_t TET_FACES[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// Signed: det(b-a, c-a, d-a) / 6.
static inline double tet_volume(const double *nodes, const int32_t tet[4])
{
    const double *a = nodes + 3 * (size_t)tet[0];
    double ab[3], ac[3], ad[3], normal[3];
    subtract3(nodes + 3 * (size_t)tet[1], a, ab);
    subtract3(nodes + 3 * (size_t)tet[2], a, ac);
    subtract3(nodes + 3 * (size_t)tet[3], a, ad);
    cross3(ab, ac, normal);
    return dot3(normal, ad) / 6;
}

/// Changes the orientation; how it does (the last two nodes trade places) is part of the node order of `box`.
static inline void tet_turn(int32_t tet[4])
{
    const int32_t third = tet[2];
    tet[2] = tet[3];
    tet[3] = third;
}

#endif
