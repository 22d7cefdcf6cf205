#include "sim/prescribed.h"

#include "base/matrix3.h"
#include "geometry/ccd.h"
#include "model/describe.h"

#include <stdlib.h>

/// A gap below this part of the coordinates' size counts as none: far beyond rounding.
static const double TOUCH = 1e-12;

typedef struct Box {
    double low[3], high[3];
} Box;

/// A primitive over a step; `corners` are vertices of the surface map, the last one repeated.
typedef struct Item {
    Box box;
    int32_t corners[3];
    int32_t number; ///< among all of its kind that collide
} Item;

typedef struct ItemList {
    Item *items;
    size_t count, capacity;
} ItemList;

/// What is prescribed of an owner and goes with one motion, or with several; or a plane.
typedef struct Group {
    int32_t owner;
    int32_t plane; ///< index into ModelContact.planes, -1 for all others
    bool is_still; ///< at all times
    int32_t motion_count, vertex_count, primitive_counts[SURFACE_PART_COUNT];
    const Motion **motions;
    int32_t *vertices;                       ///< of the surface map: all that its primitives need
    int32_t *primitives[SURFACE_PART_COUNT]; ///< numbers among all of their kind that collide
    Box base;                                ///< of the places that the motions start from
    double
        weights; ///< the most that the weights of a vertex which several motions take along add up to, by size
    Box box;     ///< over the steps looked at, and as far beyond as others are kept away
} Group;

struct Prescribed {
    const Model *model;
    Arena *arena;
    int32_t *pins;          ///< for each node: its pin, -1
    const Motion **motions; ///< for each vertex of the surface map: its motion, NULL if several or free
    double *now, *next;     ///< places of the vertices at the start and the end of the steps looked at
    int32_t group_count;
    Group *groups;       ///< those of planes last
    int32_t boxed_count; ///< those before
    int32_t *order;      ///< of the boxed ones, along x
    ItemList lists[2];
    int64_t window;                 ///< steps to look at together next
    int64_t clear_first, clear_end; ///< in steps after these up to this one nothing meets
    int64_t work;
};

/// A vertex of each of two things that meet.
typedef struct Meeting {
    bool found;
    int32_t vertices[2];
} Meeting;

static const Motion STILL = {0};

// ---------------------------------------------------------------- boxes
static Box box_empty(void)
{
    return (Box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void box_add(Box *box, const double x[3])
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = fmin(box->low[k], x[k]);
        box->high[k] = fmax(box->high[k], x[k]);
    }
}

// Also by what could be a touch.
static void box_widen(Box *box, double by)
{
    double size = 0;
    for (int k = 0; k < 3; ++k)
        size = fmax(size, fmax(fabs(box->low[k]), fabs(box->high[k])));
    for (int k = 0; k < 3; ++k) {
        box->low[k] -= by + 100 * TOUCH * size;
        box->high[k] += by + 100 * TOUCH * size;
    }
}

static bool boxes_meet(const Box *a, const Box *b)
{
    for (int k = 0; k < 3; ++k)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    return true;
}

// ---------------------------------------------------------------- what is prescribed
static const Motion *node_motion(const Prescribed *prescribed, int32_t node)
{
    const int32_t pin = prescribed->pins[node];
    return pin < 0 ? &STILL : prescribed->model->pin_motions[pin];
}

static void find_motions(Prescribed *prescribed)
{
    const Model *model = prescribed->model;
    const SurfaceMap *map = &model->surface.map;
    for (int32_t i = 0; i < model->node_count; ++i)
        prescribed->pins[i] = -1;
    for (int32_t p = 0; p < model->pin_count; ++p)
        prescribed->pins[model->pin_nodes[p]] = p;
    for (int32_t v = 0; v < map->vertex_count; ++v) {
        const Motion *motion = node_motion(prescribed, map->nodes[map->starts[v]]);
        for (int32_t i = map->starts[v]; i < map->starts[v + 1]; ++i)
            if (map->is_free[v] || node_motion(prescribed, map->nodes[i]) != motion)
                motion = NULL;
        prescribed->motions[v] = motion;
    }
}

/// Whether a primitive belongs to the owner's group of `motion`, NULL: to that of several.
static bool is_of_group(const Prescribed *prescribed, const int32_t corners[3], const Motion *motion)
{
    bool is_prescribed = true, is_one = true;
    const Motion *first = prescribed->motions[corners[0]];
    for (int k = 0; k < 3; ++k) {
        is_prescribed &= !prescribed->model->surface.map.is_free[corners[k]];
        is_one &= first && prescribed->motions[corners[k]] == first;
    }
    return is_prescribed && (motion ? is_one && first == motion : !is_one);
}

static VelaResult add_primitives(Prescribed *prescribed, Arena *arena, Group *group, const Motion *motion)
{
    const ModelContact *contact = &prescribed->model->contact;
    const ContactOwner *owner = &contact->owners[group->owner];
    const int32_t firsts[SURFACE_PART_COUNT] = {owner->first_vertex, owner->first_edge,
                                                owner->first_triangle},
                  counts[SURFACE_PART_COUNT] = {owner->vertex_count, owner->edge_count,
                                                owner->triangle_count};
    for (SurfacePart kind = SURFACE_VERTEX; kind < SURFACE_PART_COUNT; ++kind)
        for (int pass = 0; pass < 2; ++pass) {
            int32_t count = 0, corners[3];
            for (int32_t i = firsts[kind]; i < firsts[kind] + counts[kind]; ++i) {
                model_contact_corners(contact, kind, i, corners);
                if (!is_of_group(prescribed, corners, motion))
                    continue;
                if (pass == 1)
                    group->primitives[kind][count] = i;
                ++count;
            }
            group->primitive_counts[kind] = count;
            if (pass == 0)
                TRY(ARENA_ARRAY(arena, group->primitives[kind], count));
        }
    return VELA_OK;
}

// All prescribed vertices of the owner that go with one of the group's motions, or with several where the group does.
static VelaResult add_vertices(Prescribed *prescribed, Arena *arena, Group *group)
{
    const Model *model = prescribed->model;
    const SurfaceMap *map = &model->surface.map;
    const ContactOwner *owner = &model->contact.owners[group->owner];
    group->base = box_empty();
    TRY(ARENA_ARRAY(arena, group->vertices, owner->vertex_count));
    for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v) {
        if (map->is_free[v] || (group->motion_count == 1 && prescribed->motions[v] != group->motions[0]))
            continue;
        group->vertices[group->vertex_count++] = v;
        double base[3] = {0}, weights = 0;
        for (int32_t i = map->starts[v]; i < map->starts[v + 1]; ++i) {
            const int32_t node = map->nodes[i], pin = prescribed->pins[node];
            const double *place =
                pin < 0 ? model->initial_positions + 3 * (size_t)node : model->pin_bases + 3 * (size_t)pin;
            add_scaled3(base, map->weights[i], place, base);
            weights += fabs(map->weights[i]);
            if (!prescribed->motions[v]) // no point that one motion takes along: as fast as its nodes
                box_add(&group->base, place);
        }
        box_add(&group->base, base);
        if (!prescribed->motions[v])
            group->weights = fmax(group->weights, weights);
    }
    return VELA_OK;
}

/// Largest speed from `time` on, m/s.
static double group_speed(const Group *group, double time)
{
    double speed = 0;
    for (int32_t m = 0; m < group->motion_count; ++m)
        speed = fmax(speed, motion_speed(group->motions[m], time, group->base.low, group->base.high));
    return fmax(1, group->weights) * speed;
}

static VelaResult add_group(Prescribed *prescribed, Arena *arena, int32_t owner, int32_t motion_count,
                            const Motion **motions)
{
    Group *group = &prescribed->groups[prescribed->group_count];
    *group = (Group){.owner = owner, .plane = -1, .motion_count = motion_count, .motions = motions};
    TRY(add_primitives(prescribed, arena, group, motion_count == 1 ? motions[0] : NULL));
    if (group->primitive_counts[SURFACE_VERTEX] + group->primitive_counts[SURFACE_EDGE] +
            group->primitive_counts[SURFACE_TRIANGLE] ==
        0)
        return VELA_OK;
    TRY(add_vertices(prescribed, arena, group));
    group->is_still = group_speed(group, 0) == 0;
    ++prescribed->group_count;
    return VELA_OK;
}

/// The distinct motions of an owner's prescribed vertices.
static VelaResult list_motions(const Prescribed *prescribed, const ContactOwner *owner, Arena *arena,
                               int32_t *count, const Motion ***motions)
{
    const SurfaceMap *map = &prescribed->model->surface.map;
    size_t capacity = 0;
    *count = 0;
    *motions = NULL;
    for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v)
        for (int32_t i = map->starts[v]; !map->is_free[v] && i < map->starts[v + 1]; ++i) {
            const Motion *motion = node_motion(prescribed, map->nodes[i]);
            int32_t m = *count - 1; // mostly the one before
            while (m >= 0 && (*motions)[m] != motion)
                --m;
            if (m >= 0)
                continue;
            TRY(ARENA_GROW(arena, *motions, &capacity, (size_t)*count + 1));
            (*motions)[(*count)++] = motion;
        }
    return VELA_OK;
}

static VelaResult add_owner(Prescribed *prescribed, Arena *arena, int32_t owner, size_t *capacity)
{
    int32_t count;
    const Motion **motions;
    TRY(list_motions(prescribed, &prescribed->model->contact.owners[owner], arena, &count, &motions));
    TRY(ARENA_GROW(arena, prescribed->groups, capacity, (size_t)(prescribed->group_count + count + 1)));
    for (int32_t m = 0; m < count; ++m)
        TRY(add_group(prescribed, arena, owner, 1, motions + m));
    return count > 1 ? add_group(prescribed, arena, owner, count, motions) : VELA_OK;
}

static VelaResult add_plane(Prescribed *prescribed, Arena *arena, int32_t plane, size_t *capacity)
{
    const ContactPlane *def = &prescribed->model->contact.planes[plane];
    TRY(ARENA_GROW(arena, prescribed->groups, capacity, (size_t)prescribed->group_count + 1));
    Group *group = &prescribed->groups[prescribed->group_count++];
    *group = (Group){
        .owner = def->owner, .plane = plane, .motion_count = 1, .vertex_count = 2, .base = box_empty()};
    TRY(ARENA_ARRAY(arena, group->motions, 1));
    TRY(ARENA_ARRAY(arena, group->vertices, 2));
    group->motions[0] = prescribed->motions[def->point];
    for (int i = 0; i < 2; ++i) {
        const int32_t vertex = i == 0 ? def->point : def->tip,
                      node = surface_map_node(&prescribed->model->surface.map, vertex);
        group->vertices[i] = vertex;
        box_add(&group->base, prescribed->model->pin_bases + 3 * (size_t)prescribed->pins[node]);
    }
    group->is_still = group_speed(group, 0) == 0;
    return VELA_OK;
}

// ---------------------------------------------------------------- places
static void place_vertices(Prescribed *prescribed, const Group *group, int64_t step, double *out)
{
    const Model *model = prescribed->model;
    const SurfaceMap *map = &model->surface.map;
    const double time = (double)step * model->scene->step;
    for (int32_t i = 0; i < group->vertex_count; ++i) {
        const int32_t v = group->vertices[i];
        double *sum = out + 3 * (size_t)v;
        memset(sum, 0, 3 * sizeof *sum);
        for (int32_t e = map->starts[v]; e < map->starts[v + 1]; ++e) {
            const int32_t pin = prescribed->pins[map->nodes[e]];
            double place[3];
            memcpy(place, model->initial_positions + 3 * (size_t)map->nodes[e], sizeof place);
            if (pin >= 0) {
                motion_apply(model->pin_motions[pin], time, model->pin_bases + 3 * (size_t)pin, place);
                add_scaled3(place, 1, model->pin_offsets + 3 * (size_t)pin, place);
            }
            add_scaled3(sum, map->weights[e], place, sum);
        }
    }
    prescribed->work -= group->vertex_count;
}

/// Places and box of a group over `count` steps from `step` on; the places at the end only of one step.
static void place_group(Prescribed *prescribed, Group *group, int64_t step, int64_t count)
{
    const ContactOwner *owner = &prescribed->model->contact.owners[group->owner];
    const double h = prescribed->model->scene->step;
    group->box = box_empty();
    place_vertices(prescribed, group, step, prescribed->now);
    if (count == 1)
        place_vertices(prescribed, group, step + 1, prescribed->next);
    for (int32_t i = 0; i < group->vertex_count; ++i) {
        box_add(&group->box, prescribed->now + 3 * (size_t)group->vertices[i]);
        if (count == 1)
            box_add(&group->box, prescribed->next + 3 * (size_t)group->vertices[i]);
    }
    const double way = count == 1 ? 0 : (double)count * h * group_speed(group, (double)step * h);
    box_widen(&group->box, owner->separation + way);
}

// ---------------------------------------------------------------- creation
static VelaResult build(Prescribed *prescribed, Arena *arena)
{
    const Model *model = prescribed->model;
    size_t capacity = 0;
    TRY(ARENA_ARRAY(arena, prescribed->pins, model->node_count));
    TRY(ARENA_ARRAY(arena, prescribed->motions, model->surface.map.vertex_count));
    TRY(ARENA_ARRAY(arena, prescribed->now, 3 * (size_t)model->surface.map.vertex_count));
    TRY(ARENA_ARRAY(arena, prescribed->next, 3 * (size_t)model->surface.map.vertex_count));
    find_motions(prescribed);
    for (int32_t o = 0; o < model->contact.owner_count; ++o)
        TRY(add_owner(prescribed, arena, o, &capacity));
    prescribed->boxed_count = prescribed->group_count;
    for (int32_t p = 0; p < model->contact.plane_count; ++p)
        TRY(add_plane(prescribed, arena, p, &capacity));
    TRY(ARENA_ARRAY(arena, prescribed->order, prescribed->boxed_count));
    for (int32_t g = 0; g < prescribed->boxed_count; ++g)
        prescribed->order[g] = g;
    for (int32_t g = 0; g < prescribed->group_count; ++g)
        if (prescribed->groups[g].is_still)
            place_group(prescribed, &prescribed->groups[g], 0, 1);
    return VELA_OK;
}

VelaResult prescribed_create(const Model *model, Arena *arena, Prescribed **out)
{
    bool moves = false;
    *out = NULL;
    for (int32_t p = 0; p < model->pin_count; ++p)
        moves |= model->pin_motions[p]->spin || model->pin_motions[p]->keyframe_count > 1;
    if (model->scene->contact.model != CONTACT_BARRIER || model_body_pin_count(model) == 0 || !moves)
        return VELA_OK;
    Prescribed *prescribed;
    TRY(ARENA_ARRAY(arena, prescribed, 1));
    *prescribed = (Prescribed){.model = model, .arena = arena, .window = 1};
    TRY(build(prescribed, arena));
    *out = prescribed;
    return VELA_OK;
}

// ---------------------------------------------------------------- one step of two primitives
static double gap_of(const double x[12], PairKind kind, double separation)
{
    return sqrt(closest_points(x, kind).distance_sq) - separation;
}

/// Whether a motion from x to x + p takes away the gap. A gap that is there at the end is more than what counts as one at the
/// start of the next step, so no meeting falls between two steps.
static bool pair_meets(double x[12], double p[12], PairKind kind, double separation)
{
    double size = 0;
    for (int i = 0; i < 12; ++i)
        size = fmax(size, fabs(x[i]) + fabs(p[i]));
    const double touch = TOUCH * size;
    if (gap_of(x, kind, separation) <= touch)
        separation = 0; // closer than others are kept; what remains is the surfaces themselves
    double gap = gap_of(x, kind, separation);
    if (gap <= touch)
        return false;
    while (gap > 20 * touch) {
        int turns;
        const double t = ccd_pair(x, p, kind, separation, &turns); // leaves a tenth of the gap
        if (t >= 1)
            return false;
        if (t <= 0)
            return true;
        for (int i = 0; i < 12; ++i) {
            x[i] += t * p[i];
            p[i] *= 1 - t;
        }
        gap = gap_of(x, kind, separation);
    }
    return true;
}

static void test_items(Prescribed *prescribed, const Group *a, const Group *b, const Item *first,
                       const Item *second, SurfacePart kind_a, SurfacePart kind_b, Meeting *meeting)
{
    const ModelContact *contact = &prescribed->model->contact;
    const ContactOwner *owners = contact->owners;
    const PairKind kind = kind_a == SURFACE_EDGE ? PAIR_EDGE_EDGE : PAIR_POINT_TRIANGLE;
    int32_t vertices[4];
    memcpy(vertices, first->corners, (size_t)kind * sizeof *vertices);
    memcpy(vertices + (int)kind, second->corners, (4 - (size_t)kind) * sizeof *vertices);
    --prescribed->work;
    if (meeting->found || !boxes_meet(&first->box, &second->box) ||
        exclusions_are_joined(&contact->exclusions, kind_a, first->number, kind_b, second->number))
        return;
    for (int i = 0; i < (int)kind; ++i)
        for (int j = (int)kind; j < 4; ++j)
            if (vertices[i] == vertices[j])
                return;
    double x[12], p[12];
    for (int c = 0; c < 4; ++c) {
        memcpy(x + 3 * c, prescribed->now + 3 * (size_t)vertices[c], 3 * sizeof *x);
        subtract3(prescribed->next + 3 * (size_t)vertices[c], x + 3 * c, p + 3 * c);
    }
    prescribed->work -= 20;
    if (pair_meets(x, p, kind, owners[a->owner].separation + owners[b->owner].separation))
        *meeting = (Meeting){true, {vertices[0], vertices[(int)kind]}};
}

// ---------------------------------------------------------------- one step of two groups
static int compare_items(const void *a, const void *b)
{
    const Item *x = a, *y = b;
    return (x->box.low[0] > y->box.low[0]) - (x->box.low[0] < y->box.low[0]);
}

/// Those of a group's primitives that come into `region` in the step, along x.
static VelaResult list_items(Prescribed *prescribed, const Group *group, SurfacePart kind, const Box *region,
                             ItemList *list)
{
    const double separation = prescribed->model->contact.owners[group->owner].separation;
    list->count = 0;
    for (int32_t i = 0; i < group->primitive_counts[kind]; ++i) {
        Item item = {.box = box_empty(), .number = group->primitives[kind][i]};
        model_contact_corners(&prescribed->model->contact, kind, item.number, item.corners);
        for (int c = 0; c < 3; ++c) {
            box_add(&item.box, prescribed->now + 3 * (size_t)item.corners[c]);
            box_add(&item.box, prescribed->next + 3 * (size_t)item.corners[c]);
        }
        box_widen(&item.box, separation);
        if (!boxes_meet(&item.box, region))
            continue;
        TRY(ARENA_GROW(prescribed->arena, list->items, &list->capacity, list->count + 1));
        list->items[list->count++] = item;
    }
    prescribed->work -= group->primitive_counts[kind];
    qsort(list->items, list->count, sizeof *list->items, compare_items);
    return VELA_OK;
}

/// Primitives of one kind of group a against those of one kind of group b, along x.
static VelaResult test_kinds(Prescribed *prescribed, const Group *a, const Group *b, SurfacePart kind_a,
                             SurfacePart kind_b, Meeting *meeting)
{
    ItemList *first = &prescribed->lists[0], *second = &prescribed->lists[1];
    Box region;
    for (int k = 0; k < 3; ++k) {
        region.low[k] = fmax(a->box.low[k], b->box.low[k]);
        region.high[k] = fmin(a->box.high[k], b->box.high[k]);
    }
    if (meeting->found || a->primitive_counts[kind_a] == 0 || b->primitive_counts[kind_b] == 0)
        return VELA_OK;
    TRY(list_items(prescribed, a, kind_a, &region, first));
    TRY(list_items(prescribed, b, kind_b, &region, second));
    for (size_t i = 0, j = 0; i < first->count && j < second->count;) {
        const Item *u = &first->items[i], *v = &second->items[j];
        if (u->box.low[0] <= v->box.low[0]) {
            for (size_t l = j; l < second->count && second->items[l].box.low[0] <= u->box.high[0]; ++l)
                test_items(prescribed, a, b, u, &second->items[l], kind_a, kind_b, meeting);
            ++i;
        } else {
            for (size_t l = i; l < first->count && first->items[l].box.low[0] <= v->box.high[0]; ++l)
                test_items(prescribed, a, b, &first->items[l], v, kind_a, kind_b, meeting);
            ++j;
        }
    }
    return VELA_OK;
}

static VelaResult test_groups(Prescribed *prescribed, const Group *a, const Group *b, Meeting *meeting)
{
    const ContactOwner *owners = prescribed->model->contact.owners;
    TRY(test_kinds(prescribed, a, b, SURFACE_VERTEX, SURFACE_TRIANGLE, meeting));
    TRY(test_kinds(prescribed, b, a, SURFACE_VERTEX, SURFACE_TRIANGLE, meeting));
    TRY(test_kinds(prescribed, a, b, SURFACE_EDGE, SURFACE_EDGE, meeting));
    if (owners[b->owner].is_cable)
        TRY(test_kinds(prescribed, a, b, SURFACE_VERTEX, SURFACE_EDGE, meeting));
    if (owners[a->owner].is_cable)
        TRY(test_kinds(prescribed, b, a, SURFACE_VERTEX, SURFACE_EDGE, meeting));
    return VELA_OK;
}

// ---------------------------------------------------------------- planes
static double plane_gap(const Group *plane, const double *places, int32_t vertex)
{
    const double *point = places + 3 * (size_t)plane->vertices[0],
                 *tip = places + 3 * (size_t)plane->vertices[1];
    double normal[3], offset[3];
    subtract3(tip, point, normal);
    normalize3(normal);
    subtract3(places + 3 * (size_t)vertex, point, offset);
    return dot3(normal, offset);
}

/// Whether the group's vertices come to the plane in the step.
static void test_plane(Prescribed *prescribed, const Group *plane, const Group *group, Meeting *meeting)
{
    const double separation = prescribed->model->contact.owners[group->owner].separation;
    for (int32_t i = 0; i < group->vertex_count && !meeting->found; ++i) {
        const int32_t vertex = group->vertices[i];
        const double *place = prescribed->now + 3 * (size_t)vertex;
        const double touch = TOUCH * (fabs(place[0]) + fabs(place[1]) + fabs(place[2]));
        const double before = plane_gap(plane, prescribed->now, vertex),
                     after = plane_gap(plane, prescribed->next, vertex);
        const double kept = before > separation + touch ? separation : 0;
        if (before > kept + touch && after <= kept + touch)
            *meeting = (Meeting){true, {plane->vertices[0], vertex}};
    }
    prescribed->work -= group->vertex_count;
}

/// Whether the group cannot come to the plane in `count` steps from `step` on.
static bool is_clear_of_plane(const Prescribed *prescribed, const Group *plane, const Group *group,
                              int64_t step, int64_t count)
{
    const double *point = prescribed->now + 3 * (size_t)plane->vertices[0],
                 *tip = prescribed->now + 3 * (size_t)plane->vertices[1], h = prescribed->model->scene->step;
    double normal[3], least = 0;
    if (motion_turns(plane->motions[0]))
        return false; // its speed is not that of its point
    subtract3(tip, point, normal);
    normalize3(normal);
    for (int k = 0; k < 3; ++k)
        least += normal[k] * ((normal[k] > 0 ? group->box.low[k] : group->box.high[k]) - point[k]);
    return least > (double)count * h * group_speed(plane, (double)step * h);
}

// ---------------------------------------------------------------- all
static bool can_meet(const Prescribed *prescribed, const Group *a, const Group *b)
{
    const ContactOwner *owner_a = &prescribed->model->contact.owners[a->owner],
                       *owner_b = &prescribed->model->contact.owners[b->owner];
    if ((a->is_still && b->is_still) || (owner_a->body < 0 && owner_b->body < 0))
        return false;
    return a->owner == b->owner ? owner_a->meets_itself
                                : model_contact_may_meet(&prescribed->model->contact, a->owner, b->owner);
}

static void sort_groups(Prescribed *prescribed)
{
    int32_t *order = prescribed->order;
    for (int32_t i = 1; i < prescribed->boxed_count; ++i) { // nearly sorted from the last time
        const int32_t moved = order[i];
        int32_t j = i;
        for (; j > 0 && prescribed->groups[order[j - 1]].box.low[0] > prescribed->groups[moved].box.low[0];
             --j)
            order[j] = order[j - 1];
        order[j] = moved;
    }
}

/// Looks at `count` steps from `step` on. Of several, only whether nothing can meet; of one, what meets.
static VelaResult look(Prescribed *prescribed, int64_t step, int64_t count, bool *is_clear, Meeting *meeting)
{
    *is_clear = true;
    *meeting = (Meeting){0};
    for (int32_t g = 0; g < prescribed->group_count; ++g)
        if (!prescribed->groups[g].is_still)
            place_group(prescribed, &prescribed->groups[g], step, count);
    sort_groups(prescribed);
    for (int32_t i = 0; i < prescribed->boxed_count; ++i) {
        const Group *a = &prescribed->groups[prescribed->order[i]];
        for (int32_t j = i + 1; j < prescribed->boxed_count && !meeting->found; ++j) {
            const Group *b = &prescribed->groups[prescribed->order[j]];
            if (b->box.low[0] > a->box.high[0])
                break;
            --prescribed->work;
            if (!can_meet(prescribed, a, b) || !boxes_meet(&a->box, &b->box))
                continue;
            *is_clear = false;
            if (count == 1)
                TRY(test_groups(prescribed, a, b, meeting));
        }
        for (int32_t p = prescribed->boxed_count; p < prescribed->group_count && !meeting->found; ++p) {
            const Group *plane = &prescribed->groups[p];
            if (!can_meet(prescribed, a, plane) || is_clear_of_plane(prescribed, plane, a, step, count))
                continue;
            *is_clear = false;
            if (count == 1)
                test_plane(prescribed, plane, a, meeting);
        }
    }
    return VELA_OK;
}

static VelaResult fail_meeting(const Prescribed *prescribed, VelaResult result, int64_t step,
                               const Meeting *meeting)
{
    const Model *model = prescribed->model;
    char first[96], last[96];
    model_describe_vertex(model, meeting->vertices[0], first, sizeof first);
    model_describe_vertex(model, meeting->vertices[1], last, sizeof last);
    return context_fail(
        prescribed->arena->context, result,
        "%s: %s and %s meet in step %lld, between %.6g s and %.6g s: both are prescribed, so contact "
        "cannot keep them apart; expected motions and pins that leave a gap",
        model->scene->path, first, last, (long long)step + 1, (double)step * model->scene->step,
        (double)(step + 1) * model->scene->step);
}

VelaResult prescribed_check(Prescribed *prescribed, int64_t first, int64_t end, VelaResult result,
                            int64_t *work, int64_t *reached)
{
    static const int64_t LONGEST = (int64_t)1 << 40;
    if (!prescribed)
        return VELA_OK;
    prescribed->work = work ? *work : INT64_MAX;
    int64_t step = first;
    while (step < end && prescribed->work >= 0) {
        if (prescribed->clear_first <= step && step < prescribed->clear_end) {
            step = prescribed->clear_end;
            continue;
        }
        const int64_t count = prescribed->window;
        bool is_clear;
        Meeting meeting;
        TRY(look(prescribed, step, count, &is_clear, &meeting));
        if (meeting.found)
            return fail_meeting(prescribed, result, step, &meeting);
        if (is_clear || count == 1) {
            prescribed->clear_first = step;
            prescribed->clear_end = step += count;
        }
        prescribed->window = is_clear ? (count < LONGEST ? 2 * count : count) : count > 1 ? count / 2 : 1;
    }
    if (work)
        *work = prescribed->work;
    if (reached)
        *reached = step < end ? step : end;
    return VELA_OK;
}
