#include "model/describe.h"

#include "model/constraints.h"

#include <stdio.h>

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

void model_describe_constraint(const Model *model, int32_t index, char *text, size_t size)
{
    const ModelConstraint *constraint = &model->constraints[index];
    if (constraint->source >= 0) {
        const ConstraintDef *def = &model->scene->constraints[constraint->source];
        if (def->name[0])
            snprintf(text, size, "constraint \"%.60s\"", def->name);
        else
            snprintf(text, size, "%.60s", def->path);
        return;
    }
    const BodyDef *body = &model->scene->bodies[constraint->body];
    if (body->type == BODY_AFFINE)
        snprintf(text, size, "the rigidity of body \"%.60s\"", body->name);
    else
        snprintf(text, size, "%s %d of body \"%.60s\"",
                 element_kinds[body->type == BODY_SOLID   ? ELEMENT_TET
                               : body->type == BODY_CABLE ? ELEMENT_SEGMENT
                                                          : ELEMENT_MEMBRANE]
                     .name,
                 constraint->number, body->name);
}
