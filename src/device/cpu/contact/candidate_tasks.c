// The tasks of a sweep: pairs of a pool, or that the trees over two owners let through, and what makes candidates of them.
#include "device/cpu/contact/candidate_list.h"
#include "device/cpu/contact/plane_candidate.h"
#include "physics/contact/area_weight.h"

#include <omp.h>
#include <string.h>

// ---------------------------------------------------------------- one pair

/// What a visit knows.
typedef struct Visit {
    const CandidateList *list;
    int32_t owners[2];
    const double *x, *p; ///< x NULL: pairs are collected for the pool
    const PairPool *pool;
    const BoundingTree *trees[2];
    Found *found;
} Visit;

// Room for `count` more candidates, or pairs of a pool, of so many bytes; more will come.
static VelaResult reserve(Found *found, size_t count, size_t size)
{
    const size_t needed = (found->count + count) * size;
    return needed <= found->bytes
               ? VELA_OK
               : arena_grow_filled(&found->arena, &found->results, &found->bytes, needed + needed / 4, 1);
}

static void keep(Found *found, const Candidate *candidate)
{
    if (found->result == VELA_OK)
        found->result = reserve(found, 1, sizeof *candidate);
    if (found->result == VELA_OK)
        found_candidates(found)[found->count++] = *candidate;
}

static PoolView view_of(const Visit *visit)
{
    return (PoolView){&visit->pool->reach, visit->list->kernels, visit->list->rest, visit->x, visit->p};
}

// Keeps, of the pairs that wait, the candidates of the motion, or where there is none what the pool has to know.
static void settle_waiting(Visit *visit)
{
    Found *found = visit->found;
    const PoolView view = view_of(visit);
    const int count = found->waiting_count;
    found->waiting_count = 0;
    if (found->result == VELA_OK)
        found->result = reserve(found, (size_t)count, visit->x ? sizeof(Candidate) : sizeof *found->waiting);
    if (found->result != VELA_OK)
        return;
    found->count += (size_t)(visit->x ? pool_pairs_consider(&view, found->waiting, count,
                                                            found_candidates(found) + found->count)
                                      : pool_pairs_begin(&view, found->waiting, count,
                                                         found_pairs(found) + found->count));
}

// The one that has been written behind those that wait is one of them now.
static void let_wait(Visit *visit)
{
    if (++visit->found->waiting_count == POOL_PAIRS_MOST)
        settle_waiting(visit);
}

// What the trees have found. `area`: of the contact, m^2.
static void add_pair_found(Visit *visit, CandidateKind kind, const int32_t vertices[4], double area)
{
    const PoolView view = view_of(visit);
    PoolPair *pair = &visit->found->waiting[visit->found->waiting_count];
    if (!pool_pair_is_free(&view, vertices) || (visit->x && !any_moves(visit->list->moving, vertices)))
        return;
    for (int c = 0; c < 4; ++c)
        pair->vertices[c] = vertices[c];
    for (int side = 0; side < 2; ++side)
        pair->owners[side] = visit->owners[side];
    pair->area = area;
    pair->kind = (uint8_t)kind;
    let_wait(visit);
}

// Pairs of two small owners, of which candidates are joined, belong all to the task in which the first of them is.
static void visit_pool(Visit *visit, Task *task)
{
    const PoolView view = view_of(visit);
    const uint8_t *moving = visit->list->moving;
    task->asked = task->looked = 0;
    for (size_t r = pair_pool_run_at(visit->pool, task->first);
         r < visit->pool->run_count && visit->pool->runs[r].place < task->end; ++r) {
        const PairRun *run = &visit->pool->runs[r];
        const PoolPair *pairs = visit->pool->pairs + run->first;
        const bool is_whole = candidate_owner_is_small(visit->list, run->owners[0]) &&
                              candidate_owner_is_small(visit->list, run->owners[1]);
        const size_t before = task->first > run->place ? task->first - run->place : 0,
                     first = is_whole && before > 0 ? run->count : before,
                     end = is_whole || run->count < task->end - run->place ? run->count
                                                                           : task->end - run->place;
        if (moving && !(visit->list->owner_moves[run->owners[0]] | visit->list->owner_moves[run->owners[1]]))
            continue;
        for (size_t i = first; i < end; ++i) {
            if (!any_moves(moving, pairs[i].vertices))
                continue;
            ++task->asked;
            if (!pool_pair_is_near(&view, &pairs[i]))
                continue;
            ++task->looked;
            visit->found->waiting[visit->found->waiting_count] = pairs[i];
            let_wait(visit);
        }
    }
}

// ---------------------------------------------------------------- pairs of the trees

static void visit_point_triangle(void *data, int32_t place_a, int32_t place_b)
{
    Visit *visit = data;
    const ModelContact *contact = &visit->list->model->contact;
    const ContactOwner *a = &contact->owners[visit->owners[0]], *b = &contact->owners[visit->owners[1]];
    const int32_t vertex = a->first_vertex + visit->trees[0]->order[place_a],
                  triangle = b->first_triangle + visit->trees[1]->order[place_b];
    int32_t vertices[4] = {vertex};
    owner_trees_corners(visit->trees[1], place_b, vertices + 1);
    if (exclusions_are_joined(&contact->exclusions, SURFACE_VERTEX, vertex, SURFACE_TRIANGLE, triangle))
        return;
    const double triangle_area = contact->triangle_areas[triangle];
    const double area = contact_owner_is_point(a)
                            ? triangle_area
                            : area_weight_point_triangle(contact->vertex_areas[vertex], triangle_area);
    add_pair_found(visit, CANDIDATE_POINT_TRIANGLE, vertices, area);
}

static void visit_point_edge(void *data, int32_t place_a, int32_t place_b)
{
    Visit *visit = data;
    const ModelContact *contact = &visit->list->model->contact;
    const ContactOwner *a = &contact->owners[visit->owners[0]], *b = &contact->owners[visit->owners[1]];
    const int32_t vertex = a->first_vertex + visit->trees[0]->order[place_a],
                  edge = b->first_edge + visit->trees[1]->order[place_b];
    int32_t vertices[4] = {vertex};
    owner_trees_corners(visit->trees[1], place_b, vertices + 1);
    if (exclusions_are_joined(&contact->exclusions, SURFACE_VERTEX, vertex, SURFACE_EDGE, edge))
        return;
    const double edge_area = contact->edge_areas[edge];
    const double area = contact_owner_is_point(a)
                            ? edge_area
                            : area_weight_point_edge(contact->vertex_areas[vertex], edge_area);
    add_pair_found(visit, CANDIDATE_POINT_EDGE, vertices, area);
}

static void visit_edges(void *data, int32_t place_a, int32_t place_b)
{
    Visit *visit = data;
    const ModelContact *contact = &visit->list->model->contact;
    const int32_t first = contact->owners[visit->owners[0]].first_edge + visit->trees[0]->order[place_a];
    const int32_t second = contact->owners[visit->owners[1]].first_edge + visit->trees[1]->order[place_b];
    int32_t u[3], v[3];
    owner_trees_corners(visit->trees[0], place_a, u);
    owner_trees_corners(visit->trees[1], place_b, v);
    const int32_t vertices[4] = {u[0], u[1], v[0], v[1]};
    if (!exclusions_are_joined(&contact->exclusions, SURFACE_EDGE, first, SURFACE_EDGE, second))
        add_pair_found(visit, CANDIDATE_EDGE_EDGE, vertices,
                       area_weight_edges(contact->edge_areas[first], contact->edge_areas[second]));
}

// ---------------------------------------------------------------- planes

static void consider_plane(Visit *visit, const ContactPlane *plane, const ContactOwner *owner, int32_t vertex)
{
    const int32_t vertices[4] = {vertex, plane->point, plane->tip, vertex};
    Candidate candidate;
    if (any_moves(visit->list->moving, vertices) &&
        plane_candidate(visit->list->model, plane, owner, vertex, visit->x, visit->p, &candidate))
        keep(visit->found, &candidate);
}

static void visit_plane(Visit *visit, const Task *task)
{
    const ModelContact *contact = &visit->list->model->contact;
    const ContactPlane *plane = &contact->planes[task->owners[0]];
    const bool has_boxes = visit->list->pools[FRAME_WORLD].reach.x; // a single owner has none
    const int32_t end = (int32_t)task->end;
    int32_t v = (int32_t)task->first;
    for (int32_t o = owner_of_vertex(contact, v); v < end; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        const int32_t last = owner->first_vertex + owner->vertex_count;
        const SweptBox *box = has_boxes ? &visit->list->trees.boxes[o] : NULL;
        if (!model_contact_may_meet(contact, o, plane->owner) ||
            (box && plane_is_beyond(visit->list->model, plane, owner, box, visit->x, visit->p)))
            v = last;
        for (; v < last && v < end; ++v)
            if (visit->list->model->surface.map.is_free[v])
                consider_plane(visit, plane, owner, v);
    }
}

// ---------------------------------------------------------------- running tasks

typedef void (*VisitPair)(void *visit, int32_t place_a, int32_t place_b);

// Leaves of a primitive of one owner against one of another, given both owners' trees.
static inline __attribute__((always_inline)) void
run_leaves(Visit *visit, int32_t a, int32_t b, const BoundingTree trees_a[PRIMITIVES], Primitive primitive_a,
           const BoundingTree trees_b[PRIMITIVES], Primitive primitive_b, VisitPair visit_pair, int32_t leaf,
           int32_t end)
{
    const BoundingTree *first = &trees_a[primitive_a], *second = &trees_b[primitive_b];
    visit->owners[0] = a, visit->owners[1] = b;
    visit->trees[0] = first, visit->trees[1] = second;
    int64_t steps = 0;
    end = end < first->leaf_count ? end : first->leaf_count;
    if (first->count == 0 || second->count == 0)
        return;
    const SweptBox root = bounding_tree_root(second);
    if (a != b)
        leaf = bounding_tree_next_leaf(first, leaf, &root, &steps);
    while (leaf < end) {
        bounding_tree_pairs(first, (int)primitive_a + 1, leaf, second, (int)primitive_b + 1, a == b,
                            visit_pair, visit);
        leaf = a == b ? leaf + 1 : bounding_tree_next_leaf(first, leaf + 1, &root, &steps);
    }
}

static void run_kind(Visit *visit, TaskKind kind, int32_t a, int32_t b, const BoundingTree *trees_a,
                     const BoundingTree *trees_b, int32_t leaf, int32_t end)
{
    if (kind == TASK_POINT_TRIANGLE)
        run_leaves(visit, a, b, trees_a, PRIMITIVE_VERTEX, trees_b, PRIMITIVE_TRIANGLE, visit_point_triangle,
                   leaf, end);
    else if (kind == TASK_EDGE_EDGE)
        run_leaves(visit, a, b, trees_a, PRIMITIVE_EDGE, trees_b, PRIMITIVE_EDGE, visit_edges, leaf, end);
    else
        run_leaves(visit, a, b, trees_a, PRIMITIVE_VERTEX, trees_b, PRIMITIVE_EDGE, visit_point_edge, leaf,
                   end);
}

// A small owner against small ones: as add_pair, all leaves at once.
static void run_small(Visit *visit, const Task *task)
{
    const CandidateList *list = visit->list;
    const ContactOwner *owners = list->model->contact.owners;
    const int32_t a = task->owners[0], end = SMALL_OWNER / TREE_LEAF_SIZE;
    SmallTrees *room = visit->found->room;
    const BoundingTree *of_a = NULL;
    for (size_t i = task->first; i < task->end; ++i) {
        const int32_t b = list->found[task->maker].partners[i];
        if (a == b) {
            const BoundingTree *own = owner_trees_get(&list->trees, a, FRAME_OWN, &room[1]);
            run_kind(visit, TASK_POINT_TRIANGLE, a, a, own, own, 0, end);
            run_kind(visit, TASK_EDGE_EDGE, a, a, own, own, 0, end);
            if (owners[a].is_cable)
                run_kind(visit, TASK_POINT_EDGE, a, a, own, own, 0, end);
            continue;
        }
        if (!of_a)
            of_a = owner_trees_get(&list->trees, a, FRAME_WORLD, &room[0]);
        const BoundingTree *of_b = owner_trees_get(&list->trees, b, FRAME_WORLD, &room[1]);
        run_kind(visit, TASK_POINT_TRIANGLE, a, b, of_a, of_b, 0, end);
        run_kind(visit, TASK_POINT_TRIANGLE, b, a, of_b, of_a, 0, end);
        run_kind(visit, TASK_EDGE_EDGE, a, b, of_a, of_b, 0, end);
        if (owners[b].is_cable)
            run_kind(visit, TASK_POINT_EDGE, a, b, of_a, of_b, 0, end);
        if (owners[a].is_cable)
            run_kind(visit, TASK_POINT_EDGE, b, a, of_b, of_a, 0, end);
    }
}

// Joins what was found from `first` on of small owners, two and two.
static void join_found(const CandidateList *list, size_t first, Found *found)
{
    Candidate *const candidates = found_candidates(found);
    size_t kept = first;
    for (size_t i = first, end; i < found->count; i = end) {
        for (end = i + 1;
             end < found->count && candidates_have_same_owners(&candidates[i], &candidates[end]);)
            ++end;
        memmove(&candidates[kept], &candidates[i], (end - i) * sizeof *candidates);
        kept += candidate_owner_is_small(list, candidates[kept].owners[0]) &&
                        candidate_owner_is_small(list, candidates[kept].owners[1])
                    ? (size_t)candidates_join(&candidates[kept], (int32_t)(end - i), found->joining)
                    : end - i;
    }
    found->count = kept;
}

void candidate_task_run(CandidateList *list, Task *task, const double *x, const double *p)
{
    task->runner = omp_get_thread_num();
    Found *found = &list->found[task->runner];
    Visit visit = {.list = list, .x = x, .p = p, .pool = &list->pools[task->frame], .found = found};
    task->found = found->count;
    if (task->kind == TASK_POOL)
        visit_pool(&visit, task);
    else if (task->kind == TASK_SMALL)
        run_small(&visit, task);
    else if (task->kind == TASK_PLANE)
        visit_plane(&visit, task);
    else {
        const BoundingTree *trees[2];
        for (int k = 0; k < 2; ++k)
            trees[k] = owner_trees_get(&list->trees, task->owners[k], task->frame, &found->room[k]);
        run_kind(&visit, task->kind, task->owners[0], task->owners[1], trees[0], trees[1],
                 (int32_t)task->first, (int32_t)task->end);
    }
    settle_waiting(&visit);
    if (x && task->kind == TASK_POOL)
        task->vain = task->looked - (found->count - task->found);
    if (x && list->joins && task->kind != TASK_PLANE)
        join_found(list, task->found, found);
    task->count = found->count - task->found;
}
