#include "model/model.h"

#include "base/matrix3.h"

#include <stdio.h>

void model_pin_positions(const Model *model, double time, double *positions)
{
    for (int32_t p = 0; p < model->pin_count; ++p) {
        double *place = positions + 3 * (size_t)p;
        motion_apply(model->pin_motions[p], time, model->pin_bases + 3 * (size_t)p, place);
        add_scaled3(place, 1, model->pin_offsets + 3 * (size_t)p, place);
    }
}

void model_planes(const Model *model, double time, double (*normals)[3], double *offsets)
{
    for (int32_t i = 0; i < model->plane_count; ++i) {
        const ModelPlane *plane = &model->planes[i];
        double point[3];
        motion_apply(plane->motion, time, plane->point, point);
        motion_rotate(plane->motion, time, plane->normal, normals[i]);
        normalize3(normals[i]);
        offsets[i] = dot3(normals[i], point);
    }
}

void model_describe_node(const Model *model, int32_t node, char *text, size_t size)
{
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        if (node >= body->first_node && node < body->first_node + body->node_count)
            snprintf(text, size, "%.60s, node %d", body->name, node - body->first_node);
    }
    int32_t next = model->body_node_count;
    for (int32_t o = 0, plane = 0; o < model->contact.owner_count; ++o) {
        const ContactOwner *owner = &model->contact.owners[o];
        if (owner->obstacle < 0)
            continue;
        const bool is_plane = plane < model->contact.plane_count && model->contact.planes[plane].owner == o;
        const int32_t count = is_plane ? 2 : owner->vertex_count;
        plane += is_plane;
        if (node >= next && node < next + count)
            snprintf(text, size, "obstacle %.60s", model->scene->obstacles[owner->obstacle].name);
        next += count;
    }
}
