#include "device/cpu/contact/candidates.h"

#include "model/locality.h"
#include "physics/contact/area_weight.h"

#include <omp.h>

enum { LEAVES_PER_TASK = 16, PRIMITIVES = 3 };

/// What an owner's trees are over.
typedef enum Primitive { PRIMITIVE_VERTEX, PRIMITIVE_EDGE, PRIMITIVE_TRIANGLE } Primitive;

/// Boxes in the world, and within one owner, relative to its mean motion.
typedef enum Frame { FRAME_WORLD, FRAME_OWN, FRAME_COUNT } Frame;

/// Leaves of one tree against another.
typedef struct Task {
    int32_t owners[2];
    Primitive primitives[2];
    int32_t first_leaf, end_leaf;
    int thread; ///< who did it, and where its candidates are
    size_t first, count;
} Task;

/// Candidates found by one thread.
typedef struct Found {
    Arena arena;
    Candidate *items;
    size_t count, capacity;
    VelaResult result;
} Found;

struct CandidateList {
    VelaContext *context;
    const Model *model;
    int threads;
    Arena arena;       ///< what lives as long as the list
    Arena growing;     ///< tasks and candidates
    double *rest;      ///< the vertices in the rest shape
    double *centers;   ///< room for the centres of an owner's primitives
    double (*mean)[3]; ///< of every owner: its mean motion
    BoundingTree (*trees)[PRIMITIVES][FRAME_COUNT];
    Task *tasks;
    size_t task_count, task_capacity;
    Found *found; ///< one a thread
    Candidate *items;
    size_t count, capacity;
};

// ---------------------------------------------------------------- owners' primitives

static int32_t primitive_count(const ContactOwner *owner, Primitive primitive)
{
    return primitive == PRIMITIVE_VERTEX ? owner->vertex_count
           : primitive == PRIMITIVE_EDGE ? owner->edge_count
                                         : owner->triangle_count;
}

// Vertices of a primitive of an owner; returns their number.
static int primitive_vertices(const ModelContact *contact, const ContactOwner *owner, Primitive primitive,
                              int32_t index, int32_t vertices[3])
{
    const int32_t own[1] = {owner->first_vertex + index};
    const int32_t *from = primitive == PRIMITIVE_VERTEX ? own
                          : primitive == PRIMITIVE_EDGE ? contact->edges[owner->first_edge + index]
                                                        : contact->triangles[owner->first_triangle + index];
    const int count = primitive + 1;
    for (int c = 0; c < count; ++c)
        vertices[c] = from[c];
    return count;
}

static VelaResult create_trees(CandidateList *list, int32_t owner, int32_t *most)
{
    for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
        const int32_t count = primitive_count(&list->model->contact.owners[owner], p);
        for (Frame f = FRAME_WORLD; f < FRAME_COUNT; ++f)
            TRY(bounding_tree_create(&list->arena, count, &list->trees[owner][p][f]));
        *most = count > *most ? count : *most;
    }
    return VELA_OK;
}

// Sorts an owner's trees along x.
static VelaResult sort_trees(CandidateList *list, int32_t o, const double *x)
{
    const ModelContact *contact = &list->model->contact;
    for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
        BoundingTree *trees = list->trees[o][p];
        for (int32_t i = 0; i < trees[0].count; ++i) {
            int32_t vertices[3];
            const int corners = primitive_vertices(contact, &contact->owners[o], p, i, vertices);
            double *center = list->centers + 3 * (size_t)i;
            memset(center, 0, 3 * sizeof *center);
            for (int c = 0; c < corners; ++c)
                add_scaled3(center, 1.0 / corners, x + 3 * (size_t)vertices[c], center);
        }
        TRY(locality_order(list->context, list->centers, trees[0].count, trees[FRAME_WORLD].order));
        memcpy(trees[FRAME_OWN].order, trees[FRAME_WORLD].order,
               (size_t)trees[0].count * sizeof *trees[0].order);
    }
    return VELA_OK;
}

static VelaResult allocate(CandidateList *list)
{
    const ModelContact *contact = &list->model->contact;
    const SurfaceMap *map = &list->model->surface.map;
    int32_t most = 0;
    TRY(ARENA_ARRAY(&list->arena, list->rest, 3 * (size_t)map->vertex_count));
    TRY(ARENA_ARRAY(&list->arena, list->trees, contact->owner_count));
    TRY(ARENA_ARRAY(&list->arena, list->mean, contact->owner_count));
    TRY(ARENA_ARRAY(&list->arena, list->found, list->threads));
    for (int32_t o = 0; o < contact->owner_count; ++o)
        TRY(create_trees(list, o, &most));
    for (int t = 0; t < list->threads; ++t)
        list->found[t].arena = arena_make(list->context);
    TRY(ARENA_ARRAY(&list->arena, list->centers, 3 * (size_t)most));
    // The initial state takes the room of the rest shape while it is needed.
    surface_map_apply(map, list->model->initial_positions, list->rest);
    for (int32_t o = 0; o < contact->owner_count; ++o)
        TRY(sort_trees(list, o, list->rest));
    surface_map_apply(map, list->model->rest_positions, list->rest);
    return VELA_OK;
}

VelaResult candidate_list_create(VelaContext *context, const Model *model, int threads, CandidateList **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    CandidateList *list;
    TRY(ARENA_ARRAY(&arena, list, 1));
    *list = (CandidateList){.context = context,
                            .model = model,
                            .threads = threads,
                            .arena = arena,
                            .growing = arena_make(context)};
    const VelaResult result = allocate(list);
    if (result != VELA_OK) {
        candidate_list_destroy(list);
        return result;
    }
    *out = list;
    return VELA_OK;
}

void candidate_list_destroy(CandidateList *list)
{
    if (!list)
        return;
    for (int t = 0; list->found && t < list->threads; ++t)
        if (list->found[t].arena.context)
            arena_clear(&list->found[t].arena);
    arena_clear(&list->growing);
    Arena arena = list->arena;
    arena_clear(&arena);
}

size_t candidate_list_memory(const Model *model)
{
    const ModelContact *contact = &model->contact;
    const size_t vertices = (size_t)model->surface.map.vertex_count,
                 primitives = vertices + (size_t)contact->edge_count + (size_t)contact->triangle_count;
    return primitives * FRAME_COUNT * (2 * sizeof(Box) + sizeof(int32_t)) + 24 * vertices;
}

// ---------------------------------------------------------------- boxes

static Box swept_box(const int32_t *vertices, int count, const double *x, const double *p,
                     const double mean[3], double margin)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int c = 0; c < count; ++c)
        for (int k = 0; k < 3; ++k) {
            const size_t at = 3 * (size_t)vertices[c] + (size_t)k;
            const double start = x[at], end = p ? start + (p[at] - mean[k]) : start;
            const double least = start < end ? start : end, most = start < end ? end : start;
            low[k] = least < low[k] ? least : low[k];
            high[k] = most > high[k] ? most : high[k];
        }
    for (int k = 0; k < 3; ++k) {
        low[k] -= margin;
        high[k] += margin;
    }
    return box_around(low, high);
}

static void refit(CandidateList *list, int32_t o, const double *x, const double *p)
{
    static const double at_rest[3] = {0, 0, 0};
    const ModelContact *contact = &list->model->contact;
    const ContactOwner *owner = &contact->owners[o];
    const double margin = 0.5 * list->model->scene->contact.distance + owner->separation;
    const int frames = owner->body >= 0 && list->model->scene->contact.self ? FRAME_COUNT : 1;
    for (Primitive primitive = PRIMITIVE_VERTEX; primitive <= PRIMITIVE_TRIANGLE; ++primitive)
        for (int f = 0; f < frames; ++f) {
            BoundingTree *tree = &list->trees[o][primitive][f];
            const double *mean = f == FRAME_OWN ? list->mean[o] : at_rest;
#pragma omp for schedule(static)
            for (int32_t leaf = 0; leaf < tree->leaf_count; ++leaf) {
                for (int32_t i = TREE_LEAF_SIZE * leaf; i < TREE_LEAF_SIZE * (leaf + 1) && i < tree->count;
                     ++i) {
                    int32_t vertices[3];
                    const int corners =
                        primitive_vertices(contact, owner, primitive, tree->order[i], vertices);
                    tree->boxes[i] = swept_box(vertices, corners, x, p, mean, margin);
                }
                bounding_tree_refit_leaves(tree, leaf, leaf + 1);
            }
#pragma omp single nowait
            bounding_tree_finish(tree);
        }
}

static void set_mean(CandidateList *list, int32_t o, const double *p)
{
    const ModelContact *contact = &list->model->contact;
    const ContactOwner *owner = &contact->owners[o];
    double *mean = list->mean[o];
    memset(mean, 0, 3 * sizeof *mean);
    for (int32_t i = owner->first_vertex; p && i < owner->first_vertex + owner->vertex_count; ++i)
        add_scaled3(mean, 1.0 / owner->vertex_count, p + 3 * (size_t)i, mean);
}

// ---------------------------------------------------------------- one pair

/// What a visit knows.
typedef struct Visit {
    const CandidateList *list;
    const Task *task;
    const double *x, *p;
    const BoundingTree *trees[2];
    Found *found;
} Visit;

static void keep(Found *found, const Candidate *candidate)
{
    if (found->result != VELA_OK)
        return;
    found->result = ARENA_GROW(&found->arena, found->items, &found->capacity, found->count + 1);
    if (found->result == VELA_OK)
        found->items[found->count++] = *candidate;
}

// How much closer the two primitives can come: the largest relative motion of a vertex of one and a vertex of the other.
static double approach(const double p[12], PairKind kind)
{
    double largest = 0;
    for (int a = 0; a < (int)kind; ++a)
        for (int b = (int)kind; b < 4; ++b) {
            double relative[3];
            subtract3(p + 3 * a, p + 3 * b, relative);
            largest = fmax(largest, dot3(relative, relative));
        }
    return sqrt(largest);
}

// Sets range and mollifier by the rest shape; false where the pair touches at rest.
static bool set_barrier(const Visit *visit, Candidate *candidate, bool same_owner)
{
    double rest[12];
    if (!same_owner && candidate->kind != CANDIDATE_EDGE_EDGE)
        return true;
    gather_vertices(candidate->vertices, visit->list->rest, rest);
    if (candidate->kind == CANDIDATE_EDGE_EDGE) {
        double u[3], v[3];
        subtract3(rest + 3, rest, u);
        subtract3(rest + 9, rest + 6, v);
        candidate->barrier.parallel_threshold = mollifier_threshold(dot3(u, u), dot3(v, v));
    }
    if (!same_owner)
        return true;
    const double distance = sqrt(closest_points(rest, (PairKind)candidate->kind).distance_sq);
    candidate->barrier.range = fmin(candidate->barrier.range, 0.9 * distance);
    return distance > 0;
}

// Whether the primitives are at least `reach` apart along the line through their centres: cheap, and true for most pairs
// that only share a corner of their boxes.
static bool are_far(const double x[12], PairKind kind, double reach)
{
    double n[3], low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; ++k)
        n[k] = kind == PAIR_POINT_TRIANGLE ? 3 * x[k] - (x[3 + k] + x[6 + k] + x[9 + k])
                                           : (x[k] + x[3 + k]) - (x[6 + k] + x[9 + k]);
    for (int c = 0; c < 4; ++c) {
        const double along = dot3(n, x + 3 * c);
        if (c < (int)kind)
            low = along < low ? along : low;
        else
            high = along > high ? along : high;
    }
    const double apart = low - high;
    return apart > 0 && apart * apart > reach * reach * dot3(n, n);
}

// Keeps the pair of four vertices if it can come within its range.
static void consider(Visit *visit, Candidate *candidate)
{
    const uint8_t *vertex_is_free = visit->list->model->surface.map.is_free;
    const bool same_owner = candidate->owners[0] == candidate->owners[1];
    if (visit->found->result != VELA_OK)
        return; // no memory for what was found before
    bool is_free = false;
    for (int c = 0; c < 4; ++c)
        is_free |= vertex_is_free[candidate->vertices[c]] != 0;
    if (!is_free)
        return;
    double x[12], p[12], closer = 0;
    gather_vertices(candidate->vertices, visit->x, x);
    if (visit->p) {
        gather_vertices(candidate->vertices, visit->p, p);
        closer = approach(p, (PairKind)candidate->kind);
    }
    if (are_far(x, (PairKind)candidate->kind,
                candidate->barrier.range + candidate->barrier.separation + closer))
        return;
    const double gap =
        sqrt(closest_points(x, (PairKind)candidate->kind).distance_sq) - candidate->barrier.separation;
    if (gap - closer >= candidate->barrier.range || !set_barrier(visit, candidate, same_owner))
        return;
    // A half instead of the tenth that CCD keeps: far beyond rounding.
    candidate->gap = gap;
    candidate->approaches = closer > 0.5 * gap;
    if (candidate->approaches || gap - closer < candidate->barrier.range)
        keep(visit->found, candidate);
}

static void visit_point_triangle(void *data, int32_t place_a, int32_t place_b)
{
    Visit *visit = data;
    const ModelContact *contact = &visit->list->model->contact;
    const ContactOwner *a = &contact->owners[visit->task->owners[0]],
                       *b = &contact->owners[visit->task->owners[1]];
    const int32_t vertex = a->first_vertex + visit->trees[0]->order[place_a],
                  triangle = b->first_triangle + visit->trees[1]->order[place_b];
    const int32_t *corners = contact->triangles[triangle];
    if (vertex == corners[0] || vertex == corners[1] || vertex == corners[2])
        return;
    const SceneDef *scene = visit->list->model->scene;
    // A sphere is a point without area: the triangle's counts.
    const double triangle_area = contact->triangle_areas[triangle];
    const double area = a->separation > 0
                            ? triangle_area
                            : area_weight_point_triangle(contact->vertex_areas[vertex], triangle_area);
    Candidate candidate = {
        .vertices = {vertex, corners[0], corners[1], corners[2]},
        .owners = {visit->task->owners[0], visit->task->owners[1]},
        .kind = CANDIDATE_POINT_TRIANGLE,
        .barrier = {contact->stiffness * area, scene->contact.distance, a->separation + b->separation, 0}};
    consider(visit, &candidate);
}

static void visit_edges(void *data, int32_t place_a, int32_t place_b)
{
    Visit *visit = data;
    const ModelContact *contact = &visit->list->model->contact;
    const int32_t first =
        contact->owners[visit->task->owners[0]].first_edge + visit->trees[0]->order[place_a];
    const int32_t second =
        contact->owners[visit->task->owners[1]].first_edge + visit->trees[1]->order[place_b];
    const int32_t *u = contact->edges[first], *v = contact->edges[second];
    if (u[0] == v[0] || u[0] == v[1] || u[1] == v[0] || u[1] == v[1])
        return;
    const double area = area_weight_edges(contact->edge_areas[first], contact->edge_areas[second]);
    Candidate candidate = {
        .vertices = {u[0], u[1], v[0], v[1]},
        .owners = {visit->task->owners[0], visit->task->owners[1]},
        .kind = CANDIDATE_EDGE_EDGE,
        .barrier = {contact->stiffness * area, visit->list->model->scene->contact.distance, 0, 0}};
    consider(visit, &candidate);
}

// ---------------------------------------------------------------- tasks

static VelaResult add_tasks(CandidateList *list, int32_t a, int32_t b, Primitive pa, Primitive pb)
{
    const Frame frame = a == b ? FRAME_OWN : FRAME_WORLD;
    const BoundingTree *first = &list->trees[a][pa][frame], *second = &list->trees[b][pb][frame];
    if (first->count == 0 || second->count == 0 || !boxes_meet(&first->nodes[1], &second->nodes[1]))
        return VELA_OK;
    for (int32_t leaf = 0; leaf < first->leaf_count; leaf += LEAVES_PER_TASK) {
        const int32_t end = leaf + LEAVES_PER_TASK;
        TRY(ARENA_GROW(&list->growing, list->tasks, &list->task_capacity, list->task_count + 1));
        list->tasks[list->task_count++] =
            (Task){.owners = {a, b},
                   .primitives = {pa, pb},
                   .first_leaf = leaf,
                   .end_leaf = end < first->leaf_count ? end : first->leaf_count};
    }
    return VELA_OK;
}

static VelaResult make_tasks(CandidateList *list)
{
    const ModelContact *contact = &list->model->contact;
    list->task_count = 0;
    for (int32_t a = 0; a < contact->owner_count; ++a)
        for (int32_t b = a; b < contact->owner_count; ++b) {
            if (contact->owners[a].body < 0 && contact->owners[b].body < 0)
                continue;
            if (a == b && !list->model->scene->contact.self)
                continue;
            TRY(add_tasks(list, a, b, PRIMITIVE_VERTEX, PRIMITIVE_TRIANGLE));
            if (a != b)
                TRY(add_tasks(list, b, a, PRIMITIVE_VERTEX, PRIMITIVE_TRIANGLE));
            TRY(add_tasks(list, a, b, PRIMITIVE_EDGE, PRIMITIVE_EDGE));
        }
    return VELA_OK;
}

static void run_task(CandidateList *list, Task *task, const double *x, const double *p)
{
    const Frame frame = task->owners[0] == task->owners[1] ? FRAME_OWN : FRAME_WORLD;
    Visit visit = {.list = list, .task = task, .x = x, .p = p};
    for (int k = 0; k < 2; ++k)
        visit.trees[k] = &list->trees[task->owners[k]][task->primitives[k]][frame];
    task->thread = omp_get_thread_num();
    visit.found = &list->found[task->thread];
    task->first = visit.found->count;
    for (int32_t leaf = task->first_leaf; leaf < task->end_leaf; ++leaf)
        if (task->primitives[0] == PRIMITIVE_EDGE)
            bounding_tree_pairs(visit.trees[0], leaf, visit.trees[1], visit_edges, &visit);
        else
            bounding_tree_pairs(visit.trees[0], leaf, visit.trees[1], visit_point_triangle, &visit);
    task->count = visit.found->count - task->first;
}

// ---------------------------------------------------------------- planes

// A plane moves from its two vertices' places to x + p of them.
static void consider_plane(CandidateList *list, const ContactPlane *plane, const ContactOwner *owner,
                           int32_t owner_index, const double *x, const double *p, Found *found)
{
    const ModelContact *contact = &list->model->contact;
    const double range = list->model->scene->contact.distance;
    for (int32_t i = owner->first_vertex; i < owner->first_vertex + owner->vertex_count; ++i) {
        if (!list->model->surface.map.is_free[i])
            continue;
        const int32_t vertices[4] = {i, plane->point, plane->tip, i};
        double now[12], motion[12] = {0}, normal[3], offset[3];
        gather_vertices(vertices, x, now);
        subtract3(now + 6, now + 3, normal);
        normalize3(normal);
        subtract3(now, now + 3, offset);
        const double gap = dot3(offset, normal);
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
        if (gap - closer >= range)
            continue;
        const Candidate candidate = {.vertices = {i, plane->point, plane->tip, i},
                                     .owners = {owner_index, plane->owner},
                                     .kind = CANDIDATE_POINT_PLANE,
                                     .gap = gap,
                                     .approaches = closer > 0.5 * gap,
                                     .barrier = {contact->stiffness * contact->vertex_areas[i], range, 0, 0}};
        keep(found, &candidate);
    }
}

static void sweep_planes(CandidateList *list, const double *x, const double *p)
{
    const ModelContact *contact = &list->model->contact;
    for (int32_t q = 0; q < contact->plane_count; ++q)
        for (int32_t o = 0; o < contact->owner_count; ++o)
            if (contact->owners[o].body >= 0)
                consider_plane(list, &contact->planes[q], &contact->owners[o], o, x, p, &list->found[0]);
}

// ---------------------------------------------------------------- all

static VelaResult append(CandidateList *list, const Found *found, size_t first, size_t count)
{
    TRY(ARENA_GROW(&list->growing, list->items, &list->capacity, list->count + count));
    if (count > 0)
        memcpy(list->items + list->count, found->items + first, count * sizeof *list->items);
    list->count += count;
    return VELA_OK;
}

VelaResult candidate_list_sweep(CandidateList *list, const double *x, const double *p)
{
    for (int t = 0; t < list->threads; ++t)
        list->found[t].count = 0, list->found[t].result = VELA_OK;
#pragma omp parallel num_threads(list->threads)
    {
#pragma omp for schedule(static)
        for (int32_t o = 0; o < list->model->contact.owner_count; ++o)
            set_mean(list, o, p);
        for (int32_t o = 0; o < list->model->contact.owner_count; ++o)
            refit(list, o, x, p);
    }
    TRY(make_tasks(list));
    const int64_t tasks = (int64_t)list->task_count;
#pragma omp parallel for schedule(dynamic) num_threads(list->threads)
    for (int64_t t = 0; t < tasks; ++t)
        run_task(list, &list->tasks[t], x, p);
    const size_t first_plane = list->found[0].count;
    sweep_planes(list, x, p);
    list->count = 0;
    for (int t = 0; t < list->threads; ++t)
        TRY(list->found[t].result);
    for (int64_t t = 0; t < tasks; ++t)
        TRY(append(list, &list->found[list->tasks[t].thread], list->tasks[t].first, list->tasks[t].count));
    return append(list, &list->found[0], first_plane, list->found[0].count - first_plane);
}

const Candidate *candidate_list_items(const CandidateList *list, int32_t *count)
{
    *count = (int32_t)list->count;
    return list->items;
}
