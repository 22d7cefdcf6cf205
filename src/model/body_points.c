#include "model/body_points.h"

#include "base/matrix3.h"
#include "geometry/closest_points.h"
#include "model/tet_search.h"

#include <math.h>
#include <string.h>

static void add_node(int32_t node, double weight, BodyPoint *point)
{
    int32_t k = 0;
    while (k < point->count && point->nodes[k] != node)
        ++k;
    if (k == point->count) {
        point->nodes[point->count] = node;
        point->weights[point->count++] = 0;
    }
    point->weights[k] += weight;
}

static void add_vertex(const ModelBody *body, int32_t vertex, double weight, BodyPoint *point)
{
    int32_t nodes[SURFACE_NODES_MOST];
    double weights[SURFACE_NODES_MOST];
    const int count = model_vertex_nodes(body, vertex, nodes, weights);
    for (int k = 0; k < count; ++k)
        if (weight != 0)
            add_node(nodes[k], weight * weights[k], point);
}

BodyPoint body_vertex_point(const Model *model, int32_t body, int32_t vertex)
{
    BodyPoint point = {0};
    add_vertex(&model->bodies[body], vertex, 1, &point);
    return point;
}

// Where a vertex is in the initial state.
static void vertex_place(const Model *model, const ModelBody *body, int32_t vertex, double place[3])
{
    int32_t nodes[SURFACE_NODES_MOST];
    double weights[SURFACE_NODES_MOST];
    const int count = model_vertex_nodes(body, vertex, nodes, weights);
    memset(place, 0, 3 * sizeof *place);
    for (int k = 0; k < count; ++k)
        add_scaled3(place, weights[k], model->initial_positions + 3 * (size_t)nodes[k], place);
}

// A segment is a triangle whose last corners are one (geometry/closest_points.h).
static void look_at_triangle(const Model *model, const ModelBody *body, const int32_t vertices[3],
                             const double point[3], SurfacePlace *best)
{
    double x[12];
    memcpy(x, point, 3 * sizeof *x);
    for (int k = 0; k < 3; ++k)
        vertex_place(model, body, vertices[k], x + 3 * (k + 1));
    const ClosestPoints closest = closest_points(x, PAIR_POINT_TRIANGLE);
    const double distance = sqrt(closest.distance_sq);
    if (!(distance < best->distance))
        return;
    *best =
        (SurfacePlace){.distance = distance, .copy = vertices[0] / (body->vertex_count / body->copy_count)};
    for (int k = 0; k < 3; ++k)
        if (closest.weights[k + 1] != 0)
            add_vertex(body, vertices[k], -closest.weights[k + 1], &best->point);
}

SurfacePlace body_surface_nearest(const Model *model, int32_t body, const double point[3], int32_t without)
{
    const ModelBody *at = &model->bodies[body];
    const ElementGroup *segments = &model->groups[ELEMENT_SEGMENT];
    const int32_t of_copy = at->vertex_count / at->copy_count;
    SurfacePlace best = {.distance = INFINITY, .copy = -1};
    for (int32_t t = at->first_triangle; t < at->first_triangle + at->triangle_count; ++t) {
        const int32_t *corners = model->triangles + 3 * (size_t)t, first = at->first_vertex;
        const int32_t vertices[3] = {corners[0] - first, corners[1] - first, corners[2] - first};
        if (vertices[0] / of_copy != without)
            look_at_triangle(model, at, vertices, point, &best);
    }
    for (int32_t e = 0; e < at->element_counts[ELEMENT_SEGMENT]; ++e) {
        const int32_t *nodes = segments->nodes + 2 * (size_t)(at->first_elements[ELEMENT_SEGMENT] + e);
        const int32_t first = at->first_node;
        const int32_t vertices[3] = {nodes[0] - first, nodes[1] - first, nodes[1] - first};
        if (vertices[0] / of_copy != without)
            look_at_triangle(model, at, vertices, point, &best);
    }
    return best;
}

// ---------------------------------------------------------------- frames

BodyFrame nodes_frame(const Model *model, const int32_t nodes[4])
{
    BodyFrame frame;
    double edges[9];
    memcpy(frame.nodes, nodes, sizeof frame.nodes);
    memcpy(frame.origin, model->initial_positions + 3 * (size_t)nodes[0], sizeof frame.origin);
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k)
            edges[3 * k + a] =
                model->initial_positions[3 * (size_t)nodes[a + 1] + (size_t)k] - frame.origin[k];
    matrix3_inverse(edges, frame.gradients);
    return frame;
}

// The tetrahedron of a copy that a point is in, or is nearest to.
static VelaResult find_tet(VelaContext *context, const Model *model, const BodyMesh *mesh, int32_t body,
                           int32_t copy, const double point[3], int32_t nodes[4])
{
    const int32_t first = model->bodies[body].first_node + copy * mesh->node_count;
    TetMesh placed = mesh->mesh;
    TetSearch search;
    Arena scratch = arena_make(context);
    placed.nodes = model->initial_positions + 3 * (size_t)first;
    const VelaResult result = tet_search_create(context, &placed, &scratch, &search);
    if (result == VELA_OK) {
        const TetPlace place = tet_search_find(&search, point, 0);
        for (int a = 0; a < 4; ++a)
            nodes[a] = first + placed.tets[4 * (size_t)place.tet + (size_t)a];
    }
    arena_clear(&scratch);
    return result;
}

VelaResult body_frame(VelaContext *context, const Model *model, const BodyMesh *mesh, int32_t body,
                      int32_t copy, const double point[3], BodyFrame *frame)
{
    int32_t nodes[4];
    for (int a = 0; a < 4; ++a)
        nodes[a] = model->bodies[body].first_node + 4 * copy + a;
    if (!mesh->affine)
        TRY(find_tet(context, model, mesh, body, copy, point, nodes));
    *frame = nodes_frame(model, nodes);
    return VELA_OK;
}

BodyPoint frame_direction(const BodyFrame *frame, const double direction[3])
{
    BodyPoint point = {.count = 4};
    memcpy(point.nodes, frame->nodes, sizeof point.nodes);
    for (int a = 0; a < 3; ++a) {
        point.weights[a + 1] = dot3(frame->gradients + 3 * a, direction);
        point.weights[0] -= point.weights[a + 1];
    }
    return point;
}

BodyPoint frame_point(const BodyFrame *frame, const double point[3])
{
    double arm[3];
    subtract3(point, frame->origin, arm);
    BodyPoint at = frame_direction(frame, arm);
    at.weights[0] += 1;
    return at;
}
