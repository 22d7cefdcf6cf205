#include "device/cpu/contact/plane_candidate.h"

#include "base/matrix3.h"

bool plane_candidate(const Model *model, const ContactPlane *plane, const ContactOwner *owner, int32_t vertex,
                     const double *x, const double *p, Candidate *candidate)
{
    const ModelContact *contact = &model->contact;
    const double range = model->scene->contact.distance;
    const int32_t vertices[4] = {vertex, plane->point, plane->tip, vertex};
    double now[12], motion[12] = {0}, normal[3], offset[3];
    gather_vertices(vertices, x, now);
    subtract3(now + 6, now + 3, normal);
    normalize3(normal);
    subtract3(now, now + 3, offset);
    const double gap = dot3(offset, normal) - owner->separation;
    double closer = 0;
    if (p) {
        // The vertex's own motion, and what the plane's point and its turning do at the vertex.
        gather_vertices(vertices, p, motion);
        double relative[3], turn[3];
        subtract3(motion, motion + 3, relative);
        subtract3(motion + 6, motion + 3, turn);
        const double turning = norm3(turn);
        closer = turning > 0 ? norm3(relative) + turning * (norm3(offset) + norm3(relative))
                             : -dot3(relative, normal);
    }
    if (fmin(gap, gap - closer) >= range) // one that leaves is within its range until it has left
        return false;
    *candidate = (Candidate){
        .vertices = {vertex, plane->point, plane->tip, vertex},
        .owners = {(int32_t)(owner - contact->owners), plane->owner},
        .kind = CANDIDATE_POINT_PLANE,
        .pairs = 1,
        .approaches = closer > 0.5 * gap,
        .gap_ahead = -INFINITY,
        .gap = gap,
        .barrier = {contact->stiffness * contact->vertex_areas[vertex], range, owner->separation, 0}};
    return true;
}

bool plane_is_beyond(const Model *model, const ContactPlane *plane, const ContactOwner *owner,
                     const SweptBox *box, const double *x, const double *p)
{
    const double *point = x + 3 * (size_t)plane->point, *tip = x + 3 * (size_t)plane->tip;
    double normal[3], least[2] = {0};
    for (int k = 0; k < 3 && p; ++k)
        if (p[3 * (size_t)plane->point + (size_t)k] != 0 || p[3 * (size_t)plane->tip + (size_t)k] != 0)
            return false;
    subtract3(tip, point, normal);
    normalize3(normal);
    for (int end = 0; end < 2; ++end) {
        const Box *at = end ? &box->end : &box->start;
        for (int k = 0; k < 3; ++k)
            least[end] += normal[k] * ((double)(normal[k] > 0 ? at->low[k] : at->high[k]) - point[k]);
    }
    return fmin(least[0], least[1]) >= model->scene->contact.distance + owner->separation;
}
