#include "device/cpu/contact/reach.h"

#include "base/matrix3.h"
#include "base/team.h"

#include <string.h>

enum { VERTICES_PER_PIECE = 256 };

/// A reach is around so many times the motion, unless that is longer than an edge: bodies mostly go on as they do, and what goes along with
/// others costs little.
static const double AHEAD = 3;

/// The ways and motions along the motion that a reach was set around, one after the other, are at most so many times as long as that.
static const double SPAN = 1.25;

/// One part in so many of the owners may leave a reach for theirs alone to be set anew, and so many edges' lengths are not far.
enum { RENEWED_PART = 4 };
static const double RENEWED_FAR = 0.5;

/// Relative to ways and motions: what is lost where they are rounded to single precision.
static const double ROUNDING = 1e-5;

// Whether there is anything that may meet in a frame.
static bool is_needed(const Model *model, Frame frame)
{
    return frame == FRAME_OWN ? model->scene->contact.self : model->contact.owner_count > 1;
}

VelaResult reach_create(Arena *arena, const Model *model, Frame frame, Reach *reach)
{
    const ModelContact *contact = &model->contact;
    const size_t vertices = (size_t)model->surface.map.vertex_count;
    *reach = (Reach){.model = model, .frame = frame};
    if (!is_needed(model, frame))
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, reach->x, 3 * vertices));
    TRY(ARENA_ARRAY(arena, reach->motion, vertices));
    TRY(ARENA_ARRAY(arena, reach->moved, vertices));
    TRY(ARENA_ARRAY(arena, reach->owners, contact->owner_count));
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
        reach->owners[o].spacing = fmax(sum / fmax(owner->edge_count, 1), model->scene->contact.distance);
    }
    return VELA_OK;
}

size_t reach_memory(const Model *model, Frame frame)
{
    if (!is_needed(model, frame))
        return 0;
    return (3 * sizeof(double) + sizeof(Float4) + sizeof(Moved)) * (size_t)model->surface.map.vertex_count +
           sizeof(OwnerReach) * (size_t)model->contact.owner_count;
}

// ---------------------------------------------------------------- measuring

static void find_means(Reach *reach, int32_t o, const double *x, const double *p)
{
    const ContactOwner *owner = &reach->model->contact.owners[o];
    double(*means)[3] = reach->owners[o].means;
    memset(means, 0, sizeof reach->owners[o].means);
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
    subtract3(x + 3 * (size_t)vertex, reach->owners[o].means[0], place);
    subtract3(p ? p + 3 * (size_t)vertex : at_rest, reach->owners[o].means[1], motion);
}

// Lengths are a little too large, by more than they are rounded.
static void measure_vertex(Reach *reach, int32_t o, int32_t vertex, const double *x, const double *p)
{
    double place[3], motion[3], way[3];
    Moved *moved = &reach->moved[vertex];
    in_frame(reach, o, vertex, x, p, place, motion);
    subtract3(place, reach->x + 3 * (size_t)vertex, way);
    for (int k = 0; k < 3; ++k) {
        moved->way[k] = (float)way[k];
        moved->motion[k] = (float)motion[k];
    }
    moved->way[3] = (float)(norm3(way) * (1 + 1e-6));
    moved->motion[3] = (float)(norm3(motion) * (1 + 1e-6));
}

static double dot4(Float4 a, Float4 b)
{
    const Float4 products = a * b;
    return (double)products[0] + (double)products[1] + (double)products[2];
}

static void find_products(Reach *reach, int32_t o)
{
    const ContactOwner *owner = &reach->model->contact.owners[o];
    double *products = reach->owners[o].products;
    memset(products, 0, sizeof reach->owners[o].products);
    for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v) {
        products[0] += dot4(reach->moved[v].way, reach->motion[v]);
        products[1] += dot4(reach->moved[v].motion, reach->motion[v]);
        products[2] += dot4(reach->motion[v], reach->motion[v]);
    }
}

/// How far along the motion that the reach was set around a motion starts and ends.
typedef struct Parts {
    float start, end;
} Parts;

static Parts find_parts(const double products[3])
{
    if (products[2] == 0)
        return (Parts){0, 0};
    const double start = fmin(fmax(products[0] / products[2], 0), 1);
    return (Parts){(float)start,
                   (float)fmin(fmax(start + products[1] / products[2], fmax(0, 2 * start - SPAN)), 1)};
}

// Whether a vertex stays near that motion.
static bool stays_near(const Reach *reach, int32_t o, int32_t vertex, Parts parts)
{
    const Moved *moved = &reach->moved[vertex];
    const Float4 off = moved->way - parts.start * reach->motion[vertex],
                 drift = moved->motion - (parts.end - parts.start) * reach->motion[vertex];
    return sqrt(dot4(off, off)) + sqrt(dot4(drift, drift)) <= reach->owners[o].margin;
}

int32_t owner_of_vertex(const ModelContact *contact, int32_t vertex)
{
    int32_t low = 0, high = contact->owner_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (contact->owners[middle].first_vertex <= vertex)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The vertices of a piece that belong to an owner.
static int32_t first_in_piece(const ContactOwner *owner, int32_t piece)
{
    return owner->first_vertex > piece ? owner->first_vertex : piece;
}

static int32_t end_in_piece(const ContactOwner *owner, int32_t piece)
{
    const int32_t last = owner->first_vertex + owner->vertex_count;
    return last < piece + VERTICES_PER_PIECE ? last : piece + VERTICES_PER_PIECE;
}

static void measure_piece(Reach *reach, int32_t piece, const double *x, const double *p)
{
    const ModelContact *contact = &reach->model->contact;
    for (int32_t o = owner_of_vertex(contact, piece); o < contact->owner_count; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        if (owner->first_vertex >= piece + VERTICES_PER_PIECE)
            break;
        for (int32_t v = first_in_piece(owner, piece); v < end_in_piece(owner, piece) && reach_has(reach, o);
             ++v)
            measure_vertex(reach, o, v, x, p);
    }
}

static bool piece_stays_near(const Reach *reach, int32_t piece, Parts parts)
{
    const ModelContact *contact = &reach->model->contact;
    bool near = true;
    for (int32_t o = owner_of_vertex(contact, piece); o < contact->owner_count && near; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        if (owner->first_vertex >= piece + VERTICES_PER_PIECE)
            break;
        if (reach->frame == FRAME_OWN)
            parts = find_parts(reach->owners[o].products);
        for (int32_t v = first_in_piece(owner, piece); v < end_in_piece(owner, piece) && reach_has(reach, o);
             ++v)
            near &= stays_near(reach, o, v, parts);
    }
    return near;
}

// What owners see of each other is where all are at a time.
static Parts find_common_parts(const Reach *reach)
{
    double all[3] = {0};
    for (int32_t o = 0; o < reach->model->contact.owner_count; ++o)
        add_scaled3(all, 1, reach->owners[o].products, all);
    return find_parts(all);
}

bool reach_measure(Reach *reach, const double *x, const double *p, int threads)
{
    const int32_t owners = reach->model->contact.owner_count,
                  vertices = reach->model->surface.map.vertex_count;
    int outside = 0;
    if (!reach->x)
        return true;
    Team team = {0};
#pragma omp parallel num_threads(threads) if (vertices > VERTICES_PER_PIECE)
    {
#pragma omp for schedule(static) nowait
        for (int32_t o = 0; o < owners; ++o)
            if (reach_has(reach, o))
                find_means(reach, o, x, p);
        if (reach->is_set) {
            team_wait(&team);
#pragma omp for schedule(static) nowait
            for (int32_t piece = 0; piece < vertices; piece += VERTICES_PER_PIECE)
                measure_piece(reach, piece, x, p);
            team_wait(&team);
#pragma omp for schedule(static) nowait
            for (int32_t o = 0; o < owners; ++o)
                if (reach_has(reach, o))
                    find_products(reach, o);
            team_wait(&team);
            const Parts parts = find_common_parts(reach);
#pragma omp for schedule(static) reduction(+ : outside) nowait
            for (int32_t piece = 0; piece < vertices; piece += VERTICES_PER_PIECE)
                outside += !piece_stays_near(reach, piece, parts);
        }
    }
    return reach->is_set && outside == 0;
}

// ---------------------------------------------------------------- setting

// Inflated boxes let more neighbours in, so a margin beyond a small part of an edge costs more than it saves; motions that are smaller
// than that go on for some stages within it. A quarter of a motion lets a pool serve a stage's iterations, unless it is wild.
static double margin_of(double motion, double spacing)
{
    return fmin(fmax(0.25 * motion, fmin(2 * motion, 0.05 * spacing)), 0.1 * spacing) + 0.01 * spacing;
}

// Returns how far a vertex of the owner goes at most, m.
static double set_places(Reach *reach, int32_t o, const double *x, const double *p)
{
    const ContactOwner *owner = &reach->model->contact.owners[o];
    double motion[3], longest = 0;
    for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v) {
        in_frame(reach, o, v, x, p, reach->x + 3 * (size_t)v, motion);
        longest = fmax(longest, norm3(motion));
    }
    reach->owners[o].margin = margin_of(longest, reach->owners[o].spacing);
    reach->owners[o].ahead = fmin(AHEAD, fmax(1, reach->owners[o].spacing / longest));
    return longest;
}

static void set_motion(Reach *reach, int32_t o, double ahead, const double *x, const double *p)
{
    const ContactOwner *owner = &reach->model->contact.owners[o];
    double place[3], motion[3];
    for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v) {
        in_frame(reach, o, v, x, p, place, motion);
        for (int k = 0; k < 3; ++k)
            reach->motion[v][k] = (float)(ahead * motion[k]);
    }
}

void reach_set(Reach *reach, const double *x, const double *p, int threads)
{
    const int32_t owners = reach->model->contact.owner_count;
    double least = AHEAD; // owners see each other, so in the world all go on as far
    reach->is_set = false;
    if (!reach->x)
        return;
    reach_measure(reach, x, p, threads); // the means
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (owners > 1)
    for (int32_t o = 0; o < owners; ++o) {
        reach->owners[o].is_new = true;
        if (reach_has(reach, o))
            set_places(reach, o, x, p);
    }
    for (int32_t o = 0; o < owners; ++o)
        least = reach_has(reach, o) ? fmin(least, reach->owners[o].ahead) : least;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (owners > 1)
    for (int32_t o = 0; o < owners; ++o)
        if (reach_has(reach, o))
            set_motion(reach, o, reach->frame == FRAME_OWN ? reach->owners[o].ahead : least, x, p);
    reach->is_set = true;
    reach_measure(reach, x, p, threads);
}

static bool owner_stays_near(const Reach *reach, int32_t o, Parts parts)
{
    const ContactOwner *owner = &reach->model->contact.owners[o];
    bool near = true;
    if (reach->frame == FRAME_OWN)
        parts = find_parts(reach->owners[o].products);
    for (int32_t v = owner->first_vertex; near && v < owner->first_vertex + owner->vertex_count; ++v)
        near = stays_near(reach, o, v, parts);
    return near;
}

// In the world around where the owner is, wherever it goes from there, for others are somewhere on their ways. Returns whether it does not go far.
static bool set_alone(Reach *reach, int32_t o, const double *x, const double *p)
{
    OwnerReach *own = &reach->owners[o];
    const double longest = set_places(reach, o, x, p);
    const bool is_world = reach->frame == FRAME_WORLD;
    set_motion(reach, o, is_world ? 0 : own->ahead, x, p);
    if (is_world)
        own->margin = 2 * longest + 0.01 * own->spacing;
    return !is_world || longest <= RENEWED_FAR * own->spacing;
}

bool reach_renew(Reach *reach, const double *x, const double *p, int threads)
{
    const int32_t owners = reach->model->contact.owner_count;
    int32_t count = 0;
    if (!reach->is_set)
        return false;
    const Parts parts = find_common_parts(reach);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : count)
    for (int32_t o = 0; o < owners; ++o) {
        reach->owners[o].is_new = reach_has(reach, o) && !owner_stays_near(reach, o, parts);
        count += reach->owners[o].is_new;
    }
    bool is_short = true;
    for (int32_t o = 0; o < owners && is_short && RENEWED_PART * count <= owners; ++o)
        if (reach->owners[o].is_new)
            is_short = set_alone(reach, o, x, p);
    return is_short && RENEWED_PART * count <= owners && reach_measure(reach, x, p, threads);
}

// Around a place, and `room` besides what the owner's boxes are inflated by.
static Box box_at(const Reach *reach, int32_t owner, const double place[3], const double room[3])
{
    const double inflation = reach_inflation(reach->model, &reach->model->contact.owners[owner]);
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = place[k] - room[k] - inflation;
        high[k] = place[k] + room[k] + inflation;
    }
    return box_around(low, high);
}

SweptBox reach_allowed(const Reach *reach, int32_t owner, int32_t vertex)
{
    const double *start = reach->x + 3 * (size_t)vertex, margin = reach->owners[owner].margin;
    double end[3], room[3];
    for (int k = 0; k < 3; ++k) {
        const double motion = (double)reach->motion[vertex][k];
        end[k] = start[k] + motion;
        room[k] = margin + ROUNDING * (margin + fabs(motion));
    }
    return (SweptBox){box_at(reach, owner, start, room), box_at(reach, owner, end, room)};
}

SweptBox reach_swept(const Reach *reach, int32_t owner, int32_t vertex, const double *x, const double *p)
{
    static const double room[3] = {0, 0, 0};
    double start[3], motion[3], end[3];
    in_frame(reach, owner, vertex, x, p, start, motion);
    add_scaled3(start, 1, motion, end);
    return (SweptBox){box_at(reach, owner, start, room), box_at(reach, owner, end, room)};
}

double reach_approach(const Reach *reach, const int32_t owners[2], double apart)
{
    return (1 + ROUNDING) *
           (SPAN * apart + reach->owners[owners[0]].margin + reach->owners[owners[1]].margin);
}
