/// Volume, centre and second moments of solids, for bodies of few unknowns whose mass is that of the whole shape.
#ifndef MESH_MOMENTS_H
#define MESH_MOMENTS_H

#include "mesh/mesh.h"

/// Integrals over the inside of a solid of density 1.
typedef struct SolidMoments {
    double volume;    ///< m^3
    double center[3]; ///< m
    double second[9]; ///< of (x - center)(x - center)^T, m^5
} SolidMoments;

/// Of tetrahedra (theory.md section 9): sum over them of V/20 (sum x_a x_a^T + (sum x_a)(sum x_a)^T).
void mesh_moments_of_tets(const TetMesh *mesh, SolidMoments *moments);
/// Of the inside of a closed surface, by the divergence theorem: every triangle makes a signed tetrahedron with the centre. The
/// surface may have several parts, and hollows that face inwards. VELA_ERROR_INVALID_INPUT, with the edge, for a surface that is
/// open or turns its sides over, and for one without positive volume: it is inside out.
VelaResult mesh_moments_of_surface(VelaContext *context, const TriangleMesh *mesh, SolidMoments *moments);

#endif
