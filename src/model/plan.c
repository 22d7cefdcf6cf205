#define _DEFAULT_SOURCE
#include "model/plan.h"

#include <math.h>
#include <unistd.h>

// Model, CPU device and frames of one tet with its share of nodes and matrix (measured: 1.1 to 1.5 kB; the factor of the
// global step comes on top of it).
#define BYTES_PER_TET 1600.0

double plan_tets(const BodyDef *body)
{
    const GeometryDef *geometry = &body->geometry;
    const double across = geometry->resolution;
    double cells = 0;
    switch (geometry->kind) {
    case GEOMETRY_MESH:
        break;
    case GEOMETRY_CABLE:
        cells = geometry->segments / 6.0;
        break;
    case GEOMETRY_SHEET:
        cells = (double)geometry->cells[0] * geometry->cells[1] / 3;
        break;
    case GEOMETRY_DISK:
        cells = across * across / 3;
        break;
    case GEOMETRY_BOX:
        cells = (double)geometry->cells[0] * geometry->cells[1] * geometry->cells[2];
        break;
    case GEOMETRY_BALL:
        cells = across * across * across;
        break;
    case GEOMETRY_CYLINDER:
        cells = across * across * across * geometry->length / (2 * geometry->radius);
        break;
    case GEOMETRY_TORUS:
        cells = across * across * across * 3.14159265358979 * geometry->radius / geometry->tube;
        break;
    }
    return 6 * cells * body->array_count[0] * body->array_count[1] * body->array_count[2];
}

VelaResult plan_check_memory(VelaContext *context, const SceneDef *scene, double tets)
{
    const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double needed = tets * BYTES_PER_TET;
    FAIL_IF(
        context, machine > 0 && needed > machine, VELA_ERROR_INVALID_INPUT,
        "%s: about %.3g tetrahedra need %.1f GiB of memory, expected at most the %.1f GiB of this machine",
        scene->path, tets, needed / 1073741824, machine / 1073741824);
    return VELA_OK;
}
