#include "model/model.h"

#include "base/matrix3.h"
#include "model/constraints.h"

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

void model_describe_vertex(const Model *model, int32_t vertex, char *text, size_t size)
{
    const ModelContact *contact = &model->contact;
    int32_t o = 0;
    for (int32_t p = 0; p < contact->plane_count; ++p)
        if (vertex == contact->planes[p].point || vertex == contact->planes[p].tip)
            o = contact->planes[p].owner;
    for (int32_t i = 0; i < contact->owner_count; ++i)
        if (vertex >= contact->owners[i].first_vertex &&
            vertex < contact->owners[i].first_vertex + contact->owners[i].vertex_count)
            o = i;
    const ContactOwner *owner = &contact->owners[o];
    if (owner->body < 0) {
        snprintf(text, size, "obstacle %.60s", model->scene->obstacles[owner->obstacle].name);
        return;
    }
    const ModelBody *body = &model->bodies[owner->body];
    const int32_t node = surface_map_node(&model->surface.map, vertex);
    snprintf(text, size, "%.60s, %s %d", body->name, node >= 0 ? "node" : "vertex",
             node >= 0 ? node - body->first_node : vertex - model->surface.first_vertices[owner->body]);
}

void model_describe_pair(const Model *model, const int32_t vertices[4], char *first, char *last, size_t size)
{
    // A vertex and a plane have the vertex at both ends, and a point of the plane behind the first.
    model_describe_vertex(model, vertices[0], first, size);
    model_describe_vertex(model, vertices[3] == vertices[0] ? vertices[1] : vertices[3], last, size);
}

static const ModelBody *body_of_node(const Model *model, int32_t node)
{
    const ModelBody *body = model->bodies;
    while (body + 1 < model->bodies + model->body_count && node >= body[1].first_node)
        ++body;
    return body;
}

void model_describe_node(const Model *model, int32_t node, char *text, size_t size)
{
    if (node < model->body_node_count) {
        const ModelBody *body = body_of_node(model, node);
        snprintf(text, size, "node %d of body \"%.60s\"", node - body->first_node, body->name);
        return;
    }
    int32_t p = model_body_pin_count(model), o = 0;
    while (model->pin_nodes[p] != node)
        ++p;
    if (node >= model->node_count - model->anchor_count) {
        snprintf(text, size, "the world's end of %.60s",
                 model->scene->constraints[model->pin_sources[p]].path);
        return;
    }
    while (model->pin_motions[p] != &model->scene->obstacles[o].motion)
        ++o;
    snprintf(text, size, "obstacle \"%.60s\"", model->scene->obstacles[o].name);
}

void model_describe_element(const Model *model, int32_t number, char *text, size_t size)
{
    char element[64];
    const int32_t corner = elements_first_node(model->groups, number),
                  constraint = model_constraint_of_element(model, number);
    if (constraint >= 0) {
        model_describe_constraint(model, constraint, text, size);
        return;
    }
    elements_describe(model->groups, number, element, sizeof element);
    snprintf(text, size, "%s of body \"%.60s\"", element, body_of_node(model, corner)->name);
}
