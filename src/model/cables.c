#include "model/cables.h"

#include "base/matrix3.h"

#define PI 3.14159265358979323846

static double segment_length(const double *nodes, int32_t segment)
{
    double edge[3];
    subtract3(nodes + 3 * (size_t)(segment + 1), nodes + 3 * (size_t)segment, edge);
    return norm3(edge);
}

VelaResult cable_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded)
{
    const GeometryDef *geometry = &def->geometry;
    const int32_t count = geometry->segments + 1;
    TRY(ARENA_ARRAY(arena, loaded->mesh.nodes, 3 * (size_t)count));
    loaded->mesh.node_count = loaded->node_count = loaded->vertex_count = count;
    for (int32_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double part = (double)i / geometry->segments;
            loaded->mesh.nodes[3 * (size_t)i + (size_t)k] =
                geometry->points ? geometry->points[i][k]
                                 : (1 - part) * geometry->from[k] + part * geometry->to[k];
        }
    TRY(body_place(context, def, count, loaded->mesh.nodes));
    for (int32_t s = 0; s < geometry->segments; ++s) {
        const double length = segment_length(loaded->mesh.nodes, s);
        FAIL_IF(context, !(length > 0) || !isfinite(1 / length), VELA_ERROR_INVALID_INPUT,
                "body \"%s\": segment %d has the length %g m, expected a positive one", def->name, s, length);
    }
    loaded->piece_count = 1;
    loaded->element_counts[ELEMENT_SEGMENT] = geometry->segments;
    loaded->element_counts[ELEMENT_BEND] = def->bending_modulus > 0 ? geometry->segments - 1 : 0;
    return VELA_OK;
}

static void add_copy(const BodyDef *def, const BodyMesh *loaded, int32_t copy, int32_t stretching,
                     int32_t bending, const ModelBody *body, Model *model)
{
    const double *nodes = loaded->mesh.nodes;
    const int32_t segments = loaded->element_counts[ELEMENT_SEGMENT],
                  bends = loaded->element_counts[ELEMENT_BEND],
                  first_node = body->first_node + copy * loaded->node_count;
    const double area = PI * def->radius * def->radius, inertia = 0.25 * area * def->radius * def->radius,
                 density = model->scene->materials[def->material].density;
    double offset[3];
    body_copy_offset(def, copy, offset);
    for (int32_t i = 0; i < loaded->node_count; ++i)
        add_scaled3(nodes + 3 * (size_t)i, 1, offset, model->rest_positions + 3 * (size_t)(first_node + i));
    ElementGroup *group = &model->groups[ELEMENT_SEGMENT];
    for (int32_t s = 0; s < segments; ++s) {
        const int32_t e = body->first_elements[ELEMENT_SEGMENT] + copy * segments + s;
        const double length = segment_length(nodes, s), rest = def->rest_scale[0] * length;
        for (int k = 0; k < 2; ++k) {
            group->nodes[2 * (size_t)e + (size_t)k] = first_node + s + k;
            model->masses[first_node + s + k] += 0.5 * density * area * length;
            model->gravity_weights[first_node + s + k] += 0.5 * density * area * length;
        }
        group->shapes[e] = 1 / rest;
        group->volumes[e] = area * rest;
        group->materials[e] = stretching;
    }
    group = &model->groups[ELEMENT_BEND];
    for (int32_t s = 0; s < bends; ++s) {
        const int32_t e = body->first_elements[ELEMENT_BEND] + copy * bends + s, node = first_node + s + 1;
        const double mean =
            0.5 * def->rest_scale[0] * (segment_length(nodes, s) + segment_length(nodes, s + 1));
        const int32_t corners[3] = {node, node - 1, node + 1};
        const double shape[4] = {-1 / mean, 0, 0, 1 / mean};
        memcpy(group->nodes + 3 * (size_t)e, corners, sizeof corners);
        memcpy(group->shapes + 4 * (size_t)e, shape, sizeof shape);
        group->volumes[e] = inertia / mean;
        group->materials[e] = bending;
    }
}

void model_add_cable(const BodyDef *def, const BodyMesh *loaded, int32_t stretching, int32_t bending,
                     const ModelBody *body, Model *model)
{
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
        add_copy(def, loaded, copy, stretching, bending, body, model);
}
