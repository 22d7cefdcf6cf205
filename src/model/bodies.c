#include "model/bodies.h"

#include "base/matrix3.h"

#include <float.h>
#include <stdio.h>

/// Spacing of doubles as a part of the body's size.
static const double BODY_SPACING_MOST = 1e-9;

static VelaResult make_tets(VelaContext *context, const GeometryDef *geometry, Arena *arena, TetMesh *mesh)
{
    switch (geometry->kind) {
    case GEOMETRY_MESH:
        return mesh_read_tets(context, geometry->mesh, arena, mesh);
    case GEOMETRY_BOX:
        return mesh_make_box(context, geometry->size, geometry->cells, arena, mesh);
    case GEOMETRY_BALL:
        return mesh_make_ball(context, geometry->radius, geometry->resolution, arena, mesh);
    case GEOMETRY_CYLINDER:
        return mesh_make_cylinder(context, geometry->radius, geometry->length, geometry->resolution, arena,
                                  mesh);
    case GEOMETRY_TORUS:
        return mesh_make_torus(context, geometry->radius, geometry->tube, geometry->resolution, arena, mesh);
    case GEOMETRY_CABLE:
    case GEOMETRY_SHEET:
    case GEOMETRY_DISK:
        break;
    }
    return context_fail(context, VELA_ERROR_INVALID_INPUT, "unknown geometry");
}

VelaResult body_tets_load(VelaContext *context, const GeometryDef *geometry, Arena *arena, TetMesh *mesh)
{
    int32_t merged;
    TRY(make_tets(context, geometry, arena, mesh));
    return geometry->weld > 0 ? mesh_weld(context, geometry->weld, mesh, &merged) : VELA_OK;
}

// Doubles are far apart where coordinates are large: shapes, gaps and motions that are measured there drown in rounding.
// `reach`: added to the coordinates; `advice`: what brings them nearer.
static VelaResult check_spacing(VelaContext *context, const BodyDef *body, int32_t node_count,
                                const double *nodes, const double reach[3], const char *whose,
                                const char *advice)
{
    double size = 0, farthest = 0;
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < node_count; ++i) {
            low = fmin(low, nodes[3 * (size_t)i + (size_t)k]);
            high = fmax(high, nodes[3 * (size_t)i + (size_t)k]);
        }
        size = fmax(size, high - low);
        farthest = fmax(farthest,
                        fmax(fmax(fabs(low), fabs(high)), fmax(fabs(low + reach[k]), fabs(high + reach[k]))));
    }
    const double spacing = farthest * DBL_EPSILON;
    FAIL_IF(
        context, spacing > BODY_SPACING_MOST * size, VELA_ERROR_INVALID_INPUT,
        "body \"%s\": %s reach to %.3g m, where numbers are %.2g m apart, and it is %.3g m large; expected coordinates of "
        "at most %.3g m: %s",
        body->name, whose, farthest, spacing, size, BODY_SPACING_MOST * size / DBL_EPSILON, advice);
    return VELA_OK;
}

// About the mesh's own origin (docs/scene-reference.md, bodies).
void body_move(const BodyDef *body, int32_t node_count, double *nodes)
{
    double rotation[9];
    matrix3_rotation(body->rotate_axis, body->rotate_degrees * (3.14159265358979323846 / 180), rotation);
    for (int32_t i = 0; i < node_count; ++i) {
        double *node = nodes + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k)
            node[k] *= body->scale;
        if (body->rotate_degrees != 0)
            matrix3_apply(rotation, node, node);
        add_scaled3(node, 1, body->translate, node);
    }
}

VelaResult body_place(VelaContext *context, const BodyDef *body, int32_t node_count, double *nodes)
{
    static const double nowhere[3] = {0};
    double reach[3];
    char whose[600] = "its coordinates as given";
    if (*body->geometry.mesh)
        snprintf(whose, sizeof whose, "the coordinates in %.500s", body->geometry.mesh);
    TRY(check_spacing(context, body, node_count, nodes, nowhere, whose,
                      "a mesh around its own origin, and translate, help"));
    body_move(body, node_count, nodes);
    for (int k = 0; k < 3; ++k)
        reach[k] = (body->array_count[k] - 1) * body->array_spacing[k];
    return check_spacing(context, body, node_count, nodes, reach, "its coordinates in the world",
                         "a scene nearer to the origin helps (translate, array.spacing, scale)");
}

void body_copy_offset(const BodyDef *body, int32_t copy, double offset[3])
{
    const int32_t nx = body->array_count[0], ny = body->array_count[1];
    const int32_t index[3] = {copy % nx, copy / nx % ny, copy / (nx * ny)};
    for (int k = 0; k < 3; ++k)
        offset[k] = index[k] * body->array_spacing[k];
}
