#include "model/bodies.h"

#include "base/matrix3.h"

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

// Scale, then rotate, then translate, about the mesh's own origin (docs/scene-reference.md, bodies).
void body_place(const BodyDef *body, int32_t node_count, double *nodes)
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

void body_copy_offset(const BodyDef *body, int32_t copy, double offset[3])
{
    const int32_t nx = body->array_count[0], ny = body->array_count[1];
    const int32_t index[3] = {copy % nx, copy / nx % ny, copy / (nx * ny)};
    for (int k = 0; k < 3; ++k)
        offset[k] = index[k] * body->array_spacing[k];
}
