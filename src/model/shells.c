#include "model/shells.h"

#include "base/matrix3.h"
#include "mesh/facets.h"
#include "model/plates.h"
#include "physics/element/hinge.h"
#include "scene/keys.h"

/// Sine of the largest fold at rest that counts as flat.
static const double FLAT_MOST = 1e-6;

static VelaResult make_triangles(VelaContext *context, const BodyDef *def, Arena *arena, TriangleMesh *mesh)
{
    const GeometryDef *geometry = &def->geometry;
    FAIL_IF(context, geometry->weld > 0, VELA_ERROR_INVALID_INPUT,
            "body \"%s\": \"weld\" with a shell, expected a mesh of tetrahedra", def->name);
    if (geometry->kind == GEOMETRY_SHEET)
        return mesh_make_sheet(context, geometry->size, geometry->cells, arena, mesh);
    if (geometry->kind == GEOMETRY_DISK)
        return mesh_make_disk(context, geometry->radius, geometry->resolution, arena, mesh);
    const MeshFormat format = mesh_format(geometry->mesh);
    FAIL_IF(context,
            format != MESH_FORMAT_OBJ && format != MESH_FORMAT_PLY && format != MESH_FORMAT_STL &&
                format != MESH_FORMAT_OFF,
            VELA_ERROR_INVALID_INPUT,
            "body \"%s\": the mesh of a shell is %s, expected a surface: .obj, .ply, .stl or .off", def->name,
            geometry->mesh);
    return mesh_read_triangles(context, geometry->mesh, arena, mesh);
}

// The axes of the flattened triangle: edge 01 = (length, 0), edge 02 = (along, height).
typedef struct FlatTriangle {
    double length, along, height;
} FlatTriangle;

static FlatTriangle flatten(const double *nodes, const int32_t corners[3])
{
    double first[3], second[3], normal[3];
    subtract3(nodes + 3 * (size_t)corners[1], nodes + 3 * (size_t)corners[0], first);
    subtract3(nodes + 3 * (size_t)corners[2], nodes + 3 * (size_t)corners[0], second);
    cross3(first, second, normal);
    const double length = norm3(first);
    return (FlatTriangle){length, dot3(first, second) / length, norm3(normal) / length};
}

static double area_of(const double *nodes, const int32_t corners[3])
{
    const FlatTriangle flat = flatten(nodes, corners);
    return 0.5 * flat.length * flat.height;
}

// The corner of a triangle that is not on its edge `edge`.
static int32_t opposite(const int32_t *triangles, int64_t edge)
{
    return triangles[edge / 3 * 3 + (edge + 2) % 3];
}

static VelaResult find_hinges(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded,
                              int32_t *found)
{
    Facet *edges;
    Arena scratch = arena_make(context);
    const int64_t sides = 3 * (int64_t)loaded->triangle_count;
    int32_t count = 0;
    VelaResult result;
    TRY_GOTO(result,
             facets_of_triangles(context, loaded->node_count, loaded->triangle_count, loaded->triangles,
                                 &scratch, &edges),
             done);
    TRY_GOTO(result, ARENA_ARRAY(arena, loaded->hinges, sides / 2), done);
    for (int64_t first = 0, run; first < sides; first += run) {
        run = facets_run(edges, sides, first);
        if (run > 2) {
            result = context_fail(
                context, VELA_ERROR_INVALID_INPUT,
                "body \"%s\": the edge of nodes %d and %d has %lld triangles, expected one or two, or "
                "\"bending\": \"none\"",
                def->name, edges[first].nodes[0], edges[first].nodes[1], (long long)run);
            goto done;
        }
        if (run < 2)
            continue;
        const int32_t hinge[4] = {edges[first].nodes[0], edges[first].nodes[1],
                                  opposite(loaded->triangles, edges[first].owner),
                                  opposite(loaded->triangles, edges[first + 1].owner)};
        memcpy(loaded->hinges[count++], hinge, sizeof hinge);
    }
    *found = count;
done:
    arena_clear(&scratch);
    return result;
}

static int32_t bending_kind(const BodyDef *def)
{
    return def->bending == BENDING_PLATE       ? ELEMENT_PLATE
           : def->bending == BENDING_QUADRATIC ? ELEMENT_QUADRATIC_HINGE
                                               : ELEMENT_HINGE;
}

static double hinge_angle(const double *nodes, const int32_t corners[4])
{
    Lanes f[1][9];
    HingeLocal local;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            f[0][3 * i + j] = lanes_set(nodes[3 * (size_t)corners[j + 1] + (size_t)i] -
                                        nodes[3 * (size_t)corners[0] + (size_t)i]);
    hinge_decompose(1, (const Lanes(*)[9])f, &local);
    return local.angle[0];
}

VelaResult shell_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded)
{
    TriangleMesh mesh;
    TRY(make_triangles(context, def, arena, &mesh));
    const int32_t count = mesh.node_count;
    loaded->mesh.node_count = loaded->node_count = loaded->vertex_count = count;
    loaded->mesh.nodes = mesh.nodes;
    loaded->triangle_count = loaded->element_counts[ELEMENT_MEMBRANE] = mesh.triangle_count;
    loaded->triangles = mesh.triangles;
    TRY(ARENA_ARRAY(arena, loaded->rest_nodes, 3 * (size_t)count));
    const double scales[3] = {def->scale * def->rest_scale[0], def->scale * def->rest_scale[0],
                              def->scale * def->rest_scale[1]};
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        loaded->rest_nodes[i] = scales[i % 3] * mesh.nodes[i];
    TRY(mesh_count_pieces(context, count, 3, mesh.triangle_count, mesh.triangles, &loaded->piece_count));
    TRY(body_place(context, def, count, mesh.nodes));
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        const double area = area_of(loaded->rest_nodes, mesh.triangles + 3 * (size_t)t);
        FAIL_IF(context, !(area > 0) || !isfinite(1 / area), VELA_ERROR_INVALID_INPUT,
                "body \"%s\": triangle %d has the area %g m^2, expected a positive one", def->name, t, area);
    }
    if (def->bending == BENDING_NONE || def->bending_modulus == 0)
        return VELA_OK;
    int32_t hinges = 0;
    const int32_t kind = bending_kind(def);
    TRY(find_hinges(context, def, arena, loaded, &hinges));
    loaded->element_counts[kind] = kind == ELEMENT_PLATE ? mesh.triangle_count : hinges;
    for (int32_t h = 0; h < hinges && kind != ELEMENT_HINGE; ++h) {
        const int32_t *corners = loaded->hinges[h];
        const double angle = hinge_angle(loaded->rest_nodes, corners);
        FAIL_IF(
            context, fabs(angle) > FLAT_MOST, VELA_ERROR_INVALID_INPUT,
            "body \"%s\": its shape is folded by %.3g degrees at nodes %d and %d, expected a flat one with \"bending\": "
            "\"%s\", or \"discrete_shells\", which keeps its angles",
            def->name, angle * (180 / 3.14159265358979323846), corners[0], corners[1],
            WORDS_BENDING.known[def->bending]);
    }
    return kind == ELEMENT_PLATE ? plates_make(context, loaded->rest_nodes, count, mesh.triangle_count,
                                               mesh.triangles, def->bending_ratio, arena, &loaded->plates)
                                 : VELA_OK;
}

// ---------------------------------------------------------------- elements

static void add_triangle(const BodyDef *def, const BodyMesh *loaded, int32_t triangle, int32_t first_node,
                         int32_t element, Model *model)
{
    ElementGroup *group = &model->groups[ELEMENT_MEMBRANE];
    const int32_t *corners = loaded->triangles + 3 * (size_t)triangle;
    const FlatTriangle flat = flatten(loaded->rest_nodes, corners);
    // The inverse of (length, along; 0, height), row by row.
    const double shape[4] = {1 / flat.length, -flat.along / (flat.length * flat.height), 0, 1 / flat.height};
    const double mass = model->scene->materials[def->material].density * def->thickness *
                        area_of(loaded->mesh.nodes, corners);
    memcpy(group->shapes + 4 * (size_t)element, shape, sizeof shape);
    group->volumes[element] = 0.5 * flat.length * flat.height * def->thickness;
    group->materials[element] = def->material;
    for (int k = 0; k < 3; ++k) {
        const int32_t node = first_node + corners[k];
        group->nodes[3 * (size_t)element + (size_t)k] = node;
        model->masses[node] += mass / 3;
        model->gravity_weights[node] += mass / 3;
    }
}

// t^3 |e|^2/(12 A): with kappa = E/(1 - nu^2) a hinge has twice k_b 3 |e|^2/A, k_b = D/6.
static double hinge_volume(const BodyDef *def, const double *nodes, const int32_t corners[4], double length)
{
    const int32_t other[3] = {corners[0], corners[1], corners[3]};
    const double area = area_of(nodes, corners) + area_of(nodes, other), thickness = def->thickness;
    return thickness * thickness * thickness * length * length / (12 * area);
}

// Cotangent of the angle at `at` between the ways to two other nodes.
static double cotangent(const double *nodes, int32_t at, int32_t first, int32_t second)
{
    double u[3], v[3], normal[3];
    subtract3(nodes + 3 * (size_t)first, nodes + 3 * (size_t)at, u);
    subtract3(nodes + 3 * (size_t)second, nodes + 3 * (size_t)at, v);
    cross3(u, v, normal);
    return dot3(u, v) / norm3(normal);
}

static void add_hinge(const BodyDef *def, const BodyMesh *loaded, int32_t hinge, int32_t first_node,
                      int32_t element, int32_t bending, ElementGroup *group)
{
    const double *nodes = loaded->rest_nodes;
    const int32_t *c = loaded->hinges[hinge];
    double edge[3];
    subtract3(nodes + 3 * (size_t)c[1], nodes + 3 * (size_t)c[0], edge);
    const double length = norm3(edge);
    for (int k = 0; k < 4; ++k)
        group->nodes[4 * (size_t)element + (size_t)k] = first_node + c[k];
    group->volumes[element] = hinge_volume(def, nodes, c, length);
    group->materials[element] = bending;
    double *shape = group->shapes + (size_t)element_shape_size(group->kind) * (size_t)element;
    if (def->bending == BENDING_QUADRATIC) {
        const double c01 = cotangent(nodes, c[0], c[1], c[2]), c02 = cotangent(nodes, c[0], c[1], c[3]),
                     c03 = cotangent(nodes, c[1], c[0], c[2]), c04 = cotangent(nodes, c[1], c[0], c[3]);
        shape[0] = (c01 + c02) / length, shape[1] = -(c01 + c03) / length, shape[2] = -(c02 + c04) / length;
    } else {
        for (int k = 0; k < 3; ++k)
            shape[4 * k] = 1 / length;
        group->rests[element] = hinge_angle(nodes, c);
    }
}

// Of the triangle with this number.
static void add_plate(const BodyDef *def, const PlateShape *plate, int32_t first_node, int32_t element,
                      int32_t bending, ElementGroup *group)
{
    for (int k = 0; k < PLATE_CORNERS; ++k)
        group->nodes[PLATE_CORNERS * (size_t)element + (size_t)k] = first_node + plate->nodes[k];
    memcpy(group->shapes + PLATE_SHAPE * (size_t)element, plate->shape, sizeof plate->shape);
    group->volumes[element] = pow(def->thickness, 3) / 12;
    group->materials[element] = bending;
}

void model_add_shell(const BodyDef *def, const BodyMesh *loaded, int32_t bending, const ModelBody *body,
                     Model *model)
{
    const int32_t kind = bending_kind(def), triangles = loaded->triangle_count,
                  bends = loaded->element_counts[kind];
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy) {
        const int32_t first_node = body->first_node + copy * loaded->node_count,
                      first_vertex = body->first_vertex + copy * loaded->node_count,
                      first_triangle = body->first_triangle + copy * triangles,
                      first_element = body->first_elements[ELEMENT_MEMBRANE] + copy * triangles;
        double offset[3];
        body_copy_offset(def, copy, offset);
        for (int32_t i = 0; i < loaded->node_count; ++i)
            add_scaled3(loaded->mesh.nodes + 3 * (size_t)i, 1, offset,
                        model->rest_positions + 3 * (size_t)(first_node + i));
        for (int32_t t = 0; t < triangles; ++t) {
            add_triangle(def, loaded, t, first_node, first_element + t, model);
            for (int k = 0; k < 3; ++k)
                model->triangles[3 * (size_t)(first_triangle + t) + (size_t)k] =
                    first_vertex + loaded->triangles[3 * (size_t)t + (size_t)k];
            model->triangle_elements[first_triangle + t] =
                model->groups[ELEMENT_MEMBRANE].first_element + first_element + t;
        }
        for (int32_t b = 0; b < bends; ++b) {
            const int32_t element = body->first_elements[kind] + copy * bends + b;
            if (kind == ELEMENT_PLATE)
                add_plate(def, &loaded->plates[b], first_node, element, bending, &model->groups[kind]);
            else
                add_hinge(def, loaded, b, first_node, element, bending, &model->groups[kind]);
        }
    }
}
