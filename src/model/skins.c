#include "model/skins.h"

#include "base/matrix3.h"
#include "model/affine.h"
#include "model/tet_search.h"

/// As a part of the body's size.
static const double FAR = 0.1;
/// Smaller weights are rounding: a vertex on a corner, an edge or a face is the sum of its nodes alone.
static const double WEIGHT_LEAST = 1e-13;

/// The box of the nodes of a body's geometry that elements or triangles use.
typedef struct Extent {
    double low[3], high[3];
} Extent;

static Extent find_extent(const BodyMesh *loaded)
{
    Extent extent = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < 3 * (size_t)loaded->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double place = loaded->mesh.nodes[3 * (size_t)loaded->triangles[i] + (size_t)k];
            extent.low[k] = fmin(extent.low[k], place);
            extent.high[k] = fmax(extent.high[k], place);
        }
    return extent;
}

static double distance_to(const Extent *extent, const double point[3])
{
    double beyond[3];
    for (int k = 0; k < 3; ++k)
        beyond[k] = fmax(fmax(extent->low[k] - point[k], point[k] - extent->high[k]), 0);
    return norm3(beyond);
}

// Weights that are rounding go to the largest one.
static void bind_vertex(const int32_t nodes[4], const double weights[4], int32_t vertex,
                        BodyVertices *vertices)
{
    double *own = vertices->weights[vertex];
    int largest = 0;
    memcpy(vertices->nodes[vertex], nodes, 4 * sizeof *nodes);
    for (int a = 0; a < 4; ++a) {
        own[a] = fabs(weights[a]) < WEIGHT_LEAST ? 0 : weights[a];
        largest = fabs(own[a]) > fabs(own[largest]) ? a : largest;
    }
    own[largest] += 1 - (own[0] + own[1] + own[2] + own[3]);
}

// Binds to tetrahedra; `distances`: of each vertex from the nearest one.
static VelaResult bind_to_tets(VelaContext *context, const TriangleMesh *surface, const TetMesh *mesh,
                               Arena *scratch, BodySkin *skin, double *distances)
{
    TetSearch search;
    TetPlace place = {0};
    TRY(tet_search_create(context, mesh, scratch, &search));
    for (int32_t v = 0; v < skin->vertex_count; ++v) {
        place = tet_search_find(&search, surface->nodes + 3 * (size_t)v, place.tet);
        bind_vertex(mesh->tets + 4 * (size_t)place.tet, place.weights, v, &skin->vertices);
        distances[v] = place.distance;
    }
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        double center[3] = {0};
        for (int k = 0; k < 3; ++k)
            add_scaled3(center, 1.0 / 3,
                        surface->nodes + 3 * (size_t)surface->triangles[3 * (size_t)t + (size_t)k], center);
        place = tet_search_find(&search, center, place.tet);
        skin->elements[t] = place.tet;
    }
    return VELA_OK;
}

// An affine body moves all of space along; `distances`: from the box of its own surface.
static void bind_to_affine(const TriangleMesh *surface, const BodyMesh *loaded, BodySkin *skin,
                           double *distances)
{
    const Extent extent = find_extent(loaded);
    for (int32_t v = 0; v < skin->vertex_count; ++v) {
        const double *place = surface->nodes + 3 * (size_t)v;
        double weights[4];
        affine_weights(loaded->affine, place, weights);
        bind_vertex((const int32_t[]){0, 1, 2, 3}, weights, v, &skin->vertices);
        distances[v] = distance_to(&extent, place);
    }
}

static void warn_far(VelaContext *context, const BodyDef *def, const BodyMesh *loaded, const BodySkin *skin,
                     const double *distances, uint8_t *used)
{
    const Extent extent = find_extent(loaded);
    int32_t count = 0, farthest = 0;
    double size = 0;
    for (int k = 0; k < 3; ++k)
        size = fmax(size, extent.high[k] - extent.low[k]);
    for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; ++i)
        used[skin->triangles[i]] = 1;
    for (int32_t v = 0; v < skin->vertex_count; ++v) {
        if (!used[v])
            continue;
        count += distances[v] > FAR * size;
        farthest = distances[v] > distances[farthest] || !used[farthest] ? v : farthest;
    }
    if (count > 0)
        context_log(
            context, VELA_LOG_WARNING,
            "body \"%s\": %d of the %d vertices of its skin %s are farther than a tenth of the body's "
            "size (%.3g m) from it, the farthest is vertex %d, %.3g m away; is the skin of the same "
            "units and origin as the body?",
            def->name, count, skin->vertex_count, def->skin.mesh, size, farthest, distances[farthest]);
}

static VelaResult bind(VelaContext *context, const BodyDef *def, const TriangleMesh *surface,
                       const BodyMesh *loaded, Arena *scratch, BodySkin *skin)
{
    double *distances;
    uint8_t *used;
    TRY(ARENA_ARRAY(scratch, distances, skin->vertex_count));
    TRY(ARENA_ARRAY(scratch, used, skin->vertex_count));
    if (loaded->affine)
        bind_to_affine(surface, loaded, skin, distances);
    else
        TRY(bind_to_tets(context, surface, &loaded->mesh, scratch, skin, distances));
    warn_far(context, def, loaded, skin, distances, used);
    return VELA_OK;
}

static VelaResult load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded)
{
    TriangleMesh surface;
    BodySkin *skin;
    TRY(mesh_read_triangles(context, def->skin.mesh, arena, &surface));
    body_move(def, surface.node_count, surface.nodes);
    for (size_t i = 0; i < 3 * (size_t)surface.node_count; ++i)
        FAIL_IF(context, !(fabs(surface.nodes[i]) <= 1e30), VELA_ERROR_INVALID_INPUT,
                "%s: vertex %d is placed at the coordinate %g, expected a magnitude of at most 1e30",
                def->skin.mesh, (int)(i / 3), surface.nodes[i]);
    TRY(ARENA_ARRAY(arena, skin, 1));
    *skin = (BodySkin){.vertex_count = surface.node_count,
                       .triangle_count = surface.triangle_count,
                       .triangles = surface.triangles};
    TRY(ARENA_ARRAY(arena, skin->vertices.nodes, skin->vertex_count));
    TRY(ARENA_ARRAY(arena, skin->vertices.weights, skin->vertex_count));
    TRY(ARENA_ARRAY(arena, skin->elements, skin->triangle_count));
    loaded->skin = skin;
    Arena scratch = arena_make(context);
    const VelaResult result = bind(context, def, &surface, loaded, &scratch, skin);
    arena_clear(&scratch);
    return result;
}

VelaResult skin_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded)
{
    const VelaResult result = load(context, def, arena, loaded);
    return result == VELA_OK ? VELA_OK : context_fail_prefix(context, result, "skin");
}

void model_add_skin(const BodyMesh *loaded, const ModelBody *body, Model *model)
{
    const BodySkin *skin = loaded->skin;
    const int32_t kind = loaded->affine ? ELEMENT_AFFINE : ELEMENT_TET;
    int32_t triangle = model_body_triangles(body, true).first;
    for (int32_t copy = 0; copy < body->copy_count; ++copy) {
        const int32_t first_vertex = body->first_vertex + body->vertex_count + copy * skin->vertex_count,
                      first_element = model->groups[kind].first_element + body->first_elements[kind] +
                                      copy * loaded->element_counts[kind];
        for (int32_t t = 0; t < skin->triangle_count; ++t, ++triangle) {
            for (size_t k = 0; k < 3; ++k)
                model->triangles[3 * (size_t)triangle + k] =
                    first_vertex + skin->triangles[3 * (size_t)t + k];
            model->triangle_elements[triangle] = first_element + skin->elements[t];
        }
    }
}
