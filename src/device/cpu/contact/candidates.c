#include "device/cpu/contact/candidates.h"

#include "device/cpu/contact/candidate_list.h"

#include <omp.h>

/// WASTED_MOST: after so many pools in a row that have served one sweep none is made. Single ones of them come where a step begins.
enum {
    LEAVES_PER_TASK = 16,
    PARTNERS_PER_TASK = 32,
    VERTICES_PER_TASK = 2048,
    PAIRS_PER_TASK = 1024,
    WASTED_MOST = 3
};

// ---------------------------------------------------------------- creation

static VelaResult allocate(CandidateList *list)
{
    const Model *model = list->model;
    const SurfaceMap *map = &model->surface.map;
    TRY(ARENA_ARRAY(&list->arena, list->rest, 3 * (size_t)map->vertex_count));
    TRY(ARENA_ARRAY(&list->arena, list->owner_tasks, model->contact.owner_count));
    TRY(ARENA_ARRAY(&list->arena, list->owner_moves, model->contact.owner_count));
    TRY(ARENA_ARRAY(&list->arena, list->marks, map->vertex_count));
    TRY(ARENA_ARRAY(&list->arena, list->found, list->threads));
    for (int t = 0; t < list->threads; ++t) {
        list->found[t].arena = arena_make(list->context);
        TRY(ARENA_ARRAY(&list->arena, list->found[t].room, 2));
        TRY(ARENA_ARRAY(&list->arena, list->found[t].joining, 1));
    }
    surface_map_apply(map, model->rest_positions, list->rest);
    for (Frame f = FRAME_WORLD; f < FRAME_COUNT; ++f) {
        TRY(reach_create(&list->arena, model, f, &list->pools[f].reach));
        list->pools[f].wasted = WASTED_MOST; // the first pool of a crowd in motion would be the largest
    }
    TRY(owner_pairs_create(&model->contact, &list->arena, &list->pairs));
    return owner_trees_create(list->context, model, &list->arena, &list->trees);
}

VelaResult candidate_list_create(VelaContext *context, const Model *model, const Kernels *kernels,
                                 int threads, CandidateList **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    CandidateList *list;
    TRY(ARENA_ARRAY(&arena, list, 1));
    *list = (CandidateList){.context = context,
                            .model = model,
                            .kernels = kernels,
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
    return owner_trees_memory(model) + owner_pairs_memory(&model->contact) +
           reach_memory(model, FRAME_WORLD) + reach_memory(model, FRAME_OWN) +
           25 * (size_t)model->surface.map.vertex_count +
           (sizeof(OwnerTasks) + sizeof(uint8_t)) * (size_t)model->contact.owner_count;
}

// ---------------------------------------------------------------- making tasks

static VelaResult add_task(Found *found, Task task)
{
    TRY(ARENA_GROW(&found->arena, found->tasks, &found->task_capacity, found->task_count + 1));
    found->tasks[found->task_count++] = task;
    return VELA_OK;
}

// Leaves of one owner, so many a task, that reach another.
static VelaResult add_leaves(CandidateList *list, TaskKind kind, int32_t a, int32_t b, Found *found)
{
    const Primitive primitive = kind == TASK_EDGE_EDGE ? PRIMITIVE_EDGE : PRIMITIVE_VERTEX;
    const Frame frame = a == b ? FRAME_OWN : FRAME_WORLD;
    Task task = {.kind = kind, .frame = frame, .owners = {a, b}};
    if (candidate_owner_is_small(list, a)) {
        task.end = SMALL_OWNER / TREE_LEAF_SIZE;
        return add_task(found, task);
    }
    const BoundingTree *tree = &list->trees.trees[list->trees.large[a]][frame][primitive];
    const SweptBox *box = &list->trees.boxes[b];
    int64_t steps = 0;
    for (int32_t leaf = a == b ? 0 : bounding_tree_next_leaf(tree, 0, box, &steps);
         leaf < tree->leaf_count;) {
        task.first = (size_t)leaf;
        for (int n = 0; n < LEAVES_PER_TASK && leaf < tree->leaf_count; ++n) {
            task.end = (size_t)leaf + 1;
            leaf = a == b ? leaf + 1 : bounding_tree_next_leaf(tree, leaf + 1, box, &steps);
        }
        TRY(add_task(found, task));
    }
    return VELA_OK;
}

static VelaResult add_pair(CandidateList *list, int32_t a, int32_t b, Found *found)
{
    const ContactOwner *owners = list->model->contact.owners;
    if (owners[b].triangle_count > 0)
        TRY(add_leaves(list, TASK_POINT_TRIANGLE, a, b, found));
    if (a != b && owners[a].triangle_count > 0)
        TRY(add_leaves(list, TASK_POINT_TRIANGLE, b, a, found));
    if (owners[a].edge_count > 0 && owners[b].edge_count > 0)
        TRY(add_leaves(list, TASK_EDGE_EDGE, a, b, found));
    if (owners[b].is_cable)
        TRY(add_leaves(list, TASK_POINT_EDGE, a, b, found));
    if (a != b && owners[a].is_cable)
        TRY(add_leaves(list, TASK_POINT_EDGE, b, a, found));
    return VELA_OK;
}

// Leaves those of an owner's partners out, from `first` on, that both are not in the frame's reach anew: their pairs are in the pool.
static void leave_known_out(const CandidateList *list, Frame frame, int32_t owner, size_t first, Found *found)
{
    const OwnerReach *owners = list->pools[frame].reach.owners;
    size_t kept = first;
    for (size_t i = first; i < found->partner_count; ++i)
        if (owners[owner].is_new || owners[found->partners[i]].is_new)
            found->partners[kept++] = found->partners[i];
    found->partner_count = kept;
}

// The tasks of an owner with itself, or with those behind it in their order; runs of small partners are one task.
static VelaResult make_tasks(CandidateList *list, Frame frame, int32_t owner, Found *found)
{
    const size_t first = found->partner_count;
    if (frame == FRAME_WORLD)
        TRY(owner_pairs_find(&list->pairs, list->trees.boxes, owner, &found->arena, &found->partners,
                             &found->partner_count, &found->partner_capacity, &found->steps));
    else if (list->model->contact.owners[owner].meets_itself) {
        TRY(ARENA_GROW(&found->arena, found->partners, &found->partner_capacity, first + 1));
        found->partners[found->partner_count++] = owner;
    }
    found->partners_met += (int64_t)(found->partner_count - first);
    leave_known_out(list, frame, owner, first, found);
    for (size_t i = first; i < found->partner_count;) {
        const size_t start = i;
        while (i < found->partner_count && i < start + PARTNERS_PER_TASK &&
               candidate_owner_is_small(list, owner) && candidate_owner_is_small(list, found->partners[i]))
            ++i;
        if (i > start)
            TRY(add_task(found, (Task){.kind = TASK_SMALL,
                                       .frame = frame,
                                       .owners = {owner, -1},
                                       .maker = (int32_t)(found - list->found),
                                       .first = start,
                                       .end = i}));
        else
            TRY(add_pair(list, owner, found->partners[i++], found));
    }
    return VELA_OK;
}

static void make_owner_tasks(CandidateList *list, Frame frame, int32_t owner)
{
    OwnerTasks *own = &list->owner_tasks[owner];
    own->thread = omp_get_thread_num();
    Found *found = &list->found[own->thread];
    own->first = found->task_count;
    if (found->result == VELA_OK)
        found->result = make_tasks(list, frame, owner, found);
    own->count = found->task_count - own->first;
}

// Adds the tasks of a frame's trees, in the order of the owners.
static VelaResult add_tree_tasks(CandidateList *list, Frame frame)
{
    const int32_t owners = list->model->contact.owner_count;
    size_t count = list->task_count;
    int64_t steps = 0, partners = 0;
    for (int t = 0; t < list->threads; ++t) {
        steps -= list->found[t].steps;
        partners -= list->found[t].partners_met;
    }
    TeamLoop loop;
    team_loop_set(&loop, owners, 1, list->threads);
#pragma omp parallel num_threads(list->threads) if (owners > 1)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);)
        make_owner_tasks(list, frame, walk.first);
    for (int t = 0; t < list->threads; ++t) {
        TRY(list->found[t].result);
        count += list->found[t].task_count;
        steps += list->found[t].steps;
        partners += list->found[t].partners_met;
    }
    if (frame == FRAME_WORLD)
        owner_pairs_note(&list->pairs, steps, partners);
    TRY(ARENA_GROW(&list->growing, list->tasks, &list->task_capacity, count));
    for (int32_t o = 0; o < owners; ++o) {
        const OwnerTasks *own = &list->owner_tasks[o];
        for (size_t i = 0; i < own->count; ++i)
            list->tasks[list->task_count++] = list->found[own->thread].tasks[own->first + i];
    }
    return VELA_OK;
}

static VelaResult add_ranges(CandidateList *list, Task task, size_t count, size_t each)
{
    TRY(ARENA_GROW(&list->growing, list->tasks, &list->task_capacity, list->task_count + count / each + 1));
    for (size_t i = 0; i < count; i += each) {
        task.first = i;
        task.end = i + each < count ? i + each : count;
        list->tasks[list->task_count++] = task;
    }
    return VELA_OK;
}

// The tasks that make candidates: of owners with themselves, then of others, then of the planes.
static VelaResult make_sweep_tasks(CandidateList *list)
{
    static const Frame frames[FRAME_COUNT] = {FRAME_OWN, FRAME_WORLD};
    const Model *model = list->model;
    const size_t vertices = (size_t)model->surface.first_vertices[model->body_count];
    for (int i = 0; i < FRAME_COUNT; ++i) {
        const PairPool *pool = &list->pools[frames[i]];
        if (pool->served > 0)
            TRY(add_ranges(list, (Task){.kind = TASK_POOL, .frame = frames[i]}, pool->count, PAIRS_PER_TASK));
        else if (pool->reach.x)
            TRY(add_tree_tasks(list, frames[i]));
    }
    for (int32_t q = 0; q < model->contact.plane_count; ++q)
        TRY(add_ranges(list, (Task){.kind = TASK_PLANE, .owners = {q, -1}}, vertices, VERTICES_PER_TASK));
    return VELA_OK;
}

// ---------------------------------------------------------------- all

static void reset_found(CandidateList *list)
{
    list->task_count = 0;
    for (int t = 0; t < list->threads; ++t) {
        Found *found = &list->found[t];
        found->count = found->partner_count = found->task_count = 0;
        found->steps = found->partners_met = 0;
        found->result = VELA_OK;
    }
}

// Runs all tasks. From then on `first` of each is the place of what it found, of *count in all.
static VelaResult run_tasks(CandidateList *list, const double *x, const double *p, size_t *count)
{
    const int32_t tasks = (int32_t)list->task_count;
    TeamLoop loop;
    team_loop_set(&loop, tasks, 1, list->threads);
#pragma omp parallel num_threads(list->threads) if (tasks > 1)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);)
        if (context_goes_on(list->context))
            candidate_task_run(list, &list->tasks[walk.first], x, p);
    TRY(context_breathe(list->context));
    for (int t = 0; t < list->threads; ++t)
        TRY(list->found[t].result);
    *count = 0;
    for (int32_t t = 0; t < tasks; ++t) {
        list->tasks[t].first = *count;
        *count += list->tasks[t].count;
    }
    FAIL_IF(list->context, *count > INT32_MAX / 16, VELA_ERROR_OUT_OF_MEMORY,
            "out of memory: %zu pairs may come into contact, expected at most %d", *count, INT32_MAX / 16);
    return VELA_OK;
}

// Boxes of a frame, of what its pool's reach allows or of one motion; see owner_trees_refit.
static VelaResult refit(CandidateList *list, Frame frame, const double *x, const double *p)
{
    owner_trees_refit(&list->trees, &list->pools[frame].reach, x, p, list->threads);
    return frame == FRAME_WORLD ? owner_pairs_refit(list->context, list->trees.boxes, &list->pairs) : VELA_OK;
}

// Puts into a frame's pool the pairs of owners of which one is in its reach anew.
static VelaResult put_pairs(CandidateList *list, Frame frame)
{
    PairPool *pool = &list->pools[frame];
    size_t count;
    reset_found(list);
    TRY(refit(list, frame, NULL, NULL));
    TRY(add_tree_tasks(list, frame));
    TRY(run_tasks(list, NULL, NULL, &count));
    TRY(ARENA_GROW(&list->growing, list->found_pairs, &list->found_pairs_capacity, list->task_count));
    for (size_t t = 0; t < list->task_count; ++t) {
        const Task *task = &list->tasks[t];
        list->found_pairs[t] = (FoundPairs){.pairs = found_pairs(&list->found[task->runner]) + task->found,
                                            .count = task->count};
    }
    return pair_pool_put(pool, &list->growing, list->found_pairs, list->task_count, list->threads);
}

// A pool that holds the motion, or boxes around it alone. Keeping pairs pays where they are used again: where they were not, a pool is
// made once one made in the last sweep would have served this one.
static VelaResult prepare(CandidateList *list, Frame frame, const double *x, const double *p)
{
    PairPool *pool = &list->pools[frame];
    if (!pool->reach.x)
        return VELA_OK;
    const bool holds = reach_measure(&pool->reach, x, p, list->threads);
    const bool renews = !holds && reach_renew(&pool->reach, x, p, list->threads);
    if (pool->served > 0 && (holds || renews) && !pair_pool_is_worn(pool)) {
        const VelaResult result = renews ? put_pairs(list, frame) : VELA_OK;
        pool->served = result == VELA_OK ? 2 : 0;
        list->renewals += renews;
        return result;
    }
    if (pool->served > 0)
        pool->wasted = pool->served > 1 ? 0 : pool->wasted < WASTED_MOST ? pool->wasted + 1 : WASTED_MOST;
    pool->served = 0; // until the pairs are there
    reach_set(&pool->reach, x, p, list->threads);
    if (!holds && !renews && pool->wasted >= WASTED_MOST)
        return refit(list, frame, x, p);
    TRY(put_pairs(list, frame));
    pool->served = 1;
    ++list->fills;
    return VELA_OK;
}

// Tells pools how many pairs were looked at in vain.
static void note_vain(CandidateList *list)
{
    size_t asked[FRAME_COUNT] = {0}, vain[FRAME_COUNT] = {0};
    for (size_t t = 0; t < list->task_count; ++t) {
        const Task *task = &list->tasks[t];
        if (task->kind != TASK_POOL)
            continue;
        asked[task->frame] += task->asked;
        vain[task->frame] += task->vain;
    }
    for (Frame f = FRAME_WORLD; f < FRAME_COUNT; ++f)
        if (asked[f] > 0)
            pair_pool_note_vain(&list->pools[f], asked[f], vain[f]);
}

static VelaResult set_aside(CandidateList *list)
{
    TRY(ARENA_GROW_FILLED(&list->growing, list->aside, &list->aside_capacity, list->count));
    size_t spans = 0;
    list->count = list->aside_count = 0;
    for (size_t s = 0; s < list->span_count; ++s) {
        const CandidateSpan *span = &list->spans[s];
        CandidateSpan kept = {.candidates = span->candidates, .first = list->count};
        for (size_t i = 0; i < span->count; ++i)
            if (any_moves(list->moving, span->candidates[i].vertices))
                kept.candidates[kept.count++] = span->candidates[i];
            else
                list->aside[list->aside_count++] = span->candidates[i];
        list->count += kept.count;
        if (kept.count > 0)
            list->spans[spans++] = kept;
    }
    list->span_count = spans;
    return VELA_OK;
}

// Makes the list one span, behind which there is room for so many more.
static VelaResult gather(CandidateList *list, size_t more)
{
    const bool is_gathered = list->span_count == 1 && list->spans[0].candidates == list->gathered;
    TRY(ARENA_GROW_FILLED(&list->growing, list->gathered, &list->gathered_capacity, list->count + more));
    TRY(ARENA_GROW(&list->growing, list->spans, &list->span_capacity, 1));
    for (size_t s = 0; s < list->span_count && !is_gathered; ++s) {
        const CandidateSpan *span = &list->spans[s];
        memcpy(list->gathered + span->first, span->candidates, span->count * sizeof *list->gathered);
    }
    list->spans[0] = (CandidateSpan){.candidates = list->gathered, .count = list->count};
    list->span_count = list->count > 0;
    return VELA_OK;
}

static VelaResult bring_back(CandidateList *list)
{
    TRY(gather(list, list->aside_count));
    if (list->aside_count == 0)
        return VELA_OK;
    memcpy(list->gathered + list->count, list->aside, list->aside_count * sizeof *list->aside);
    list->spans[0].count = list->count += list->aside_count;
    list->span_count = 1;
    list->aside_count = 0;
    return VELA_OK;
}

VelaResult candidate_list_fit(CandidateList *list, bool *changes)
{
    const bool limits = list->moving != NULL, fits = list->is_limited == limits;
    if (changes)
        *changes = !fits;
    if (!fits)
        TRY(limits ? set_aside(list) : bring_back(list));
    list->is_limited = limits;
    return VELA_OK;
}

// The list is what the tasks have found, where it is.
static VelaResult set_spans(CandidateList *list)
{
    TRY(ARENA_GROW(&list->growing, list->spans, &list->span_capacity, list->task_count));
    CandidateSpan *last = NULL;
    for (size_t t = 0; t < list->task_count; ++t) {
        const Task *task = &list->tasks[t];
        if (task->count == 0)
            continue;
        Candidate *found = found_candidates(&list->found[task->runner]) + task->found;
        if (!last || last->candidates + last->count != found) {
            last = &list->spans[list->span_count++];
            *last = (CandidateSpan){.candidates = found, .first = task->first};
        }
        last->count += task->count;
        list->count += task->count;
    }
    return VELA_OK;
}

VelaResult candidate_list_sweep(CandidateList *list, const double *x, const double *p)
{
    if (list->moving)
        TRY(candidate_list_fit(list, NULL));
    else
        list->aside_count = 0;
    list->count = list->span_count = 0; // the threads' room is needed for others
    for (Frame f = FRAME_WORLD; f < FRAME_COUNT; ++f)
        TRY(prepare(list, f, x, p));
    list->is_limited = list->moving != NULL;
    reset_found(list);
    size_t count;
    TRY(make_sweep_tasks(list));
    TRY(run_tasks(list, x, p, &count));
    note_vain(list);
    return set_spans(list);
}

void candidate_list_limit(CandidateList *list, const uint8_t *moving)
{
    const ModelContact *contact = &list->model->contact;
    list->moving = moving ? list->marks : NULL;
    if (moving)
        memcpy(list->marks, moving, (size_t)list->model->surface.map.vertex_count);
    for (int32_t o = 0; o < contact->owner_count && moving; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        list->owner_moves[o] = 0;
        for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v)
            list->owner_moves[o] |= moving[v];
        if (list->joins && candidate_owner_is_small(list, o))
            memset(list->marks + owner->first_vertex, list->owner_moves[o], (size_t)owner->vertex_count);
    }
}

void candidate_list_join(CandidateList *list)
{
    list->joins = true;
}

bool candidate_list_owners_are_small(const CandidateList *list, const Candidate *candidate)
{
    return candidate_owner_is_small(list, candidate->owners[0]) &&
           candidate_owner_is_small(list, candidate->owners[1]);
}

void candidate_list_forget(CandidateList *list)
{
    for (Frame f = FRAME_WORLD; f < FRAME_COUNT; ++f)
        list->pools[f].reach.is_set = false;
}

int32_t candidate_list_fills(const CandidateList *list)
{
    return list->fills;
}

int32_t candidate_list_renewals(const CandidateList *list)
{
    return list->renewals;
}

CandidateSpans candidate_list_spans(const CandidateList *list)
{
    return (CandidateSpans){list->spans, list->span_count, (int32_t)list->count};
}

VelaResult candidate_list_gather(CandidateList *list)
{
    return gather(list, 0);
}

const Candidate *candidate_list_aside(const CandidateList *list, int32_t *count)
{
    *count = (int32_t)list->aside_count;
    return list->aside;
}
