#include "model/surface_build.h"

#include "model/contact_build.h"
#include "model/obstacles.h"

// Triangles over what `vertex_of` numbers become triangles over the surface's vertices.
static void add_triangles(const int32_t *triangles, int32_t count, const int32_t *vertex_of,
                          ModelSurface *surface)
{
    for (int32_t t = 0; t < count; ++t, ++surface->triangle_count)
        for (int k = 0; k < 3; ++k)
            surface->triangles[surface->triangle_count][k] = vertex_of[triangles[3 * (size_t)t + (size_t)k]];
}

// Cables' elements are segments; their vertices are their nodes.
static void add_segments(const Model *model, const ModelBody *body, const int32_t *vertex_of,
                         ModelSurface *surface)
{
    const int32_t *nodes =
        model->groups[ELEMENT_SEGMENT].nodes + 2 * (size_t)body->first_elements[ELEMENT_SEGMENT];
    for (int32_t s = 0; s < body->element_counts[ELEMENT_SEGMENT]; ++s, ++surface->segment_count)
        for (int k = 0; k < 2; ++k)
            surface->segments[surface->segment_count][k] =
                vertex_of[nodes[2 * s + k] - body->first_node + body->first_vertex];
}

// The vertices of bodies that a triangle which collides or a segment has, in order. `vertex_of`: of all vertices of bodies, -1 for the others.
static void add_bodies(const Model *model, int32_t *vertex_of, ModelSurface *surface)
{
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        surface->first_vertices[b] = surface->map.vertex_count;
        surface->first_triangles[b] = surface->triangle_count;
        for (int32_t v = 0; v < body->vertex_count + body->skin_vertex_count; ++v) {
            if (vertex_of[body->first_vertex + v] < 0)
                continue;
            int32_t nodes[SURFACE_NODES_MOST];
            double weights[SURFACE_NODES_MOST];
            const int count = model_vertex_nodes(body, v, nodes, weights);
            vertex_of[body->first_vertex + v] = surface->map.vertex_count;
            surface_map_add(&surface->map, count, nodes, weights, model->node_is_free);
        }
        const TriangleRange colliding = model_body_triangles(body, body->skin_collides);
        add_triangles(model->triangles + 3 * (size_t)colliding.first, colliding.count, vertex_of, surface);
        surface->first_segments[b] = surface->segment_count;
        add_segments(model, body, vertex_of, surface);
    }
    surface->first_segments[model->body_count] = surface->segment_count;
    surface->first_vertices[model->body_count] = surface->map.vertex_count;
    surface->first_triangles[model->body_count] = surface->triangle_count;
}

// Every node of an obstacle is a vertex.
static void add_obstacles(const Model *model, const ObstacleSurface *surfaces, int32_t *vertex_of,
                          ModelSurface *surface)
{
    const int32_t end = model->body_node_count + model_obstacle_node_count(model);
    for (int32_t node = model->body_node_count; node < end; ++node) {
        vertex_of[node - model->body_node_count] = surface->map.vertex_count;
        surface_map_add(&surface->map, 1, &node, &(double){1}, model->node_is_free);
    }
    int32_t first = 0;
    for (int32_t o = 0; o < model->scene->obstacle_count && model->body_node_count + first < end; ++o) {
        add_triangles(surfaces[o].triangles, surfaces[o].triangle_count, vertex_of + first, surface);
        first += model_obstacle_nodes(&model->scene->obstacles[o], &surfaces[o]);
    }
}

// Marks the vertices of bodies that a triangle which collides or a segment has with 0, the others with -1; returns the number of
// these triangles, of marked vertices, and of nodes they are sums of.
static void mark_vertices(const Model *model, int32_t *vertex_of, int64_t *triangles, int32_t *vertices,
                          int32_t *entries)
{
    *triangles = *vertices = *entries = 0;
    memset(vertex_of, 0xff, (size_t)model->vertex_count * sizeof *vertex_of);
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const TriangleRange colliding = model_body_triangles(body, body->skin_collides);
        *triangles += colliding.count;
        for (size_t i = 3 * (size_t)colliding.first; i < 3 * (size_t)(colliding.first + colliding.count); ++i)
            vertex_of[model->triangles[i]] = 0;
        if (body->element_counts[ELEMENT_SEGMENT] > 0)
            memset(vertex_of + body->first_vertex, 0, (size_t)body->vertex_count * sizeof *vertex_of);
        for (int32_t v = 0; v < body->vertex_count + body->skin_vertex_count; ++v)
            if (vertex_of[body->first_vertex + v] == 0) {
                ++*vertices;
                *entries += body->vertices || v >= body->vertex_count ? SURFACE_NODES_MOST : 1;
            }
    }
}

VelaResult model_build_surface(VelaContext *context, Arena *arena, const ObstacleSurface *surfaces,
                               Model *model)
{
    ModelSurface *surface = &model->surface;
    const int32_t obstacle_nodes = model_obstacle_node_count(model);
    int64_t triangles;
    Arena scratch = arena_make(context);
    int32_t *vertex_of, *obstacle_vertex_of, vertices, entries;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, vertex_of, model->vertex_count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, obstacle_vertex_of, obstacle_nodes), done);
    mark_vertices(model, vertex_of, &triangles, &vertices, &entries);
    for (int32_t o = 0; o < model->scene->obstacle_count && obstacle_nodes > 0; ++o)
        triangles += surfaces[o].triangle_count;
    TRY_GOTO(result,
             surface_map_create(arena, vertices + obstacle_nodes, entries + obstacle_nodes, &surface->map),
             done);
    TRY_GOTO(result, ARENA_ARRAY(arena, surface->first_vertices, model->body_count + 1), done);
    TRY_GOTO(result, ARENA_ARRAY(arena, surface->first_triangles, model->body_count + 1), done);
    TRY_GOTO(result, ARENA_ARRAY(arena, surface->first_segments, model->body_count + 1), done);
    TRY_GOTO(result, ARENA_ARRAY(arena, surface->triangles, triangles), done);
    TRY_GOTO(result, ARENA_ARRAY(arena, surface->segments, model->groups[ELEMENT_SEGMENT].count), done);
    add_bodies(model, vertex_of, surface);
    add_obstacles(model, surfaces, obstacle_vertex_of, surface);
done:
    arena_clear(&scratch);
    return result;
}
