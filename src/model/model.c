#include "model/model.h"

#include "base/matrix3.h"

#include <stdio.h>

int model_vertex_nodes(const ModelBody *body, int32_t vertex, int32_t nodes[SURFACE_NODES_MOST],
                       double weights[SURFACE_NODES_MOST])
{
    const bool of_skin = vertex >= body->vertex_count;
    const BodyVertices *vertices = of_skin ? &body->skin->vertices : body->vertices;
    if (!vertices) {
        nodes[0] = body->first_node + vertex;
        weights[0] = 1;
        return 1;
    }
    vertex -= of_skin ? body->vertex_count : 0;
    const int32_t own = (of_skin ? body->skin_vertex_count : body->vertex_count) / body->copy_count,
                  first = body->first_node + vertex / own * (body->node_count / body->copy_count);
    int count = 0;
    for (int k = 0; k < SURFACE_NODES_MOST; ++k) {
        const double weight = vertices->weights[vertex % own][k];
        if (weight == 0)
            continue;
        nodes[count] = first + vertices->nodes[vertex % own][k];
        weights[count++] = weight;
    }
    return count;
}

void model_body_vertices(const ModelBody *body, int32_t count, const double *values, double *out)
{
    int32_t first = 0;
    if (!body->vertices) {
        first = count < body->vertex_count ? count : body->vertex_count;
        memcpy(out, values + 3 * (size_t)body->first_node, 3 * (size_t)first * sizeof *out);
    }
    for (int32_t v = first; v < count; ++v) {
        int32_t nodes[SURFACE_NODES_MOST];
        double weights[SURFACE_NODES_MOST], sum[3] = {0};
        const int terms = model_vertex_nodes(body, v, nodes, weights);
        for (int k = 0; k < terms; ++k)
            add_scaled3(sum, weights[k], values + 3 * (size_t)nodes[k], sum);
        memcpy(out + 3 * (size_t)v, sum, sizeof sum);
    }
}

void model_vertices(const Model *model, const double *values, double *out)
{
    for (int32_t b = 0; b < model->body_count; ++b)
        model_body_vertices(&model->bodies[b],
                            model->bodies[b].vertex_count + model->bodies[b].skin_vertex_count, values,
                            out + 3 * (size_t)model->bodies[b].first_vertex);
}

void model_pin_positions(const Model *model, double time, double *positions)
{
    for (int32_t p = 0; p < model->pin_count; ++p) {
        double *place = positions + 3 * (size_t)p;
        motion_apply(model->pin_motions[p], time, model->pin_bases + 3 * (size_t)p, place);
        add_scaled3(place, 1, model->pin_offsets + 3 * (size_t)p, place);
    }
    for (int32_t p = 0; p < model->partial_pin_count; ++p)
        partial_pin_place(&model->partial_pins[p], time, positions + 3 * (size_t)(model->pin_count + p));
}

static void penalty_shape_at(const PenaltyObstacle *obstacle, double time, PenaltyShape *shape)
{
    *shape = (PenaltyShape){.radius = obstacle->radius};
    motion_apply(obstacle->motion, time, obstacle->point, shape->point);
    if (penalty_is_sphere(shape))
        return;
    motion_rotate(obstacle->motion, time, obstacle->normal, shape->normal);
    normalize3(shape->normal);
    // A plane that turns about its normal keeps it to the last digit, and with it ADMM's matrix.
    double change[3];
    subtract3(shape->normal, obstacle->normal, change);
    if (norm3(change) < 1e-15)
        memcpy(shape->normal, obstacle->normal, sizeof shape->normal);
    shape->offset = dot3(shape->normal, shape->point);
}

void model_penalty_shapes(const Model *model, double time, PenaltyShape *shapes)
{
    for (int32_t o = 0; o < model->penalty_count; ++o)
        penalty_shape_at(&model->penalty_obstacles[o], time, &shapes[o]);
}
