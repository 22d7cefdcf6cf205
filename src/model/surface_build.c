#include "model/surface_build.h"

#include "model/contact_build.h"
#include "model/obstacles.h"

static void add_node(const Model *model, int32_t node, SurfaceMap *map)
{
    surface_map_add(map, 1, &node, &(double){1}, model->node_is_free);
}

// Triangles over nodes become triangles over vertices.
static void add_triangles(const int32_t *triangles, int32_t count, const int32_t *vertex_of,
                          ModelSurface *surface)
{
    for (int32_t t = 0; t < count; ++t, ++surface->triangle_count)
        for (int k = 0; k < 3; ++k)
            surface->triangles[surface->triangle_count][k] = vertex_of[triangles[3 * (size_t)t + (size_t)k]];
}

static void add_bodies(const Model *model, int32_t *vertex_of, ModelSurface *surface)
{
    int32_t next = 0; // of the model's surface nodes, which are in the order of the bodies
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        surface->first_vertices[b] = surface->map.vertex_count;
        surface->first_triangles[b] = surface->triangle_count;
        for (; next < model->surface_node_count &&
               model->surface_nodes[next] < body->first_node + body->node_count;
             ++next) {
            vertex_of[model->surface_nodes[next]] = surface->map.vertex_count;
            add_node(model, model->surface_nodes[next], &surface->map);
        }
        add_triangles(model->triangles + 3 * (size_t)body->first_triangle, body->triangle_count, vertex_of,
                      surface);
    }
    surface->first_vertices[model->body_count] = surface->map.vertex_count;
    surface->first_triangles[model->body_count] = surface->triangle_count;
}

// Every node of an obstacle is a vertex.
static void add_obstacles(const Model *model, const ObstacleSurface *surfaces, int32_t *vertex_of,
                          ModelSurface *surface)
{
    for (int32_t node = model->body_node_count; node < model->node_count; ++node) {
        vertex_of[node] = surface->map.vertex_count;
        add_node(model, node, &surface->map);
    }
    int32_t first = model->body_node_count;
    for (int32_t o = 0; o < model->scene->obstacle_count && first < model->node_count; ++o) {
        add_triangles(surfaces[o].triangles, surfaces[o].triangle_count, vertex_of + first, surface);
        first += model_obstacle_nodes(&model->scene->obstacles[o], &surfaces[o]);
    }
}

VelaResult model_build_surface(VelaContext *context, Arena *arena, const ObstacleSurface *surfaces,
                               Model *model)
{
    ModelSurface *surface = &model->surface;
    const int32_t vertices = model->surface_node_count + model->node_count - model->body_node_count;
    int64_t triangles = model->triangle_count;
    for (int32_t o = 0; o < model->scene->obstacle_count && model->node_count > model->body_node_count; ++o)
        triangles += surfaces[o].triangle_count;
    TRY(surface_map_create(arena, vertices, vertices, &surface->map));
    TRY(ARENA_ARRAY(arena, surface->first_vertices, model->body_count + 1));
    TRY(ARENA_ARRAY(arena, surface->first_triangles, model->body_count + 1));
    TRY(ARENA_ARRAY(arena, surface->first_segments, model->body_count + 1));
    TRY(ARENA_ARRAY(arena, surface->triangles, triangles));
    Arena scratch = arena_make(context);
    int32_t *vertex_of;
    const VelaResult result = ARENA_ARRAY(&scratch, vertex_of, model->node_count);
    if (result == VELA_OK) {
        add_bodies(model, vertex_of, surface);
        add_obstacles(model, surfaces, vertex_of, surface);
    }
    arena_clear(&scratch);
    return result;
}
