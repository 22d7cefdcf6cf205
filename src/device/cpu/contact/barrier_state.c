#include "device/cpu/contact/barrier_state.h"

#include <string.h>

enum { VERTICES_PER_CHUNK = 4096 };

VelaResult barrier_create(VelaContext *context, const Model *model, const Kernels *kernels, int threads,
                          BarrierContact **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    BarrierContact *contact;
    TRY(ARENA_ARRAY(&arena, contact, 1));
    *contact = (BarrierContact){.model = model,
                                .kernels = kernels,
                                .threads = threads,
                                .growing = arena_make(context),
                                .most_nodes = 4 * model->surface.map.most,
                                .part = -1};
    VelaResult result;
    double **const vertices[] = {&contact->x, &contact->d, &contact->from, &contact->still, &contact->found};
    for (int i = 0; i < 5; ++i)
        TRY_GOTO(result, ARENA_ARRAY(&arena, *vertices[i], 3 * (size_t)model->surface.map.vertex_count),
                 failed);
    int32_t **const lists[] = {&contact->node_start, &contact->entry_start, &contact->row_start,
                               &contact->row_end};
    for (int i = 0; i < 4; ++i)
        TRY_GOTO(result, ARENA_ARRAY(&arena, *lists[i], model->node_count + 1), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->slots, (size_t)threads * (size_t)model->node_count),
             failed);
    memset(contact->slots, -1, (size_t)threads * (size_t)model->node_count * sizeof *contact->slots);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->turns, 9 * (size_t)model->contact.owner_count), failed);
    TRY_GOTO(result,
             shared_features_create(&arena, model->surface.map.vertex_count, threads, &contact->shared),
             failed);
    TRY_GOTO(result, candidate_list_create(context, model, kernels, threads, &contact->list), failed);
    candidate_list_join(contact->list);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->active_parts, PARTS_PER_THREAD * threads), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->tables, threads), failed);
    contact->arena = arena;
    *out = contact;
    return VELA_OK;
failed:
    arena_clear(&arena);
    return result;
}

void barrier_destroy(BarrierContact *contact)
{
    if (!contact)
        return;
    candidate_list_destroy(contact->list);
    arena_clear(&contact->growing);
    Arena arena = contact->arena;
    arena_clear(&arena);
}

size_t barrier_memory(const Model *model)
{
    return candidate_list_memory(model) + 124 * (size_t)model->surface.map.vertex_count +
           20 * (size_t)model->node_count + 9 * sizeof(double) * (size_t)model->contact.owner_count;
}

const double *barrier_vertices(const BarrierContact *contact, const double *nodes, double *room)
{
    const SurfaceMap *map = &contact->model->surface.map;
    const int32_t chunks = (map->vertex_count + VERTICES_PER_CHUNK - 1) / VERTICES_PER_CHUNK;
    if (map->vertex_count < TEAM_LIGHT_LEAST) {
        surface_map_apply_range(map, 0, map->vertex_count, nodes, room);
        return room;
    }
#pragma omp parallel for schedule(static) num_threads(contact->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        const int32_t end = (c + 1) * VERTICES_PER_CHUNK;
        surface_map_apply_range(map, c * VERTICES_PER_CHUNK,
                                end < map->vertex_count ? end : map->vertex_count, nodes, room);
    }
    return room;
}

void barrier_pull_back(const BarrierContact *contact, int32_t count, double *gradient)
{
    for (int32_t k = 0; k < count; ++k) {
        const PairGradient *pair = &contact->gradients[k];
        for (int c = 0; c < 4 && pair->vertices[0] >= 0; ++c)
            surface_map_pull_back(&contact->model->surface.map, pair->vertices[c], pair->values + 3 * c,
                                  gradient);
    }
}

void barrier_limit(BarrierContact *contact, const uint8_t *moving)
{
    contact->moving = moving;
    contact->is_found = false;
    candidate_list_limit(contact->list, moving);
}

// The list has changed.
static VelaResult take_list(BarrierContact *contact)
{
    contact->candidates = candidate_list_spans(contact->list);
    contact->is_found = false;
    return ARENA_GROW(&contact->growing, contact->chunks, &contact->chunk_capacity,
                      (size_t)barrier_chunk_count(contact->candidates.count));
}

// Candidates of the motion d of the vertices from x; d NULL: at x alone.
VelaResult barrier_sweep_vertices(BarrierContact *contact, const double *x, const double *d)
{
    if (contact->moving)
        TRY(barrier_fit_list(contact));
    contact->is_still = contact->is_found = false; // a sweep that fails leaves no list
    contact->part = -1;
    TRY(candidate_list_sweep(contact->list, x, d));
    contact->is_still = !d && !contact->moving;
    if (contact->is_still)
        memcpy(contact->still, x, 3 * (size_t)contact->model->surface.map.vertex_count * sizeof *x);
    return take_list(contact);
}

void barrier_move_on(BarrierContact *contact, double part)
{
    contact->part = part;
}

VelaResult barrier_fit_list(BarrierContact *contact)
{
    bool changes;
    TRY(candidate_list_fit(contact->list, &changes));
    if (!changes)
        return VELA_OK;
    contact->is_still = false;
    if (!contact->moving) // what was aside is of another motion
        contact->part = -1;
    return take_list(contact);
}

// Candidates at the vertex positions x alone, unless they are there already.
VelaResult barrier_stand(BarrierContact *contact, const double *x)
{
    const size_t bytes = 3 * (size_t)contact->model->surface.map.vertex_count * sizeof *x;
    if (contact->is_still && memcmp(contact->still, x, bytes) == 0)
        return VELA_OK;
    return barrier_sweep_vertices(contact, x, NULL);
}

// Those of the next `count` candidates, which share features with each other alone if they are of two small owners.
static void find_in_some(BarrierContact *contact, const double *x, int32_t count, bool of_small,
                         CandidateWalk *walk, ActivePart *part)
{
    const int32_t before = part->first + part->count;
    Feature *features = contact->shared.features + before;
    FeatureTable *table = &contact->tables[omp_get_thread_num()];
    int32_t next = before;
    double at[12];
    if (of_small)
        feature_table_clear(table, count);
    for (int32_t i = 0; i < count; ++i) {
        const Candidate *candidate = candidate_walk_next(walk);
        Feature *feature = &contact->shared.features[next];
        bool is_parallel;
        if (!any_moves(contact->moving, candidate->vertices) ||
            (contact->part >= 0 && candidate_is_beyond(candidate, contact->part)))
            continue;
        gather_vertices(candidate->vertices, x, at);
        if (!candidate_is_within(candidate, at, &contact->closest[next], &is_parallel, feature))
            continue;
        part->pair_count += candidate->pairs;
        if (of_small && feature->vertices[0] >= 0) {
            const int32_t same = feature_table_find(table, features, feature, next - before);
            if (same < next - before) {
                contact->active[before + same].stiffness += candidate->barrier.stiffness;
                continue;
            }
        }
        contact->active[next] =
            (ActiveCandidate){candidate, next, 0, is_parallel, candidate->barrier.stiffness};
        ++next;
    }
    for (int32_t k = before; k < next && of_small; ++k)
        contact->shared.features[k].vertices[0] = -1; // with no others
    part->count = next - part->first;
}

// The number behind the candidates that are of the same two small owners as number i, at which the walk is.
static int32_t end_of_owners(const BarrierContact *contact, CandidateWalk walk, int32_t i)
{
    const Candidate *candidate = candidate_walk_next(&walk);
    const bool of_small = candidate_list_owners_are_small(contact->list, candidate);
    do
        ++i;
    while (of_small && i < contact->candidates.count &&
           candidates_have_same_owners(candidate, candidate_walk_next(&walk)));
    return i;
}

// Where a part begins: no two have candidates of the same two small owners.
static int32_t begin_of_part(const BarrierContact *contact, int part, int parts)
{
    const int32_t count = contact->candidates.count, i = barrier_part_first(count, part, parts);
    return i == 0 || i == count
               ? i
               : end_of_owners(contact, candidate_walk_from(&contact->candidates, i - 1), i - 1);
}

// Where what is active of a part lies, which begins with candidate number `first`: near where that of the same part of other lists does, however
// many candidates these have, so that the pages are the same.
static int32_t room_of_part(const BarrierContact *contact, int32_t first, int part, int parts)
{
    const size_t spare =
        contact->shared.feature_capacity - (size_t)contact->candidates.count; // the last to grow
    return first + (int32_t)(spare * (size_t)part / (size_t)parts);
}

static void find_in_part(BarrierContact *contact, const double *x, int32_t first, int32_t end,
                         ActivePart *part)
{
    part->count = part->pair_count = 0;
    if (first == end)
        return;
    CandidateWalk walk = candidate_walk_from(&contact->candidates, first);
    for (int32_t i = first; i < end;) {
        CandidateWalk ahead = walk;
        const bool of_small = candidate_list_owners_are_small(contact->list, candidate_walk_next(&ahead));
        int32_t next = end_of_owners(contact, walk, i);
        next = next - i > FEATURES_AT_ONCE ? i + FEATURES_AT_ONCE : next;
        find_in_some(contact, x, next - i, of_small, &walk, part);
        i = next;
    }
}

static VelaResult find_active(BarrierContact *contact, const double *x)
{
    const int32_t count = contact->candidates.count;
    const int parts = barrier_part_count(contact, count);
    contact->within_count = contact->whole_count = contact->active_count = 0;
    if (count == 0)
        return VELA_OK;
    TRY(ARENA_GROW(&contact->growing, contact->active, &contact->active_capacity, (size_t)count));
    TRY(ARENA_GROW(&contact->growing, contact->closest, &contact->closest_capacity, (size_t)count));
    TRY(shared_features_reserve(&contact->growing, &contact->shared, count));
    Feature *features = contact->shared.features;
    TeamLoop loop;
    team_loop_set(&loop, parts, 1, contact->threads);
#pragma omp parallel num_threads(contact->threads) if (parts > 1)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);) {
        const int32_t first = begin_of_part(contact, walk.first, parts);
        ActivePart *part = &contact->active_parts[walk.first];
        part->first = room_of_part(contact, first, walk.first, parts);
        find_in_part(contact, x, first, begin_of_part(contact, walk.first + 1, parts), part);
    }
    int32_t within = 0;
    for (int t = 0; t < parts; ++t) {
        const ActivePart *part = &contact->active_parts[t];
        const size_t own = (size_t)part->count;
        memmove(contact->active + within, contact->active + part->first, own * sizeof *contact->active);
        memmove(features + within, features + part->first, own * sizeof *features);
        within += part->count;
        contact->within_count += part->pair_count;
    }
    if (within == 0)
        return VELA_OK;
    shared_features_find(&contact->shared, within, &contact->active->stiffness,
                         sizeof *contact->active / sizeof contact->active->stiffness);
    // Nearly parallel edges share nothing: all of them stay.
    for (int32_t k = 0; k < within; ++k) {
        if (contact->shared.first[k] != k)
            continue;
        ActiveCandidate *active = &contact->active[contact->active_count];
        *active = contact->active[k];
        active->number =
            active->is_parallel ? contact->whole_count++ : contact->active_count - contact->whole_count;
        ++contact->active_count;
    }
    return VELA_OK;
}

VelaResult barrier_find_active(BarrierContact *contact, const double *x)
{
    const size_t bytes = 3 * (size_t)contact->model->surface.map.vertex_count * sizeof *x;
    if (contact->is_found && memcmp(contact->found, x, bytes) == 0)
        return VELA_OK;
    contact->is_found = false;
    TRY(find_active(contact, x));
    memcpy(contact->found, x, bytes);
    contact->is_found = true;
    return VELA_OK;
}
