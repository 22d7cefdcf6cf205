#include "mesh/mesh.h"
#include "mesh/tet.h"

/// Widens the range of angles by the six dihedral angles of one tetrahedron.
static void add_dihedrals(const double *nodes, const int32_t tet[4], MeshQuality *quality)
{
    static const double DEGREES = 57.295779513082320877;
    double normals[4][3];
    for (int f = 0; f < 4; ++f) {
        const double *a = nodes + 3 * (size_t)tet[TET_FACES[f][0]];
        double ab[3], ac[3];
        subtract3(nodes + 3 * (size_t)tet[TET_FACES[f][1]], a, ab);
        subtract3(nodes + 3 * (size_t)tet[TET_FACES[f][2]], a, ac);
        cross3(ab, ac, normals[f]);
    }
    // The faces f and g meet at pi minus the angle between their outward normals; atan2 is exact for flat
    // ones too.
    for (int f = 0; f < 4; ++f)
        for (int g = f + 1; g < 4; ++g) {
            double across[3];
            cross3(normals[f], normals[g], across);
            const double angle = DEGREES * atan2(norm3(across), -dot3(normals[f], normals[g]));
            quality->smallest_dihedral = fmin(quality->smallest_dihedral, angle);
            quality->largest_dihedral = fmax(quality->largest_dihedral, angle);
        }
}

MeshQuality mesh_quality(const TetMesh *mesh)
{
    MeshQuality quality = {
        .smallest_dihedral = 180, .smallest_volume = INFINITY, .largest_volume = -INFINITY};
    if (mesh->tet_count == 0)
        return (MeshQuality){0};
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        const int32_t *tet = mesh->tets + 4 * (size_t)t;
        const double volume = tet_volume(mesh->nodes, tet);
        quality.smallest_volume = fmin(quality.smallest_volume, volume);
        quality.largest_volume = fmax(quality.largest_volume, volume);
        add_dihedrals(mesh->nodes, tet, &quality);
    }
    return quality;
}
