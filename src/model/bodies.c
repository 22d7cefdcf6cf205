#include "model/bodies.h"

#include "base/matrix3.h"

static VelaResult geometry_load(VelaContext *context, const GeometryDef *geometry, Arena *arena,
                                TetMesh *mesh)
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
    }
    return context_fail(context, VELA_ERROR_INVALID_INPUT, "unknown geometry");
}

// Scale, then rotate, then translate, about the mesh's own origin (docs/scene-reference.md, bodies).
static void mesh_place(const BodyDef *body, TetMesh *mesh)
{
    double rotation[9];
    matrix3_rotation(body->rotate_axis, body->rotate_degrees * (3.14159265358979323846 / 180), rotation);
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        double *node = mesh->nodes + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k)
            node[k] *= body->scale;
        if (body->rotate_degrees != 0)
            matrix3_apply(rotation, node, node);
        add_scaled3(node, 1, body->translate, node);
    }
}

// The tet behind each surface triangle: mesh_surface lists triangles in ascending order of tets.
static VelaResult find_triangle_tets(VelaContext *context, Arena *arena, BodyMesh *loaded)
{
    const TetMesh *mesh = &loaded->mesh;
    TRY(ARENA_ARRAY(arena, loaded->triangle_tets, loaded->triangle_count));
    int32_t tet = 0;
    for (int32_t t = 0; t < loaded->triangle_count; ++t) {
        const int32_t *triangle = loaded->triangles + 3 * (size_t)t;
        for (; tet < mesh->tet_count; ++tet) {
            const int32_t *nodes = mesh->tets + 4 * (size_t)tet;
            int shared = 0;
            for (int k = 0; k < 12; ++k)
                shared += nodes[k % 4] == triangle[k / 4];
            if (shared == 3)
                break;
        }
        FAIL_IF(context, tet == mesh->tet_count, VELA_ERROR_INVALID_INPUT,
                "surface triangle %d belongs to no tetrahedron", t);
        loaded->triangle_tets[t] = tet;
    }
    return VELA_OK;
}

VelaResult body_mesh_load(VelaContext *context, const BodyDef *body, Arena *arena, BodyMesh *loaded)
{
    *loaded = (BodyMesh){0};
    TRY(geometry_load(context, &body->geometry, arena, &loaded->mesh));
    int32_t merged = 0;
    if (body->geometry.weld > 0)
        TRY(mesh_weld(context, body->geometry.weld, &loaded->mesh, &merged));
    TRY(mesh_count_pieces(context, &loaded->mesh, &loaded->piece_count));
    mesh_place(body, &loaded->mesh);
    TRY(mesh_surface(context, &loaded->mesh, arena, &loaded->triangle_count, &loaded->triangles));
    TRY(find_triangle_tets(context, arena, loaded));
    loaded->copy_count = body->array_count[0] * body->array_count[1] * body->array_count[2];
    return VELA_OK;
}

void body_copy_offset(const BodyDef *body, int32_t copy, double offset[3])
{
    const int32_t nx = body->array_count[0], ny = body->array_count[1];
    const int32_t index[3] = {copy % nx, copy / nx % ny, copy / (nx * ny)};
    for (int k = 0; k < 3; ++k)
        offset[k] = index[k] * body->array_spacing[k];
}
