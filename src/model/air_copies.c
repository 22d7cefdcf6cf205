#include "model/air_copies.h"

#include "base/matrix3.h"
#include "model/matrix.h"

#include <math.h>
#include <string.h>

/// The least weight, of m/a^2: a vertex without surface at rest may get some.
static const double WEIGHT_LEAST = 1e-6;

bool model_has_air_copies(const Model *model)
{
    const SceneDef *scene = model->scene;
    return scene->air.drag > 0 && model_surface_vertices(model) > 0 && scene->solver.type == SOLVER_ADMM &&
           !scene_is_explicit(scene);
}

bool model_air_couples_nodes(const Model *model)
{
    return model_has_air_copies(model) && model->surface.map.most > 1;
}

// The edge between two vertices at rest.
static void edge_of(const Model *model, int32_t from, int32_t to, double out[3])
{
    double a[3], b[3];
    surface_map_vertex(&model->surface.map, from, model->initial_positions, a);
    surface_map_vertex(&model->surface.map, to, model->initial_positions, b);
    subtract3(b, a, out);
}

// B of a triangle is drag/3 of its area times n n^T, that of a segment's end drag r l (1 - n n^T).
void model_air_shares(const Model *model, double *shares)
{
    const ModelSurface *surface = &model->surface;
    const double drag = model->scene->air.drag;
    memset(shares, 0, (size_t)model_surface_vertices(model) * sizeof *shares);
    for (int32_t b = 0; b < model->body_count; ++b) {
        for (int32_t t = surface->first_triangles[b]; t < surface->first_triangles[b + 1]; ++t) {
            const int32_t *own = surface->triangles[t];
            double first[3], second[3], across[3];
            edge_of(model, own[0], own[1], first);
            edge_of(model, own[0], own[2], second);
            cross3(first, second, across);
            for (int c = 0; c < 3; ++c)
                shares[own[c]] += drag / 6 * sqrt(dot3(across, across));
        }
        for (int32_t s = surface->first_segments[b]; s < surface->first_segments[b + 1]; ++s) {
            const int32_t *own = surface->segments[s];
            double edge[3];
            edge_of(model, own[0], own[1], edge);
            for (int c = 0; c < 2; ++c)
                shares[own[c]] += 2 * drag * model->scene->bodies[b].radius * sqrt(dot3(edge, edge));
        }
    }
}

double model_air_length(const Model *model, const double *shares)
{
    const int32_t count = model_surface_vertices(model);
    double sum = 0;
    for (int32_t v = 0; v < count; ++v)
        sum += shares[v];
    return count > 0 ? sqrt(sum / (model->scene->air.drag * count)) : 0;
}

// m/a^2 of a vertex: what it resists with alone.
static double inertia_of(const Model *model, double a, int32_t vertex)
{
    const SurfaceMap *map = &model->surface.map;
    double inverse = 0;
    for (int32_t i = map->starts[vertex]; i < map->starts[vertex + 1]; ++i)
        inverse += map->weights[i] * map->weights[i] / model->masses[map->nodes[i]];
    return 1 / (inverse * a * a);
}

void model_air_weights(const Model *model, const double *shares, double a, double time, double *weights)
{
    for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
        weights[v] = 0;
        if (!model->surface.map.is_free[v])
            continue;
        const double inertia = inertia_of(model, a, v), drag = fmax(shares[v] / time, WEIGHT_LEAST * inertia);
        weights[v] = fmin(drag, sqrt(drag * inertia));
    }
}

static void couple(const Model *model, int32_t row, int32_t column, double value, double *coupling)
{
    for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
        if (model->columns[p] == column)
            coupling[p] += value;
}

void model_air_matrix(const Model *model, const double *weights, double *diagonal, double *coupling)
{
    const SurfaceMap *map = &model->surface.map;
    for (int32_t v = 0; v < model_surface_vertices(model); ++v)
        for (int32_t i = map->starts[v]; i < map->starts[v + 1] && weights[v] > 0; ++i) {
            const double own = weights[v] * map->weights[i];
            if (map->most == 1)
                diagonal[map->nodes[i]] += own * map->weights[i];
            for (int32_t j = map->starts[v]; j < map->starts[v + 1] && map->most > 1; ++j)
                couple(model, map->nodes[i], map->nodes[j], own * map->weights[j], coupling);
        }
}
