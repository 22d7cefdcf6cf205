#include "device/cpu/contact/reach.h"

#include "base/matrix3.h"

#include <string.h>

enum { VERTICES_PER_PIECE = 1024 };

VelaResult reach_create(Arena *arena, const Model *model, Frame frame, Reach *reach)
{
    const ModelContact *contact = &model->contact;
    const size_t vertices = (size_t)model->surface.map.vertex_count;
    *reach = (Reach){.model = model, .frame = frame};
    if (frame == FRAME_OWN && !model->scene->contact.self)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, reach->x, 3 * vertices));
    TRY(ARENA_ARRAY(arena, reach->limits, vertices));
    TRY(ARENA_ARRAY(arena, reach->moved, vertices));
    TRY(ARENA_ARRAY(arena, reach->most, vertices));
    TRY(ARENA_ARRAY(arena, reach->means, contact->owner_count));
    TRY(ARENA_ARRAY(arena, reach->spacings, contact->owner_count));
    for (int32_t o = 0; o < contact->owner_count; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        double sum = 0;
        for (int32_t e = owner->first_edge; e < owner->first_edge + owner->edge_count; ++e) {
            double ends[2][3], edge[3];
            for (int k = 0; k < 2; ++k)
                surface_map_vertex(&model->surface.map, contact->edges[e][k], model->rest_positions, ends[k]);
            subtract3(ends[1], ends[0], edge);
            sum += norm3(edge);
        }
        reach->spacings[o] = fmax(sum / fmax(owner->edge_count, 1), model->scene->contact.distance);
    }
    return VELA_OK;
}

size_t reach_memory(const Model *model, Frame frame)
{
    if (frame == FRAME_OWN && !model->scene->contact.self)
        return 0;
    return (3 * sizeof(double) + sizeof(Box) + sizeof(Moved) + sizeof(float)) *
               (size_t)model->surface.map.vertex_count +
           7 * sizeof(double) * (size_t)model->contact.owner_count;
}

// ---------------------------------------------------------------- measuring

static void find_means(Reach *reach, int32_t o, const double *x, const double *p)
{
    const ContactOwner *owner = &reach->model->contact.owners[o];
    double(*means)[3] = reach->means[o];
    memset(means, 0, sizeof reach->means[o]);
    if (reach->frame == FRAME_WORLD)
        return;
    for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v) {
        add_scaled3(means[0], 1.0 / owner->vertex_count, x + 3 * (size_t)v, means[0]);
        if (p)
            add_scaled3(means[1], 1.0 / owner->vertex_count, p + 3 * (size_t)v, means[1]);
    }
}

// Place and motion of a vertex in the frame.
static void in_frame(const Reach *reach, int32_t o, int32_t vertex, const double *x, const double *p,
                     double place[3], double motion[3])
{
    static const double at_rest[3] = {0, 0, 0};
    subtract3(x + 3 * (size_t)vertex, reach->means[o][0], place);
    subtract3(p ? p + 3 * (size_t)vertex : at_rest, reach->means[o][1], motion);
}

// Lengths are a little too large, by more than they are rounded.
static bool measure_vertex(Reach *reach, int32_t o, int32_t vertex, const double *x, const double *p)
{
    double place[3], motion[3], way[3];
    Moved *moved = &reach->moved[vertex];
    in_frame(reach, o, vertex, x, p, place, motion);
    subtract3(place, reach->x + 3 * (size_t)vertex, way);
    for (int k = 0; k < 3; ++k) {
        moved->way[k] = (float)way[k];
        moved->motion[k] = (float)motion[k];
    }
    moved->length = (float)((norm3(way) + norm3(motion)) * (1 + 1e-6));
    const Float4 end = moved->way + moved->motion, low = reach->limits[vertex].low,
                 high = reach->limits[vertex].high;
    bool inside = moved->length <= reach->most[vertex];
    for (int k = 0; k < 3; ++k)
        inside &=
            low[k] <= moved->way[k] && moved->way[k] <= high[k] && low[k] <= end[k] && end[k] <= high[k];
    return inside;
}

// Vertices of one owner.
static bool measure_range(Reach *reach, int32_t o, int32_t first, int32_t end, const double *x,
                          const double *p)
{
    bool inside = true;
    for (int32_t v = first; v < end; ++v)
        inside &= measure_vertex(reach, o, v, x, p);
    return inside;
}

bool reach_measure(Reach *reach, const double *x, const double *p, int threads)
{
    const ModelContact *contact = &reach->model->contact;
    int outside = 0;
    if (!reach->x)
        return true;
#pragma omp parallel for schedule(static) num_threads(threads) if (contact->owner_count > 16)
    for (int32_t o = 0; o < contact->owner_count; ++o)
        if (reach_has(reach, o))
            find_means(reach, o, x, p);
    if (!reach->is_set)
        return false;
        // Owners one after the other, their vertices in parts: there are many small ones or few large ones.
#pragma omp parallel num_threads(threads) reduction(| : outside)
    for (int32_t o = 0; o < contact->owner_count; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        const int32_t last = owner->first_vertex + owner->vertex_count;
        if (!reach_has(reach, o))
            continue;
#pragma omp for schedule(static) nowait
        for (int32_t first = owner->first_vertex; first < last; first += VERTICES_PER_PIECE)
            outside |= !measure_range(
                reach, o, first, first + VERTICES_PER_PIECE < last ? first + VERTICES_PER_PIECE : last, x, p);
    }
    return !outside;
}

// ---------------------------------------------------------------- setting

// Inflated boxes let more neighbours in, so a margin beyond a small part of an edge costs more than it saves; motions that are smaller
// than that go on for some stages within it. Where motions are large, a tenth of them lets a pool serve a stage's iterations.
static double margin_of(double motion, double spacing)
{
    return fmax(0.1 * motion, fmin(2 * motion, 0.05 * spacing)) + 0.01 * spacing;
}

static void set_owner(Reach *reach, int32_t o, const double *x, const double *p)
{
    const ContactOwner *owner = &reach->model->contact.owners[o];
    const int32_t last = owner->first_vertex + owner->vertex_count;
    double place[3], motion[3], longest = 0;
    for (int32_t v = owner->first_vertex; v < last; ++v) {
        in_frame(reach, o, v, x, p, place, motion);
        longest = fmax(longest, norm3(motion));
    }
    const double margin = margin_of(longest, reach->spacings[o]);
    for (int32_t v = owner->first_vertex; v < last; ++v) {
        Box *limits = &reach->limits[v];
        in_frame(reach, o, v, x, p, place, motion);
        memcpy(reach->x + 3 * (size_t)v, place, sizeof place);
        reach->most[v] = (float)((norm3(motion) + margin) * (1 + 1e-5));
        *limits = box_empty();
        for (int k = 0; k < 3; ++k) {
            limits->low[k] = (float)(fmin(motion[k], 0) - margin);
            limits->high[k] = (float)(fmax(motion[k], 0) + margin);
        }
    }
}

void reach_set(Reach *reach, const double *x, const double *p, int threads)
{
    const ModelContact *contact = &reach->model->contact;
    reach->is_set = false;
    if (!reach->x)
        return;
    reach_measure(reach, x, p, threads); // the means
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) if (contact->owner_count > 16)
    for (int32_t o = 0; o < contact->owner_count; ++o)
        if (reach_has(reach, o))
            set_owner(reach, o, x, p);
    reach->is_set = true;
    reach_measure(reach, x, p, threads);
}

Box reach_allowed(const Reach *reach, int32_t owner, int32_t vertex)
{
    const double inflation = reach_inflation(reach->model, &reach->model->contact.owners[owner]);
    const Box *limits = &reach->limits[vertex];
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) { // ways are measured to single precision
        const double rounding = 1e-5 * ((double)limits->high[k] - (double)limits->low[k]);
        low[k] = reach->x[3 * (size_t)vertex + (size_t)k] + (double)limits->low[k] - rounding - inflation;
        high[k] = reach->x[3 * (size_t)vertex + (size_t)k] + (double)limits->high[k] + rounding + inflation;
    }
    return box_around(low, high);
}

Box reach_swept(const Reach *reach, int32_t owner, int32_t vertex, const double *x, const double *p)
{
    const double inflation = reach_inflation(reach->model, &reach->model->contact.owners[owner]);
    double place[3], motion[3], low[3], high[3];
    in_frame(reach, owner, vertex, x, p, place, motion);
    for (int k = 0; k < 3; ++k) {
        low[k] = place[k] + fmin(motion[k], 0) - inflation;
        high[k] = place[k] + fmax(motion[k], 0) + inflation;
    }
    return box_around(low, high);
}
