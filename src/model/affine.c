#include "model/affine.h"

#include "base/matrix3.h"
#include "base/symmetric_eigen.h"
#include "mesh/moments.h"

static bool is_surface_file(const GeometryDef *geometry)
{
    if (geometry->kind != GEOMETRY_MESH)
        return false;
    const MeshFormat format = mesh_format(geometry->mesh);
    return format == MESH_FORMAT_OBJ || format == MESH_FORMAT_PLY || format == MESH_FORMAT_STL ||
           format == MESH_FORMAT_OFF;
}

static VelaResult load_surface(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded,
                               SolidMoments *moments)
{
    TriangleMesh mesh;
    FAIL_IF(context, def->geometry.weld > 0, VELA_ERROR_INVALID_INPUT,
            "body \"%s\": \"weld\" with the surface %s, expected a mesh of tetrahedra", def->name,
            def->geometry.mesh);
    TRY(mesh_read_triangles(context, def->geometry.mesh, arena, &mesh));
    TRY(body_place(context, def, mesh.node_count, mesh.nodes));
    const VelaResult result = mesh_moments_of_surface(context, &mesh, moments);
    if (result != VELA_OK)
        return context_fail_prefix(context, result, "%s", def->geometry.mesh);
    loaded->mesh.node_count = mesh.node_count;
    loaded->mesh.nodes = mesh.nodes;
    loaded->triangle_count = mesh.triangle_count;
    loaded->triangles = mesh.triangles;
    return VELA_OK;
}

static VelaResult load_tets(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded,
                            SolidMoments *moments)
{
    TRY(body_tets_load(context, &def->geometry, arena, &loaded->mesh));
    TRY(body_place(context, def, loaded->mesh.node_count, loaded->mesh.nodes));
    mesh_moments_of_tets(&loaded->mesh, moments);
    return mesh_surface(context, &loaded->mesh, arena, &loaded->triangle_count, &loaded->triangles);
}

// In the coordinates y_0, y_1 - y_0, ... the mass matrix is diagonal: the volume m, then m_k = int w_k^2.
static void set_masses(double volume, const double along[3], AffineShape *shape)
{
    shape->masses[0] = volume;
    for (int a = 0; a < 3; ++a) {
        const int k = a + 1;
        shape->masses[0] += along[a];
        shape->masses[5 * k] = along[a];
        shape->masses[4 * k] = shape->masses[k] = -along[a];
    }
    for (int a = 0; a < 16; ++a)
        shape->inverses[a] = 1 / volume;
    for (int a = 0; a < 3; ++a)
        shape->inverses[5 * (a + 1)] += 1 / along[a];
}

static VelaResult set_shape(VelaContext *context, const BodyDef *def, const SolidMoments *moments,
                            AffineShape *shape)
{
    double matrix[9], values[3], vectors[9], along[3];
    memcpy(matrix, moments->second, sizeof matrix);
    symmetric_eigen(3, matrix, values, vectors);
    shape->volume = moments->volume;
    memcpy(shape->nodes[0], moments->center, sizeof moments->center);
    double halves[3]; // of the ellipsoid with these moments
    for (int a = 0; a < 3; ++a) {
        halves[a] = sqrt(5 * values[a] / moments->volume);
        FAIL_IF(context, !(halves[a] > 0) || !isfinite(1 / halves[a]), VELA_ERROR_INVALID_INPUT,
                "body \"%s\": its shape is %g m thick, expected an affine body with volume", def->name,
                halves[a]);
    }
    // All as far from the centre as the longest reaches: near it, stretch is so stiff against how it moves as a whole that single
    // precision loses the latter.
    const double reach = fmax(halves[0], fmax(halves[1], halves[2]));
    for (int a = 0; a < 3; ++a) {
        const double *axis = vectors + 3 * (size_t)a;
        add_scaled3(moments->center, reach, axis, shape->nodes[a + 1]);
        for (int i = 0; i < 3; ++i)
            shape->shape[3 * a + i] = axis[i] / reach;
        along[a] = values[a] / (reach * reach);
    }
    set_masses(moments->volume, along, shape);
    return VELA_OK;
}

void affine_weights(const AffineShape *shape, const double point[3], double weights[4])
{
    double arm[3];
    subtract3(point, shape->nodes[0], arm);
    weights[0] = 1;
    for (int a = 1; a < 4; ++a) {
        weights[a] = dot3(shape->shape + 3 * (size_t)(a - 1), arm);
        weights[0] -= weights[a];
    }
}

static VelaResult weigh_vertices(Arena *arena, const BodyMesh *loaded, AffineShape *shape)
{
    const size_t count = (size_t)loaded->mesh.node_count;
    TRY(ARENA_ARRAY(arena, shape->vertices.nodes, count));
    TRY(ARENA_ARRAY(arena, shape->vertices.weights, count));
    for (size_t v = 0; v < count; ++v) {
        affine_weights(shape, loaded->mesh.nodes + 3 * v, shape->vertices.weights[v]);
        for (int a = 0; a < 4; ++a)
            shape->vertices.nodes[v][a] = a;
    }
    return VELA_OK;
}

VelaResult affine_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded)
{
    SolidMoments moments;
    AffineShape *shape;
    TRY(ARENA_ARRAY(arena, shape, 1));
    TRY((is_surface_file(&def->geometry) ? load_surface : load_tets)(context, def, arena, loaded, &moments));
    TRY(set_shape(context, def, &moments, shape));
    TRY(weigh_vertices(arena, loaded, shape));
    loaded->affine = shape;
    loaded->piece_count = 1;
    loaded->node_count = 4;
    loaded->vertex_count = loaded->mesh.node_count;
    loaded->element_counts[ELEMENT_AFFINE] = 1;
    return VELA_OK;
}

static void add_copy(const BodyDef *def, const BodyMesh *loaded, int32_t copy, int32_t material,
                     const ModelBody *body, Model *model)
{
    const AffineShape *shape = loaded->affine;
    ElementGroup *group = &model->groups[ELEMENT_AFFINE];
    MassBlock *block = &model->mass_blocks[model->mass_block_count++];
    const int32_t first_node = body->first_node + 4 * copy, e = body->first_elements[ELEMENT_AFFINE] + copy,
                  first_vertex = body->first_vertex + copy * loaded->vertex_count,
                  first_triangle = body->first_triangle + copy * loaded->triangle_count;
    const double density = model->scene->materials[def->material].density;
    double offset[3];
    body_copy_offset(def, copy, offset);
    for (int a = 0; a < 4; ++a) {
        add_scaled3(shape->nodes[a], 1, offset, model->rest_positions + 3 * (size_t)(first_node + a));
        model->masses[first_node + a] = density * shape->masses[5 * a];
        group->nodes[4 * (size_t)e + (size_t)a] = block->nodes[a] = first_node + a;
    }
    model->gravity_weights[first_node] = density * shape->volume; // int w_a is 0 for the others
    for (int i = 0; i < 16; ++i) {
        block->masses[i] = density * shape->masses[i];
        block->inverses[i] = shape->inverses[i] / density;
    }
    memcpy(group->shapes + 9 * (size_t)e, shape->shape, sizeof shape->shape);
    group->volumes[e] = shape->volume;
    group->materials[e] = material;
    for (size_t i = 0; i < 3 * (size_t)loaded->triangle_count; ++i)
        model->triangles[3 * (size_t)first_triangle + i] = loaded->triangles[i] + first_vertex;
    for (int32_t t = 0; t < loaded->triangle_count; ++t)
        model->triangle_elements[first_triangle + t] = group->first_element + e;
}

void model_add_affine(const BodyDef *def, const BodyMesh *loaded, int32_t material, const ModelBody *body,
                      Model *model)
{
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
        add_copy(def, loaded, copy, material, body, model);
}
